"""Cutting a hierarchy into clusters: by height, by count or by inconsistency."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array, Integers
from stylobate.cluster.hierarchy.matrix import children_of, leaf_ranges, read_linkage
from stylobate.exceptions import InvalidParameterError

CRITERIA = ("inconsistent", "distance", "maxclust")


def fcluster(
    Z: Any, t: float, criterion: str = "inconsistent", depth: int = 2, R: Any = None
) -> Integers:
    r"""Flat clusters of a hierarchy, with SciPy's criteria and numbers.

    A cluster of the hierarchy becomes a flat cluster where it and all clusters below it have a
    number of at most :math:`t`: their height ("distance"), or their inconsistency.

    Parameters
    ----------
    Z : array of shape (n − 1, 4)
        Of `linkage`.
    t : float
        The threshold; for "maxclust", the largest number of clusters.
    criterion : {"inconsistent", "distance", "maxclust"}, default="inconsistent"
        What is compared with it.
    depth : int in [1, inf), default=2
        Levels that count for the inconsistency.
    R : array of shape (n − 1, 4), default=None
        Of `inconsistent`, where it is known.

    Returns
    -------
    array of shape (n,)
        Numbers of the flat clusters from 1, in the order of the dendrogram.

    Examples
    --------
    >>> from stylobate.cluster import linkage
    >>> Z = linkage([[0.0], [1.0], [5.0], [7.0]], "average")
    >>> fcluster(Z, 2.5, "distance"), fcluster(Z, 3, "maxclust")
    (array([1, 1, 2, 2]), array([1, 1, 2, 3]))
    """
    matrix = read_linkage(Z, "fcluster")
    if criterion not in CRITERIA:
        raise InvalidParameterError(
            f"fcluster: criterion must be one of {', '.join(CRITERIA)}; got {criterion!r}."
        )
    if criterion == "inconsistent":
        own = inconsistent(matrix, depth)[:, 3] if R is None else np.asarray(R)[:, 3]
    else:
        own = matrix[:, 2]
    highest = _highest_below(matrix, own)
    if criterion == "maxclust":
        if t > len(matrix):  # every row by itself, which SciPy numbers in the order of the rows
            return np.arange(1, len(matrix) + 2)
        t = _threshold(highest, int(t))
    return _numbered(matrix, highest <= t)


def cut_tree(
    Z: Any,
    *,
    n_clusters: int | None = None,
    height: float | None = None,
    inconsistency: float | None = None,
    depth: int = 2,
) -> Integers:
    """Labels from 0 of a hierarchy cut at one place; exactly one of the three says where.

    Parameters
    ----------
    Z : array of shape (n − 1, 4)
        Of `linkage`.
    n_clusters : int in [1, n], default=None
        Undo the last merges until there are so many.
    height : float, default=None
        Undo the merges above.
    inconsistency : float, default=None
        Keep clusters below which no merge is more inconsistent (see `inconsistent`).
    depth : int in [1, inf), default=2
        Levels that count for the inconsistency.

    Returns
    -------
    array of shape (n,)
        Labels in the order of the dendrogram's leaves.

    Examples
    --------
    >>> from stylobate.cluster import linkage
    >>> cut_tree(linkage([[0.0], [1.0], [5.0], [7.0]], "single"), n_clusters=2)
    array([0, 0, 1, 1])
    """
    matrix = read_linkage(Z, "cut_tree")
    given = [value for value in (n_clusters, height, inconsistency) if value is not None]
    if len(given) != 1:
        raise InvalidParameterError(
            "cut_tree: exactly one of n_clusters, height and inconsistency says where to cut; got "
            f"{len(given)}."
        )
    if n_clusters is not None:
        n = len(matrix) + 1
        if not 1 <= n_clusters <= n:
            raise InvalidParameterError(
                f"cut_tree: n_clusters must be in [1, {n}], the number of rows; got {n_clusters}."
            )
        return _numbered(matrix, np.arange(len(matrix)) < n - n_clusters) - 1
    if height is not None:
        return fcluster(matrix, height, "distance") - 1
    assert inconsistency is not None
    return fcluster(matrix, inconsistency, "inconsistent", depth) - 1


def inconsistent(Z: Any, d: int = 2) -> Array:
    r"""How much higher each merge is than those shortly below it.

    .. math:: \frac{h_k - \bar h}{s}

    with mean and standard deviation of the heights of merge k and those up to d − 1 levels below.

    Parameters
    ----------
    Z : array of shape (n − 1, 4)
        Of `linkage`.
    d : int in [1, inf), default=2
        Levels that count, the merge's own included.

    Returns
    -------
    array of shape (n − 1, 4)
        Mean, standard deviation, number of heights, inconsistency (0 where the deviation is).

    Examples
    --------
    >>> from stylobate.cluster import linkage
    >>> inconsistent(linkage([[0.0], [1.0], [5.0], [7.0]], "average")).round(2)
    array([[1.  , 0.  , 1.  , 0.  ],
           [2.  , 0.  , 1.  , 0.  ],
           [2.83, 2.36, 3.  , 1.13]])
    """
    matrix = read_linkage(Z, "inconsistent")
    if d < 1:
        raise InvalidParameterError(f"inconsistent: d must be at least 1, got {d}.")
    n = len(matrix) + 1
    children, heights = children_of(matrix).tolist(), matrix[:, 2]
    out = np.zeros((n - 1, 4))
    for k in range(n - 1):
        level = [k]
        seen = [k]
        for _ in range(d - 1):
            level = [child - n for each in level for child in children[each] if child >= n]
            seen += level
        some = heights[seen]
        mean = some.mean()
        spread = some.std(ddof=1) if len(seen) > 1 else 0.0
        out[k] = mean, spread, len(seen), (heights[k] - mean) / spread if spread > 0 else 0.0
    return out


def _highest_below(matrix: Array, own: Array) -> Array:
    """The largest of a number over each merge and all those below it."""
    n = len(matrix) + 1
    highest = np.array(own, dtype=np.float64)
    for k, pair in enumerate(children_of(matrix).tolist()):
        for child in pair:
            if child >= n:
                highest[k] = max(highest[k], highest[child - n])
    return highest


def _threshold(highest: Array, most: int) -> float:
    """The lowest height at which at most so many clusters are left."""
    if most < 1:
        raise InvalidParameterError(f"fcluster: t must be at least 1 cluster, got {most}.")
    if most > len(highest):
        return -np.inf
    return float(np.sort(highest)[len(highest) - most])


def _numbered(matrix: Array, whole: Any) -> Integers:
    """Numbers of clusters from 1: whole merges that lie in no other, and leaves in none.

    In the order in which SciPy walks the tree: subtrees before single leaves, left before right.
    """
    n = len(matrix) + 1
    children = children_of(matrix).tolist()
    order, begin, end = leaf_ranges(matrix)
    labels = np.zeros(n, dtype=np.int64)
    count = 0
    steps = [2 * n - 2]
    while steps:
        node = steps.pop()
        if node < n or whole[node - n]:
            count += 1
            labels[order[begin[node] : end[node]]] = count
            continue
        a, b = children[node - n]
        inner = [child for child in (a, b) if child >= n]
        leaves = [child for child in (a, b) if child < n]
        steps += reversed(inner + leaves)
    return labels
