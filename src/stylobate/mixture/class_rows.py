"""The rows of a latent class mixture: in memory, or passed over in batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table, read_weights
from stylobate.mixture.class_sums import ClassSums
from stylobate.mixture.mixed_rows import ClassParameters, ColumnScales, Seeds
from stylobate.statistics import ColumnMoments

if TYPE_CHECKING:
    from stylobate.data.streams import Batch, Stream

SEED_ROWS = 10_000  # of which starts are made: classes that these do not show are found later


def seed_numbers(n: int, random: Any) -> Any:
    """The numbers of the rows that starts are made of, in order; None: of all of them."""
    if n <= SEED_ROWS:
        return None
    return np.sort(random.choice(n, SEED_ROWS, replace=False))


class MemoryRows:
    """Rows that are all there.

    Parameters
    ----------
    table : Table
        Numbers and codes of categories.
    weights : array
    counts : array of int
        Categories of each column, 0 for numbers.
    """

    def __init__(self, table: Table, weights: Array, counts: Any) -> None:
        self.table, self.weights = table, weights
        found = ColumnMoments.of(Table(table.x, owner=table.owner, weights=weights))
        self.scales = ColumnScales.of(counts, found)
        self._rows = self.scales.rows(table.x)

    def seeds(self, random: Any) -> Seeds:
        """What starts are made of."""
        chosen = seed_numbers(self.table.n_rows, random)
        if chosen is None:
            return Seeds.of(self._rows, self.table.x, self.weights)
        x = self.table.x[chosen]
        return Seeds.of(self.scales.rows(x), x, self.weights[chosen])

    def sums(self, at: Sequence[ClassParameters]) -> list[ClassSums]:
        """The sums under each of some parameters."""
        return [ClassSums.at(self._rows, self.weights, each) for each in at]


@dataclass(frozen=True, slots=True, eq=False)
class _Looked:
    """What the first look at rows finds: columns by themselves, and rows to make starts of."""

    moments: ColumnMoments
    x: Array
    weights: Array

    def merge(self, other: _Looked) -> _Looked:
        return _Looked(
            self.moments.merge(other.moments),
            np.concatenate([self.x, other.x]),
            np.concatenate([self.weights, other.weights]),
        )


class StreamedRows:
    """Rows that are passed over: once for scales and starts, then by iterations.

    Parameters
    ----------
    stream : Stream
    read : callable
        Takes the features of a batch; returns them as a table of numbers and codes.
    counts : array of int
        Categories of each column, 0 for numbers.
    n_rows : int
        How many rows there are.
    owner : str
        Who asks, named in refusals.
    """

    def __init__(
        self, stream: Stream, read: Callable[[Any], Table], counts: Any, n_rows: int, owner: str
    ) -> None:
        self.stream, self.read, self.owner = stream, read, owner
        self.counts, self.n_rows = counts, n_rows

    def seeds(self, random: Any) -> Seeds:
        """What starts are made of; the pass finds the scales too."""
        numbers, owner, door = seed_numbers(self.n_rows, random), self.owner, _door(self)

        def look(batch: Batch, first: int) -> _Looked:
            x, weights = door(batch)
            inside: Any = slice(None)
            if numbers is not None:
                inside = numbers[(numbers >= first) & (numbers < first + len(x))] - first
            moments = ColumnMoments.of(Table(x, owner=owner, weights=weights))
            return _Looked(moments, np.array(x[inside]), weights[inside])

        found = self.stream.reduced(look, _Looked.merge, numbered=True)
        assert found is not None  # there is a first batch
        self.scales = ColumnScales.of(self.counts, found.moments)
        return Seeds.of(self.scales.rows(found.x), found.x, found.weights)

    def sums(self, at: Sequence[ClassParameters]) -> list[ClassSums]:
        """The sums under each of some parameters: one pass for all of them."""
        scales, door = self.scales, _door(self)

        def of(batch: Batch, first: int) -> list[ClassSums]:
            x, weights = door(batch)
            rows = scales.rows(x)
            return [ClassSums.at(rows, weights, each) for each in at]

        found = self.stream.reduced(of, _added)
        assert found is not None  # there is a first batch
        return found


def _added(one: list[ClassSums], other: list[ClassSums]) -> list[ClassSums]:
    return [a.merge(b) for a, b in zip(one, other, strict=True)]


def _door(rows: StreamedRows) -> Callable[[Batch], tuple[Array, Array]]:
    """Numbers, codes and weights of a batch; it knows no stream, for it travels to clusters."""
    read, owner = rows.read, rows.owner

    def door(batch: Batch) -> tuple[Array, Array]:
        x = read(batch.x).x
        given = read_weights(batch.weights, batch.n_rows, owner=owner)
        return x, np.ones(len(x)) if given is None else given

    return door
