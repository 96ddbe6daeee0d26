"""The hyperplanes between clusters of nearest centres."""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError


class ClusterBoundary(NamedTuple):
    """The points as far from centre `first` as from `second`: normal · x = offset."""

    first: int
    second: int
    normal: Array
    offset: float


def cluster_boundaries(centers: Any) -> list[ClusterBoundary]:
    r"""Where rows change from one centre to another: a hyperplane for each pair of centres.

    .. math:: \|x - c_i\|^2 = \|x - c_j\|^2 \iff (c_j - c_i)^\top x
              = \tfrac12 (\|c_j\|^2 - \|c_i\|^2)

    A row with :math:`(c_j - c_i)^\top x` below the offset is nearer to the first. Clusters of
    k-means are therefore convex.

    Parameters
    ----------
    centers : array-like of shape (k, p)
        Such as ``KMeans().fit(X).cluster_centers_``.

    Returns
    -------
    list of ClusterBoundary

    Examples
    --------
    >>> only, = cluster_boundaries([[0.0, 0.0], [2.0, 0.0]])
    >>> only.normal, only.offset
    (array([2., 0.]), 2.0)
    """
    points = np.asarray(centers, dtype=np.float64)
    if points.ndim != 2 or not np.isfinite(points).all():
        raise InvalidDataError(
            f"cluster_boundaries: centers must be finite numbers of shape (k, p), got shape "
            f"{points.shape}."
        )
    found = []
    for i, j in combinations(range(len(points)), 2):
        normal = points[j] - points[i]
        offset = float(normal @ (0.5 * (points[i] + points[j])))
        found.append(ClusterBoundary(i, j, normal, offset))
    return found
