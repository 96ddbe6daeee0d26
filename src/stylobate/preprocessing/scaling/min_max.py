"""Columns between two bounds."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from stylobate.base import Numbers, Tags
from stylobate.exceptions import InvalidParameterError, NumericalError
from stylobate.preprocessing.scaling.columns import LearnsColumns, along
from stylobate.statistics import ColumnRange

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class MinMaxScaler(LearnsColumns):
    r"""Map the range of each column onto an interval.

    .. math:: z_{ij} = a + (b - a) \frac{x_{ij} - \min_j}{\max_j - \min_j}

    Learnt from `ColumnRange`, so parts merge to the whole. A column whose values differ by no
    more than rounding is only shifted.

    Parameters
    ----------
    feature_range : pair of floats (a, b), default=(0, 1)
        The interval, a < b.
    copy : bool, default=True
        Whether to leave the caller's array alone; False scales in place where possible.
    clip : bool, default=False
        Whether to cut what lies outside the interval, for rows beyond those learnt from.

    Attributes
    ----------
    min_, scale_ : arrays of shape (n_features,)
        z = x · scale_ + min_.
    data_min_, data_max_, data_range_ : arrays of shape (n_features,)
        Of the rows seen.
    n_samples_seen_ : int
        Rows seen.
    statistic_ : ColumnRange
        What was learnt from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> scaler = MinMaxScaler().fit([[-1.0], [3.0]])
    >>> scaler.transform([[0.0], [5.0]])
    array([[0.25],
           [1.5 ]])
    """

    def __init__(
        self,
        feature_range: Annotated[Any, Numbers(-inf, inf)] = (0, 1),
        *,
        copy: bool = True,
        clip: bool = False,
    ) -> None:
        self.feature_range = feature_range
        self.copy = copy
        self.clip = clip

    _statistic: ClassVar[type[Any]] = ColumnRange

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=False)

    def _range(self) -> tuple[float, float]:
        pair = np.asarray(self.feature_range, dtype=np.float64)
        if len(pair) != 2 or not pair[0] < pair[1]:
            raise InvalidParameterError(
                "MinMaxScaler: Minimum of desired feature range must be smaller than maximum. Got "
                f"feature_range={self.feature_range!r}; pass a pair such as (0, 1)."
            )
        return float(pair[0]), float(pair[1])

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._range()

    def _learn(self, statistic: Any) -> None:
        ranges: ColumnRange = statistic
        low, high = self._range()
        present = ranges.is_present
        self.data_min_ = np.where(present, ranges.low, np.nan)
        self.data_max_ = np.where(present, ranges.high, np.nan)
        with np.errstate(over="ignore"):
            self.data_range_ = self.data_max_ - self.data_min_
            divisor = np.where(ranges.is_constant & present, 1.0, self.data_range_)
            divisor[divisor < np.finfo(np.float64).tiny * max(1.0, high - low)] = 1.0
            self.scale_ = (high - low) / divisor
            self.min_ = low - self.data_min_ * self.scale_
        if np.isinf(self.data_range_).any():
            j = int(np.argmax(np.isinf(self.data_range_)))
            raise NumericalError(
                f"MinMaxScaler: the range of column {j}, {self.data_min_[j]:.3g} to "
                f"{self.data_max_[j]:.3g}, exceeds what double precision can hold; divide the "
                "column by a constant."
            )
        self.n_samples_seen_ = ranges.n_rows

    def transform(self, X: Any) -> Any:
        """Scale rows by what was learnt.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows; missing values stay missing.

        Returns
        -------
        array or frame of shape (n, n_features)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        out = self._working(table.x, self.copy)
        low, high = self._range()
        # the difference first: x · scale + min loses digits where a narrow column is far from 0
        np.subtract(out, self.data_min_, out=out, casting="same_kind")
        np.multiply(out, self.scale_, out=out, casting="same_kind")
        out += out.dtype.type(low)
        if self.clip:
            np.clip(out, low, high, out=out)
        return self._wrap(out, table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.pieces import clipped, shifted, weighted

        low, high = self._range()
        made = [
            weighted([shifted(x, least)], [scale], low)
            for x, least, scale in zip(columns, self.data_min_, self.scale_, strict=True)
        ]
        return [clipped(each, low, high) for each in made] if self.clip else made

    def inverse_transform(self, X: Any) -> Any:
        """The rows that `transform` would turn into X.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Scaled rows.

        Returns
        -------
        array or frame of shape (n, n_features)
        """
        table = self._read_back(X)
        out = self._working(table.x, self.copy)
        out -= out.dtype.type(self._range()[0])
        np.divide(out, self.scale_, out=out, casting="same_kind")
        np.add(out, self.data_min_, out=out, casting="same_kind")
        return self._wrap_back(out, table)


def minmax_scale(
    X: Any, feature_range: tuple[float, float] = (0, 1), *, axis: int = 0, copy: bool = True
) -> Any:
    """Map columns (or rows) of X onto an interval once, without remembering how.

    Parameters
    ----------
    X : array-like or data frame of shape (n, p), or (n,)
        Numbers; NaN counts as missing.
    feature_range : pair of floats, default=(0, 1)
        The interval.
    axis : {0, 1}, default=0
        0: each column; 1: each row.
    copy : bool, default=True
        As for `MinMaxScaler`.

    Returns
    -------
    array or frame of the shape of X

    Examples
    --------
    >>> minmax_scale([1.0, 2.0, 5.0])
    array([0.  , 0.25, 1.  ])
    """
    return along(axis, X, "minmax_scale", MinMaxScaler(feature_range, copy=copy))
