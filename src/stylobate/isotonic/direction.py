"""Whether a target rises or falls along a column."""

from __future__ import annotations

import warnings
from math import atanh, isnan, sqrt
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, StylobateWarning

_QUANTILE = 1.96  # of the normal law: 95 % of it lie within


def check_increasing(x: Any, y: Any) -> bool:
    """Whether y is rather increasing than decreasing in x, by Spearman's rank correlation.

    Warns where the 95 % interval of the correlation (Fisher's) holds 0, so that the data do not
    say.

    Parameters
    ----------
    x : array-like of shape (n,)
        Values to order by.
    y : array-like of shape (n,)
        Target.

    Returns
    -------
    bool
        True where the correlation is at least 0; False where it is negative, or undefined because
        x or y is constant.

    Examples
    --------
    >>> check_increasing([1, 2, 3, 4, 5], [10, 8, 6, 5, 1])
    False

    References
    ----------
    Fisher (1921), On the "probable error" of a coefficient of correlation, Metron 1.
    """
    ranks = [_centred_ranks(each) for each in (x, y)]
    n = len(ranks[0])
    if len(ranks[1]) != n:
        raise InvalidDataError(
            f"check_increasing: Found input variables with inconsistent numbers of samples: x has "
            f"{n}, y has {len(ranks[1])}."
        )
    scale = sqrt(float(ranks[0] @ ranks[0]) * float(ranks[1] @ ranks[1]))
    correlation = float(ranks[0] @ ranks[1]) / scale if scale > 0 else float("nan")
    sure = abs(correlation) >= 1.0 - 1e-14 or n <= 3
    if isnan(correlation) or (not sure and abs(atanh(correlation)) * sqrt(n - 3) < _QUANTILE):
        warnings.warn(
            "Confidence interval of the Spearman correlation coefficient spans zero. Determination "
            "of ``increasing`` may be suspect.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    return correlation >= 0.0


def _centred_ranks(values: Any) -> Array:
    """Ranks less their mean; equal values share the mean of theirs."""
    column = np.asarray(values, dtype=np.float64).reshape(-1)
    _, place, counts = np.unique(column, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - 0.5 * (counts - 1)
    return np.asarray(ranks[place.reshape(-1)] - 0.5 * (len(column) + 1))
