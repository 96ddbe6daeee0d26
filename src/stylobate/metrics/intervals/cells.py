"""Rows that say the same, counted once: labels have few distinct pairs however many rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.metrics.intervals.linear import Linear
from stylobate.metrics.intervals.metric import Metric
from stylobate.metrics.intervals.rows import Rows
from stylobate.metrics.intervals.scales import FISHER, LOG, LOGIT, PLAIN
from stylobate.metrics.scoring.scorers import takes_weights
from stylobate.splits.strata import type_of_target

MOST = 400  # distinct rows up to which counting them pays
_STEP = 1e-3  # of a cell's share: the error of the difference quotient is its square
_SCALES = (  # by how metrics are named; the first that fits
    (("cohen_kappa_score", "matthews_corrcoef"), FISHER),
    (("_score", "hamming_loss", "_rate", "_value"), LOGIT),
    (("_ratio",), LOG),
)


@dataclass(frozen=True, slots=True)
class Cells:
    """The distinct rows, how many there are of each (their weight), and the cell each row is in."""

    rows: Rows
    counts: Array
    of_row: NDArray[np.intp]
    weights: Array | None

    def values(self, metric: Metric, counts: Array) -> list[float]:
        """The metric of each prediction when there are so many rows of each kind."""
        there = counts > 0
        truth, weights = self.rows.truth[there], counts[there]
        return [metric.quietly(truth, p[there], weights) for p in self.rows.predicted]


def cells_of(metric: Metric, rows: Rows) -> Cells | None:
    """The rows as cells; None if they differ too much, or the metric does not go by counts.

    Whether it does is tried: the metric of the cells, weighted by their counts, must be the metric
    of the rows.
    """
    if not takes_weights(metric.function):
        return None
    columns = (rows.truth, *rows.predicted)
    if any(column.ndim != 1 for column in columns):
        return None
    code = np.zeros(len(rows), dtype=np.intp)
    for column in columns:
        distinct, numbers = np.unique(column, return_inverse=True)
        if len(distinct) > MOST:
            return None
        code = code * len(distinct) + numbers
    _, first, of_row = np.unique(code, return_index=True, return_inverse=True)
    if len(first) > MOST:
        return None
    of_row = of_row.reshape(-1)
    counts = np.bincount(of_row, weights=rows.weights).astype(np.float64)
    cells = Cells(rows.take(first), counts, of_row, rows.weights)
    for value, p in zip(cells.values(metric, counts), rows.predicted, strict=True):
        whole = metric.quietly(rows.truth, p, rows.weights)
        if not np.isclose(value, whole, rtol=1e-9, atol=1e-12):
            return None
    return cells


def linear_cells(metric: Metric, cells: Cells) -> list[Linear] | None:
    """What each row adds to a metric of labels, by the slope of the metric in each cell's share.

    Metrics of this library only: a function of one's own need not be smooth, nor are errors such as
    a median.
    """
    name = metric.known
    columns = (cells.rows.truth, *cells.rows.predicted)
    labels = all(type_of_target(each) in ("binary", "multiclass") for each in columns)
    if not name or name.endswith("_error") or not labels:
        return None
    shares = cells.counts / cells.counts.sum()
    slopes = np.array([_slopes(metric, cells, shares, k) for k in range(len(shares))])
    if not np.isfinite(slopes).all():
        return None
    scale = next((s for ends, s in _SCALES if name.endswith(ends)), PLAIN)
    values = cells.values(metric, cells.counts)
    return [
        Linear(value, (slope[cells.of_row],), (cells.weights,), scale)
        for value, slope in zip(values, slopes.T, strict=True)
    ]


def _slopes(metric: Metric, cells: Cells, shares: Array, k: int) -> Any:
    """d/dε of the metric at (1 − ε)·shares + ε·(all in cell k), for each prediction."""
    step = _STEP * shares[k]
    if step == 0.0:  # rows without weight
        return np.zeros(len(cells.rows.predicted))
    towards = -shares
    towards[k] += 1.0
    up, down = (cells.values(metric, shares + e * towards) for e in (step, -step))
    return (np.array(up) - np.array(down)) / (2.0 * step)
