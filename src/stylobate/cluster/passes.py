"""What k-means asks of rows wherever they are: recipes of which one pass computes one statistic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.statistics.iterations.assignment_sums import AssignmentSums, AssignTo

_MASK = (1 << 64) - 1


class _Merged:
    """What statistics of rows assigned to centres answer alike."""

    subtractable: ClassVar[bool] = False

    def column_lengths(self) -> Array:
        return np.empty(0)


@dataclass(frozen=True, slots=True, eq=False)
class StepSums(_Merged):
    """The sums of a step, and a number that tells whether any row has changed its centre.

    Parameters
    ----------
    sums : AssignmentSums
        Of the rows of each centre.
    mark : int
        Σ h(i) (label of row i + 1) mod 2⁶⁴, h(i) a random number of 64 bits: equal labels have
        equal marks, different ones but for a chance of 2⁻⁶⁴ do not.
    """

    sums: AssignmentSums
    mark: int

    def merge(self, other: Self) -> Self:
        return type(self)(self.sums.merge(other.sums), (self.mark + other.mark) & _MASK)

    def is_finite(self) -> bool:
        return self.sums.is_finite()


@dataclass(frozen=True, slots=True, eq=False)
class StepAt:
    """A step of Lloyd's from these centres: the recipe of `StepSums`."""

    centers: Array

    def of(self, table: Table) -> StepSums:
        rows, sums = AssignTo(self.centers).rows(table)
        number = np.arange(table.first_row, table.first_row + table.n_rows, dtype=np.uint64)
        mark = np.sum(_scrambled(number) * (rows.labels + 1).astype(np.uint64), dtype=np.uint64)
        return StepSums(sums, int(mark))


def dense(rows: Any) -> Array:
    """Rows as an array of doubles."""
    rows = rows.toarray() if hasattr(rows, "toarray") else rows
    return np.ascontiguousarray(rows, dtype=np.float64)


def _scrambled(number: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64 of every number."""
    z = (number + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


@dataclass(frozen=True, slots=True, eq=False)
class FarRows(_Merged):
    """The rows of positive weight farthest from their centres, farthest first."""

    count: int
    distances: Array
    numbers: NDArray[np.int64]
    labels: NDArray[np.int32]
    weights: Array
    rows: Array

    def merge(self, other: Self) -> Self:
        names = ("distances", "numbers", "labels", "weights", "rows")
        parts: list[Any] = [np.concatenate([getattr(e, n) for e in (self, other)]) for n in names]
        keep = _farthest(parts[0], self.count)
        return type(self)(self.count, *(part[keep] for part in parts))

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.distances).all())


@dataclass(frozen=True, slots=True, eq=False)
class FarFrom:
    """The recipe of `FarRows`: the `count` rows farthest from the nearest of these centres."""

    centers: Array
    count: int

    def of(self, table: Table) -> FarRows:
        found = AssignTo(self.centers).rows(table)[0]
        weights = np.ones(table.n_rows) if table.weights is None else table.weights
        able = np.flatnonzero(weights > 0.0)
        keep = able[_farthest(found.nearest[able], self.count)]
        return FarRows(
            self.count,
            found.nearest[keep],
            keep + table.first_row,
            found.labels[keep],
            weights[keep],
            dense(table.x[keep]),
        )


def _farthest(distances: Array, count: int) -> NDArray[np.intp]:
    """Positions of the largest, largest first; of equal ones the first."""
    if len(distances) > 4 * count:
        least = np.partition(distances, len(distances) - count)[len(distances) - count]
        able = np.flatnonzero(distances >= least)
    else:
        able = np.arange(len(distances))
    return able[np.argsort(-distances[able], kind="stable")[:count]]


@dataclass(frozen=True, slots=True, eq=False)
class RowLabels(_Merged):
    """The label of every row, in pieces, and the inertia."""

    pieces: tuple[NDArray[np.int32], ...]
    inertia: float

    @property
    def labels(self) -> NDArray[np.int32]:
        return np.concatenate(self.pieces)

    def merge(self, other: Self) -> Self:
        return type(self)(self.pieces + other.pieces, self.inertia + other.inertia)

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.inertia))


@dataclass(frozen=True, slots=True, eq=False)
class LabelsAt:
    """The recipe of `RowLabels`: of each row the nearest of these centres."""

    centers: Array

    def of(self, table: Table) -> RowLabels:
        rows, sums = AssignTo(self.centers).rows(table)
        return RowLabels((np.asarray(rows.labels),), float(sums.inertia))


@dataclass(frozen=True, slots=True, eq=False)
class SampledRows(_Merged):
    """At most `size` rows, every set of so many equally likely, however they come in batches."""

    size: int
    count: int
    priorities: NDArray[np.uint64]
    rows: Any
    weights: Array | None

    def merge(self, other: Self) -> Self:
        priorities = np.concatenate([self.priorities, other.priorities])
        weights = None
        if self.weights is not None or other.weights is not None:
            weights = np.concatenate([_weights(self), _weights(other)])
        rows = _stacked(self.rows, other.rows)
        count = self.count + other.count
        least: Self = _least(type(self)(self.size, count, priorities, rows, weights))
        return least

    def is_finite(self) -> bool:
        values = self.rows.data if hasattr(self.rows, "tocsr") else self.rows
        return bool(np.isfinite(values).all())


@dataclass(frozen=True, slots=True, eq=False)
class SampleOf:
    """The recipe of `SampledRows`; the random numbers are those of the seed and the row's place."""

    size: int
    seed: int

    def of(self, table: Table) -> SampledRows:
        from stylobate import _core

        most = (1 << 64) - 1
        found = _core.sample_rows(self.seed, table.first_row, table.n_rows, most)
        order, priorities = (np.asarray(part) for part in found)
        assert len(order) == table.n_rows
        rows = table.x.tocsr() if table.is_sparse else table.x
        whole = SampledRows(self.size, table.n_rows, priorities, rows, table.weights)
        least: SampledRows = _least(whole)
        return least


def _least(sample: SampledRows) -> Any:
    """The rows with the smallest random numbers, in their order."""
    if len(sample.priorities) <= sample.size:
        return sample
    keep = np.sort(np.argpartition(sample.priorities, sample.size)[: sample.size])
    weights = None if sample.weights is None else sample.weights[keep]
    return type(sample)(
        sample.size, sample.count, sample.priorities[keep], sample.rows[keep], weights
    )


def _weights(sample: SampledRows) -> Array:
    return np.ones(len(sample.priorities)) if sample.weights is None else sample.weights


def _stacked(above: Any, below: Any) -> Any:
    if not hasattr(above, "tocsr"):
        return np.concatenate([above, below])
    from scipy import sparse

    return sparse.vstack([above, below], format="csr")
