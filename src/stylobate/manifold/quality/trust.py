"""Trustworthiness and continuity: are neighbours in the map neighbours in the data, and back?"""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Integers
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.manifold.quality.rank_agreement import largest_excess
from stylobate.manifold.row_distances import RowDistances, read_rows


def trustworthiness(
    X: Any, X_embedded: Any, *, n_neighbors: int = 5, metric: Any = "euclidean"
) -> float:
    r"""How far neighbours in the map can be trusted to be neighbours in the data.

    .. math:: T(k) = 1 - \frac{2}{nk(2n - 3k - 1)} \sum_{i=1}^n \sum_{j \in N_k(i)}
              \max(0, r(i, j) - k)

    with :math:`N_k(i)` the k nearest of row i in the map and r(i, j) the rank of row j by its
    distance from i in the data. Distances are ranked some rows at a time and never held all; of
    rows at the same distance the first counts as the nearer.

    Parameters
    ----------
    X : table-like of shape (n, p), or distances of shape (n, n)
        The data, or with ``metric="precomputed"`` their distances.
    X_embedded : table-like of shape (n, d)
        The map.
    n_neighbors : int in [1, n / 2), default=5
        k.
    metric : str, callable or Metric, default="euclidean"
        Of the data; in the map distances are Euclidean.

    Returns
    -------
    float
        In [0, 1]; about 1/2 by chance, 1 if no stranger is among the neighbours.

    References
    ----------
    Venna & Kaski (2001), Neighborhood preservation in nonlinear projection methods, ICANN.

    Examples
    --------
    >>> rows = [[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [5.0, 0.0], [7.0, 1.0]]
    >>> trustworthiness(rows, [[0.0], [1.0], [2.0], [5.0], [7.0]], n_neighbors=2)
    1.0
    """
    data, map_rows = read_both(X, X_embedded, metric, "trustworthiness")
    check_neighbors(n_neighbors, data.count, "trustworthiness")
    return _mean_trust(data, map_rows.nearest(n_neighbors))


def continuity(
    X: Any, X_embedded: Any, *, n_neighbors: int = 5, metric: Any = "euclidean"
) -> float:
    """How far neighbours in the data are neighbours in the map: `trustworthiness` the other way.

    Parameters
    ----------
    X : table-like of shape (n, p), or distances of shape (n, n)
        The data, or with ``metric="precomputed"`` their distances.
    X_embedded : table-like of shape (n, d)
        The map.
    n_neighbors : int in [1, n / 2), default=5
        How many neighbours.
    metric : str, callable or Metric, default="euclidean"
        Of the data; in the map distances are Euclidean.

    Returns
    -------
    float
        In [0, 1]; about 1/2 by chance, 1 if no neighbour was torn away.

    References
    ----------
    Venna & Kaski (2001), Neighborhood preservation in nonlinear projection methods, ICANN.

    Examples
    --------
    >>> ring = [[0.0, 1.0], [1.0, 0.2], [0.6, -0.8], [-0.6, -0.8], [-1.0, 0.2]]
    >>> torn = [[0.0], [1.0], [2.0], [3.0], [4.0]]
    >>> round(continuity(ring, torn, n_neighbors=2), 3)
    0.733
    """
    data, map_rows = read_both(X, X_embedded, metric, "continuity")
    check_neighbors(n_neighbors, data.count, "continuity")
    return _mean_trust(map_rows, data.nearest(n_neighbors))


def _mean_trust(rows: RowDistances, near: Integers) -> float:
    """One less the excess of the ranks that these neighbours have among `rows`."""
    n, k = near.shape
    excess = 0
    for part, some in rows.blocks(np.arange(n)):
        columns = np.ascontiguousarray(near[part], dtype=np.int64)
        ranks = np.asarray(_core.column_ranks(rows.seen_from(some), some, columns))
        excess += int(np.maximum(ranks - k, 0).sum())
    return float(1.0 - excess * (largest_excess(n, k) / n))


def read_both(
    X: Any, X_embedded: Any, metric: Any, owner: str
) -> tuple[RowDistances, RowDistances]:
    """The data and the map, checked to have as many rows."""
    data, map_rows = read_rows(X, metric, owner), read_rows(X_embedded, "euclidean", owner)
    if data.count != map_rows.count:
        raise InvalidDataError(
            f"{owner}: the data have {data.count} rows and the map has {map_rows.count}; it needs "
            "one row for each."
        )
    return data, map_rows


def check_neighbors(n_neighbors: Any, n: int, owner: str) -> None:
    """Refuse neighbourhoods that are not whole numbers from 1 to below n / 2."""
    if not isinstance(n_neighbors, int | np.integer) or isinstance(n_neighbors, bool):
        raise InvalidParameterError(
            f"{owner}: n_neighbors must be a whole number; got {n_neighbors!r}."
        )
    if n_neighbors < 1:
        raise InvalidParameterError(f"{owner}: n_neighbors must be at least 1; got {n_neighbors}.")
    if n_neighbors >= n / 2:
        raise InvalidParameterError(
            f"{owner}: n_neighbors ({n_neighbors}) should be less than n_samples / 2 ({n / 2})"
        )
