"""The best predictor under a known distribution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.decision.class_densities import ClassDensities
from stylobate.decision.conditional import best_of_density, best_of_weights
from stylobate.decision.expectation import expected_prediction_error
from stylobate.decision.expected_error import ExpectedError
from stylobate.decision.joint_density import JointDensity
from stylobate.decision.losses import DecisionLoss, as_loss
from stylobate.decision.tables import JointTable
from stylobate.exceptions import InvalidParameterError

_WORDS = {
    "mode": "conditional mode",
    "mean": "conditional mean",
    "quantile": "conditional quantile",
    "cost": "decision of least expected cost",
    "root": "minimiser of the expected loss",
    "search": "minimiser of the expected loss",
}


class BestPredictor:
    """The function f that minimises E L(Y, f(X)); call it, or `predict`.

    Attributes
    ----------
    distribution : JointTable, ClassDensities or JointDensity
    loss : DecisionLoss
    kind : str
        What it is: "conditional mean", "conditional median" …
    """

    def __init__(self, distribution: Any, loss: DecisionLoss, decide: Callable[[Any], Any]) -> None:
        self.distribution = distribution
        self.loss = loss
        self._decide = decide
        self.kind = _WORDS[loss.best]
        if loss.best == "quantile":
            median = loss.level == 0.5
            self.kind = "conditional median" if median else f"conditional {loss.level:g}-quantile"

    def decide(self, points: Any) -> NDArray[Any]:
        """The best decision at each point."""
        return np.asarray(self._decide(points))

    def __call__(self, points: Any) -> NDArray[Any]:
        return self.decide(points)

    def predict(self, X: Any) -> NDArray[Any]:
        """The best decision for each row."""
        rows = np.asarray(X)
        flat = rows.ndim == 2 and rows.shape[1] == 1
        return self.decide(rows[:, 0] if flat else rows)

    @property
    def expected_error(self) -> ExpectedError:
        """The least expected loss there is."""
        return expected_prediction_error(self, self.distribution, self.loss.cost or self.loss)

    def __repr__(self) -> str:
        return f"BestPredictor: {self.kind} of {self.distribution!r}, for {self.loss.name} loss"


def best_predictor(distribution: Any, loss: Any = "squared") -> BestPredictor:
    """The predictor of least expected loss under a known distribution.

    Squared loss makes it the conditional mean, absolute loss the conditional median, the pinball
    loss a conditional quantile, 0–1 loss the conditional mode, and a cost matrix the decision of
    least expected cost; other losses are minimised point by point.

    Parameters
    ----------
    distribution : JointTable, ClassDensities or JointDensity
        The joint distribution of x and y.
    loss : str, Loss, CostMatrix or callable, default="squared"
        "zero_one", "absolute", "squared", "huber"; a value of `stylobate.losses` such as
        ``Quantile(0.9)``; a cost matrix; or a function of (y, decision), for which the decisions
        tried are the values of y (tables, classes) or numbers in its range (densities).

    Returns
    -------
    BestPredictor
        Callable, with `predict` and `expected_error`.

    Examples
    --------
    >>> from stylobate.decision import JointTable
    >>> table = JointTable([[0.1, 0.2, 0.2], [0.3, 0.0, 0.2]], x=["a", "b"], y=[0, 1, 5])
    >>> for loss in ("squared", "absolute", "zero_one"):
    ...     print(best_predictor(table, loss)(["a", "b"]).round(6))
    [2.4 2. ]
    [1. 0.]
    [1 0]
    >>> best_predictor(table, "absolute").expected_error
    1.9 (exact sum)

    References
    ----------
    Hastie, Tibshirani & Friedman (2009), The elements of statistical learning, section 2.4.
    """
    function = as_loss(loss, "best_predictor")
    if isinstance(distribution, JointTable):
        decisions = best_of_weights(function, distribution.y, distribution.conditional)
        return BestPredictor(
            distribution, function, lambda points: decisions[distribution.places(points)]
        )
    if isinstance(distribution, ClassDensities):
        return BestPredictor(
            distribution,
            function,
            lambda points: best_of_weights(
                function, distribution.classes, distribution.posterior(points)
            ),
        )
    if isinstance(distribution, JointDensity):
        return BestPredictor(
            distribution,
            function,
            lambda points: best_of_density(
                function, distribution, np.atleast_1d(np.asarray(points, dtype=np.float64))
            ),
        )
    raise InvalidParameterError(
        "best_predictor: distribution must be a JointTable, ClassDensities or JointDensity, got "
        f"{type(distribution).__name__}."
    )
