r"""Spanning trees of mutual reachability, :math:`\max(c_i, c_j, d(x_i, x_j) / \alpha)`."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple, NoReturn

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.data.sparse import is_sparse
from stylobate.data.words import user_stacklevel
from stylobate.distances import Function, Metric, Precomputed, measured
from stylobate.exceptions import InvalidDataError, NumericalError, StylobateWarning

MOST_COLUMNS = 12  # from here on all pairs are sooner looked at than boxes


class ReachabilityTree(NamedTuple):
    """Edges of a minimum spanning tree, and the core distance of every row."""

    from_: Integers
    to: Integers
    lengths: Array
    core: Array


class Reachability(NamedTuple):
    """What is measured: `alpha` divides distances, where `scale_core` core distances too."""

    metric: Metric
    min_samples: int
    alpha: float = 1.0
    scale_core: bool = False
    max_distance: float = 0.0
    boxes: bool = True


def reachability_tree(rows: Any, wish: Reachability) -> ReachabilityTree:
    """The minimum spanning tree of the rows under mutual reachability.

    Core distances are those of the `min_samples`-th nearest row, itself included.

    Parameters
    ----------
    rows : ndarray or csr_array of shape (n, p)
        At least two, checked; with the metric "precomputed", distances among them.
    wish : Reachability
        What is measured.

    Examples
    --------
    >>> from stylobate.distances import Euclidean
    >>> x = np.array([[0.0], [1.0], [1.5], [9.0]])
    >>> reachability_tree(x, Reachability(Euclidean(), 2)).lengths
    array([0.5, 1. , 7.5])
    """
    if isinstance(wish.metric, Precomputed):
        given = _of_graph if is_sparse(rows) else _of_matrix
        return given(rows, wish)
    if isinstance(wish.metric, Function):  # asked once for each pair
        return _of_matrix(wish.metric.matrix(rows, rows), wish)
    if is_sparse(rows):
        return _of_pairs(rows, wish.metric, wish)
    metric = wish.metric.learnt(rows)
    if wish.boxes and metric.boxes and rows.shape[1] <= MOST_COLUMNS:
        return _of_boxes(rows, metric, wish)
    return _of_pairs(rows, metric, wish)


def _of_boxes(rows: Any, metric: Metric, wish: Reachability) -> ReachabilityTree:
    form = metric.form(rows.shape[1])
    points = np.ascontiguousarray(form.points(rows), dtype=np.float64)
    others = min(wish.min_samples, len(points)) - 1
    measure = (points, form.measure, form.p)
    if not others:
        return _finished(
            lambda: _core.spanning_tree(*measure), np.zeros(len(points)), form.finish, wish
        )
    values, near = _core.Tree.kd(*measure).nearest(None, others, True)
    core = np.ascontiguousarray(values[:, -1])
    own = form.finish(core.copy())
    if wish.alpha != 1.0 and not wish.scale_core:
        core = np.ascontiguousarray(form.finish.inverse(own * wish.alpha))
    return _finished(
        lambda: _core.spanning_tree(*measure, core, values, near), own, form.finish, wish
    )


def _of_pairs(rows: Any, metric: Metric, wish: Reachability) -> ReachabilityTree:
    pairs = measured(rows, rows, metric)
    n, others = rows.shape[0], wish.min_samples - 1
    own = np.zeros(n)
    core = None
    if others:
        core = np.ascontiguousarray(pairs.nearest_measures(others, skip_self=True)[0][:, -1])
        own = pairs.finish(core.copy())
        if wish.alpha != 1.0 and not wish.scale_core:
            core = np.ascontiguousarray(pairs.finish.inverse(own * wish.alpha))
    return _finished(lambda: pairs.pairs.spanning_tree(core), own, pairs.finish, wish)


def _finished(find: Any, core: Array, finish: Any, wish: Reachability) -> ReachabilityTree:
    if not np.isfinite(core).all():
        _refuse_far()
    try:
        from_, to, lengths = find()
    except ValueError:  # no edge of a component is finite
        _refuse_far()
    lengths = finish(np.array(lengths)) / wish.alpha
    core = core / wish.alpha if wish.scale_core else core
    return ReachabilityTree(from_.view(np.int64), to.view(np.int64), lengths, core)


def _refuse_far() -> NoReturn:
    raise NumericalError(
        "HDBSCAN: distances between these rows exceed what doubles hold; scale the columns first."
    )


def _of_matrix(distances: Any, wish: Reachability) -> ReachabilityTree:
    """Prim's algorithm over the rows of a matrix that is there already."""
    given = np.asarray(distances, dtype=np.float64)
    n = len(given)
    core = np.empty(n)
    for start in range(0, n, 512):
        some = given[start : start + 512]
        core[start : start + 512] = np.partition(some, wish.min_samples - 1, axis=1)[
            :, wish.min_samples - 1
        ]
    core = core / wish.alpha
    best, nearest = np.full(n, np.inf), np.zeros(n, dtype=np.int64)
    unseen, at = np.arange(1, n), 0
    ends, lengths = np.empty((n - 1, 2), dtype=np.int64), np.empty(n - 1)
    for step in range(n - 1):
        length = np.maximum(np.maximum(given[at, unseen] / wish.alpha, core[unseen]), core[at])
        nearer = length < best[unseen]
        best[unseen[nearer]], nearest[unseen[nearer]] = length[nearer], at
        next_ = int(np.argmin(best[unseen]))
        at = int(unseen[next_])
        unseen = np.delete(unseen, next_)
        ends[step], lengths[step] = (nearest[at], at), best[at]
    if np.isinf(lengths).any():
        warnings.warn(
            "The minimum spanning tree contains edge weights with value infinity. Potentially, "
            "you are missing too many distances in the initial distance matrix for the given "
            "neighborhood size.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    from_, to = np.ascontiguousarray(ends.T)
    return ReachabilityTree(from_, to, lengths, core)


def _of_graph(graph: Any, wish: Reachability) -> ReachabilityTree:
    """Of the entries that are stored; a row counts itself, stored or not."""
    from scipy.sparse import coo_array, csgraph

    own = graph.tocsr()
    n, stored = own.shape[0], np.diff(own.indptr)
    if (stored < wish.min_samples).any():
        raise InvalidDataError(
            f"There exists points with fewer than {wish.min_samples} neighbors. Ensure your "
            "distance matrix has non-zero values for at least "
            f"`min_sample`={wish.min_samples} neighbors for each points (i.e. K-nn graph), or "
            "specify a `max_distance` in `metric_params` to use when distances are missing."
        )
    row, values = np.repeat(np.arange(n), stored), own.data / wish.alpha
    order = np.lexsort((values, row))
    core = values[order][own.indptr[:-1] + wish.min_samples - 1]
    lengths = np.maximum(np.maximum(values, core[row]), core[own.indices])
    if wish.max_distance > 0.0:
        lengths = np.where(np.isfinite(lengths), lengths, wish.max_distance)
    # ranks have the order of the lengths, and none of them is 0, which would be no edge
    apart = np.flatnonzero(row != own.indices)
    order = apart[np.argsort(lengths[apart], kind="stable")]
    ranks = coo_array((np.arange(1.0, len(order) + 1.0), (row[order], own.indices[order])), (n, n))
    parts: Any = csgraph.connected_components(ranks.tocsr(), directed=False, return_labels=False)
    if parts > 1:
        raise InvalidDataError(
            f"Sparse mutual reachability matrix has {parts} connected components. HDBSCAN cannot "
            "be performed on a disconnected graph. Ensure that the sparse distance matrix has only "
            "one connected component."
        )
    chosen = order[csgraph.minimum_spanning_tree(ranks.tocsr()).data.astype(np.intp) - 1]
    return ReachabilityTree(
        row[chosen].astype(np.int64), own.indices[chosen].astype(np.int64), lengths[chosen], core
    )
