"""Components of rows that see many others, by whatever index shows who sees whom."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.data.sparse import is_sparse
from stylobate.distances import Function, Metric, Precomputed, measured
from stylobate.neighbors.indexes.brute import Lists
from stylobate.neighbors.indexes.choosing import choose_index

MOST_COLUMNS = 12  # from here on boxes leave so much to look at that tiles are quicker


class DenseRows(NamedTuple):
    """Labels of the rows, -1 for none, and which of them are core."""

    labels: Integers
    core: NDArray[np.bool_]


class Density(NamedTuple):
    """What makes a row core: so many rows, or so much weight, within `eps` of it."""

    eps: float
    min_samples: float
    weights: Array | None


def dense_rows(rows: Any, metric: Metric, density: Density, algorithm: str) -> DenseRows:
    """The clusters of DBSCAN.

    Parameters
    ----------
    rows : ndarray or csr_array of shape (n, p)
        The points, checked; with the metric "precomputed", distances among them.
    metric : Metric
        What is measured.
    density : Density
        What makes a row core.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}
        Who shows the neighbours.

    Examples
    --------
    >>> from stylobate.distances import Euclidean
    >>> x = np.array([[0.0], [1.0], [2.0], [9.0]])
    >>> dense_rows(x, Euclidean(), Density(1.0, 3, None), "auto").labels
    array([ 0,  0,  0, -1])
    """
    if isinstance(metric, Precomputed):
        return _of_distances(rows, density)
    if isinstance(metric, Function):
        # a call of Python for each pair costs more than to keep what it said
        index = choose_index(rows, metric, algorithm)
        return _of_lists(index.within(rows, density.eps), density)
    if not is_sparse(rows):
        metric = metric.learnt(rows)
        if _suits_boxes(rows, metric, algorithm):
            return _of_boxes(rows, metric, density)
    return _of_pairs(rows, metric, density, algorithm)


def _suits_boxes(rows: Any, metric: Metric, algorithm: str) -> bool:
    if not metric.boxes or algorithm in ("brute", "ball_tree"):
        return False
    return algorithm == "kd_tree" or rows.shape[1] <= MOST_COLUMNS


def _of_boxes(rows: Any, metric: Metric, density: Density) -> DenseRows:
    form = metric.form(rows.shape[1])
    points = np.asarray(form.points(rows), dtype=np.float64)
    radius = float(form.finish.inverse(np.asarray(density.eps, dtype=np.float64)))
    return _found(
        _core.dbscan_boxes(
            points, form.measure, form.p, radius, float(density.min_samples), density.weights
        )
    )


def _of_pairs(rows: Any, metric: Metric, density: Density, algorithm: str) -> DenseRows:
    index = choose_index(rows, metric, algorithm)
    if index.name == "brute":
        pairs = measured(rows, rows, metric)
        shown, finish = pairs.pairs, pairs.finish
    else:
        shown, finish = index._tree, index._form.finish
    radius = float(finish.inverse(np.asarray(density.eps, dtype=np.float64)))
    return _found(shown.density_clusters(radius, float(density.min_samples), density.weights))


def _of_distances(distances: Any, density: Density) -> DenseRows:
    """Distances the caller has need not be the same both ways."""
    if is_sparse(distances):
        return _of_lists(_stored(distances, density.eps), density)
    given = np.asarray(distances, dtype=np.float64)
    core = np.empty(len(given), dtype=bool)
    for start in range(0, len(given), 512):
        near = given[start : start + 512] <= density.eps
        seen = near.sum(axis=1) if density.weights is None else near @ density.weights
        core[start : start + 512] = seen >= density.min_samples
    labels = _core.dbscan_matrix(given, density.eps, core.astype(np.uint8))
    return DenseRows(labels.view(np.intp), core)


def _stored(graph: Any, eps: float) -> Lists:
    """The stored entries within the radius; every row sees itself."""
    own = graph.tocsr()
    query = np.repeat(np.arange(own.shape[0]), np.diff(own.indptr))
    near = (own.data <= eps) & (own.indices != query)
    itself = np.arange(own.shape[0])
    query = np.concatenate([query[near], itself])
    rows = np.concatenate([own.indices[near], itself]).astype(np.intp)
    order = np.lexsort((rows, query))
    offsets = np.concatenate([[0], np.cumsum(np.bincount(query, minlength=own.shape[0]))])
    return Lists(offsets.astype(np.intp), rows[order], np.empty(0))


def _of_lists(lists: Lists, density: Density) -> DenseRows:
    offsets, rows = lists.offsets.astype(np.int64), lists.rows.astype(np.int64)
    if density.weights is None:
        seen: Any = np.diff(offsets)
    else:
        sums = np.concatenate([[0.0], density.weights[rows]])
        seen = np.add.reduceat(sums, offsets[:-1] + 1) if len(rows) else np.zeros(len(offsets) - 1)
        seen = np.where(np.diff(offsets) > 0, seen, 0.0)
    core = np.asarray(seen >= density.min_samples)
    labels = _core.dbscan_graph(offsets, rows, core.astype(np.uint8))
    return DenseRows(labels.view(np.intp), core)


def _found(labels_and_core: tuple[Any, Any]) -> DenseRows:
    labels, core = labels_and_core
    return DenseRows(labels.view(np.intp), core.view(np.bool_))
