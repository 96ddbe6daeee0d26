"""A uniform sample of the rows of tables, the same for any cut into windows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.data import Table
from stylobate.data.joined_tables import joined

_EVERY = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class SampleRows:
    """A recipe: at most `size` rows, every set of so many equally likely.

    Every row has a random number that follows from the seed and its own number alone; the rows with
    the smallest ones are kept (as by `RowSample`, which knows columns of any kind).

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> table = read_table(np.arange(1000.0)[:, None], owner="example")
    >>> sample = SampleRows(3).of(table)
    >>> bool((sample.table.x[:, 0] == sample.numbers).all()), len(sample.numbers)
    (True, 3)
    """

    size: int
    seed: int = 0

    def of(self, table: Table) -> SampledRows:
        """The sample of a table."""
        found = _core.sample_rows(self.seed, table.first_row, table.n_rows, _EVERY)
        numbers, priorities = (np.asarray(part) for part in found)
        keep = _least(priorities, numbers, self.size)
        part = table.take(numbers[keep] - table.first_row)
        return SampledRows(self.size, ((numbers[keep], priorities[keep], part),))


Part = tuple[Integers, NDArray[np.uint64], Table]


@dataclass(frozen=True, eq=False)
class SampledRows:
    """Rows of a sample, in parts that are joined when they have grown to twice its size."""

    size: int
    parts: tuple[Part, ...]
    subtractable: ClassVar[bool] = False

    @cached_property
    def _whole(self) -> Part:
        numbers = np.concatenate([part[0] for part in self.parts])
        priorities = np.concatenate([part[1] for part in self.parts])
        keep = _least(priorities, numbers, self.size)
        table = (
            joined([part[2] for part in self.parts]) if len(self.parts) > 1 else self.parts[0][2]
        )
        return numbers[keep], priorities[keep], table.take(keep)

    @property
    def numbers(self) -> Integers:
        """Of the rows, ascending."""
        return self._whole[0]

    @property
    def table(self) -> Table:
        """The rows."""
        return self._whole[2]

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        both = replace(self, parts=self.parts + other.parts)
        if sum(len(part[0]) for part in both.parts) > 2 * self.size:
            return replace(self, parts=(both._whole,))
        return both

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return True


def _least(priorities: NDArray[np.uint64], numbers: Integers, size: int) -> NDArray[np.intp]:
    """Places of the rows with the smallest random numbers, in the order of the rows."""
    if len(numbers) > size:
        keep = np.argpartition(priorities, size)[:size]
        return keep[np.argsort(numbers[keep])]
    return np.argsort(numbers, kind="stable")
