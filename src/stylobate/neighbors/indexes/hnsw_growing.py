"""Growing an approximate index: codes that keep the order, a graph, and the recall it has."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.distances import Function, Metric, Minkowski, measured
from stylobate.distances.names import names_where
from stylobate.exceptions import InvalidParameterError, NumericalError
from stylobate.metrics.intervals.interval import Interval
from stylobate.metrics.intervals.proportions import proportion_interval
from stylobate.neighbors.indexes.hnsw import HNSW, RECALL_AT, Coding, HnswIndex

GRAPH_METRICS = names_where(lambda metric: metric.graph)
MOST_ASKED, FEWEST_ASKED = 1000, 200
SURE_PRODUCTS = 4e10  # of rows, queries and columns that exact answers may cost
KEPT_ORDER = 0.85  # share of the 10 nearest that codes must keep among the 20 nearest
MOST_EFFORT = 16384
MOST_BYTES = 65536  # columns of which squared differences of bytes can be summed
LEAST_EFFORT = 32


class Sample(NamedTuple):
    """Some rows asked as if they were new, and their true neighbours."""

    own: NDArray[np.int64]
    points: NDArray[Any]
    values: Array
    rows: NDArray[np.int64]

    @property
    def k(self) -> int:
        """Neighbours recall is measured for."""
        return max(1, min(RECALL_AT, int(self.rows.shape[1])))

    def without(self, held: NDArray[np.bool_]) -> Sample:
        """Without the rows that are marked, all with as many neighbours as are left to all."""
        order = np.argsort(held, axis=1, kind="stable")
        left = max(1, int((~held).sum(axis=1).min()))
        pick = order[:, :left]
        return self._replace(
            values=np.take_along_axis(self.values, pick, axis=1),
            rows=np.take_along_axis(self.rows, pick, axis=1),
        )


def hnsw_index(rows: Any, metric: Metric, settings: HNSW, reason: str = "asked for") -> HnswIndex:
    """Build the graph and measure its recall.

    Parameters
    ----------
    rows : ndarray of shape (n, p)
        The points.
    metric : Metric
        One of a graph.
    settings : HNSW
        Links and efforts.
    reason : str
        Why this index.

    Examples
    --------
    >>> from stylobate.distances import Euclidean
    >>> rows = np.random.default_rng(0).standard_normal((500, 3))
    >>> index = hnsw_index(rows, Euclidean(), HNSW())
    >>> index.query(rows[:2], 1)[1].ravel()
    array([0, 1])
    >>> index.recall.low >= 0.99
    True
    """
    if not metric.graph:
        _refuse(metric)
    metric = metric.graph_metric(rows)
    points = metric.graph_rows(rows)
    manhattan = metric.form(rows.shape[1]).measure == "manhattan"
    sample = _sample(metric, manhattan, rows, points, settings.random_state)
    coding, arrays = _encoded(points, manhattan, sample, settings)
    codes, errors, starts, members, sizes = arrays
    none = np.empty((0, 0), dtype=np.uint32)
    made = HnswIndex(
        rows, points, metric, coding, codes, errors, starts, members, sizes,
        none, none, len(codes), reason=reason,
    )  # fmt: skip
    held = len(np.unique(made.nodes()[sample.own]))
    if 2 * held > len(codes):  # few different rows: all of them are looked at, nothing is missed
        held = 0
    known = sizes - held * (np.arange(len(sizes)) == 0)
    links, upper = _core.hnsw_build(codes, *coding, known, settings.M, settings.ef_construction)
    if not held:
        return replace(made, links=links, upper=upper)
    made = replace(made, sizes=known, links=links, upper=upper)
    made = _judged(made, sample, settings)
    links = _core.hnsw_extend(
        codes, *coding, sizes, settings.ef_construction, int(known[0]), links, upper
    )
    return replace(made, sizes=sizes, links=links)


def _refuse(metric: Metric) -> NoReturn:
    what = "a function" if isinstance(metric, Function) else repr(metric.name)
    what += f" with p={metric.p!r}" if isinstance(metric, Minkowski) else ""
    raise InvalidParameterError(
        f"Metric {what} not valid for algorithm='hnsw', which takes {', '.join(GRAPH_METRICS)} "
        "(minkowski with p=1 or p=2); algorithm='brute' takes every metric."
    )


def _judged(index: HnswIndex, sample: Sample, settings: HNSW) -> HnswIndex:
    """With an effort and the recall it has, from rows that are not in the graph yet."""
    held = index.nodes()[sample.rows] >= index.sizes[0]
    sample = sample.without(held)
    if isinstance(settings.ef_search, int | np.integer):
        effort = int(settings.ef_search)
        return replace(index, effort=effort, recall=_recall(index, sample, effort))
    return _tuned(index, sample, settings.recall)


def _sample(metric: Metric, manhattan: bool, rows: Any, points: Any, seed: int) -> Sample:
    """At most an eighth of the rows, with more neighbours than are needed: some are held back."""
    n, columns = points.shape
    most = int(max(FEWEST_ASKED, min(MOST_ASKED, SURE_PRODUCTS / (n * columns))))
    own = np.sort(np.random.default_rng(seed).choice(n, min(n // 8, most), replace=False))
    if not len(own):
        return Sample(own, points[:0], np.empty((0, 1)), np.empty((0, 1), dtype=np.int64))
    asked = metric.graph_queries(rows[own])
    name = "manhattan" if manhattan else "sqeuclidean"
    values, near = measured(asked, points, name).nearest(min(4 * RECALL_AT, n))
    return Sample(own, asked, values, near)


def _encoded(
    points: NDArray[Any], manhattan: bool, sample: Sample, settings: HNSW
) -> tuple[Coding, tuple[Any, ...]]:
    """Codes of a byte where they keep the order of near rows, else single floats."""
    some = points[:: max(1, len(points) // 4096)].astype(np.float64)
    low, high = some.min(axis=0), some.max(axis=0)
    span = float((high - low).max())
    if not np.isfinite(span) or not np.isfinite(255.0 / span if span > 0 else 1.0):
        raise NumericalError(
            "algorithm='hnsw': the columns of X reach farther than distances between them can be "
            "held; scale the columns first."
        )
    span = 1.04 * span if span > 0 else 1.0
    coding = Coding(low - span / 52, 255.0 / span, True, manhattan)
    seeds = settings.M, settings.random_state, sample.own
    if points.shape[1] <= MOST_BYTES and _order_kept(points, coding, sample) >= KEPT_ORDER:
        return coding, _core.hnsw_encode(points, *coding, *seeds)
    coding = Coding(0.5 * (low + high), 1.0 / span, False, manhattan)
    return coding, _core.hnsw_encode(points, *coding, *seeds)


def _order_kept(points: NDArray[Any], coding: Coding, sample: Sample) -> float:
    """The share of the 10 nearest of 20 that are so by codes of a byte, ties at their worst."""
    k, kept = sample.k, 0
    if sample.rows.shape[1] <= k:
        return 1.0
    own = coding.encode(sample.points)
    for i in range(len(own)):
        off = coding.encode(points[sample.rows[i, 1 : 2 * k + 1]]) - own[i]
        far = np.abs(off).sum(axis=1) if coding.manhattan else (off * off).sum(axis=1)
        exact = sample.values[i, 1 : 2 * k + 1]  # without the row itself
        chosen = np.lexsort((-exact, far))[:k]
        kept += int((exact[chosen] <= exact[min(k, len(exact)) - 1]).sum())
    return float(kept / max(1, min(k, sample.rows.shape[1] - 1) * len(own)))


def _recall(index: HnswIndex, sample: Sample, effort: int, count: int | None = None) -> Interval:
    """Of the first `count` queries: rows as near as the true k-th one are hits."""
    part = slice(count)
    values, rows = index.walk(sample.points[part], sample.k, effort)
    farthest = sample.values[part, sample.k - 1 : sample.k]
    shares = ((rows >= 0) & (values <= farthest)).mean(axis=1)
    share, n = float(shares.mean()), len(shares) * sample.k
    # answers of one query go together: as many independent ones as its variance says
    alone = share * (1.0 - share) / sample.k
    alike = max(1.0, float(shares.var()) / alone) if alone > 0 else 1.0
    return proportion_interval(min(share, 1.0) * n / alike, n / alike)


def _tuned(index: HnswIndex, sample: Sample, wanted: float) -> HnswIndex:
    """Raise the effort until the interval of the recall lies above what is wanted."""
    most = min(len(index.starts) - 1, MOST_EFFORT)
    few = min(FEWEST_ASKED, len(sample.own))
    effort, before = min(LEAST_EFFORT, most), 0.0
    rough = _recall(index, sample, effort, few).estimate
    while rough < wanted and effort < most:
        before, effort = rough, min(2 * effort, most)
        rough = _recall(index, sample, effort, few).estimate
    if before > 0.0 and rough < 1.0:
        # misses fall about as a power of the effort: where between the last two they are few enough
        slope = np.log2((1.0 - before) / (1.0 - rough))
        step = np.log2((1.0 - rough) / (1.0 - wanted)) / max(float(slope), 0.1)
        effort = min(round(effort * 2.0 ** max(step, -1.0)), most)
    recall = _recall(index, sample, effort)
    while recall.low < wanted and effort < most:
        effort = min(int(1.2 * effort) + 1, most)
        recall = _recall(index, sample, effort)
    return replace(index, effort=effort, recall=recall)
