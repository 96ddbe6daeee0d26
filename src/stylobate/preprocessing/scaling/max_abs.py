"""Columns within [-1, 1], zeros kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from stylobate.preprocessing.scaling.columns import (
    LearnsColumns,
    along,
    divide_columns,
    multiply_columns,
)
from stylobate.statistics import ColumnRange

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class MaxAbsScaler(LearnsColumns):
    r"""Divide each column by its largest absolute value: :math:`z_{ij} = x_{ij} / \max_i |x_{ij}|`.

    Zeros stay zeros, so sparse rows stay sparse. Learnt from `ColumnRange`, so parts merge to the
    whole.

    Parameters
    ----------
    copy : bool, default=True
        Whether to leave the caller's array alone; False scales in place where possible.
    clip : bool, default=False
        Whether to cut what lies outside [-1, 1], for rows beyond those learnt from.

    Attributes
    ----------
    scale_ : array of shape (n_features,)
        The divisors; 1 for columns of zeros.
    max_abs_ : array of shape (n_features,)
        Largest absolute values.
    n_samples_seen_ : int
        Rows seen.
    statistic_ : ColumnRange
        What was learnt from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> MaxAbsScaler().fit_transform([[1.0, -4.0], [2.0, 2.0]])
    array([[ 0.5, -1. ],
           [ 1. ,  0.5]])
    """

    def __init__(self, *, copy: bool = True, clip: bool = False) -> None:
        self.copy = copy
        self.clip = clip

    _statistic: ClassVar[type[Any]] = ColumnRange

    def _learn(self, statistic: Any) -> None:
        ranges: ColumnRange = statistic
        size = np.maximum(np.abs(ranges.low), np.abs(ranges.high))
        self.max_abs_ = np.where(ranges.is_present, size, np.nan)
        self.scale_ = np.where(self.max_abs_ == 0, 1.0, self.max_abs_)
        self.n_samples_seen_ = ranges.n_rows

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
        table = self._read(X, reset=False)
        out = divide_columns(self._working(table.x, self.copy), self.scale_)
        if self.clip:
            values = out.data if table.is_sparse else out
            np.clip(values, -1.0, 1.0, out=values)
        return self._wrap(out, table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.pieces import clipped, scaled

        made = scaled(columns, None, self.scale_)
        return [clipped(each, -1.0, 1.0) for each in made] if self.clip else made

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
        out = multiply_columns(self._working(table.x, self.copy), self.scale_)
        return self._wrap_back(out, table)


def maxabs_scale(X: Any, *, axis: int = 0, copy: bool = True) -> Any:
    """Divide columns (or rows) of X by their largest absolute value.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, p), or (n,)
        Numbers; NaN counts as missing.
    axis : {0, 1}, default=0
        0: each column; 1: each row.
    copy : bool, default=True
        As for `MaxAbsScaler`.

    Returns
    -------
    array, sparse array or frame of the shape of X

    Examples
    --------
    >>> maxabs_scale([1.0, -2.0])
    array([ 0.5, -1. ])
    """
    return along(axis, X, "maxabs_scale", MaxAbsScaler(copy=copy))
