"""Sums of errors: a statistic that merges, and the scores of regression that follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.regression.outputs import (
    average_explained,
    average_outputs,
    read_outputs,
    warn_undefined,
)

_FIELDS = (
    "n_rows",
    "weight",
    "mean_true",
    "scatter_true",
    "mean_error",
    "scatter_error",
    "absolute",
)


@dataclass(frozen=True, slots=True, eq=False)
class ErrorSums:
    r"""Sums over the errors r = y − ŷ of some rows, for each output.

    A statistic: the sums of batches merge to those of all rows, and subtract. With weights w every
    sum is weighted. Means and sums of squares about them are held, not raw squares, so that large
    numbers lose no digits.

    Attributes
    ----------
    n_rows : int
        Rows.
    weight : float
        Their weight Σ w.
    mean_true, scatter_true : arrays of shape (t,)
        Mean of y, and :math:`\sum w (y - \bar y)^2`.
    mean_error, scatter_error : arrays of shape (t,)
        Mean of r, and :math:`\sum w (r - \bar r)^2`.
    absolute : array of shape (t,)
        :math:`\sum w |r|`.

    Examples
    --------
    >>> first = ErrorSums.of([1.0, 2.0], [1.0, 3.0])
    >>> both = first.merge(ErrorSums.of([3.0, 4.0], [3.0, 3.0]))
    >>> both.score("mean_squared_error"), both.score("r2")
    (0.5, 0.6)
    """

    n_rows: int
    weight: float
    mean_true: Array
    scatter_true: Array
    mean_error: Array
    scatter_error: Array
    absolute: Array

    subtractable: ClassVar[bool] = True

    @classmethod
    def of(cls, y_true: Any, y_pred: Any, sample_weight: Any = None) -> ErrorSums:
        """The sums of some rows; no rows are fine.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n,) or (n, n_outputs)
            The truth and what was predicted.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows.
        """
        if len(y_true) == 0 and len(y_pred) == 0:
            shape = np.shape(y_true)
            none = np.zeros(shape[1] if len(shape) > 1 else 1)
            return cls(0, 0.0, none, none, none, none, none)
        both = read_outputs(y_true, y_pred, sample_weight, cls.__name__)
        error = both.truth - both.predicted
        mean_true, mean_error = both.mean(both.truth), both.mean(error)
        return cls(
            len(error),
            float(len(error) if both.weights is None else both.weights.sum()),
            mean_true,
            both.total((both.truth - mean_true) ** 2),
            mean_error,
            both.total((error - mean_error) ** 2),
            both.total(np.abs(error)),
        )

    def merge(self, other: ErrorSums) -> ErrorSums:
        """The sums of both parts' rows together."""
        return self._joined(other, 1.0)

    def subtract(self, other: ErrorSums) -> ErrorSums:
        """The sums without those of a part."""
        if other.n_rows > self.n_rows:
            raise InvalidDataError(
                f"ErrorSums.subtract: there are {self.n_rows} rows, and {other.n_rows} are to be "
                "taken away; subtract only what was merged."
            )
        return self._joined(other, -1.0)

    def _joined(self, other: ErrorSums, sign: float) -> ErrorSums:
        if len(self.mean_true) != len(other.mean_true):
            raise InvalidDataError(
                f"ErrorSums: one part has {len(self.mean_true)} outputs and the other "
                f"{len(other.mean_true)}; only sums of the same targets can be joined."
            )
        n_rows = self.n_rows + int(sign) * other.n_rows
        if n_rows == 0 or other.n_rows == 0:
            none = np.zeros_like(self.mean_true)
            return self if n_rows else ErrorSums(0, 0.0, none, none, none, none, none)
        weight = self.weight + sign * other.weight
        share = sign * other.weight / weight
        parts: list[Array] = []
        for side in ("true", "error"):
            mean, scatter = getattr(self, f"mean_{side}"), getattr(self, f"scatter_{side}")
            apart = getattr(other, f"mean_{side}") - mean
            added = sign * getattr(other, f"scatter_{side}") + apart**2 * self.weight * share
            parts += [mean + share * apart, np.maximum(scatter + added, 0.0)]
        absolute = np.maximum(self.absolute + sign * other.absolute, 0.0)
        return ErrorSums(n_rows, weight, parts[0], parts[1], parts[2], parts[3], absolute)

    @property
    def squares(self) -> Array:
        """Σ w r² of each output."""
        return np.asarray(self.scatter_error + self.weight * self.mean_error**2)

    def score(self, name: str, *, multioutput: Any = "uniform_average") -> float | Array:
        """A score of the sums.

        Parameters
        ----------
        name : str
            "mean_squared_error", "root_mean_squared_error", "mean_absolute_error", "r2_score",
            "explained_variance_score", or the name of a scorer made of them ("r2",
            "neg_mean_squared_error" …).
        multioutput : str or array, default="uniform_average"
            As of the metric.
        """
        metric = _SCORERS.get(name, name.removeprefix("neg_"))
        if metric not in _SCORES:
            raise InvalidParameterError(
                f"{name!r} does not follow from sums of errors; what does: {', '.join(_SCORES)}, "
                "and the names of scorers made of them."
            )
        if self.n_rows == 0:
            raise InvalidDataError(f"ErrorSums.score: there are no rows, and {name} needs some.")
        value = _SCORES[metric](self, multioutput)
        return -value if name.startswith("neg_") else value

    def is_finite(self) -> bool:
        """Whether nothing overflowed."""
        return bool(np.isfinite(self.squares).all() and np.isfinite(self.scatter_true).all())

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Plain arrays from which `from_arrays` rebuilds the sums."""
        return {name: np.atleast_1d(getattr(self, name)) for name in _FIELDS}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> ErrorSums:
        """The sums that gave these arrays."""
        rows, weight = int(arrays["n_rows"][0]), float(arrays["weight"][0])
        return cls(rows, weight, *(arrays[name] for name in _FIELDS[2:]))


def _mean_square(sums: ErrorSums, multioutput: Any) -> float | Array:
    return average_outputs(sums.squares / sums.weight, multioutput, "mean_squared_error")


def _root_mean_square(sums: ErrorSums, multioutput: Any) -> float | Array:
    roots = np.sqrt(sums.squares / sums.weight)
    return average_outputs(roots, multioutput, "root_mean_squared_error")


def _mean_absolute(sums: ErrorSums, multioutput: Any) -> float | Array:
    return average_outputs(sums.absolute / sums.weight, multioutput, "mean_absolute_error")


def _r2(sums: ErrorSums, multioutput: Any) -> float | Array:
    if sums.n_rows < 2:
        warn_undefined("R^2 score is not well-defined with less than two samples.")
        return float("nan")
    return average_explained(sums.squares, sums.scatter_true, multioutput, "r2_score")


def _explained_variance(sums: ErrorSums, multioutput: Any) -> float | Array:
    owner = "explained_variance_score"
    return average_explained(sums.scatter_error, sums.scatter_true, multioutput, owner)


_SCORES: dict[str, Callable[[ErrorSums, Any], float | Array]] = {
    "explained_variance_score": _explained_variance,
    "mean_absolute_error": _mean_absolute,
    "mean_squared_error": _mean_square,
    "r2_score": _r2,
    "root_mean_squared_error": _root_mean_square,
}
_SCORERS = {"explained_variance": "explained_variance_score", "r2": "r2_score"}
