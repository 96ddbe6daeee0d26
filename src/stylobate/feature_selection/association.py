"""Scores of single features that follow from moments: correlation, F tests, χ²."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table, read_table
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.feature_selection.target_products import TargetProducts
from stylobate.feature_selection.targets import class_codes
from stylobate.statistics import ColumnMoments

_CONSTANT = 1e-15  # share of x̄² n below which the scatter of a column is rounding


def r_regression(
    X: Any, y: Any, *, center: bool = True, force_finite: bool = True
) -> NDArray[np.float64]:
    r"""Pearson's correlation of every feature with y.

    .. math:: r_j = \frac{\sum_i (x_{ij} - \bar x_j)(y_i - \bar y)}
              {\sqrt{\sum_i (x_{ij} - \bar x_j)^2 \sum_i (y_i - \bar y)^2}}

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, n_features)
        Rows.
    y : array-like of shape (n,)
        Numbers.
    center : bool, default=True
        Whether to subtract the means.
    force_finite : bool, default=True
        Whether constant features get 0 instead of NaN.

    Returns
    -------
    array of shape (n_features,)
        In [-1, 1].

    Examples
    --------
    >>> r_regression([[1.0, 3.0], [2.0, 1.0], [3.0, 2.0]], [1.0, 2.0, 3.0])
    array([ 1. , -0.5])
    """
    return correlations(_moments(X, y, "r_regression", center), force_finite)


def f_regression(
    X: Any, y: Any, *, center: bool = True, force_finite: bool = True
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    r"""F test of a regression of y on each feature alone.

    .. math:: F_j = \frac{r_j^2}{1 - r_j^2}\,(n - 2)

    Parameters
    ----------
    X, y, center
        As for `r_regression`.
    force_finite : bool, default=True
        Whether constant features get F = 0, p = 1, and perfect ones the largest number, p = 0.

    Returns
    -------
    f_statistic, p_values : arrays of shape (n_features,)
        The p-values are those of tests chosen before looking at the data.

    Examples
    --------
    >>> X = [[1.0, 3.0], [2.0, 1.0], [3.0, 2.0], [4.0, 2.0]]
    >>> F, p = f_regression(X, [1.0, 2.1, 2.9, 4.0])
    >>> bool(p[0] < 0.01 < p[1])
    True
    """
    return f_test(_moments(X, y, "f_regression", center), center, force_finite)


def f_test(
    moments: TargetProducts, center: bool = True, force_finite: bool = True
) -> tuple[Array, Array]:
    """`f_regression` from moments."""
    from scipy.special import fdtrc

    r = correlations(moments, force_finite)
    freedom = moments.n - (2 if center else 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        f = r**2 / (1 - r**2) * freedom
        p = np.asarray(fdtrc(1, freedom, f))
    if force_finite:
        p = np.where(np.isinf(f), 0.0, np.nan_to_num(p, nan=1.0))  # NaN: nothing left to test
        f = np.nan_to_num(f, nan=0.0, posinf=np.finfo(float).max)
    return f, p


def f_classif(X: Any, y: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """F test of the analysis of variance of each feature between the classes of y.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, n_features)
        Rows.
    y : array-like of shape (n,)
        Classes.

    Returns
    -------
    f_statistic, p_values : arrays of shape (n_features,)
        NaN for constant features.

    Examples
    --------
    >>> F, p = f_classif([[1.0], [2.0], [5.0], [6.0]], ["a", "a", "b", "b"])
    >>> F
    array([32.])
    """
    table = read_table(X, owner="f_classif")
    classes, codes = class_codes(y, table.n_rows, owner="f_classif")
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(classes)))
    return analysis_of_variance(
        [ColumnMoments.of(table.take(rows)) for rows in np.split(order, ends[:-1])]
    )


def f_oneway(*samples: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One-way analysis of variance of two or more samples.

    Parameters
    ----------
    *samples : array-like or sparse of shape (n_k, n_features)
        The rows of each group, all with the same columns.

    Returns
    -------
    f_statistic, p_values : arrays of shape (n_features,)

    Examples
    --------
    >>> f_oneway([[1.0], [2.0]], [[5.0], [6.0]])[0]
    array([32.])
    """
    if len(samples) < 2:
        raise InvalidParameterError(
            f"f_oneway: needs at least two samples to compare, got {len(samples)}."
        )
    tables = [read_table(_as_columns(each), owner="f_oneway") for each in samples]
    widths = {table.n_features for table in tables}
    if len(widths) > 1:
        raise InvalidDataError(
            f"f_oneway: the samples have {sorted(widths)} columns; they must have the same ones."
        )
    return analysis_of_variance([ColumnMoments.of(table) for table in tables])


def chi2(X: Any, y: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    r"""χ² test of independence of each non-negative feature (a count) and the class.

    .. math:: \chi^2_j = \sum_k \frac{(O_{kj} - E_{kj})^2}{E_{kj}}, \quad
              E_{kj} = \frac{n_k}{n} \sum_i x_{ij}

    Parameters
    ----------
    X : array-like or sparse of shape (n, n_features)
        Counts or frequencies, at least 0.
    y : array-like of shape (n,), or of 0 and 1 of shape (n, n_labels)
        Classes, or the labels that each row has.

    Returns
    -------
    chi2, p_values : arrays of shape (n_features,)
        NaN for features that are 0 throughout.

    Examples
    --------
    >>> chi2([[1, 1], [0, 1], [5, 4], [6, 6]], [1, 1, 0, 0])[0].round(2)
    array([8.33, 5.33])
    """
    from scipy.sparse import csr_array

    table = read_table(X, owner="chi2")
    refuse_negative(table)
    n, labels = table.n_rows, np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] > 1:
        members = _label_columns(labels, n)
    else:
        classes, codes = class_codes(y, n, owner="chi2")
        members = csr_array((np.ones(n), codes, np.arange(n + 1)), shape=(n, len(classes)))
    observed = members.T @ table.x
    observed = np.asarray(observed.toarray() if table.is_sparse else observed, dtype=np.float64)
    shares = np.asarray(members.sum(axis=0)).reshape(-1) / n
    totals = np.asarray(table.x.sum(axis=0), dtype=np.float64).reshape(-1)
    return _chi2(observed, np.multiply.outer(shares, totals))


def _label_columns(labels: NDArray[Any], n_rows: int) -> Any:
    """Columns of 0 and 1, one for each of several labels that a row may have."""
    from scipy.sparse import csr_array

    if len(labels) != n_rows or not np.isin(labels, (0, 1)).all():
        raise InvalidDataError(
            f"chi2: y of several columns must hold 0 and 1 in {n_rows} rows, a column for each "
            f"label; got shape {labels.shape}. Give classes as one column."
        )
    return csr_array(labels.astype(np.float64))


def chi2_of_sums(observed: Array, counts: NDArray[Any]) -> tuple[Array, Array]:
    """`chi2` from the sums of the features and the rows of each class."""
    return _chi2(observed, np.multiply.outer(counts / counts.sum(), observed.sum(axis=0)))


def _chi2(observed: Array, expected: Array) -> tuple[Array, Array]:
    from scipy.special import chdtrc

    with np.errstate(invalid="ignore", divide="ignore"):
        statistic = ((observed - expected) ** 2 / expected).sum(axis=0)
    return statistic, np.asarray(chdtrc(len(observed) - 1, statistic))


def refuse_negative(table: Table) -> None:
    """Refuse what cannot be a count."""
    values = table.x.data if table.is_sparse else table.x
    if values.size and values.min() < 0:
        raise InvalidDataError(
            "chi2: Input X must be non-negative (counts or frequencies); it holds "
            f"{values.min():.6g}."
        )


def _moments(X: Any, y: Any, owner: str, center: bool) -> TargetProducts:
    table: Table = read_table(X, y, owner=owner, y_required=True, multi_output=False)
    moments = TargetProducts.of(table)
    _refuse_overflow(moments, owner)
    return moments if center else moments.about_zero()


def _refuse_overflow(moments: TargetProducts, owner: str) -> None:
    """Numbers whose squares leave the range of double precision have no correlations."""
    if not np.isfinite(moments.y_squares).all():
        what = "y"
    elif not np.isfinite(moments.squares).all():
        what = f"column {int(np.argmin(np.isfinite(moments.squares)))} of X"
    else:
        return
    raise InvalidDataError(
        f"{owner}: the squares of {what} are too large for double precision; use another unit."
    )


def correlations(moments: TargetProducts, force_finite: bool) -> Array:
    """`r_regression` from moments."""
    # a constant column's scatter may be left with the rounding of its mean
    noise = _CONSTANT**2 * moments.n * moments.mean**2
    squares = np.where(moments.squares > noise, moments.squares, 0.0)
    y_squares = float(moments.y_squares[0])
    if not y_squares > _CONSTANT**2 * moments.n * float(moments.y_mean[0]) ** 2:
        y_squares = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        r = moments.products[:, 0] / np.sqrt(squares) / np.sqrt(y_squares)
    r = np.where((squares > 0) & (y_squares > 0), np.clip(r, -1.0, 1.0), np.nan)
    return np.nan_to_num(r, nan=0.0) if force_finite else r


def analysis_of_variance(groups: list[ColumnMoments]) -> tuple[Array, Array]:
    """F tests from the moments of the columns in each group."""
    from scipy.special import fdtrc

    sizes = np.array([group.n_rows for group in groups], dtype=float)
    means = np.stack([group.mean for group in groups])
    n, k = sizes.sum(), len(groups)
    between = sizes @ (means - sizes @ means / n) ** 2
    within = np.sum([group.length**2 for group in groups], axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        f = (between / (k - 1)) / (within / (n - k))
    constant = np.flatnonzero((within == 0) & (between == 0))
    if len(constant):
        warnings.warn(
            f"Features {constant} are constant.", StylobateWarning, stacklevel=user_stacklevel()
        )
    return f, np.asarray(fdtrc(k - 1, n - k, f))


def _as_columns(sample: Any) -> Any:
    """A vector is a sample of one feature."""
    return np.asarray(sample)[:, None] if np.ndim(sample) == 1 else sample
