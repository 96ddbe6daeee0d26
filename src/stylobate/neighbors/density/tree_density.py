"""Kernel densities from an index of rows, by direct sums."""

from __future__ import annotations

from collections.abc import Callable
from math import log, pi
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.neighbors.density.kernel_norms import log_norm

COMPACT: dict[str, Callable[[Array], Array]] = {
    "tophat": lambda t: (t < 1).astype(np.float64),
    "epanechnikov": lambda t: np.maximum(1.0 - t * t, 0.0),
    "linear": lambda t: np.maximum(1.0 - t, 0.0),
    "cosine": lambda t: np.where(t < 1, np.cos(0.5 * pi * t), 0.0),
}
LOGS: dict[str, Callable[[Array], Array]] = {
    "gaussian": lambda t: -0.5 * t * t,
    "exponential": lambda t: -t,
}


def log_density(index: Any, x: Array, h: float, kernel: str, weights: Array | None) -> Array:
    """Log Σᵢ wᵢ K(dᵢ / h) with K of integral 1.

    Parameters
    ----------
    index
        With `rows`, `metric` and `within`.
    x : ndarray of shape (n, p)
        Queries.
    h : float above 0
        Bandwidth.
    kernel : str
        A name of `COMPACT` or `LOGS`.
    weights : ndarray or None
        Of the rows.

    Examples
    --------
    >>> from stylobate.distances import Euclidean
    >>> from stylobate.neighbors.indexes.trees import TreeIndex
    >>> index = TreeIndex(np.zeros((1, 1)), "kd_tree", Euclidean())
    >>> np.exp(log_density(index, np.zeros((1, 1)), 1.0, "gaussian", None)).round(4)
    array([0.3989])
    """
    if kernel not in COMPACT and kernel not in LOGS:
        raise InvalidParameterError(
            f"kernel must be one of {', '.join(sorted([*COMPACT, *LOGS]))}; got {kernel!r}."
        )
    if not h > 0:
        raise InvalidParameterError(f"h, the bandwidth, must be above 0, got {h!r}.")
    columns = x.shape[1]
    norm = log_norm(kernel, columns) - columns * log(h)
    if kernel in LOGS:
        return np.asarray(_far(index, x, h, LOGS[kernel], weights) + norm)
    lists = index.within(x, h)
    values = COMPACT[kernel](lists.distances / h)
    values = values if weights is None else values * weights[lists.rows]
    query = np.repeat(np.arange(len(x)), np.diff(lists.offsets))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.bincount(query, values, minlength=len(x))) + norm)


def _far(index: Any, x: Array, h: float, of: Callable[[Array], Array], weights: Any) -> Array:
    from scipy.special import logsumexp

    step = max(1, 2_000_000 // max(len(index.rows), 1))
    parts = [np.empty(0)]
    for start in range(0, len(x), step):
        distances = index.metric.matrix(x[start : start + step], index.rows)
        parts.append(np.asarray(logsumexp(of(distances / h), axis=1, b=weights)))
    return np.concatenate(parts)
