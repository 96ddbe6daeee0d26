"""Losses as boosting needs them: where to start, what y may be, from scores to predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError

_LOG_LINK = ("poisson", "gamma")


@dataclass(frozen=True, slots=True)
class Objective:
    """A loss of the compiled core with its parameter and number of outputs.

    Parameters
    ----------
    name : str
        In the core: "squared_error", …, "log_loss", "multinomial".
    parameter : float, default=0.0
        The level of a quantile.
    outputs : int, default=1
        Trees per iteration.

    Examples
    --------
    >>> Objective("poisson").baseline(np.array([1.0, 3.0]), None).round(4)
    array([0.6931])
    """

    name: str
    parameter: float = 0.0
    outputs: int = 1

    def require_target(self, y: Array, owner: str) -> None:
        """Refuse a y that the loss is not defined for."""
        if self.name == "gamma" and not (y > 0.0).all():
            raise InvalidDataError(
                f"{owner}: loss='gamma' requires strictly positive y; the smallest is {y.min():g}."
            )
        if self.name == "poisson" and (y.min() < 0.0 or not y.sum() > 0.0):
            raise InvalidDataError(
                f"{owner}: loss='poisson' requires non-negative y and sum(y) > 0; the smallest is "
                f"{y.min():g}, the sum {y.sum():g}."
            )

    def baseline(self, y: Array, weights: Array | None) -> Array:
        """The scores, one for each output, of the best constant prediction."""
        if self.name in ("absolute_error", "huber", "quantile"):
            level = self.parameter if self.name == "quantile" else 0.5
            return np.array([_core.weighted_quantile(y, weights, level)])
        if self.name == "multinomial":
            counts = np.bincount(y.astype(np.intp), weights, minlength=self.outputs)
            logs = np.log(np.maximum(counts / counts.sum(), np.finfo(np.float64).eps))
            return np.asarray(logs - logs.mean())
        mean = float(np.average(y, weights=weights))
        if self.name in _LOG_LINK:
            return np.array([np.log(max(mean, np.finfo(np.float64).tiny))])
        if self.name == "log_loss":
            tiny = float(np.finfo(np.float64).eps)
            mean = min(max(mean, tiny), 1.0 - tiny)
            return np.array([np.log(mean / (1.0 - mean))])
        return np.array([mean])

    def loss(self, y: Array, weights: Array | None, scores: Array) -> float:
        """Mean loss at scores of shape (outputs, n); Huber's turns linear as it stands."""
        return _core.boost_loss(self.name, self.parameter, y, weights, scores)

    def mean(self, scores: NDArray[Any]) -> NDArray[Any]:
        """Predictions of a regression from its scores."""
        return np.exp(scores) if self.name in _LOG_LINK else scores
