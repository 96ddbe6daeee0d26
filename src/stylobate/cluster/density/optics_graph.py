"""The order in which OPTICS reaches the rows, and how far each was from where it was reached."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.data.sparse import is_sparse
from stylobate.data.words import user_stacklevel
from stylobate.distances import Function, Metric, Precomputed, measured
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.neighbors.indexes.choosing import choose_index

Graph = tuple[Integers, Array, Array, Integers]
DECIMALS = 15  # distances are rounded so, as in scikit-learn: equal ones stay equal


def compute_optics_graph(
    X: Any,
    *,
    min_samples: float,
    max_eps: float,
    metric: Any,
    p: float | None,
    metric_params: dict[str, Any] | None,
    algorithm: str,
    leaf_size: int,
    n_jobs: int | None,
) -> Graph:
    r"""The reachability graph of OPTICS.

    The core distance :math:`c_i` is that of the `min_samples`-th nearest row, itself included. Row
    j is reached from row i at :math:`\max(c_i, d(x_i, x_j))`; next comes always the row that is
    reached soonest from any before it.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, n_features)
        Rows, or distances among them.
    min_samples : int in [2, inf) or float in [0, 1]
        Rows that make a row core, or their share.
    max_eps : float in [0, inf]
        How far a row sees.
    metric, p, metric_params, algorithm, leaf_size, n_jobs
        As of `OPTICS`.

    Returns
    -------
    ordering : array of shape (n,)
        The rows in the order they are reached.
    core_distances : array of shape (n,)
        inf for rows that are not core within `max_eps`.
    reachability : array of shape (n,)
        inf for rows reached from nowhere.
    predecessor : array of shape (n,)
        From where each row was reached, -1 for nowhere.

    Examples
    --------
    >>> compute_optics_graph(
    ...     [[0.0], [1.0], [1.5], [9.0]], min_samples=2, max_eps=np.inf, metric="euclidean", p=2,
    ...     metric_params=None, algorithm="auto", leaf_size=30, n_jobs=None,
    ... )[2]
    array([inf, 1. , 0.5, 7.5])
    """
    from stylobate.cluster.density.optics import OPTICS

    model = OPTICS(
        min_samples=min_samples,
        max_eps=max_eps,
        metric=metric,
        p=p,
        metric_params=metric_params,
        algorithm=algorithm,
        leaf_size=leaf_size,
        n_jobs=n_jobs,
    )
    model._check_parameters()
    return reachability_graph(
        model._read_rows(X), model._metric, model.min_samples, max_eps, algorithm
    )


def reachability_graph(
    rows: Any, metric: Metric, min_samples: float, max_eps: float, algorithm: str
) -> Graph:
    """As `compute_optics_graph`, of checked rows.

    Examples
    --------
    >>> from stylobate.distances import Euclidean
    >>> reachability_graph(np.array([[0.0], [1.0], [9.0]]), Euclidean(), 2, np.inf, "auto")[0]
    array([0, 1, 2])
    """
    n = rows.shape[0]
    count = checked_size(min_samples, n, "min_samples")
    if isinstance(metric, Precomputed):
        rows = _with_itself(rows)
    elif not is_sparse(rows):
        metric = metric.learnt(rows)
    core = _core_distances(rows, metric, count, algorithm)
    core[core > max_eps] = np.inf
    core = np.around(core, DECIMALS)
    order, reach, predecessor = _walk(rows, metric, core, float(max_eps))
    if np.isinf(reach).all():
        warnings.warn(
            "All reachability values are inf. Set a larger max_eps or all data will be considered "
            "outliers.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    return order, core, reach, predecessor


def checked_size(size: float, n: int, name: str) -> int:
    """A number of rows, of so many; a share of them is rounded down, but not below 2.

    Examples
    --------
    >>> checked_size(0.25, 20, "min_samples"), checked_size(5, 20, "min_samples")
    (5, 5)
    """
    if size > n:
        raise InvalidParameterError(
            f"{name} must be no greater than the number of samples ({n}). Got {size}"
        )
    count = max(2, int(size * n)) if size <= 1 else int(size)
    if count > n:
        raise InvalidDataError(f"{name} is at least 2 rows, but n_samples = {n}.")
    return count


def _with_itself(distances: Any) -> Any:
    """Of a sparse graph, with every row its own neighbour."""
    if not is_sparse(distances):
        return distances
    from scipy.sparse import coo_array

    graph = distances.tocoo()
    apart, itself = graph.row != graph.col, np.arange(graph.shape[0])
    row, col = (np.concatenate([each[apart], itself]) for each in (graph.row, graph.col))
    values = np.concatenate([graph.data[apart], distances.diagonal()])
    return coo_array((values, (row, col)), shape=graph.shape).tocsr()


def _core_distances(rows: Any, metric: Metric, count: int, algorithm: str) -> Array:
    """The distance of the `count`-th nearest row, itself included."""
    index = choose_index(rows, metric, algorithm)
    core = np.empty(rows.shape[0])
    step = max(1, 2**22 // count)  # lists of neighbours are never held together
    for start in range(0, rows.shape[0], step):
        some = rows[start : start + step]
        core[start : start + step] = index.query(some, count)[0][:, -1]
    return core


def _walk(
    rows: Any, metric: Metric, core: Array, max_eps: float
) -> tuple[Integers, Array, Integers]:
    if metric.boxes and not is_sparse(rows):
        form = metric.form(rows.shape[1])
        points = np.asarray(form.points(rows), dtype=np.float64)
        radius = float(form.finish.inverse(np.asarray(max_eps)))
        order, reach, predecessor = _core.optics(points, form.measure, form.p, core, radius)
        return order.view(np.intp), reach, predecessor.view(np.intp)
    return _walk_rows(_distances_from(rows, metric), core, max_eps)


def _distances_from(rows: Any, metric: Metric) -> Callable[[int], Array]:
    """The distances of one row to all; of a sparse graph those not stored are infinite."""
    if isinstance(metric, Precomputed) and is_sparse(rows):

        def stored(i: int) -> Array:
            distances = np.full(rows.shape[0], np.inf)
            some = slice(rows.indptr[i], rows.indptr[i + 1])
            distances[rows.indices[some]] = rows.data[some]
            distances[i] = 0.0
            return distances

        return stored
    if isinstance(metric, Precomputed | Function):
        return lambda i: np.asarray(
            rows[i] if isinstance(metric, Precomputed) else metric.matrix(rows[i : i + 1], rows)[0],
            dtype=np.float64,
        )
    whole = measured(rows, rows, metric)
    cached = _core.CachedRows(whole.pairs, 8 * rows.shape[0])
    return lambda i: np.asarray(whole.finish(cached.rows(np.array([i]))[0].copy()))


def _walk_rows(
    distances: Callable[[int], Array], core: Array, max_eps: float
) -> tuple[Integers, Array, Integers]:
    n = len(core)
    reach, predecessor = np.full(n, np.inf), np.full(n, -1, dtype=np.intp)
    order, unseen = np.empty(n, dtype=np.intp), np.arange(n)
    for step in range(n):
        at = int(np.argmin(reach[unseen]))
        point = int(unseen[at])
        unseen = np.delete(unseen, at)
        order[step] = point
        if core[point] == np.inf or not len(unseen):
            continue
        away = distances(point)[unseen]
        reached = np.around(np.maximum(away, core[point]), DECIMALS)
        better = (away <= max_eps) & (reached < reach[unseen])
        reach[unseen[better]] = reached[better]
        predecessor[unseen[better]] = point
    return order, reach, predecessor
