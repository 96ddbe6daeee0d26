"""The elbow: where the dispersion within clusters stops to fall quickly."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array, Indices

_LEAST = 3  # points a bend needs


def elbow_of(n_clusters: Indices, inertia: Array) -> int | None:
    r"""The number of clusters at the elbow; None where the curve is straight or too short.

    The kneedle rule: the curve is scaled to the unit square, and the elbow is the point farthest
    below the straight line between its ends,

    .. math:: \arg\max_k \; (1 - x_k) - y_k .

    Parameters
    ----------
    n_clusters : array of int of shape (m,)
        In increasing order.
    inertia : array of shape (m,)
        The dispersion within that many clusters.

    References
    ----------
    Satopää, Albrecht, Irwin & Raghavan (2011), Finding a "kneedle" in a haystack: detecting knee
    points in system behavior.

    Examples
    --------
    >>> elbow_of(np.array([1, 2, 3, 4, 5]), np.array([100.0, 60.0, 20.0, 16.0, 13.0]))
    3
    """
    height = inertia[0] - inertia[-1] if len(inertia) else 0.0
    if len(inertia) < _LEAST or not height > 0.0:
        return None
    x = (n_clusters - n_clusters[0]) / (n_clusters[-1] - n_clusters[0])
    below = (1.0 - x) - (inertia - inertia[-1]) / height
    best = int(np.argmax(below))
    return int(n_clusters[best]) if below[best] > 1e-9 else None
