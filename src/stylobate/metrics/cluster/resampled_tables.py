"""The bootstrap of scores of agreement: drawing rows is drawing counts of a contingency table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.metrics.classification.label_codes import code
from stylobate.metrics.cluster.contingency import Contingency, contingency_of
from stylobate.metrics.cluster.information import (
    adjusted_of,
    mutual_information,
    normalized_of,
    v_measures,
)
from stylobate.metrics.cluster.pair_counts import adjusted_rand_of, fowlkes_mallows_of, rand_of

if TYPE_CHECKING:
    from stylobate.metrics.intervals.metric import Metric
    from stylobate.metrics.intervals.rows import Rows


def _v_measure(table: Contingency, beta: float = 1.0, *, place: int = 2) -> float:
    return v_measures(table, beta)[place]


OF_TABLES: dict[str, Callable[..., float]] = {
    "adjusted_mutual_info_score": adjusted_of,
    "adjusted_rand_score": adjusted_rand_of,
    "completeness_score": partial(_v_measure, place=1),
    "fowlkes_mallows_score": fowlkes_mallows_of,
    "homogeneity_score": partial(_v_measure, place=0),
    "mutual_info_score": mutual_information,
    "normalized_mutual_info_score": normalized_of,
    "rand_score": rand_of,
    "v_measure_score": _v_measure,
}  # metric: the same of a table


def tables_apply(metric: Metric, rows: Rows) -> bool:
    """Whether the metric of these rows follows from a contingency table."""
    flat = all(each.ndim == 1 for each in (rows.truth, *rows.predicted))
    return metric.known in OF_TABLES and rows.weights is None and flat


class ResampledTables:
    """A score of agreement of one or more clusterings with a reference, resampled by counts."""

    def __init__(self, metric: Metric, rows: Rows, strata: NDArray[np.intp] | None) -> None:
        self.score = partial(OF_TABLES[metric.known], **metric.options)
        columns = [code(each)[1] for each in (rows.truth, *rows.predicted)]
        joint = columns[0]
        for each in columns[1:]:
            joint = code(joint * (int(each.max()) + 1) + each)[1]
        first = np.unique(joint, return_index=True)[1]
        self.counts = np.bincount(joint)
        self.tables = [_cells(columns[0][first], each[first]) for each in columns[1:]]
        self.strata = None if strata is None else strata[first]

    def resampled(self, count: int, random: np.random.Generator) -> Array:
        """As many resamples, a row each."""
        drawn = np.zeros((count, len(self.counts)), dtype=np.int64)
        strata = np.zeros(len(self.counts)) if self.strata is None else self.strata
        for stratum in np.unique(strata):
            cells = np.flatnonzero(strata == stratum)
            there = self.counts[cells]
            drawn[:, cells] = random.multinomial(there.sum(), there / there.sum(), size=count)
        return np.array([self._values(each) for each in drawn])

    def left_out(self) -> tuple[Array, Array]:
        """The values without one row of each kind."""
        steps = np.eye(len(self.counts), dtype=np.int64)
        values = [self._values(self.counts - step) for step in steps]
        return np.array(values), self.counts.astype(np.float64)

    def _values(self, counts: NDArray[np.int64]) -> list[float]:
        return [
            self.score(table.with_counts(np.bincount(cell, counts).astype(np.int64)))
            for table, cell in self.tables
        ]


def _cells(truth: Any, predicted: Any) -> tuple[Contingency, NDArray[np.int64]]:
    """A table of distinct rows, and the cell each of them is in."""
    table = contingency_of(truth, predicted)
    return table, code(truth * table.shape[1] + predicted)[1]
