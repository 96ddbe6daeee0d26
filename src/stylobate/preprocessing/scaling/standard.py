"""Columns of mean 0 and variance 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import Tags
from stylobate.data import Table
from stylobate.exceptions import ModelFileError, NumericalError
from stylobate.preprocessing.scaling.columns import (
    LearnsColumns,
    along,
    divide_columns,
    multiply_columns,
    refuse_centring_sparse,
)
from stylobate.statistics import ColumnMoments

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class StandardScaler(LearnsColumns):
    r"""Take off each column's mean and divide by its standard deviation.

    .. math:: z_{ij} = (x_{ij} - m_j) / s_j, \quad s_j^2 = \tfrac1n \sum_i w_i (x_{ij} - m_j)^2

    Learnt from `ColumnMoments`, so parts merge to the whole. Missing values (NaN) are left out when
    learning and stay missing. A column whose values differ by no more than rounding is only
    centred.

    Parameters
    ----------
    copy : bool, default=True
        Whether to leave the caller's array alone; False scales in place where possible.
    with_mean : bool, default=True
        Whether to take off the mean; must be False for sparse rows.
    with_std : bool, default=True
        Whether to divide by the standard deviation.

    Attributes
    ----------
    scale_ : array of shape (n_features,) or None
        The divisors; 1 for constant columns.
    mean_, var_ : arrays of shape (n_features,) or None
        Means and variances.
    n_samples_seen_ : int or array of shape (n_features,)
        Rows, or present values (or their weights) of each column if these differ.
    statistic_ : ColumnMoments
        What was learnt from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> scaler = StandardScaler().fit([[0.0, 1.0], [2.0, 1.0]])
    >>> scaler.mean_, scaler.scale_
    (array([1., 1.]), array([1., 1.]))
    >>> scaler.transform([[3.0, 1.0]])
    array([[2., 0.]])
    """

    def __init__(self, *, copy: bool = True, with_mean: bool = True, with_std: bool = True) -> None:
        self.copy = copy
        self.with_mean = with_mean
        self.with_std = with_std

    _door: ClassVar[dict[str, Any]] = {"accept_sparse": True}  # refused in words of its own

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=not self.with_mean)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn means and deviations.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; NaN counts as missing.
        y : ignored
            For compatibility.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights; a row of weight 0 is no row.

        Returns
        -------
        self
        """
        return self._absorb(X, sample_weight, afresh=True)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows, as if they and all rows so far had been given to `fit`.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.

        Returns
        -------
        self
        """
        return self._absorb(X, sample_weight, afresh=False)

    def _refuse_rows(self, table: Table) -> None:
        if table.is_sparse and self.with_mean:
            refuse_centring_sparse("StandardScaler", "with_mean")

    def _learn(self, statistic: Any) -> None:
        moments: ColumnMoments = statistic
        present = moments.count > 0
        mean = np.where(present, moments.mean, np.nan)
        deviation = np.where(present, moments.deviation, np.nan)
        with np.errstate(over="ignore", under="ignore"):
            variance = deviation**2
        if self.with_std and np.isinf(variance).any():
            j = int(np.argmax(np.isinf(variance)))
            raise NumericalError(
                f"StandardScaler: the variance of column {j} exceeds what double precision can "
                f"hold (its deviation is {deviation[j]:.3g}); divide the column by a constant."
            )
        keeps_mean = self.with_mean or self.with_std
        self.mean_ = mean if keeps_mean else None
        self.var_ = variance if self.with_std else None
        constant = moments.is_constant | _only_rounding(moments, deviation)
        scale = np.where(constant & present, 1.0, deviation)
        self.scale_ = scale if self.with_std else None
        self.n_samples_seen_ = _seen(moments)

    def _check_loaded(self) -> None:
        """Refuse a file without the means it is to subtract."""
        if self.with_mean and vars(self).get("mean_", 0.0) is None:
            raise ModelFileError("The StandardScaler of the file has no means to subtract.")

    def transform(self, X: Any, copy: bool | None = None) -> Any:
        """Scale rows by what was learnt.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; missing values stay missing.
        copy : bool, optional
            As the constructor's, for this call.

        Returns
        -------
        array, sparse array or frame of shape (n, n_features)
        """
        self._check_fitted()
        table = self._read(X, reset=False, **self._door)
        self._refuse_rows(table)
        out = self._working(table.x, self.copy if copy is None else copy)
        if self.with_mean:
            assert self.mean_ is not None
            np.subtract(out, self.mean_, out=out, casting="same_kind")
        if self.scale_ is not None:
            divide_columns(out, self.scale_)
        return self._wrap(out, table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.pieces import scaled

        return scaled(columns, self.mean_ if self.with_mean else None, self.scale_)

    def _units(self) -> tuple[Any, Any]:
        """What is subtracted from each column, and what it is then divided by."""
        count = self.n_features_in_
        shifts = self.mean_ if self.with_mean else np.zeros(count)
        return shifts, np.ones(count) if self.scale_ is None else self.scale_

    def inverse_transform(self, X: Any, copy: bool | None = None) -> Any:
        """The rows that `transform` would turn into X.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Scaled rows.
        copy : bool, optional
            As for `transform`.

        Returns
        -------
        array, sparse array or frame of shape (n, n_features)
        """
        table = self._read_back(X)
        self._refuse_rows(table)
        out = self._working(table.x, self.copy if copy is None else copy)
        if self.scale_ is not None:
            multiply_columns(out, self.scale_)
        if self.with_mean:
            assert self.mean_ is not None
            np.add(out, self.mean_, out=out, casting="same_kind")
        return self._wrap_back(out, table)


def _only_rounding(moments: ColumnMoments, deviation: NDArray[Any]) -> NDArray[Any]:
    """Where a deviation is no more than the rounding of sums over as many rows.

    The bound is scikit-learn's, n·ε·σ² + (n·ε·x̄)² for the variance: blown up to unit deviation,
    such columns would be noise.
    """
    least = moments.weight * np.finfo(np.float64).eps
    with np.errstate(over="ignore", invalid="ignore"):
        bound = np.hypot(np.sqrt(least) * deviation, least * np.abs(moments.mean))
    return np.asarray(~(deviation > np.maximum(bound, np.finfo(np.float64).tiny)))


def _seen(moments: ColumnMoments) -> Any:
    """One number if all columns have as many values, as scikit-learn gives it."""
    weighted = not np.array_equal(moments.count, moments.weight)
    seen: NDArray[Any] = moments.weight if weighted else moments.count.astype(np.int64)
    return seen[0] if len(seen) and (seen == seen[0]).all() else seen


def scale(
    X: Any, *, axis: int = 0, with_mean: bool = True, with_std: bool = True, copy: bool = True
) -> Any:
    """Standardise columns (or rows) of X once, without remembering how.

    For training and test rows alike use `StandardScaler`, which learns from the former only.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, p), or (n,)
        Numbers; NaN counts as missing.
    axis : {0, 1}, default=0
        0: each column; 1: each row.
    with_mean, with_std, copy : bool, default=True
        As for `StandardScaler`.

    Returns
    -------
    array, sparse array or frame of the shape of X

    Examples
    --------
    >>> scale([1.0, 3.0])
    array([-1.,  1.])
    """
    scaler = StandardScaler(copy=copy, with_mean=with_mean, with_std=with_std)
    return along(axis, X, "scale", scaler)
