"""Columns scaled by quantiles, which outliers do not move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Numbers, Tags
from stylobate.base.batches import batch_door
from stylobate.data import Table
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import InvalidParameterError, NumericalError
from stylobate.preprocessing.scaling.columns import (
    ColumnTransformerBase,
    along,
    divide_columns,
    multiply_columns,
    refuse_centring_sparse,
)
from stylobate.statistics.columns.order_statistics import linear_places, quantiles_of

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class RobustScaler(ColumnTransformerBase):
    r"""Take off each column's median and divide by the distance between two of its quantiles.

    .. math:: z_{ij} = (x_{ij} - \mathrm{median}_j) / (q_{75,j} - q_{25,j})

    A few outliers, however far away, hardly change what is learnt.

    Parameters
    ----------
    with_centering : bool, default=True
        Whether to take off the median; must be False for sparse rows.
    with_scaling : bool, default=True
        Whether to divide.
    quantile_range : pair of floats in [0, 100], default=(25.0, 75.0)
        The two quantiles, in percent.
    copy : bool, default=True
        Whether to leave the caller's array alone; False scales in place where possible.
    unit_variance : bool, default=False
        Whether to divide so that normally distributed columns get variance 1.

    Attributes
    ----------
    center_, scale_ : arrays of shape (n_features,) or None
        Medians, and divisors: 1 for columns whose quantiles differ by no more than rounding.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> RobustScaler().fit_transform([[1.0], [2.0], [3.0], [4.0], [1000.0]]).ravel()
    array([ -1. ,  -0.5,   0. ,   0.5, 498.5])
    """

    def __init__(
        self,
        *,
        with_centering: bool = True,
        with_scaling: bool = True,
        quantile_range: Annotated[Any, Numbers(0, 100, closed="both")] = (25.0, 75.0),
        copy: bool = True,
        unit_variance: bool = False,
    ) -> None:
        self.with_centering = with_centering
        self.with_scaling = with_scaling
        self.quantile_range = quantile_range
        self.copy = copy
        self.unit_variance = unit_variance

    _door: ClassVar[dict[str, Any]] = {"accept_sparse": True}  # refused in words of its own

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=not self.with_centering, tier="several passes")

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn medians and quantiles.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; NaN counts as missing.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        low, high = self._quantiles()
        table = self._read(X, reset=True, **self._door)
        self._refuse_rows(table)
        x = table.x.tocsc() if table.is_sparse else table.x
        found = np.array([_percentiles(x, j, [low, 50.0, high]) for j in range(table.n_features)])
        return self._store(*found.T)

    def _fit_stream(self, stream: Stream) -> Self:
        """Passes that count find the quantiles, exactly."""
        self._check_parameters()
        low, high = self._quantiles()

        def read(batch: Batch, reset: bool) -> Table:
            table = self._read(batch.x, reset=reset, **self._door)
            self._refuse_rows(table)
            return table

        source = self._source(stream, batch_door(read))
        shares = np.array([low, 50.0, high]) / 100.0
        return self._store(*quantiles_of(source, linear_places(shares)))

    def _store(self, low: Array, middle: Array, high: Array) -> Self:
        self.center_ = middle if self.with_centering else None
        self.scale_ = self._divisors(low, high) if self.with_scaling else None
        return self

    def _quantiles(self) -> tuple[float, float]:
        pair = list(self.quantile_range)
        if len(pair) != 2 or not pair[0] <= pair[1]:
            raise InvalidParameterError(
                f"RobustScaler: Invalid quantile range: {self.quantile_range!r}; pass two percents "
                "such as (25.0, 75.0), the smaller first."
            )
        return float(pair[0]), float(pair[1])

    def _divisors(self, low: Array, high: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            spread = high - low
            size = np.maximum(np.abs(low), np.abs(high))
            rounding = 10 * np.finfo(np.float64).eps * size
        if np.isinf(spread).any():
            j = int(np.argmax(np.isinf(spread)))
            raise NumericalError(
                f"RobustScaler: the quantiles {low[j]:.3g} and {high[j]:.3g} of column {j} are too "
                "far apart for double precision; divide the column by a constant."
            )
        spread[(spread <= rounding) | (spread < np.finfo(np.float64).tiny)] = 1.0
        if not self.unit_variance:
            return np.asarray(spread)
        from scipy.special import ndtri

        first, second = (share / 100.0 for share in self._quantiles())
        return np.asarray(spread / (ndtri(second) - ndtri(first)))

    def _refuse_rows(self, table: Table) -> None:
        if table.is_sparse and self.with_centering:
            refuse_centring_sparse("RobustScaler", "with_centering")

    def transform(self, X: Any) -> Any:
        """Scale rows by what was learnt.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; missing values stay missing.

        Returns
        -------
        array, sparse array or frame of shape (n, n_features)
        """
        self._check_fitted()
        table = self._read(X, reset=False, **self._door)
        self._refuse_rows(table)
        out = self._working(table.x, self.copy)
        if self.center_ is not None:
            np.subtract(out, self.center_, out=out, casting="same_kind")
        if self.scale_ is not None:
            divide_columns(out, self.scale_)
        return self._wrap(out, table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.pieces import scaled

        return scaled(columns, self.center_, self.scale_)

    def _units(self) -> tuple[Any, Any]:
        """What is subtracted from each column, and what it is then divided by."""
        count = self.n_features_in_
        shifts = np.zeros(count) if self.center_ is None else self.center_
        return shifts, np.ones(count) if self.scale_ is None else self.scale_

    def inverse_transform(self, X: Any) -> Any:
        """The rows that `transform` would turn into X.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Scaled rows.

        Returns
        -------
        array, sparse array or frame of shape (n, n_features)
        """
        table = self._read_back(X)
        self._refuse_rows(table)
        out = self._working(table.x, self.copy)
        if self.scale_ is not None:
            multiply_columns(out, self.scale_)
        if self.center_ is not None:
            np.add(out, self.center_, out=out, casting="same_kind")
        return self._wrap_back(out, table)


def _percentiles(x: Any, j: int, shares: list[float]) -> Array:
    """Percentiles of the present values of a column; NaN if there is none."""
    if isinstance(x, np.ndarray):
        values = x[:, j].astype(np.float64)
    else:
        stored = x.data[x.indptr[j] : x.indptr[j + 1]]
        values = np.zeros(x.shape[0])
        values[: len(stored)] = stored
    values = values[~np.isnan(values)]
    return np.percentile(values, shares) if len(values) else np.full(len(shares), np.nan)


def robust_scale(
    X: Any,
    *,
    axis: int = 0,
    with_centering: bool = True,
    with_scaling: bool = True,
    quantile_range: tuple[float, float] = (25.0, 75.0),
    copy: bool = True,
    unit_variance: bool = False,
) -> Any:
    """Scale columns (or rows) of X by their quantiles once, without remembering how.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, p), or (n,)
        Numbers; NaN counts as missing.
    axis : {0, 1}, default=0
        0: each column; 1: each row.
    with_centering, with_scaling, quantile_range, copy, unit_variance
        As for `RobustScaler`.

    Returns
    -------
    array, sparse array or frame of the shape of X

    Examples
    --------
    >>> robust_scale([1.0, 2.0, 3.0])
    array([-1.,  0.,  1.])
    """
    scaler = RobustScaler(
        with_centering=with_centering,
        with_scaling=with_scaling,
        quantile_range=quantile_range,
        copy=copy,
        unit_variance=unit_variance,
    )
    return along(axis, X, "robust_scale", scaler)
