"""Answers from neighbours' targets, told of where there is none."""

from __future__ import annotations

import warnings

import numpy as np

from stylobate.arrays import Array, Mask
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import StylobateWarning
from stylobate.neighbors.predictions.quantiles import weighted_quantiles

NO_WEIGHT = "no neighbour of positive weight; choose a larger bandwidth"
NOBODY = "no neighbors within specified radius; predicting NaN"


def quantiles_of(targets: Array, weights: Array, level: float) -> Array:
    """Of one column of targets or of several."""
    if targets.ndim == 2:
        return weighted_quantiles(targets, weights, level)
    columns = range(targets.shape[2])
    return np.column_stack([weighted_quantiles(targets[..., c], weights, level) for c in columns])


def told(answers: Array, words: str) -> Array:
    """Answers, with a warning where there is none."""
    empty = np.isnan(answers if answers.ndim == 1 else answers[:, 0])
    _warn_of_empty(empty, words)
    return answers


def quotient(sums: Array, total: Array, words: str) -> Array:
    """Sums over totals; NaN and a warning where the total is 0."""
    empty = ~(total > 0.0)
    _warn_of_empty(empty, words)
    divisor = np.where(empty, np.nan, total)
    return np.asarray(sums / (divisor if sums.ndim == 1 else divisor[:, None]))


def _warn_of_empty(empty: Mask, words: str) -> None:
    if empty.any():
        warnings.warn(
            f"One or more samples have {words}: {int(empty.sum())} rows.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
