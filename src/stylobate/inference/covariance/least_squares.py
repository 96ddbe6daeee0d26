"""Covariance of least-squares coefficients: classical, heteroscedasticity-robust, clustered.

All robust forms are the sandwich `C (Σ s sᵀ) C` with `C = (XᵀWX)⁻¹` and scores
`s_i = w_i e_i x_i`; they differ in how a score is inflated, and in whether scores are first summed
within groups.

References
----------
MacKinnon & White (1985), J. Econometrics 29; Cameron, Gelbach & Miller (2011), J. Business &
Economic Statistics 29.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stylobate.arrays import Array, Indices
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.fit import LinearFit
from stylobate.inference.rows import FittedRows, leverage

CovarianceKind = Literal["classical", "HC0", "HC1", "HC2", "HC3", "cluster", "CR2", "CR3", "HAC"]
CLUSTERED = ("cluster", "CR2", "CR3")
Rows = tuple[Any, ArrayLike, ArrayLike | None]

LEVERAGE_ONE = 1e-10  # 1 − h below this is one, up to rounding

_INFLATION: dict[str, Callable[[Array], Array]] = {
    "HC2": lambda slack: np.sqrt(slack),
    "HC3": lambda slack: slack,
}


@dataclass(frozen=True, eq=False)
class CoefficientCovariance:
    """A covariance matrix with the degrees of freedom its t statistics have."""

    matrix: Array
    kind: str
    df: float
    notes: tuple[str, ...] = ()


def coefficient_covariance(
    fit: LinearFit,
    *,
    rows: Rows | None = None,
    covariance: CovarianceKind = "classical",
    groups: Any = None,
    lags: int | None = None,
) -> CoefficientCovariance:
    """Covariance of the coefficients of `fit`.

    Parameters
    ----------
    fit : LinearFit
    rows : (X, y, weights or None), optional
        The rows of the fit; all but "classical" need them. Read in chunks.
    covariance : {"classical", "HC0", "HC1", "HC2", "HC3", "cluster", "CR2", "CR3", "HAC"}
        "CR2" and "CR3" are for few groups; "HAC" (Newey and West) for rows in the order of time.
    groups : (n,) or (n, 2) array_like, or two (n,) arrays
        Labels for "cluster", "CR2" and "CR3"; two columns give two-way clustering ("cluster").
    lags : int, optional
        Of "HAC"; by default the whole part of `4 (n/100)^(2/9)`.

    Returns
    -------
    CoefficientCovariance

    Examples
    --------
    >>> from stylobate.inference import fit_from_factor
    >>> x, y = np.arange(4.0), np.array([1.0, 2.0, 2.0, 4.0])
    >>> r = np.linalg.qr(np.column_stack([np.ones(4), x, y]), mode="r")
    >>> fit = fit_from_factor(r, n_rows=4)
    >>> cov = coefficient_covariance(fit, rows=(x[:, None], y, None), covariance="HC0")
    >>> np.sqrt(np.diag(cov.matrix)).round(4).tolist()
    [0.1503, 0.1435]
    """
    if covariance not in get_args(CovarianceKind):
        allowed = ", ".join(repr(kind) for kind in get_args(CovarianceKind))
        raise InvalidParameterError(f"covariance must be one of {allowed}, got {covariance!r}.")
    if groups is not None and covariance not in CLUSTERED:
        raise InvalidParameterError(
            f"groups are used by covariance='cluster' only (and by 'CR2' and 'CR3'), but "
            f"covariance is {covariance!r}."
        )
    if lags is not None and covariance != "HAC":
        raise InvalidParameterError(
            f"lags are used by covariance='HAC' only, but covariance is {covariance!r}."
        )
    if covariance == "classical":
        return CoefficientCovariance(
            fit.unscaled_covariance * fit.sigma2, covariance, float(fit.df_residual)
        )
    if fit.absorbed and covariance in ("HC2", "HC3", "CR2", "CR3"):
        raise InvalidParameterError(
            f"covariance={covariance!r} needs the leverages of absorbed factors, which are not "
            "known; use 'HC1' or 'cluster', or write the factors into the formula."
        )
    if rows is None:
        raise InvalidParameterError(
            f"covariance={covariance!r} needs the rows of the fit, which a statistic does not keep:"
            f" give it the data of the fit: summary(X, y, sample_weight, …)."
        )
    fitted = FittedRows.of(fit, *rows)
    if covariance == "cluster":
        return _clustered(fit, fitted, groups)
    if covariance in CLUSTERED:
        return _few_clusters(fit, fitted, groups, covariance)
    if covariance == "HAC":
        return _autocorrelated(fit, fitted, lags)
    return _heteroscedastic(fit, fitted, covariance)


def _sandwich(fit: LinearFit, meat: Array) -> Array:
    """Coefficient covariance from the scores' scatter, whose rows were multiplied by `fit.root`."""
    matrix = fit.root @ meat @ fit.root.T
    return np.asarray((matrix + matrix.T) / 2)


def _heteroscedastic(fit: LinearFit, fitted: FittedRows, kind: str) -> CoefficientCovariance:
    meat, rss, self_fitted = np.zeros((fit.rank, fit.rank)), 0.0, 0
    inflation = _INFLATION.get(kind)
    for _, design, residual, w in fitted.chunks():
        rss += float(w @ residual**2)
        whitened = design @ fit.root
        score = w * residual
        if inflation is not None:
            slack = 1.0 - leverage(whitened, w)
            alone = slack < LEVERAGE_ONE
            self_fitted += int(np.count_nonzero(alone))
            score = np.where(alone, 0.0, score / inflation(np.where(alone, 1.0, slack)))
        whitened *= score[:, None]
        meat += whitened.T @ whitened
    fitted.check_rss(rss)
    if kind == "HC1":
        meat *= fit.n_rows / fit.df_residual if fit.df_residual else np.nan
    notes: tuple[str, ...] = ()
    if self_fitted:
        notes = (
            f"{self_fitted} row(s) have leverage 1, so the fit passes through them whatever their "
            f"value; {kind} cannot see their variance and leaves them out, which makes the "
            f"standard errors that depend on them too small.",
        )
    return CoefficientCovariance(_sandwich(fit, meat), kind, float(fit.df_residual), notes)


def _few_clusters(
    fit: LinearFit, fitted: FittedRows, groups: Any, kind: str
) -> CoefficientCovariance:
    from stylobate.inference.covariance.small_clusters import reduced_bias

    ways, counts = group_ways(groups, len(fitted.y), fitted.weights)
    if len(ways) > 1:
        raise InvalidParameterError(
            f"covariance={kind!r} takes one column of groups; two ways are for 'cluster'."
        )
    matrix = reduced_bias(fit, fitted, ways[0], kind)
    return CoefficientCovariance(matrix, f"{kind} ({counts[0]} groups)", float(counts[0] - 1))


def _autocorrelated(fit: LinearFit, fitted: FittedRows, lags: int | None) -> CoefficientCovariance:
    from stylobate.inference.covariance.sandwich import check_lags, default_lags, hac_meat

    lags = default_lags(fit.n_rows) if lags is None else check_lags(lags, fit.n_rows)
    scores, rss = np.empty((len(fitted.y), fit.rank)), 0.0
    for index, design, residual, w in fitted.chunks():
        rss += float(w @ residual**2)
        scores[index] = (design @ fit.root) * (w * residual)[:, None]
    fitted.check_rss(rss)
    matrix = _sandwich(fit, hac_meat(scores, lags))
    return CoefficientCovariance(matrix, f"HAC ({lags} lags)", float(fit.df_residual))


def group_ways(groups: Any, n: int, weights: Array | None) -> tuple[list[Indices], list[int]]:
    """Groups as codes 0 … G−1 (−1 for rows of zero weight), one or two ways, and their counts."""
    ways = [_codes(column, weights) for column in _group_columns(groups, n)]
    return ways, _refuse_one_group(ways)


def _clustered(fit: LinearFit, fitted: FittedRows, groups: Any) -> CoefficientCovariance:
    ways, counts = group_ways(groups, len(fitted.y), fitted.weights)
    matrix = _one_way(fit, fitted, ways[0])
    if len(ways) == 2:
        cells = ways[0] * (ways[1].max() + 1) + ways[1]
        both = _codes(np.where(ways[0] < 0, -1, cells), fitted.weights)
        matrix = matrix + _one_way(fit, fitted, ways[1]) - _one_way(fit, fitted, both)
    sizes = " x ".join(str(count) for count in counts)
    notes = _lonely(ways, counts)
    return CoefficientCovariance(matrix, f"cluster ({sizes} groups)", float(min(counts) - 1), notes)


def _lonely(ways: list[Indices], counts: list[int]) -> tuple[str, ...]:
    """A note where each group is one row, so that nothing is clustered."""
    if any(count < np.count_nonzero(codes >= 0) for codes, count in zip(ways, counts, strict=True)):
        return ()
    return (
        "Every group has one row, so the clustered standard errors are those of HC1; give groups "
        "that hold several rows each, or ask for covariance='HC3'.",
    )


def _one_way(fit: LinearFit, fitted: FittedRows, codes: Indices) -> Array:
    """One-way clustered sandwich times `G/(G−1) · (N−1)/(N−K)`; K leaves absorbed levels out that
    lie within the clusters.

    Rows are visited group by group, so that only the group cut by a chunk's end is carried on and
    memory does not grow with the number of groups.
    """
    order = np.argsort(codes, kind="stable")
    order = order[np.searchsorted(codes[order], 0) :]  # rows of zero weight carry code −1
    meat, rss, n_groups = np.zeros((fit.rank, fit.rank)), 0.0, 0
    open_code, open_sum = -1, np.zeros(fit.rank)
    for index, design, residual, w in fitted.chunks(order):
        rss += float(w @ residual**2)
        scores = (design @ fit.root) * (w * residual)[:, None]
        here = codes[index]
        starts = np.flatnonzero(np.r_[True, here[1:] != here[:-1]])
        sums = np.add.reduceat(scores, starts, axis=0)
        if here[0] == open_code:
            sums[0] += open_sum
        else:
            meat += np.outer(open_sum, open_sum)
            n_groups += open_code >= 0
        closed = sums[:-1]
        meat += closed.T @ closed
        n_groups += len(closed)
        open_code, open_sum = int(here[-1]), sums[-1].copy()
    meat += np.outer(open_sum, open_sum)
    n_groups += 1
    fitted.check_rss(rss)
    n = fit.n_rows
    df = fit.df_residual + fit.within_groups if fit.df_residual else 0
    correction = n_groups / (n_groups - 1) * (n - 1) / df if df else np.nan
    return _sandwich(fit, meat) * correction


def _group_columns(groups: Any, n: int) -> list[NDArray[Any]]:
    if groups is None:
        raise InvalidParameterError(
            "covariance='cluster' needs groups: one label per row, or two columns of labels."
        )
    if isinstance(groups, tuple | list) and len(groups) == 2 and n != 2:
        columns = [np.asarray(column) for column in groups]
    else:
        array = np.asarray(groups)
        columns = [array] if array.ndim == 1 else list(array.T)
    if len(columns) > 2 or any(column.shape != (n,) for column in columns):
        raise InvalidDataError(
            f"groups must hold one label per row, shape ({n},) or ({n}, 2), got "
            f"{[column.shape for column in columns]}."
        )
    return columns


def group_codes(groups: Any, weights: Array) -> Indices:
    """One column of labels as 0…G−1 (−1 for rows of zero weight); at least two groups."""
    columns = _group_columns(groups, len(weights))
    if len(columns) > 1:
        raise InvalidParameterError(
            "groups must be one column of labels here; two-way clustering is for linear fits."
        )
    codes = _codes(columns[0], weights)
    _refuse_one_group([codes])
    return codes


def _refuse_one_group(ways: list[Indices]) -> list[int]:
    """How many groups there are each way; fewer than two are refused."""
    counts = [int(np.count_nonzero(np.bincount(codes[codes >= 0]))) for codes in ways]
    if min(counts) < 2:
        raise InvalidDataError(
            "covariance='cluster' needs at least two groups with rows of positive weight, got "
            f"{min(counts)}."
        )
    return counts


def _codes(labels: NDArray[Any], weights: Array | None) -> Indices:
    """Labels as 0…G−1; −1 for rows of zero weight, which belong to no group."""
    if labels.dtype.kind == "f" and np.isnan(labels).any():
        row = int(np.argmax(np.isnan(labels)))
        raise InvalidDataError(f"groups: the label of row {row} is missing; every row needs one.")
    try:
        codes = np.unique(labels, return_inverse=True)[1].astype(np.intp)
    except TypeError as error:
        raise InvalidDataError(
            "groups mix labels that cannot be compared (a missing value among strings, say): use "
            "labels of one type, none missing."
        ) from error
    return codes if weights is None else np.where(weights > 0, codes, -1)
