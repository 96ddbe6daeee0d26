"""Covariances of estimates from the scores of the rows, for any likelihood.

`A⁻¹ B A⁻¹` with the scores' scatter B taken row by row (HC), within groups (cluster, one or two
ways), or over neighbours in time (HAC, Newey and West).

References
----------
White (1982), Econometrica 50; Newey & West (1987), Econometrica 55; Cameron, Gelbach & Miller
(2011), J. Business & Economic Statistics 29.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.covariance.least_squares import CoefficientCovariance, group_ways

KINDS = ("HC0", "HC1", "cluster", "HAC")


def sandwich(
    bread: Array,
    scores: Array,
    kind: str,
    *,
    rank: int,
    n_rows: int,
    weights: Array | None = None,
    groups: Any = None,
    lags: int | None = None,
) -> CoefficientCovariance:
    """The covariance of estimates whose rows have these scores.

    Parameters
    ----------
    bread : (k, k) array
        Inverse observed information.
    scores : (n, k) array
        Derivatives of each row's (weighted) log-likelihood.
    kind : {"HC0", "HC1", "cluster", "HAC"}
    rank, n_rows : int
    weights : (n,) array, optional
        Rows of zero weight belong to no group.
    groups : array_like, optional
        One or two columns of labels.
    lags : int, optional
        Of "HAC"; by default the whole part of `4 (n/100)^(2/9)`.

    Examples
    --------
    >>> scores = np.array([[1.0], [-1.0], [1.0], [-1.0]])
    >>> float(sandwich(np.eye(1), scores, "HC0", rank=1, n_rows=4).matrix[0, 0])
    4.0
    """
    if kind not in KINDS:
        allowed = ", ".join(map(repr, ("classical", *KINDS)))
        raise InvalidParameterError(f"covariance must be one of {allowed} here, got {kind!r}.")
    df = float(n_rows - rank)
    if kind == "cluster":
        codes, counts = group_ways(groups, len(scores), weights)
        meat = clustered_meat(scores, codes, n_rows, rank)
        label = f"cluster ({' x '.join(map(str, counts))} groups)"
        return CoefficientCovariance(bread @ meat @ bread, label, float(min(counts) - 1))
    if kind == "HAC":
        lags = default_lags(n_rows) if lags is None else check_lags(lags, n_rows)
        meat = hac_meat(scores, lags)
        return CoefficientCovariance(bread @ meat @ bread, f"HAC ({lags} lags)", df)
    factor = n_rows / df if kind == "HC1" and df > 0 else 1.0
    return CoefficientCovariance(bread @ (scores.T @ scores) @ bread * factor, kind, df)


def clustered_meat(scores: Array, ways: list[Indices], n: int, rank: int) -> Array:
    """Scatter of the groups' sums with the correction `G/(G−1)·(n−1)/(n−k)`; two ways by
    inclusion and exclusion.
    """
    meat = _one_way(scores, ways[0], n, rank)
    if len(ways) == 1:
        return meat
    both = ways[0] * (ways[1].max() + 1) + ways[1]
    cells = np.where(ways[0] < 0, -1, np.unique(both, return_inverse=True)[1])
    return meat + _one_way(scores, ways[1], n, rank) - _one_way(scores, cells, n, rank)


def _one_way(scores: Array, codes: Indices, n: int, rank: int) -> Array:
    counted = codes >= 0
    size = int(codes.max()) + 1
    kept, labels = scores[counted], codes[counted]
    sums = np.column_stack(
        [np.bincount(labels, weights=column, minlength=size) for column in kept.T]
    )
    g = int(np.count_nonzero(np.bincount(codes[counted], minlength=size)))
    factor = g / (g - 1) * (n - 1) / (n - rank) if g > 1 and n > rank else np.nan
    return np.asarray(sums.T @ sums * factor)


def hac_meat(scores: Array, lags: int) -> Array:
    """`Γ₀ + Σ (1 − l/(L+1)) (Γ_l + Γ_lᵀ)` of rows in the order of time (Bartlett's weights)."""
    meat = scores.T @ scores
    for lag in range(1, lags + 1):
        cross = scores[lag:].T @ scores[:-lag]
        meat += (1.0 - lag / (lags + 1.0)) * (cross + cross.T)
    return np.asarray(meat)


def default_lags(n: int) -> int:
    """Newey and West's rule of thumb, `⌊4 (n/100)^(2/9)⌋`.

    >>> default_lags(100)
    4
    """
    return int(4.0 * (n / 100.0) ** (2.0 / 9.0))


def check_lags(lags: Any, n: int) -> int:
    """Refuse what is no number of lags."""
    if not isinstance(lags, int | np.integer) or not 0 <= lags < n:
        raise InvalidParameterError(f"lags must be a whole number in [0, {n}), got {lags!r}.")
    return int(lags)


def refuse_rows(n: int, expected: int) -> None:
    """Refuse another number of rows than the fit had."""
    if n != expected:
        raise InvalidDataError(
            f"The rows passed are {n}, those of the fit were {expected}: pass the rows of the fit."
        )
