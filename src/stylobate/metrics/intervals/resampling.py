"""The bootstrap: a metric of rows drawn again, and of rows left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.metrics.intervals.cells import Cells
from stylobate.metrics.intervals.dependence import Dependence
from stylobate.metrics.intervals.metric import Metric
from stylobate.metrics.intervals.rows import Rows
from stylobate.splits.strata import class_numbers

_GROUPS = 200  # of rows left out together, where leaving out each alone would take too long
_ALONE = 1000  # rows up to which each is left out alone


class Resampling(Protocol):
    """Values of the metric (one for each prediction) over resamples and over left-out rows."""

    def resampled(self, count: int, random: np.random.Generator) -> Array:
        """As many resamples, a row each."""
        ...

    def left_out(self) -> tuple[Array, Array]:
        """The values without a row (or a group of them), and how many such rows there are."""
        ...


class ResampledRows:
    """Any function of rows: it is called with rows drawn with replacement."""

    def __init__(self, metric: Metric, rows: Rows, strata: NDArray[np.intp] | None) -> None:
        self.metric, self.rows = metric, rows
        self.strata = _members(strata, len(rows))

    def resampled(self, count: int, random: np.random.Generator) -> Array:
        """As many resamples, a row each."""
        draws = (_drawn(self.strata, random) for _ in range(count))
        return np.array([values_of(self.metric, self.rows.take(draw)) for draw in draws])

    def left_out(self) -> tuple[Array, Array]:
        """The values without a row or a group of rows."""
        kept = list(_kept(len(self.rows)))
        values = [values_of(self.metric, self.rows.take(each)) for each in kept]
        return np.array(values), np.ones(len(kept))


class ResampledUnits:
    """Any function of rows that belong together: whole groups or blocks are drawn."""

    def __init__(self, metric: Metric, rows: Rows, units: Dependence) -> None:
        self.metric, self.rows, self.units = metric, rows, units

    def resampled(self, count: int, random: np.random.Generator) -> Array:
        """As many resamples, a row each."""
        return self._each(self.units.drawn(random) for _ in range(count))

    def left_out(self) -> tuple[Array, Array]:
        """The values without a group or a block."""
        values = self._each(self.units.kept())
        return values, np.ones(len(values))

    def _each(self, draws: Iterable[NDArray[np.intp]]) -> Array:
        return np.array([values_of(self.metric, self.rows.take(draw)) for draw in draws])


class ResampledCells:
    """A metric of labels: drawing rows is drawing the counts of the distinct ones."""

    def __init__(self, metric: Metric, cells: Cells, strata: NDArray[np.intp] | None) -> None:
        self.metric, self.cells = metric, cells
        self.strata = None if strata is None else strata[_first_rows(cells)]

    def resampled(self, count: int, random: np.random.Generator) -> Array:
        """As many resamples, a row each."""
        counts = np.zeros((count, len(self.cells.counts)))
        for cells in _members(self.strata, len(self.cells.counts)):
            there = self.cells.counts[cells]
            total = there.sum()
            counts[:, cells] = random.multinomial(int(total), there / total, size=count)
        return np.array([self.cells.values(self.metric, each) for each in counts])

    def left_out(self) -> tuple[Array, Array]:
        """The values without one row of each kind."""
        counts = self.cells.counts
        steps = np.eye(len(counts))
        values = [self.cells.values(self.metric, counts - step) for step in steps]
        return np.array(values), counts


def values_of(metric: Metric, rows: Rows) -> list[float]:
    """The metric of each prediction; NaN where it is undefined."""
    return [metric.quietly(rows.truth, p, rows.weights) for p in rows.predicted]


def strata_of(truth: NDArray[Any], stratify: bool, owner: str) -> NDArray[np.intp] | None:
    """The class of each row, if classes shall keep their sizes."""
    return class_numbers(truth, len(truth), owner)[1] if stratify else None


def _members(strata: NDArray[np.intp] | None, n: int) -> list[NDArray[np.intp]]:
    if strata is None:
        return [np.arange(n)]
    return [np.flatnonzero(strata == k) for k in range(int(strata.max()) + 1)]


def _drawn(strata: list[NDArray[np.intp]], random: np.random.Generator) -> NDArray[np.intp]:
    """Rows drawn with replacement, from each stratum as many as it has."""
    draws = [random.integers(len(members), size=len(members)) for members in strata]
    if len(strata) == 1:
        return draws[0]
    return np.concatenate([m[draw] for m, draw in zip(strata, draws, strict=True)])


def _kept(n: int) -> Iterator[NDArray[np.intp]]:
    """All rows but one, for each; all but a group, for each of many groups, if rows are many."""
    rows = np.arange(n)
    groups = rows if n <= _ALONE else rows % _GROUPS
    for group in range(n if n <= _ALONE else _GROUPS):
        yield np.flatnonzero(groups != group)


def _first_rows(cells: Cells) -> NDArray[np.intp]:
    """A row of each cell."""
    return np.unique(cells.of_row, return_index=True)[1]
