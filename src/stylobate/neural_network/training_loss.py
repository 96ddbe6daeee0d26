"""What a network is trained for: a loss of its outputs, with the derivative."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.losses import Absolute, HalfSquared, Huber, Logistic, Loss, Multinomial
from stylobate.neural_network.layers.activation import Activation
from stylobate.neural_network.layers.layer import Rows
from stylobate.neural_network.layout import Place
from stylobate.neural_network.passes import Stage, Watch, backward, forward

OF_NUMBERS: dict[str, Loss] = {
    "squared": HalfSquared(),
    "absolute": Absolute(),
    "huber": Huber(),
}


@dataclass(frozen=True, slots=True)
class TrainingLoss:
    """A loss of rows, summed over outputs.

    Parameters
    ----------
    loss : Loss or Multinomial
    skips : int
        Layers at the end that belong to the loss: cross-entropy takes what goes into the softmax
        or the sigmoid, so that nothing overflows and the derivative is prediction − target.
    classes : int
        How many there are; 0 if targets are numbers.
    outputs : tuple of int
        Shape of one row's outputs.
    """

    loss: Any
    skips: int
    classes: int
    outputs: tuple[int, ...]

    @classmethod
    def of(cls, loss: str | Loss, places: list[Place]) -> TrainingLoss:
        """By name, or a loss of `stylobate.losses` for numbers."""
        last = places[-1]
        if isinstance(loss, Loss):
            return cls(loss, 0, 0, last.output)
        if loss in OF_NUMBERS:
            return cls(OF_NUMBERS[loss], 0, 0, last.output)
        if loss != "cross_entropy":
            raise InvalidParameterError(
                f"Network: loss must be one of {', '.join(OF_NUMBERS)}, cross_entropy, or a loss "
                f"of stylobate.losses, got {loss!r}."
            )
        kind = last.layer.kind if isinstance(last.layer, Activation) else ""
        if kind == "softmax":
            return cls(Multinomial(), 1, last.output[0], last.output)
        if kind == "sigmoid" and last.output == (1,):
            return cls(Logistic(), 1, 2, last.output)
        raise InvalidParameterError(
            "Network: cross_entropy needs probabilities: end with Activation('softmax'), or with "
            f"one output and Activation('sigmoid'); the last layer is {last.name}."
        )

    def ahead(self, stages: Sequence[Any]) -> Sequence[Any]:
        """The layers before those that belong to the loss."""
        return stages[: len(stages) - self.skips]

    def targets(self, y: Any, n_rows: int) -> NDArray[Any]:
        """Class numbers, or numbers as the outputs are shaped; refuses what does not fit."""
        given = np.asarray(y)
        if len(given) != n_rows:
            raise InvalidDataError(f"Network: x has {n_rows} rows, y has {len(given)}.")
        if self.classes:
            return self._codes(given)
        shape = (n_rows, *self.outputs)
        if given.shape != shape and given.size != np.prod(shape):
            raise InvalidDataError(f"Network: y must have shape {shape}, got {given.shape}.")
        values = given.reshape(n_rows, -1).astype(np.float64)
        refuse_not_finite(values, "y")
        if isinstance(self.loss, Loss):
            self.loss.require_target(values.reshape(-1), "Network")
        return values

    def _codes(self, given: NDArray[Any]) -> NDArray[np.int64]:
        wrong = ""
        if given.ndim != 1:
            wrong = f"an array of shape {given.shape}"
        elif given.dtype.kind not in "biu":
            wrong = f"values of type {given.dtype}, such as {given[:1].tolist()[0]!r}"
        else:
            outside = np.flatnonzero((given < 0) | (given >= self.classes))
            wrong = f"{given[outside[0]]} at row {outside[0]}" if len(outside) else ""
        if wrong:
            raise InvalidDataError(
                f"Network: y must hold class numbers 0 … {self.classes - 1} (whole numbers, one "
                f"for each row), got {wrong}. np.unique(y, return_inverse=True)[1] numbers classes."
            )
        return given.astype(np.int64)

    def of_rows(
        self, outputs: NDArray[Any], y: NDArray[Any], weights: NDArray[Any] | None = None
    ) -> tuple[float, NDArray[Any]]:
        """The (weighted) mean over rows, and its derivative by the outputs."""
        target = y[:, np.newaxis] if self.classes == 2 and outputs.shape[1] == 1 else y
        values = np.asarray(self.loss.value(target, outputs))
        slopes = np.asarray(self.loss.gradient(target, outputs))
        if weights is None:
            value, slopes = float(np.sum(values)) / len(outputs), slopes / len(outputs)
        else:
            total = float(weights.sum())
            shares = weights / total if total > 0.0 else weights  # rows that do not count: nothing
            value = float(shares @ values.reshape(len(outputs), -1).sum(axis=1))
            slopes = slopes * shares[:, np.newaxis]
        return value, np.ascontiguousarray(slopes.astype(outputs.dtype))


def loss_and_slopes(
    stages: Sequence[Stage],
    x: Rows,
    y: NDArray[Any],
    loss: TrainingLoss,
    draw: np.random.Generator | None,
    *,
    weights: NDArray[Any] | None = None,
    by_input: bool = False,
    watch: Watch | None = None,
) -> tuple[float, Any]:
    """Forward and back: the mean loss, and derivatives by x if asked for; those by weights are
    written to where the stages point. With a `draw` as in training, where states move on.
    """
    ahead = loss.ahead(stages)
    outputs, kept = forward(ahead, x, draw, watch)
    value, d = loss.of_rows(outputs, y, weights)
    return value, backward(ahead, d, kept, by_input=by_input, watch=watch)


def refuse_not_finite(rows: NDArray[Any], name: str) -> None:
    """Refuse NaN and infinity, with the first row that holds one."""
    if np.isfinite(rows).all():
        return
    wrong = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    value = rows[wrong[0]][~np.isfinite(rows[wrong[0]])][0]
    raise InvalidDataError(
        f"Network: {name} holds {'NaN' if np.isnan(value) else 'infinity'} at row {wrong[0]} "
        f"({len(wrong)} of {len(rows)} rows have missing or infinite values). Impute or drop them, "
        "or rescale the numbers."
    )
