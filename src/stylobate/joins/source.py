"""A join as a source: passes in windows, folds of facts, and moments by the cheapest plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Integers
from stylobate.data import Table
from stylobate.data.column_table import ColumnTable
from stylobate.data.streams import Batch
from stylobate.engines.registry import register
from stylobate.exceptions import UnsupportedDataError
from stylobate.joins.factorised import (
    factorised_moments,
    factorised_parts,
    factorised_residuals,
)
from stylobate.joins.plan import choose_plan
from stylobate.joins.stream import JoinStream
from stylobate.sources import StreamSource, register_source
from stylobate.sources.stream import by_windows
from stylobate.statistics import Moments
from stylobate.statistics.groups.class_rows import class_codes
from stylobate.statistics.moments.residuals import LinearModel
from stylobate.statistics.source import Recipe, S

_COMPARED = 4096  # rows by which a door is judged: it treats all alike


class JoinSource(StreamSource):
    """The rows of a join; folds are made of facts, so that no fact is in two of them."""

    stream: JoinStream

    def __init__(self, stream: JoinStream, read: Callable[[Batch], Table], owner: str) -> None:
        super().__init__(stream, self._noticing(read), owner)
        self._plain: bool | None = None  # whether the door passes numbers on as they are
        self._columns_kept = False  # and whether it does the features'

    def _noticing(self, read: Callable[[Batch], Table]) -> Callable[[Batch], Table]:
        def noticed(batch: Batch) -> Table:
            table = read(batch)
            if self._plain is None:
                self._columns_kept = _keeps_columns(table, batch)
                self._plain = self._columns_kept and _keeps_target(table, batch)
            return table

        return noticed

    @property
    def first(self) -> Table:
        """The first rows, few of them: a whole window would be gathered for a look."""
        if self._head is None and not self._kept:
            batch = next(self.stream.head_rows(_COMPARED), None)
            if batch is not None and (batch.weights is None or np.any(batch.weights)):
                self._head = self._read(batch)
        return super().first

    def changed(self, change: Callable[[Table], Table]) -> Self:
        """The same rows after a pass, with their target or weights changed by a function."""
        _ = self.first
        other = super().changed(change)
        other._plain, other._columns_kept = False, False
        return other

    def _batches(self) -> Iterator[Batch]:
        return iter(self.stream)  # in windows already

    @property
    def is_plain(self) -> bool:
        """Whether the estimator learns from the columns as they are, so that moments serve it."""
        _ = self.first
        return bool(self._plain)

    @property
    def keeps_columns(self) -> bool:
        """Whether the estimator learns from the features as they are, and from classes of rows."""
        found = self.first
        return self._columns_kept and found.classes is not None

    def classes_of(self, cells: NDArray[Any]) -> tuple[NDArray[Any], Integers]:
        """The labels among some cells of the target, and the number of each cell's, by the door."""
        names = self.stream.layout.names
        nothing = ColumnTable.of_block(names, np.zeros((len(names), len(cells))))
        classes, codes = class_codes(self._read(Batch(nothing, cells)))
        return classes, codes.astype(np.int64)

    # --- folds ------------------------------------------------------------------------------------

    def count_rows(self) -> int:
        """How many entities folds are made of: the facts."""
        return self.stream.prepared.n_facts

    def compute_parts(self, recipe: Recipe[S], parts: Sequence[Any]) -> Sequence[S]:
        """The statistic of each of several runs of facts, in one pass; moments are remembered."""
        asked: Any = recipe
        runs = all(isinstance(part, slice) and part.step in (None, 1) for part in parts)
        if asked is not Moments or not runs or not self.is_plain:
            return self._of_parts(recipe, parts)
        stream, layout = self.stream, self.stream.layout
        stream.plan = choose_plan(stream)
        names = layout.names, layout.target_names if self.first.y is not None else ()
        caches = [stream.moments.of_part(part) for part in parts]
        known: list[Any] = [each.find(*names, layout.weight_name) for each in caches]
        if None in known:
            known = list(self._of_parts(recipe, parts))
            for cache, found in zip(caches, known, strict=True):
                cache.keep(*names, layout.weight_name, found)
        return known

    def _of_parts(self, recipe: Recipe[S], parts: Sequence[Any]) -> Sequence[S]:
        if self.stream.prepared.joined_per_fact is None:
            return super().compute_parts(recipe, parts)
        if not all(isinstance(part, slice) and part.step in (None, 1) for part in parts):
            return super().compute_parts(recipe, parts)  # refused there in words
        ends = np.cumsum(np.append(0, self.stream.prepared.joined_per_fact))
        rows = [slice(int(ends[part.start]), int(ends[part.stop])) for part in parts]
        if any(each.start == each.stop for each in rows):
            raise UnsupportedDataError(
                f"{self._owner}: a fold has facts but no joined row, for they find no match; use "
                'fewer folds, or how="left".'
            )
        asked: Any = recipe
        plan = self.stream.plan
        if asked is Moments and self.is_plain and plan is not None and plan.kind == "factorised":
            found = factorised_parts(self.stream, parts, targets=self.first.y is not None)
            if all(each.is_finite() for each in found):
                return found  # type: ignore[return-value]  # moments were asked for
        return super().compute_parts(recipe, rows)


def _keeps_columns(table: Table, batch: Batch) -> bool:
    """Whether a table holds a batch's features as they are, by its first rows."""
    block = getattr(batch.x, "block", None)
    if block is None or table.is_sparse or table.x.shape != block.T.shape:
        return False
    some = slice(0, _COMPARED)
    return np.array_equal(table.x[some], block.T[some], equal_nan=True)


def _keeps_target(table: Table, batch: Batch) -> bool:
    """Whether a table holds a batch's target as it is, by its first rows."""
    if table.classes is not None:
        return False
    if table.y is None or batch.y is None:
        return table.y is None
    y = np.asarray(batch.y)
    if y.dtype.kind not in "biuf":
        return False
    return np.array_equal(table.y, y.reshape(len(y), -1), equal_nan=True)


register_source(JoinStream, JoinSource)


@register(Moments, JoinSource)
def moments(recipe: Any, source: JoinSource) -> Moments:
    """Moments: known ones, else by keys or by rows, whichever takes less."""
    stream, layout = source.stream, source.stream.layout
    if not source.is_plain:
        stream.plan = choose_plan(stream, plain=False)
        return by_windows(recipe, source)  # type: ignore[no-any-return]
    with_target = source.first.y is not None
    names = layout.names, layout.target_names if with_target else ()
    known = stream.moments.find(*names, layout.weight_name)
    if known is not None:
        stream.plan = stream.plan or choose_plan(stream)
        return known
    stream.plan = choose_plan(stream)
    found: Moments | None = None
    if stream.plan.kind == "factorised":
        found = factorised_moments(stream, targets=with_target)
        if not found.is_finite():
            found = None  # the rows are passed over, to say which cell it is
    if found is None:
        found = by_windows(recipe, source)
    stream.moments.keep(*names, layout.weight_name, found)
    return found


@register(LinearModel, JoinSource)
def residuals(recipe: LinearModel, source: JoinSource) -> Any:
    """What is left at a linear model: by keys where the moments were."""
    stream = source.stream
    if source.is_plain and stream.plan is not None and stream.plan.kind == "factorised":
        return factorised_residuals(stream, recipe)
    return by_windows(recipe, source)
