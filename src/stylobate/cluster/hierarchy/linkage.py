"""Linkage: which clusters are joined, in which order and how high."""

from __future__ import annotations

import warnings
from typing import Any, Literal, get_args

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.cluster.hierarchy.condensed import pair_distances, read_condensed
from stylobate.data import read_table
from stylobate.data.words import user_stacklevel
from stylobate.distances import Euclidean, Metric, Precomputed, metric_of
from stylobate.exceptions import InvalidParameterError, NumericalError, StylobateWarning

Method = Literal[
    "single", "complete", "average", "weighted", "centroid", "median", "ward", "minimax"
]
METHODS: tuple[str, ...] = get_args(Method)
_OF_CENTROIDS = ("centroid", "median", "ward")  # only Euclidean distances have a meaning for these


def linkage(
    X: Any,
    method: str = "single",
    metric: Any = "euclidean",
    optimal_ordering: bool = False,
    *,
    return_prototypes: bool = False,
) -> Any:
    r"""Join the two nearest clusters, again and again, until one is left.

    With sizes :math:`|A|`, means :math:`\mu_A` and distances :math:`d` of rows, clusters are apart

    ============ =================================================================================
    single       :math:`\min d(a, b)`
    complete     :math:`\max d(a, b)`
    average      :math:`\frac{1}{|A||B|} \sum d(a, b)`
    weighted     the mean of the values to the two parts a cluster was joined from
    centroid     :math:`\|\mu_A - \mu_B\|`
    median       as centroid, the mean of a union being the middle of its parts' means
    ward         :math:`\sqrt{\frac{2 |A||B|}{|A| + |B|}} \, \|\mu_A - \mu_B\|`
    minimax      :math:`\min_{c \in A \cup B} \max_{x \in A \cup B} d(c, x)`
    ============ =================================================================================

    Answers are SciPy's. Where distances are equal, several hierarchies are right; which of them is
    returned depends on the rows alone, never on the number of threads, but may differ from SciPy's.

    Memory: single linkage by a distance of coordinates, and ward, centroid and median of rows, hold
    a few numbers for each row. Complete, average and weighted linkage by Euclidean distance hold
    the pairs of the last 4096 clusters. All else holds the n(n − 1)/2 pairs, minimax n² besides.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, n_features), or (n(n − 1)/2,)
        Rows; or, in one dimension, the dissimilarities of all pairs, the upper triangle of their
        matrix row by row. With metric="precomputed", the square matrix.
    method : str, default="single"
        One of the table.
    metric : str, callable or Metric, default="euclidean"
        Of the rows; ignored where dissimilarities are given. Centroid, median and ward take
        Euclidean distances only.
    optimal_ordering : bool, default=False
        Turn subtrees so that neighbouring leaves are near each other (Bar-Joseph et al. 2001);
        takes the matrix of distances and n² log n to n³ steps.
    return_prototypes : bool, default=False
        With method="minimax", return also the centre of each union.

    Returns
    -------
    matrix : array of shape (n − 1, 4)
        Row k makes cluster n + k: the two clusters joined, their distance, the size of the union.
    prototypes : array of shape (n − 1,), only if `return_prototypes`
        The row of each union that is nearest to the farthest of its rows.

    Examples
    --------
    >>> linkage([[0.0], [1.0], [5.0], [7.0]], "average")
    array([[0. , 1. , 1. , 2. ],
           [2. , 3. , 2. , 2. ],
           [4. , 5. , 5.5, 4. ]])
    >>> linkage([[0.0], [1.0], [3.0]], "minimax", return_prototypes=True)[1]
    array([0, 1])

    References
    ----------
    Müllner (2011), Modern hierarchical, agglomerative clustering algorithms.
    Bien & Tibshirani (2011), Hierarchical clustering with prototypes via minimax linkage.
    """
    _check(method, return_prototypes)
    rows = X if np.ndim(X) == 1 and not hasattr(X, "columns") else None
    if rows is not None:
        pairs, n = read_condensed(rows, "linkage")
        matrix, prototypes = _of_pairs(pairs.copy() if optimal_ordering else pairs, n, method)
        return _finished(matrix, prototypes, return_prototypes, pairs if optimal_ordering else None)
    distance = metric_of(metric, owner="linkage")
    precomputed = isinstance(distance, Precomputed)
    table = read_table(X, owner="linkage", accept_sparse=distance.sparse and not precomputed)
    x = table.x
    if table.n_rows < 2:
        raise InvalidParameterError("linkage: there must be at least two rows to join; got 1.")
    if not precomputed:
        _warn_of_matrix(x)
    matrix, prototypes = linkage_of_rows(x, method, distance)
    ordering = pair_distances(x, distance, "linkage") if optimal_ordering else None
    return _finished(matrix, prototypes, return_prototypes, ordering)


def linkage_of_rows(x: Any, method: str, distance: Metric) -> tuple[Array, Integers]:
    """The matrix of checked rows, and prototypes where there are some."""
    none = np.empty(0, dtype=np.int64)
    euclidean = _is_euclidean(distance) and isinstance(x, np.ndarray)
    if method in _OF_CENTROIDS and not _is_euclidean(distance):
        raise InvalidParameterError(
            f"linkage: method {method!r} is of means of rows and takes Euclidean distances; got "
            f"metric {distance.name!r}. Give the dissimilarities themselves to use its formula."
        )
    edges = spanning_edges(x, distance) if method == "single" else None
    if edges is not None:
        return np.asarray(_core.tree_linkage(*edges)), none
    if euclidean and method not in ("single", "minimax"):
        points, scale = _scaled(x)
        return _times(np.asarray(_joined(_core.point_linkage, points, method)), scale), none
    return _of_pairs(pair_distances(x, distance, "linkage"), x.shape[0], method)


def spanning_edges(x: Any, distance: Metric) -> tuple[Integers, Integers, Array] | None:
    """Ends and lengths of a shortest spanning tree; None where the metric has no tree of boxes."""
    if not isinstance(x, np.ndarray) or not distance.boxes:
        return None
    form = distance.learnt(x).form(x.shape[1])
    if form.weights is not None:
        return None
    points, scale = _scaled(form.points(x))
    from_, to, lengths = _joined(_core.spanning_tree, points, form.measure, form.p)
    return from_, to, np.ascontiguousarray(form.finish(lengths), dtype=np.float64) * scale


def _scaled(x: Any) -> tuple[Array, float]:
    """Points, and the power of 2 they were divided by so that squares stay within range."""
    points = np.ascontiguousarray(x, dtype=np.float64)
    largest = float(np.max(np.abs(points), initial=0.0))
    if largest == 0.0 or 2.0**-300 < largest < 2.0**300:
        return points, 1.0
    scale = 2.0 ** int(np.frexp(largest)[1])
    return points / scale, scale


def _times(matrix: Array, scale: float) -> Array:
    if scale != 1.0:
        matrix[:, 2] *= scale
    return matrix


def _joined(function: Any, *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except ValueError as error:
        raise NumericalError(f"linkage: {error}.") from None


def _is_euclidean(distance: Metric) -> bool:
    return isinstance(distance, Euclidean) and distance.w is None and not distance.squared


def _of_pairs(pairs: Array, n: int, method: str) -> tuple[Array, Integers]:
    matrix, prototypes = _core.stored_linkage(pairs, n, method)
    return np.asarray(matrix), np.asarray(prototypes).view(np.int64)


def _finished(
    matrix: Array, prototypes: Integers, wanted: bool, ordering: Array | None
) -> Array | tuple[Array, Integers]:
    if ordering is not None:
        from scipy.cluster.hierarchy import optimal_leaf_ordering

        matrix = np.asarray(optimal_leaf_ordering(matrix, ordering))
    return (matrix, prototypes) if wanted else matrix


def _check(method: str, return_prototypes: bool) -> None:
    if method not in METHODS:
        raise InvalidParameterError(
            f"linkage: method must be one of {', '.join(METHODS)}; got {method!r}."
        )
    if return_prototypes and method != "minimax":
        raise InvalidParameterError(
            f"linkage: return_prototypes is for method 'minimax', which has some; got {method!r}."
        )


def _warn_of_matrix(x: Any) -> None:
    """A symmetric matrix with zeros on its diagonal is rarely meant as a table of rows."""
    if not isinstance(x, np.ndarray) or x.shape[0] != x.shape[1]:
        return
    if np.all(np.diag(x) == 0.0) and np.all(x >= 0.0) and np.allclose(x, x.T):
        warnings.warn(
            "linkage: X looks like a matrix of distances but is taken as rows; pass "
            "metric='precomputed' if it is one.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
