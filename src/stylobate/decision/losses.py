"""Losses of decisions: what they cost, and which function of a distribution is best for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from stylobate.arrays import Array
from stylobate.decision.costs import CostMatrix
from stylobate.exceptions import InvalidParameterError
from stylobate.losses import Absolute, HalfSquared, Loss, Quantile

Best = Literal["mode", "mean", "quantile", "cost", "root", "search"]


@dataclass(frozen=True)
class DecisionLoss:
    """A loss L(y, decision), entry by entry.

    Attributes
    ----------
    function : callable of (y, decision)
        Vectorised.
    best : {"mode", "mean", "quantile", "cost", "root", "search"}
        What minimises the expected loss: the mode, mean or quantile of the conditional
        distribution, the decision of least cost, the root of the expected derivative, or whatever
        a search finds.
    level : float
        Of the quantile.
    slope : callable, optional
        The derivative in the decision, for "root".
    cost : CostMatrix, optional
        For "cost".
    name : str
        For messages.
    """

    function: Callable[[Any, Any], Any]
    best: Best
    name: str
    level: float = 0.5
    slope: Callable[[Any, Any], Any] | None = None
    cost: CostMatrix | None = None

    def __call__(self, y: Any, decision: Any) -> Array:
        """The loss of each decision."""
        found = np.asarray(self.function(y, decision), dtype=np.float64)
        shape = np.broadcast_shapes(np.shape(y), np.shape(decision))
        return np.broadcast_to(found, shape)


def as_loss(loss: Any, owner: str) -> DecisionLoss:
    """The loss that ``loss`` stands for.

    Parameters
    ----------
    loss : str, Loss, CostMatrix or callable
        "zero_one", "squared", "absolute", "huber"; a value of `stylobate.losses` such as
        ``Quantile(0.9)`` or ``Huber(2.0)``; a cost matrix; or a function of (y, decision).
    owner : str
        Who is asking.

    Examples
    --------
    >>> float(as_loss("squared", "example")(3.0, 1.0))
    4.0
    """
    if isinstance(loss, DecisionLoss):
        return loss
    if isinstance(loss, str) and loss in _NAMED:
        return _NAMED[loss]
    if isinstance(loss, str) and loss == "huber":
        from stylobate.losses import Huber

        loss = Huber()
    if isinstance(loss, CostMatrix):
        return DecisionLoss(_of_cost(loss), "cost", "cost", cost=loss)
    if isinstance(loss, Loss):
        return _of_loss(loss, owner)
    if callable(loss):
        return DecisionLoss(loss, "search", getattr(loss, "__name__", "loss"))
    raise InvalidParameterError(
        f"{owner}: loss must be {', '.join(map(repr, _NAMED))}, 'huber', a value of "
        "stylobate.losses, a CostMatrix or a function of (y, decision), got " + f"{loss!r}."
    )


def _of_loss(loss: Loss, owner: str) -> DecisionLoss:
    if loss.targets != "any number":
        raise InvalidParameterError(
            f"{owner}: {type(loss).__name__} is a loss of margins, not of predicted values; use "
            "'zero_one' or a CostMatrix for labels."
        )
    name = type(loss).__name__
    if isinstance(loss, HalfSquared):
        return DecisionLoss(loss.value, "mean", name)
    if isinstance(loss, Absolute):
        return DecisionLoss(loss.value, "quantile", name)
    if isinstance(loss, Quantile):
        return DecisionLoss(loss.value, "quantile", name, level=loss.level)
    return DecisionLoss(loss.value, "root", name, slope=loss.gradient)


def _of_cost(cost: CostMatrix) -> Callable[[Any, Any], Any]:
    rows = {label: k for k, label in enumerate(cost.classes.tolist())}
    columns = {label: k for k, label in enumerate(cost.decisions.tolist())}

    def value(y: Any, decision: Any) -> Array:
        truth, chosen = np.broadcast_arrays(np.asarray(y), np.asarray(decision))
        try:
            pairs = zip(truth.reshape(-1).tolist(), chosen.reshape(-1).tolist(), strict=True)
            found = [cost.costs[rows[a], columns[b]] for a, b in pairs]
        except KeyError as unknown:
            raise InvalidParameterError(
                f"the cost matrix has no class or decision {unknown.args[0]!r}; it has "
                f"{cost.classes.tolist()!r} and {cost.decisions.tolist()!r}."
            ) from None
        return np.array(found).reshape(truth.shape)

    return value


def _unequal(y: Any, decision: Any) -> Any:
    return np.asarray(y) != np.asarray(decision)


def _squared(y: Any, decision: Any) -> Any:
    return (np.asarray(y, dtype=np.float64) - decision) ** 2


def _absolute(y: Any, decision: Any) -> Any:
    return np.abs(np.asarray(y, dtype=np.float64) - decision)


_NAMED = {
    "zero_one": DecisionLoss(_unequal, "mode", "zero_one"),
    "squared": DecisionLoss(_squared, "mean", "squared"),
    "absolute": DecisionLoss(_absolute, "quantile", "absolute"),
}
