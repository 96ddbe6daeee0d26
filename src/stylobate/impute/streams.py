"""What missing values are replaced by, learnt from streams; values present, column by column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator
from stylobate.base.batches import batch_door, first_batch
from stylobate.data import Table
from stylobate.data.sparse import is_sparse
from stylobate.impute.cells import missing_mask, refuse_sparse_zero
from stylobate.statistics import ColumnMoments
from stylobate.statistics.columns.order_statistics import medians_of
from stylobate.statistics.columns.value_counts import ValueCounts
from stylobate.statistics.moments.column_moments import entry_columns

if TYPE_CHECKING:
    from stylobate.data.streams import Batch, Stream


class FillsFromStreams(BaseEstimator):
    """How `SimpleImputer` learns from streams: means and counts by one pass, medians by several."""

    if TYPE_CHECKING:
        strategy: Any
        missing_values: Any
        add_indicator: bool
        keep_empty_features: bool
        indicator_: Any
        statistics_: NDArray[Any]
        _cells: Any
        _constants: Any
        _filled: Any
        _indicator: Any
        _with_nan: Any

    def _fit_stream(self, stream: Stream) -> Self:
        if callable(self.strategy):
            return super()._fit_stream(stream)
        self._check_parameters()
        first_batch(stream, type(self).__name__)  # refuses a stream without rows
        learn = self._of_numbers if self.strategy in ("mean", "median") else self._of_values
        found, missing = learn(stream)
        self.indicator_ = self._indicator()._fit_counts(missing) if self.add_indicator else None
        self.statistics_ = found
        return self

    def _of_numbers(self, stream: Stream) -> tuple[NDArray[Any], NDArray[Any]]:
        """Means or medians, and how many cells are missing."""
        door = batch_door(self._cells_of)
        read = lambda batch: self._with_nan(door(batch))  # noqa: E731
        source = self._source(stream, read)
        moments = source.compute(ColumnMoments)
        middle = moments.mean if self.strategy == "mean" else medians_of(source)
        return self._filled(middle, moments.count), moments.n_rows - moments.count

    def _of_values(self, stream: Stream) -> tuple[NDArray[Any], NDArray[Any]]:
        """The commonest values or the constant, and how many cells are missing."""
        self._cells_of(first_batch(stream, type(self).__name__), True)
        found_cells = stream.reduced(self._counted_cells, _Cells.merge)
        assert found_cells is not None  # there is a first batch
        tally, present = found_cells.tally, found_cells.present
        n_rows, is_text = found_cells.n_rows, found_cells.is_text
        missing = n_rows - np.asarray(present)
        if self.strategy == "constant":
            return self._constants(present, is_text), missing
        found = np.empty(len(tally), dtype=object if is_text else np.float64)
        for j, each in enumerate(tally):
            most = each.values[each.counts == each.counts.max(initial=0)].tolist()
            found[j] = least(most) if len(each.counts) else np.nan
        if self.keep_empty_features:
            found[np.asarray(present) == 0] = 0
        return found, missing

    def _counted_cells(self, batch: Batch, first: int) -> _Cells:
        table = self._cells_of(batch, False)
        mask = missing_mask(table.x, self.missing_values)
        tally: list[ValueCounts] = []
        if self.strategy == "most_frequent":
            tally = [_counted(*each) for each in present_values(table.x, mask)]
        is_text = table.x.dtype.kind == "O"
        return _Cells(tally, count_present(table.x, mask), table.n_rows, is_text)

    def _cells_of(self, batch: Batch, reset: bool) -> Table:
        table: Table = self._cells(batch.x, reset=reset)
        refuse_sparse_zero("SimpleImputer", table.x, self.missing_values)
        return table


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """What is there of each column: values and their counts, how many, of how many rows."""

    tally: list[ValueCounts]
    present: NDArray[np.int64]
    n_rows: int
    is_text: bool

    def merge(self, other: _Cells) -> _Cells:
        """Of both parts' rows."""
        pairs = zip(self.tally, other.tally, strict=True)
        return _Cells(
            [known.merge(new) for known, new in pairs],
            self.present + other.present,
            self.n_rows + other.n_rows,
            self.is_text or other.is_text,
        )


def _counted(values: NDArray[Any], zeros: int) -> ValueCounts:
    """The counts of a column's values, of which some zeros are not stored."""
    found = ValueCounts.of(values)
    return found.merge(ValueCounts(np.zeros(1), np.array([zeros]))) if zeros else found


def count_present(x: Any, mask: Any) -> NDArray[np.int64]:
    """How many values of each column are there."""
    if is_sparse(x):
        missing = np.bincount(entry_columns(x)[mask], minlength=x.shape[1])
        return np.asarray(x.shape[0] - missing)
    return np.asarray((~mask).sum(axis=0))


def present_values(x: Any, mask: Any) -> Any:
    """The present values of each column, and how many zeros are not stored."""
    if is_sparse(x):
        csc = x.tocsc()
        mask = _mask_in_order(csc, x, mask)
        for j in range(x.shape[1]):
            part = slice(csc.indptr[j], csc.indptr[j + 1])
            yield csc.data[part][~mask[part]].astype(np.float64), x.shape[0] - len(csc.data[part])
        return
    for j in range(x.shape[1]):
        yield x[:, j][~mask[:, j]], 0


def _mask_in_order(csc: Any, x: Any, mask: Any) -> Any:
    """The mask of the entries of x, in the order of its CSC form."""
    if csc is x or x.format == "csc":
        return mask
    order = x.copy()
    order.data = np.arange(len(x.data), dtype=np.float64)
    return mask[order.tocsc().data.astype(np.int64)]


def least(ties: list[Any]) -> Any:
    """The smallest of some values, which may be numbers and text."""
    try:
        return min(ties)
    except TypeError:  # numbers and text: any fixed order will do
        return min(ties, key=lambda value: (str(type(value)), str(value)))
