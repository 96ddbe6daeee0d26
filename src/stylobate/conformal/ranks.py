"""The order statistics that conformal prediction stands on."""

from __future__ import annotations

from math import ceil, floor, inf

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError

_SLACK = 1e-9  # (n + 1)·level that should be whole is off by rounding alone


def check_level(level: float, owner: str) -> float:
    """A level in (0, 1), or a refusal."""
    real = isinstance(level, int | float | np.floating) and not isinstance(level, bool)
    if not real or not 0.0 < level < 1.0:
        raise InvalidParameterError(f"{owner}: level must be a number in (0, 1), got {level!r}.")
    return float(level)


def upper_rank(n: int, level: float) -> int:
    """⌈(n + 1)·level⌉: a new score is at most the one of this rank with that probability.

    >>> upper_rank(99, 0.9), upper_rank(5, 0.9)
    (90, 6)
    """
    return ceil((n + 1) * level - _SLACK)


def lower_rank(n: int, level: float) -> int:
    """⌊(n + 1)(1 − level)⌋: the rank of the lower end among n.

    >>> lower_rank(99, 0.9)
    10
    """
    return floor((n + 1) * (1.0 - level) + _SLACK)


def upper_end(scores: Array, level: float) -> Array:
    """The score of `upper_rank` along the last axis; infinite where there are too few.

    >>> float(upper_end(np.arange(1.0, 10.0), 0.9)), float(upper_end(np.arange(3.0), 0.9))
    (9.0, inf)
    """
    n = scores.shape[-1]
    rank = upper_rank(n, level)
    if rank > n:
        return np.full(scores.shape[:-1], inf)
    return np.asarray(np.partition(scores, rank - 1, axis=-1)[..., rank - 1])


def lower_end(scores: Array, level: float) -> Array:
    """The score of `lower_rank` along the last axis; −∞ where there are too few."""
    rank = lower_rank(scores.shape[-1], level)
    if rank < 1:
        return np.full(scores.shape[:-1], -inf)
    return np.asarray(np.partition(scores, rank - 1, axis=-1)[..., rank - 1])
