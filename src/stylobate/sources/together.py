"""Several solvers over the rows of one source, in step: one pass answers what all of them ask.

Every solver looks at the rows outside its own part: the training rows of a fold. Each runs in a
thread of its own, which sleeps while it waits for a pass; the passes are made by the caller's
thread, where Ctrl-C arrives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from threading import Condition
from typing import Any, ClassVar, NoReturn, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.statistics.source import Capabilities, Recipe, S, Source

T = TypeVar("T")
PartOf = Callable[[int, int], NDArray[np.intp]]  # of consecutive rows: (first, count) → parts


def solve_outside(
    source: Source, part_of: PartOf, count: int, solve: Callable[[int, Source], T]
) -> list[T]:
    """``solve(k, rows outside part k)`` for every part k, all of them over shared passes.

    Parameters
    ----------
    source : Source
        Rows that can be passed over again.
    part_of : callable
        The part of each of some consecutive rows, from the first one's number and how many.
    count : int
        How many parts there are.
    solve : callable

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> from stylobate.sources import MemorySource
    >>> from stylobate.statistics import Moments
    >>> source = MemorySource(read_table([[1.0], [2.0], [6.0]], owner="example"))
    >>> parts = lambda first, count: np.arange(first, first + count) % 3
    >>> solve_outside(source, parts, 3, lambda k, rows: rows.compute(Moments).mean[0].item())
    [4.0, 3.5, 1.5]
    """
    meeting = _Meeting(count)

    def run(part: int) -> T:
        try:
            return solve(part, OutsidePart(source, part, meeting))
        finally:
            meeting.leave()

    with ThreadPoolExecutor(count) as pool:
        futures = [pool.submit(copy_context().run, run, part) for part in range(count)]
        try:
            while asked := meeting.questions():
                parts, recipes = tuple(asked), tuple(asked.values())
                answers = source.compute(OutsideParts(parts, recipes, part_of)).parts
                if any(each is None for each in answers):
                    raise InvalidDataError("A fold holds all rows; give more rows.")
                meeting.answer(dict(zip(parts, answers, strict=True)))
        finally:
            meeting.close()
        return [future.result() for future in futures]


@dataclass(eq=False)
class _Meeting:
    """Where solvers leave questions, and find the answers when all who are left have asked."""

    active: int
    asked: dict[int, Any] = field(default_factory=dict)
    answers: dict[int, Any] = field(default_factory=dict)
    closed: bool = False
    changed: Condition = field(default_factory=Condition)

    def ask(self, part: int, recipe: Any) -> Any:
        with self.changed:
            self.asked[part] = recipe
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.closed or part in self.answers)
            if part not in self.answers:
                raise UnsupportedDataError("The passes over the rows have ended.")  # seen by none
            return self.answers.pop(part)

    def leave(self) -> None:
        with self.changed:
            self.active -= 1
            self.changed.notify_all()

    def questions(self) -> dict[int, Any]:
        """What the next pass is to answer; nothing where all have left."""
        with self.changed:
            self.changed.wait_for(lambda: len(self.asked) == self.active)
            asked, self.asked = dict(sorted(self.asked.items())), {}
            return asked

    def answer(self, answers: dict[int, Any]) -> None:
        with self.changed:
            self.answers.update(answers)
            self.changed.notify_all()

    def close(self) -> None:
        with self.changed:
            self.closed = True
            self.changed.notify_all()


@dataclass(frozen=True, slots=True, eq=False)
class OutsidePart:
    """The rows of a source outside one part, as a source whose passes are shared with others."""

    source: Source
    part: int
    meeting: _Meeting

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(rows_in_memory=False, repeatable=True)

    @property
    def n_features(self) -> int:
        return self.source.n_features

    @property
    def is_sparse(self) -> bool:
        return self.source.is_sparse

    @property
    def y_is_vector(self) -> bool:
        return self.source.y_is_vector

    @property
    def is_weighted(self) -> bool:
        return self.source.is_weighted

    def compute(self, recipe: Recipe[S]) -> S:
        """The statistic of the rows, by the next pass."""
        found: S = self.meeting.ask(self.part, recipe)
        return found

    def count_rows(self) -> int:
        return self._refuse("counting the rows")

    def rows(self, why: str = "") -> Table:
        return self._refuse(why or "this way of fitting")

    def windows(self) -> Iterator[Table]:
        return self._refuse("looking at the rows one by one")

    def compute_parts(self, recipe: Recipe[S], parts: Any) -> Any:
        return self._refuse("parts of the training rows")

    def _refuse(self, what: str) -> NoReturn:
        raise UnsupportedDataError(f"{what} needs rows that passes shared by folds do not give.")


@dataclass(frozen=True, slots=True, eq=False)
class OutsideParts:
    """A recipe: for each of some parts, a statistic of the rows outside it."""

    numbers: tuple[int, ...]
    recipes: tuple[Recipe[Any], ...]
    part_of: PartOf

    def of(self, table: Table) -> SeveralStatistics:
        """The statistics of a table; None where all its rows are in the part."""
        parts = self.part_of(table.first_row, table.n_rows)
        found = []
        for number, recipe in zip(self.numbers, self.recipes, strict=True):
            rows = np.flatnonzero(parts != number)
            found.append(recipe.of(table.take(rows)) if len(rows) else None)
        return SeveralStatistics(tuple(found))


@dataclass(frozen=True, slots=True, eq=False)
class SeveralStatistics:
    """Statistics side by side, merged one by one."""

    parts: tuple[Any, ...]
    subtractable: ClassVar[bool] = False

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        pairs = zip(self.parts, other.parts, strict=True)
        return type(self)(
            tuple(b if a is None else a if b is None else a.merge(b) for a, b in pairs)
        )

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return all(each is None or each.is_finite() for each in self.parts)
