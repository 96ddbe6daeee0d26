"""Numbers to be compared: read once, errors averaged over rows and then over outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base.scoring import explained_share
from stylobate.data import read_weights
from stylobate.data.containers import unpack
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.sparse import is_sparse, refuse_sparse
from stylobate.data.words import Input, user_stacklevel
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    UndefinedMetricWarning,
    joined,
)

_AVERAGES = ("raw_values", "uniform_average", "variance_weighted")


@dataclass(frozen=True, slots=True)
class Outputs:
    """What is true and what was predicted (n × t), and the weights of the rows."""

    truth: Array
    predicted: Array
    weights: Array | None
    owner: str

    def mean(self, losses: Array) -> Array:
        """The weighted mean of losses over the rows (one for each output)."""
        return np.asarray(np.average(losses, axis=0, weights=self.weights))

    def total(self, losses: Array) -> Array:
        """The weighted sum of losses over the rows (one for each output)."""
        return np.asarray(losses.sum(axis=0) if self.weights is None else self.weights @ losses)

    def too_few(self, score: str) -> bool:
        """Whether there are not two rows to compare; says so in a warning."""
        if len(self.truth) >= 2:
            return False
        warn_undefined(f"{score} score is not well-defined with less than two samples.")
        return True

    def single(self) -> Outputs:
        """These, unless there are several outputs, which are then refused."""
        if self.truth.shape[1] > 1:
            raise InvalidDataError(
                f"Multioutput not supported in {self.owner}: y_true has {self.truth.shape[1]} "
                "columns, and one is expected."
            )
        return self


def read_outputs(y_true: Any, y_pred: Any, sample_weight: Any, owner: str) -> Outputs:
    """Read both sides of a regression metric; refuses NaN, and lengths or widths that differ."""
    truth = _matrix(y_true, Input(owner, "y_true"))
    predicted = _matrix(y_pred, Input(owner, "y_pred"))
    require_same_length(owner, len(truth), len(predicted))
    if truth.shape[1] != predicted.shape[1]:
        raise InvalidDataError(
            f"{owner}: y_true and y_pred have different number of output "
            f"({truth.shape[1]}!={predicted.shape[1]}); pass the same targets in both."
        )
    return Outputs(truth, predicted, read_weights(sample_weight, len(truth), owner=owner), owner)


def _matrix(values: Any, source: Input) -> Array:
    if is_sparse(values):
        refuse_sparse(source)
    array = unpack(values, source).values
    if array.ndim not in (1, 2) or 0 in array.shape:
        raise InvalidDataError(
            f"{source} has shape {array.shape}; expected (n,) or (n, n_outputs), a minimum of 1 "
            "sample is required."
        )
    matrix = np.asarray(array.reshape(len(array), -1), dtype=np.float64)
    refuse_nonfinite(matrix, source)
    return matrix


def require_same_length(owner: str, n_true: int, n_predicted: int) -> None:
    if n_true != n_predicted:
        raise InvalidDataError(
            f"{owner}: Found input variables with inconsistent numbers of samples: "
            f"[{n_true}, {n_predicted}]; y_true and y_pred need one entry for each row."
        )


def average_outputs(values: Array, multioutput: Any, owner: str) -> float | Array:
    """One number from one for each output: all of them, their mean, or a weighted mean."""
    if isinstance(multioutput, str):
        if multioutput not in _AVERAGES[:2]:
            _refuse_average(multioutput, owner)
        return values if multioutput == "raw_values" else float(values.mean())
    return float(np.average(values, weights=_output_weights(multioutput, len(values), owner)))


def average_explained(
    unexplained: Array, total: Array, multioutput: Any, owner: str, *, force_finite: bool = True
) -> float | Array:
    """1 − unexplained/total for each output, averaged; "variance_weighted" weighs by total."""
    scores = explained_share(unexplained, total, force_finite=force_finite)
    if isinstance(multioutput, str) and multioutput == "variance_weighted":
        weights = total if (total > 0).any() else None
        return float(np.average(scores, weights=weights))
    if multioutput is None:
        multioutput = "uniform_average"
    return average_outputs(scores, multioutput, owner)


def _output_weights(multioutput: Any, count: int, owner: str) -> Array | None:
    if multioutput is None:
        return None
    weights = np.asarray(multioutput, dtype=np.float64)
    if count == 1:
        raise InvalidParameterError(
            f"{owner}: multioutput={multioutput!r}: Custom weights are useful only in multi-output "
            "cases, and there is one output."
        )
    if weights.shape != (count,):
        raise InvalidParameterError(
            f"{owner}: There must be equally many custom weights ({weights.size}) as outputs "
            f"({count})."
        )
    return weights


def _refuse_average(multioutput: str, owner: str) -> None:
    raise InvalidParameterError(
        f"{owner}: multioutput must be one of {_words(_AVERAGES)} (the last for shares of what is "
        f"explained only) or one weight per output, got {multioutput!r}."
    )


def _words(options: Sequence[Any]) -> str:
    return ", ".join(map(repr, options))


def warn_undefined(message: str) -> None:
    """A score that has no value; the warning points at the caller's own line."""
    import warnings

    warnings.warn(message, joined(UndefinedMetricWarning), stacklevel=user_stacklevel())
