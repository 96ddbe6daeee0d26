"""Distances and kernels by name, by function, or already computed."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.config import get_config
from stylobate.data.sparse import is_sparse
from stylobate.data.words import user_stacklevel
from stylobate.distances import Euclidean, Function, Gower, Hamming, Metric, Precomputed, metric_of
from stylobate.distances.text import codes_of, holds_text
from stylobate.distances.tiles import Measured
from stylobate.exceptions import (
    DataConversionWarning,
    InvalidDataError,
    InvalidParameterError,
    UnsupportedDataError,
    joined,
)
from stylobate.metrics.pairwise import distances, kernels
from stylobate.metrics.pairwise.arrays import Finite, check_pairwise_arrays, read_pair
from stylobate.metrics.pairwise.callables import pairwise_callable

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
        euclidean, gower, hamming, haversine, jaccard, l1, l2, mahalanobis, manhattan, minkowski,
        nan_euclidean, rogerstanimoto, russellrao, seuclidean, sokalmichener, sokalsneath,
        sqeuclidean, yule), ``precomputed``, a metric of `stylobate.distances`, or a function of two
        rows. ``angular`` is the angle between rows in radians, π/2 to a row of zeros; ``gower``
        takes columns of any kind, ``hamming`` texts too.
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
    if (
        isinstance(metric, str)
        and metric in DISTANCES
        and (ensure_all_finite is True or metric == "nan_euclidean")
    ):
        function = DISTANCES[metric]
        return _precomputed(X, Y, owner) if function is None else function(X, Y, **kwds)
    made = metric_of(metric, kwds, owner)
    if isinstance(made, Precomputed):
        return _precomputed(X, Y, owner, ensure_all_finite)
    if isinstance(made, Function):
        return pairwise_callable(X, Y, made, owner, ensure_all_finite)
    return measured_by(X, Y, made, owner, ensure_all_finite).write()


def measured_by(X: Any, Y: Any, metric: Any, owner: str, finite: Finite = True) -> Measured:
    """Tables as the caller passed them under a metric, checked.

    Examples
    --------
    >>> measured_by([[0.0], [2.0]], None, "euclidean", "example").write()
    array([[0., 2.],
           [2., 0.]])
    """
    made, x, y = read_for(X, Y, metric, owner, finite)
    return made.measured(x, y)


def read_for(
    X: Any, Y: Any, metric: Any, owner: str, finite: Finite = True
) -> tuple[Metric, Any, Any]:
    """The metric with what it learns from the tables, and the tables as it takes them."""
    made = metric_of(metric, None, owner)
    if made.similarity:
        raise InvalidParameterError(f"{owner}: metric must be a distance; got {made!r}.")
    if isinstance(made, Gower):
        tables = (X,) if Y is None or Y is X else (X, Y)
        made = made.learnt(*tables)
        points = made.points(*tables)
        return made, points[0], points[-1]
    if isinstance(made, Hamming) and (holds_text(X) or (Y is not None and holds_text(Y))):
        return made, *codes_of(X, Y, owner)
    if made.domain == "booleans":
        _warn_unless_boolean(X, Y, made.name)
    if not made.sparse and (is_sparse(X) or is_sparse(Y)):
        raise UnsupportedDataError(
            f"{owner}: metric {made.name!r} does not support sparse matrices; pass X.toarray()."
        )
    x, y = read_pair(X, Y, owner, finite="allow-nan" if made.allow_nan else finite)
    return made.learnt(x) if y is x else made, x, y


def _warn_unless_boolean(X: Any, Y: Any, metric: str) -> None:
    given = [table for table in (X, Y) if table is not None]
    if any(getattr(table, "dtype", None) != np.dtype(bool) for table in given):
        warnings.warn(
            f"Data was converted to boolean for metric {metric}",
            joined(DataConversionWarning),
            stacklevel=user_stacklevel(),
        )


def _precomputed(X: Any, Y: Any, owner: str, finite: Finite = True) -> NDArray[Any]:
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
    return pairwise_callable(X, Y, Function(metric, kwds), "pairwise_kernels")


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
    owner = "pairwise_distances_chunked"
    made = metric_of(metric, kwds, owner)
    x, y = X, X if Y is None else Y
    if not isinstance(made, Function | Precomputed):
        made, x, y = read_for(X, Y, made, owner)
    n, m = (part.shape[0] if hasattr(part, "shape") else len(part) for part in (x, y))
    budget = get_config().get("working_memory", 1024) if working_memory is None else working_memory
    step = max(1, min(n, int(budget * 2**20) // (8 * m)))
    if isinstance(made, Precomputed):
        step = n
    for start in range(0, n, step):
        block = _block(x if step >= n else x[start : start + step], y, made, owner)
        if y is x and isinstance(made, Euclidean):
            block.flat[start :: n + 1] = 0.0
        if reduce_func is None:
            yield block
            continue
        reduced = reduce_func(block, start)
        _check_reduced(reduced, block.shape[0])
        yield reduced


def _block(x: Any, y: Any, metric: Metric, owner: str) -> NDArray[Any]:
    if isinstance(metric, Precomputed):
        return _precomputed(x, None if y is x else y, owner)
    if isinstance(metric, Function):
        return pairwise_callable(x, y, metric, owner)
    return metric.matrix(x, y)


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
