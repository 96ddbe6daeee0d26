"""Distances and kernels by name, by function, or already computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.config import get_config
from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UnsupportedDataError
from stylobate.metrics.pairwise import distances, kernels
from stylobate.metrics.pairwise.arrays import Finite, check_pairwise_arrays, read_pair
from stylobate.metrics.pairwise.callables import pairwise_callable
from stylobate.metrics.pairwise.named import BOOLEAN, METRICS, SPARSE, measured, warn_boolean
from stylobate.metrics.pairwise.tiles import Measured

DISTANCES: dict[str, Callable[..., Any] | None] = {
    "cityblock": distances.manhattan_distances,
    "cosine": distances.cosine_distances,
    "euclidean": distances.euclidean_distances,
    "haversine": distances.haversine_distances,
    "l1": distances.manhattan_distances,
    "l2": distances.euclidean_distances,
    "manhattan": distances.manhattan_distances,
    "nan_euclidean": distances.nan_euclidean_distances,
    "precomputed": None,
}
KERNELS: dict[str, Callable[..., Any]] = {
    "additive_chi2": kernels.additive_chi2_kernel,
    "chi2": kernels.chi2_kernel,
    "cosine": kernels.cosine_similarity,
    "laplacian": kernels.laplacian_kernel,
    "linear": kernels.linear_kernel,
    "poly": kernels.polynomial_kernel,
    "polynomial": kernels.polynomial_kernel,
    "rbf": kernels.rbf_kernel,
    "sigmoid": kernels.sigmoid_kernel,
}
KERNEL_PARAMS: dict[str, frozenset[str]] = {
    "additive_chi2": frozenset(),
    "chi2": frozenset({"gamma"}),
    "cosine": frozenset(),
    "laplacian": frozenset({"gamma"}),
    "linear": frozenset(),
    "poly": frozenset({"gamma", "degree", "coef0"}),
    "polynomial": frozenset({"gamma", "degree", "coef0"}),
    "rbf": frozenset({"gamma"}),
    "sigmoid": frozenset({"gamma", "coef0"}),
}


def distance_metrics() -> dict[str, Any]:
    """The metrics of `pairwise_distances` that have a function of their own.

    Returns
    -------
    dict of str to callable
        ``precomputed`` has none.

    Examples
    --------
    >>> sorted(distance_metrics())[:3]
    ['cityblock', 'cosine', 'euclidean']
    """
    return dict(DISTANCES)


def kernel_metrics() -> dict[str, Callable[..., Any]]:
    """The kernels of `pairwise_kernels` with their functions.

    Returns
    -------
    dict of str to callable

    Examples
    --------
    >>> sorted(kernel_metrics())[:3]
    ['additive_chi2', 'chi2', 'cosine']
    """
    return dict(KERNELS)


def pairwise_distances(
    X: Any,
    Y: Any = None,
    metric: str | Callable[..., float] = "euclidean",
    *,
    n_jobs: int | None = None,
    ensure_all_finite: Finite = True,
    **kwds: Any,
) -> NDArray[Any]:
    """Distances of every row of X to every row of Y.

    Parameters
    ----------
    X : table-like of shape (n, p), or distances of shape (n, m)
        Sparse for euclidean, l2, cosine, angular, manhattan, cityblock and l1.
    Y : table-like of shape (m, p), default=None
        None means X.
    metric : str or callable, default="euclidean"
        A name (angular, braycurtis, canberra, chebyshev, cityblock, correlation, cosine, dice,
        euclidean, hamming, haversine, jaccard, l1, l2, mahalanobis, manhattan, minkowski,
        nan_euclidean, rogerstanimoto, russellrao, seuclidean, sokalmichener, sokalsneath,
        sqeuclidean, yule), ``precomputed``, or a function of two rows. ``angular`` is the angle
        between rows in radians, π/2 to a row of zeros.
    n_jobs : int, default=None
        Accepted for compatibility; the compiled core uses the threads of `stylobate.parallel`.
    ensure_all_finite : bool or "allow-nan", default=True
        Refuse NaN and infinities (nan_euclidean always takes NaN).
    **kwds
        Parameters of the metric: ``p``, ``w``, ``V``, ``VI``, ``squared``; of a function, its own.

    Returns
    -------
    ndarray of shape (n, m)

    Examples
    --------
    >>> pairwise_distances([[0, 0], [3, 4]], [[0, 1]], metric="chebyshev")
    array([[1.],
           [3.]])
    """
    owner = "pairwise_distances"
    if metric == "precomputed":
        return _precomputed(X, Y, owner, ensure_all_finite)
    if callable(metric):
        return pairwise_callable(X, Y, metric, owner, ensure_all_finite, **kwds)
    if metric in DISTANCES and metric != "nan_euclidean" and ensure_all_finite is True:
        return DISTANCES[metric](X, Y, **kwds)  # type: ignore[misc,no-any-return]
    if metric == "nan_euclidean":
        return distances.nan_euclidean_distances(X, Y, **kwds)
    return measured_by(X, Y, metric, owner, finite=ensure_all_finite, **kwds).write()


def measured_by(
    X: Any, Y: Any, metric: str, owner: str, *, finite: Finite = True, **params: Any
) -> Measured:
    """Tables as the caller passed them under a named metric, checked.

    Examples
    --------
    >>> measured_by([[0.0], [2.0]], None, "euclidean", "example").write()
    array([[0., 2.],
           [2., 0.]])
    """
    if metric not in METRICS or metric == "inner":
        names = ", ".join(sorted(set(METRICS) - {"inner"}))
        raise InvalidParameterError(
            f"{owner}: metric must be a function, 'precomputed' or one of {names}; got {metric!r}."
        )
    if metric in BOOLEAN:
        _warn_unless_boolean(X, Y, metric)
    if metric not in (*DISTANCES, *SPARSE) and (is_sparse(X) or is_sparse(Y)):
        raise UnsupportedDataError(
            f"{owner}: metric {metric!r} does not support sparse matrices; pass X.toarray()."
        )
    x, y = read_pair(X, Y, owner, finite="allow-nan" if metric == "nan_euclidean" else finite)
    return measured(x, y, metric, **params)


def _warn_unless_boolean(X: Any, Y: Any, metric: str) -> None:
    given = [table for table in (X, Y) if table is not None]
    if any(getattr(table, "dtype", None) != np.dtype(bool) for table in given):
        warn_boolean(metric)


def _precomputed(X: Any, Y: Any, owner: str, finite: Finite) -> NDArray[Any]:
    x, _ = check_pairwise_arrays(X, Y, precomputed=True, ensure_all_finite=finite)
    values = x.data if is_sparse(x) else x
    if values.size and values.min() < 0:
        raise InvalidDataError(
            f"Negative values in data passed to `{owner}`. Precomputed distance  need to have "
            "non-negative values."
        )
    return x  # type: ignore[no-any-return]


def pairwise_kernels(
    X: Any,
    Y: Any = None,
    metric: Any = "linear",
    *,
    filter_params: bool = False,
    n_jobs: int | None = None,
    **kwds: Any,
) -> Any:
    """Kernel of every row of X with every row of Y.

    Parameters
    ----------
    X : table-like of shape (n, p), or kernels of shape (n, m)
        Sparse but for the chi-square kernels.
    Y : table-like of shape (m, p), default=None
        None means X.
    metric : str or callable, default="linear"
        additive_chi2, chi2, cosine, laplacian, linear, poly, polynomial, rbf, sigmoid,
        ``precomputed``, or a function of two rows.
    filter_params : bool, default=False
        Drop parameters the named kernel does not have.
    n_jobs : int, default=None
        Accepted for compatibility.
    **kwds
        ``gamma``, ``degree``, ``coef0``; of a function, its own.

    Returns
    -------
    ndarray of shape (n, m)

    Examples
    --------
    >>> pairwise_kernels([[0, 0, 0], [1, 1, 1]], [[1, 0, 0], [1, 1, 0]], metric="linear")
    array([[0., 0.],
           [1., 2.]])
    """
    if metric == "precomputed":
        return check_pairwise_arrays(X, Y, precomputed=True)[0]
    if isinstance(metric, str):
        if metric not in KERNELS:
            raise InvalidParameterError(
                "pairwise_kernels: metric must be a function, 'precomputed' or one of "
                f"{', '.join(sorted(KERNELS))}; got {metric!r}."
            )
        if filter_params:
            kwds = {name: kwds[name] for name in kwds if name in KERNEL_PARAMS[metric]}
        return KERNELS[metric](X, Y, **kwds)
    return pairwise_callable(X, Y, metric, "pairwise_kernels", **kwds)


def pairwise_distances_chunked(
    X: Any,
    Y: Any = None,
    *,
    reduce_func: Callable[[NDArray[Any], int], Any] | None = None,
    metric: str | Callable[..., float] = "euclidean",
    n_jobs: int | None = None,
    working_memory: float | None = None,
    **kwds: Any,
) -> Iterator[Any]:
    """Distances in blocks of rows that fit into some memory, reduced one by one if asked.

    Parameters
    ----------
    X : table-like of shape (n, p), or distances of shape (n, m)
        Queries.
    Y : table-like of shape (m, p), default=None
        None means X.
    reduce_func : callable, default=None
        ``reduce_func(block, first_row)`` gives what is yielded: one entry for each row of the
        block, several of them as a tuple, or None.
    metric : str or callable, default="euclidean"
        As for `pairwise_distances`.
    n_jobs : int, default=None
        Accepted for compatibility.
    working_memory : float, default=None
        Mebibytes a block may take; None means 1024.
    **kwds
        Parameters of the metric.

    Yields
    ------
    ndarray of shape (rows, m), or what ``reduce_func`` returns

    Examples
    --------
    >>> rows = [[0.0], [1.0], [3.0]]
    >>> next(pairwise_distances_chunked(rows, reduce_func=lambda d, i: d.sum(axis=1)))
    array([4., 3., 5.])
    """
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    same = Y is None or Y is X
    if metric == "precomputed":
        step = n
    else:
        x, y = (X, X if same else Y)
        if not callable(metric):
            x, y = read_pair(X, Y, "pairwise_distances_chunked", finite=_finite(metric))
            kwds = _learnt(x, y, metric, kwds)
        m = y.shape[0] if hasattr(y, "shape") else len(y)
        budget = (
            get_config().get("working_memory", 1024) if working_memory is None else (working_memory)
        )
        step = max(1, min(n, int(budget * 2**20) // (8 * m)))
    for start in range(0, n, step):
        if metric == "precomputed" or step >= n:
            block = pairwise_distances(X, Y, metric, **kwds)
        else:
            block = pairwise_distances(x[start : start + step], y, metric, **kwds)
            if same and metric in ("euclidean", "l2"):
                block.flat[start :: n + 1] = 0.0
        if reduce_func is None:
            yield block
            continue
        reduced = reduce_func(block, start)
        _check_reduced(reduced, block.shape[0])
        yield reduced


def _finite(metric: Any) -> Finite:
    return "allow-nan" if metric == "nan_euclidean" else True


def _learnt(x: Any, y: Any, metric: str, kwds: dict[str, Any]) -> dict[str, Any]:
    """Parameters that depend on the whole table, found once."""
    if metric == "seuclidean" and "V" not in kwds and y is x:
        return {**kwds, "V": np.var(x, axis=0, ddof=1, dtype=np.float64)}
    if metric == "mahalanobis" and "VI" not in kwds and y is x:
        return {**kwds, "VI": np.linalg.inv(np.atleast_2d(np.cov(x.T, dtype=np.float64)))}
    return kwds


def _check_reduced(reduced: Any, rows: int) -> None:
    if reduced is None:
        return
    parts = reduced if isinstance(reduced, tuple) else (reduced,)
    for part in parts:
        if not hasattr(part, "__len__") and not hasattr(part, "shape"):
            raise TypeError(
                "reduce_func returned something that is not a sequence: "
                f"{part!r}. It must give one entry for each of the {rows} rows."
            )
        length = part.shape[0] if hasattr(part, "shape") else len(part)
        if length != rows:
            raise InvalidDataError(
                f"reduce_func returned object of length {length}. Expected same length as input: "
                f"{rows}."
            )
