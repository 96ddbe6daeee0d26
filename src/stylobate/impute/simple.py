"""Missing values replaced by one value per column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import Options, Tags
from stylobate.base.constraints import Constraint
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.impute.cells import (
    MissingMarker,
    is_nan,
    marks_nan,
    missing_mask,
    read_cells,
    refuse_marker_without_formula,
    refuse_sparse_zero,
)
from stylobate.impute.imputer import BaseImputer
from stylobate.impute.streams import FillsFromStreams, count_present, least, present_values
from stylobate.statistics import ColumnMoments
from stylobate.statistics.columns.column_range import refuse_infinite
from stylobate.statistics.moments.column_moments import entry_columns

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class FillValue(Constraint):
    """Anything a cell may hold."""

    words = "a number, a string or None"

    def accepts(self, value: Any) -> bool:
        return value is None or isinstance(value, str | int | float | np.number | np.bool_)


class SimpleImputer(FillsFromStreams, BaseImputer):
    """Replace missing values by the mean, median, commonest value of the column, or a constant.

    The mean is learnt from `ColumnMoments`. Columns may hold text for ``"most_frequent"`` and
    ``"constant"``.

    Parameters
    ----------
    missing_values : float, str, None or pandas.NA, default=nan
        What stands for a missing value.
    strategy : {"mean", "median", "most_frequent", "constant"} or callable, default="mean"
        What is put in its place; a callable gets the values present of one column. Of several
        commonest values the smallest is taken.
    fill_value : number or str, default=None
        The constant; None: 0 for numbers, "missing_value" for text.
    copy : bool, default=True
        Whether to leave the caller's array alone; False fills in place where possible.
    add_indicator : bool, default=False
        Whether to append the columns of `MissingIndicator`.
    keep_empty_features : bool, default=False
        Whether to keep columns without a single value, filled with 0 (or the constant).

    Attributes
    ----------
    statistics_ : array of shape (n_features,)
        What each column is filled with; NaN for columns left out.
    indicator_ : MissingIndicator or None
        The indicator, if added.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> SimpleImputer().fit_transform([[1.0, 2.0], [np.nan, 4.0], [5.0, np.nan]])
    array([[1., 2.],
           [3., 4.],
           [5., 3.]])
    >>> SimpleImputer(strategy="most_frequent", missing_values=None).fit_transform(
    ...     np.array([["red"], [None], ["red"]], dtype=object)).ravel().tolist()
    ['red', 'red', 'red']
    """

    def __init__(
        self,
        *,
        missing_values: Annotated[Any, MissingMarker()] = np.nan,
        strategy: Annotated[str, Options("mean", "median", "most_frequent", "constant")]
        | Callable[..., Any] = "mean",
        fill_value: Annotated[Any, FillValue()] = None,
        copy: bool = True,
        add_indicator: bool = False,
        keep_empty_features: bool = False,
    ) -> None:
        self.missing_values = missing_values
        self.strategy = strategy
        self.fill_value = fill_value
        self.copy = copy
        self.add_indicator = add_indicator
        self.keep_empty_features = keep_empty_features

    def _tags(self) -> Tags:
        tier = "several passes" if self.strategy == "median" else "one pass"
        tier = "all rows" if callable(self.strategy) else tier
        return super()._tags().but(sparse=True, tier=tier)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn what each column is filled with.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of numbers, or of text.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        # the means' pass meets infinities by itself
        table = self._cells(X, reset=True, deferred=self.strategy == "mean")
        refuse_sparse_zero("SimpleImputer", table.x, self.missing_values)
        statistics = self._statistics(table)
        self._fit_indicator(table.x)
        self.statistics_ = statistics
        return self

    def _cells(self, X: Any, *, reset: bool, deferred: bool = False) -> Table:
        text = self.strategy in ("most_frequent", "constant")
        return read_cells(self, X, reset=reset, text=text, deferred=deferred)

    def _statistics(self, table: Table) -> NDArray[Any]:
        if self.strategy == "mean":
            return self._means(table)
        x, is_text = table.x, table.x.dtype.kind == "O"
        mask = missing_mask(x, self.missing_values)
        if self.strategy == "constant":
            return self._constants(count_present(x, mask), is_text)
        found = np.empty(table.n_features, dtype=object if is_text else np.float64)
        for j, (values, zeros) in enumerate(present_values(x, mask)):
            found[j] = self._of_column(values, zeros, is_text)
        if self.keep_empty_features:
            found[count_present(x, mask) == 0] = 0
        return found

    def _means(self, table: Table) -> NDArray[np.float64]:
        moments = ColumnMoments.of(self._with_nan(table))
        refuse_infinite(table, moments.low, moments.high)
        return self._filled(moments.mean, moments.count)

    def _with_nan(self, table: Table) -> Table:
        """The same numbers, with NaN for what is missing."""
        if marks_nan(self.missing_values):
            return table
        x = table.x.astype(np.float64)
        missing = missing_mask(table.x, self.missing_values)
        (x.data if table.is_sparse else x)[missing] = np.nan
        return _with_x(table, x)

    def _filled(self, found: NDArray[np.float64], present: NDArray[Any]) -> NDArray[np.float64]:
        """What columns of numbers are filled with, also those without a value."""
        return np.where(present > 0, found, 0.0 if self.keep_empty_features else np.nan)

    def _constants(self, present: NDArray[Any], is_text: bool) -> NDArray[Any]:
        found = np.full(len(present), self._constant(is_text), dtype=object)
        if not self.keep_empty_features:
            found[present == 0] = np.nan
        return found if is_text else found.astype(np.float64)

    def _constant(self, is_text: bool) -> Any:
        if self.fill_value is None:
            return "missing_value" if is_text else 0.0
        if not is_text and not isinstance(self.fill_value, int | float | np.number):
            raise InvalidDataError(
                f"SimpleImputer: fill_value={self.fill_value!r} (of type "
                f"{type(self.fill_value).__name__}) cannot be put among numbers; pass a number."
            )
        return self.fill_value

    def _of_column(self, values: NDArray[Any], zeros: int, is_text: bool) -> Any:
        """What a column is filled with; `zeros` more values are not stored."""
        if callable(self.strategy):
            return self.strategy(values)
        if len(values) + zeros == 0:
            return np.nan
        if is_text:
            return _commonest(values)
        values = np.concatenate([values, np.zeros(zeros)]) if zeros else values
        if self.strategy == "median":
            return np.median(values)
        levels, counts = np.unique(values, return_counts=True)
        return levels[np.argmax(counts)]

    @property
    def _kept(self) -> NDArray[np.intp]:
        if self.keep_empty_features:
            return np.arange(self.n_features_in_)
        return np.flatnonzero([not is_nan(value) for value in self.statistics_])

    def transform(self, X: Any) -> Any:
        """X with its missing values replaced.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array, sparse array or frame
            Without the columns that had no value at `fit`, unless `keep_empty_features`.
        """
        self._check_fitted()
        table = self._cells(X, reset=False)
        refuse_sparse_zero("SimpleImputer", table.x, self.missing_values)
        self._warn_of_empty(f"strategy={self.strategy!r}")
        kept = self._kept
        out = table.x.tocsc() if table.is_sparse else table.x
        if len(kept) < table.n_features:
            out = out[:, kept]
        elif self.copy or table.is_sparse or not out.flags.writeable:
            out = out.copy()
        mask = missing_mask(out, self.missing_values)
        if table.is_sparse:
            out.data[mask] = self.statistics_[kept][entry_columns(out)[mask]]
            out = out.asformat(table.x.format)
        else:
            source = table.x if not self.add_indicator else table.x.copy()
            np.copyto(out, self.statistics_[kept], where=mask, casting="unsafe")
            if out is table.x:  # the indicator needs what was there before
                return self._with_indicator(out, _with_x(table, source))
        return self._with_indicator(out, table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.pieces import filled, marked_missing

        refuse_marker_without_formula("SimpleImputer", self.missing_values)
        made = [filled(columns[j], self.statistics_[j]) for j in self._kept]
        if self.indicator_ is not None:
            made += [marked_missing(columns[j]) for j in self.indicator_.features_]
        return made

    def inverse_transform(self, X: Any) -> Any:
        """Put the missing values back; needs ``add_indicator=True``.

        Parameters
        ----------
        X : array-like of shape (n, columns kept + columns indicated)
            What `transform` gave.

        Returns
        -------
        array of shape (n, n_features)
            Values that were imputed are missing again; columns left out are 0 where the indicator
            says nothing.
        """
        self._check_fitted()
        if self.indicator_ is None:
            raise InvalidDataError(
                "SimpleImputer: 'inverse_transform' works only when 'SimpleImputer' is "
                f"instantiated with 'add_indicator=True'. Got 'add_indicator={self.add_indicator}' "
                "instead."
            )
        given = np.asarray(X)
        count = given.shape[1] - len(self.indicator_.features_)
        out = np.zeros((len(given), self.n_features_in_), dtype=given.dtype)
        out[:, self._kept] = given[:, :count]
        mask = np.zeros(out.shape, dtype=bool)
        mask[:, self.indicator_.features_] = given[:, count:].astype(bool)
        out[mask] = self.missing_values
        return out


def _with_x(table: Table, x: Any) -> Table:
    from dataclasses import replace

    return replace(table, x=x)


def _commonest(values: NDArray[Any]) -> Any:
    counts = Counter(values.tolist())
    most = max(counts.values())
    return least([value for value, count in counts.items() if count == most])
