"""How far neighbours on a map are neighbours in the table."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array, Indices

_ROWS = 4_096  # that are looked at together
_SAMPLE = 500  # rows whose ranks among all others are looked at


def kept_by_row(rows: Array, reach: Array, near: Indices) -> Array:
    """Of every row, the share of its neighbours on a map that are near in the table too.

    Near is what is no farther than the k-th nearest row, so that rows alike are not told apart by
    their numbers.

    Parameters
    ----------
    rows : array of shape (n, p)
        The table.
    reach : array of shape (n,)
        Distance to the k-th nearest row of the table.
    near : array of int of shape (n, k)
        Nearest rows on the map.
    """
    limit = (reach * (1.0 + 1e-9)) ** 2
    kept = np.empty(len(rows))
    for start in range(0, len(rows), _ROWS):
        part = slice(start, start + _ROWS)
        off = rows[near[part]] - rows[part, None, :]
        squares = np.einsum("ikp,ikp->ik", off, off)
        kept[part] = (squares <= limit[part, None]).mean(axis=1)
    return kept


def quality_of(rows: Array, points: Array, k: int, seed: int) -> tuple[float, float]:
    """Trustworthiness and the correlation of distances, of a sample of the rows.

    References
    ----------
    Venna & Kaski (2001), Neighborhood preservation in nonlinear projection methods, ICANN.
    """
    from stylobate.manifold import embedding_quality

    few = max(min(k, (len(rows) - 1) // 2), 1)  # beyond half of the rows it has no scale
    found = embedding_quality(rows, points, n_neighbors=few, sample=_SAMPLE, random_state=seed)
    return float(found.trustworthiness), float(found.distance_correlation)
