"""A cluster's rows as a source: statistics of the partitions, merged along a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table
from stylobate.data.streams import Batch
from stylobate.engines.core import checked
from stylobate.engines.registry import compute, register
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.sources.clusters.rows import ClusterRows
from stylobate.sources.clusters.work import StatisticSummary
from stylobate.sources.memory import MemorySource
from stylobate.sources.registry import register_source
from stylobate.sources.stream import StreamSource
from stylobate.sources.together import SeveralStatistics
from stylobate.statistics.source import Capabilities, Recipe, S


class ClusterSource(StreamSource):
    """Rows in partitions, of which statistics are asked.

    Parameters
    ----------
    stream : ClusterRows
    read : callable
        An estimator's own door, from batches to tables; sent to the workers.
    owner : str
        Who asks, for messages.
    """

    stream: ClusterRows

    def __init__(self, stream: ClusterRows, read: Callable[[Batch], Table], owner: str) -> None:
        super().__init__(stream, read, owner)

    def keep_windows(self) -> Self:
        """Have the workers hold the rows: there will be more passes."""
        self.stream.keep()
        return self

    def changed(self, change: Callable[[Table], Table]) -> Self:
        """The same rows, with their target or weights changed by a function."""
        read, other = self._read, copy(self)
        other._read = lambda batch: change(read(batch))
        other._head = None
        return other

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(rows_in_memory=False, repeatable=True, length=self.stream.length)

    def count_rows(self) -> int:
        """How many rows there are: a pass where that is not known."""
        return self.stream.count()

    @property
    def first(self) -> Table:
        """The first row, from which the columns are known."""
        if self._head is None:
            batch = self.stream.head()
            if batch is None:
                raise InvalidDataError(
                    f"{self._owner}: {self.stream.name} has no rows to learn from."
                )
            self._head = self._read(batch._replace(weights=_one(batch.weights)))
        return self._head

    def windows(self) -> Iterator[Table]:
        """Refused: rows of a cluster do not come here."""
        raise UnsupportedDataError(
            f"{self._owner} looks at the rows one after the other with these parameters, and those "
            f"of {self.stream.name} stay on their cluster. Choose other parameters, or bring a "
            "sample of the rows into memory and fit to that."
        )

    def compute_numbered(
        self, recipe: Recipe[S], part_of: Callable[[int, int], NDArray[np.intp]], count: int
    ) -> list[S | None]:
        """One pass: the statistic of each of `count` parts, told by the numbers of the rows."""
        found = self.compute(NumberedParts(recipe, part_of, count))
        return list(found.parts)

    def compute_parts(self, recipe: Recipe[S], parts: Sequence[Any]) -> Sequence[S]:
        """The statistic of each of several runs of rows, in one pass."""
        if not all(isinstance(part, slice) and part.step in (None, 1) for part in parts):
            raise UnsupportedDataError(
                f"{self._owner}: folds given as row numbers need all rows in memory, not those of "
                "a cluster."
            )
        runs = tuple((part.start, part.stop) for part in parts)
        found = self.compute(RunsOfRows(recipe, runs)).parts
        if any(each is None for each in found):
            raise InvalidDataError(
                f"{self._owner}: {self.stream.name} gave fewer rows than it had been counted to "
                "have; it must give the same rows every time."
            )
        return list(found)


def _one(weights: Any) -> Any:
    """A weight for the first row that says nothing: it may be one of those that weigh nothing."""
    return None if weights is None else np.ones(len(weights))


register_source(ClusterRows, ClusterSource)


@register(object, ClusterSource)
def by_partitions(recipe: Any, source: ClusterSource) -> Any:
    """Any statistic of a cluster's rows: those of its partitions, merged along a tree."""
    source.first  # noqa: B018  # the door remembers the columns here, before it is sent
    summary = StatisticSummary(recipe, source._read)
    # classes of statistics do not look at the numbers of rows; values, such as samples, may
    found = source.stream.summarised(summary, numbered=not isinstance(recipe, type)).value
    if found is None:
        raise InvalidDataError(f"{source._owner}: {source.stream.name} has no rows to learn from.")
    if not found.weighted:
        raise InvalidDataError(
            f"{source._owner}: sample_weight is zero everywhere. Sample weights must contain at "
            "least one non-zero number."
        )
    return found.statistic


@dataclass(frozen=True, slots=True, eq=False)
class NumberedParts:
    """A recipe: the statistic of each of some parts, told by the numbers of the rows."""

    recipe: Any
    part_of: Callable[[int, int], NDArray[np.intp]]
    count: int

    def of(self, table: Table) -> SeveralStatistics:
        """The statistics of a table's rows; None for parts that have none of them."""
        numbers = self.part_of(table.first_row, table.n_rows)
        rows = [np.flatnonzero(numbers == k) for k in range(self.count)]
        present = [k for k in range(self.count) if len(rows[k])]
        found = MemorySource(table).compute_parts(self.recipe, [rows[k] for k in present])
        known = dict(zip(present, found, strict=True))
        return SeveralStatistics(tuple(known.get(k) for k in range(self.count)))


@dataclass(frozen=True, slots=True, eq=False)
class RunsOfRows:
    """A recipe: the statistic of each of some runs of consecutive rows."""

    recipe: Any
    runs: tuple[tuple[int, int], ...]

    def of(self, table: Table) -> SeveralStatistics:
        """The statistics of a table's rows; None for runs that have none of them."""
        found: list[Any] = []
        for begin, end in self.runs:
            start = max(begin - table.first_row, 0)
            stop = min(end - table.first_row, table.n_rows)
            if start >= stop:
                found.append(None)
                continue
            whole = stop - start == table.n_rows
            rows = table if whole else table.take(slice(start, stop))
            found.append(checked(compute(self.recipe, rows), rows))
        return SeveralStatistics(tuple(found))
