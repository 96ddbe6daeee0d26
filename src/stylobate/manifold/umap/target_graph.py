"""A known target brought into the graph: rows of unlike targets are joined less."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data.labels import label_vector
from stylobate.data.words import Input, refuse_length, user_stacklevel
from stylobate.exceptions import InvalidDataError, StylobateWarning
from stylobate.manifold.umap.fuzzy_graph import neighbourhoods, union
from stylobate.neighbors.unsupervised import NearestNeighbors

UNKNOWN = -1  # the code of a class that is not known
_FAR = 2.5  # of the logarithm of an edge between classes, at target_weight 0
_UNSURE = 1.0  # of one whose class is not known
_LEAST = 1e-6  # of memberships of numbers, so that an edge does not vanish


def with_classes(graph: Any, codes: NDArray[np.int64], target_weight: float) -> Any:
    r"""The graph of rows with classes.

    Edges between classes are multiplied by :math:`e^{-2.5 / (1 - t)}`, edges of a row of unknown
    class by :math:`e^{-1}`; then memberships are scaled so that each row has a full member, and
    joined again.

    Parameters
    ----------
    graph : csr_array of shape (n, n)
        Of `fuzzy_graph`.
    codes : ndarray of shape (n,)
        Numbers of classes, -1 where not known.
    target_weight : float in [0, 1]
        t: 0 leaves the graph as it is, 1 cuts all edges between classes.
    """
    if target_weight == 0.0:
        return graph
    heads = np.repeat(codes, np.diff(graph.indptr))
    tails = codes[graph.indices]
    far = np.exp(-_FAR / (1.0 - target_weight)) if target_weight < 1.0 else 0.0
    unknown = (heads == UNKNOWN) | (tails == UNKNOWN)
    factors = np.where(unknown, np.exp(-_UNSURE), np.where(heads == tails, 1.0, far))
    return _rejoined(graph, graph.data * factors)


def with_numbers(graph: Any, y: Array, n_neighbors: int, target_weight: float) -> Any:
    r"""The graph of rows with a numeric target.

    Each row has a neighbourhood among the values of the target as well; where
    :math:`w` and :math:`u` are the memberships by rows and by targets, an edge becomes
    :math:`w^{2(1-t)} u^{2t}` (their product at :math:`t = 1/2`). Edges of rows whose target is not
    known stay as they are.

    Parameters
    ----------
    graph : csr_array of shape (n, n)
        Of `fuzzy_graph`.
    y : ndarray of shape (n,)
        Values, NaN where not known.
    n_neighbors : int
        Rows of a neighbourhood among the targets, the row itself among them.
    target_weight : float in [0, 1]
        t.
    """
    known = np.flatnonzero(np.isfinite(y))
    if target_weight == 0.0 or len(known) < 3:
        return graph
    k = min(n_neighbors, len(known)) - 1
    model = NearestNeighbors(n_neighbors=k).fit(y[known, None])
    distances, rows = model.kneighbors()
    found = neighbourhoods(distances, rows, 1.0, float(distances.mean()))
    rho, sigma = np.zeros(len(y)), np.ones(len(y))
    rho[known], sigma[known] = found.rho, np.where(found.sigma > 0.0, found.sigma, 1.0)
    heads = np.repeat(np.arange(len(y)), np.diff(graph.indptr))
    apart = np.abs(y[heads] - y[graph.indices])
    here = np.exp(-np.maximum(apart - rho[heads], 0.0) / sigma[heads])
    there = np.exp(-np.maximum(apart - rho[graph.indices], 0.0) / sigma[graph.indices])
    members = np.maximum(here + there - here * there, _LEAST)
    joined = graph.data ** (2.0 * (1.0 - target_weight)) * members ** (2.0 * target_weight)
    return _rejoined(graph, np.where(np.isnan(apart), graph.data, joined))


def _rejoined(graph: Any, weights: Array) -> Any:
    """Weights scaled so that each row's largest is 1, and their union."""
    scaled = graph.copy()
    scaled.data = weights
    largest = np.asarray(abs(scaled).max(axis=1).todense()).ravel()
    largest[largest == 0.0] = 1.0
    scaled.data = weights / np.repeat(largest, np.diff(graph.indptr))
    scaled.eliminate_zeros()
    return union(scaled)


def class_codes(y: Any, n_rows: int) -> NDArray[np.int64]:
    """The class of each row as a number; -1, NaN and None are classes that are not known.

    Examples
    --------
    >>> class_codes(["b", None, "a"], 3).tolist(), class_codes([4, -1, 2], 3).tolist()
    ([0, -1, 1], [1, -1, 0])
    """
    labels = _vector(y, n_rows)
    unknown = np.zeros(n_rows, dtype=bool)
    if labels.dtype.kind == "O":
        unknown = np.array([label is None or label != label for label in labels])
    elif labels.dtype.kind == "f":
        unknown = np.isnan(labels)
    if labels.dtype.kind in "if":
        unknown |= labels == -1
    if labels.dtype.kind == "f" and (np.mod(labels[~unknown], 1.0) != 0.0).any():
        warnings.warn(
            "UMAP: y has values that are not whole, and target_metric='categorical' takes each "
            "for a class of its own; target_metric='euclidean' takes them for numbers.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    codes = np.full(n_rows, UNKNOWN, dtype=np.int64)
    if labels.dtype.kind == "O":
        numbers: dict[Any, int] = {}
        codes[~unknown] = [numbers.setdefault(label, len(numbers)) for label in labels[~unknown]]
    else:
        codes[~unknown] = np.unique(labels[~unknown], return_inverse=True)[1]
    return codes


def target_numbers(y: Any, n_rows: int) -> Array:
    """The target as numbers, NaN where it is not known.

    Examples
    --------
    >>> target_numbers([1, None, 2.5], 3)
    array([1. , nan, 2.5])
    """
    values = _vector(y, n_rows)
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidDataError(
            "UMAP: y must be numbers for this target_metric; got others. "
            "target_metric='categorical' takes classes of any kind."
        ) from None
    if np.isinf(numbers).any():
        raise InvalidDataError("UMAP: y contains infinity; NaN is for targets not known.")
    return numbers


def _vector(y: Any, n_rows: int) -> NDArray[Any]:
    source = Input("UMAP", "y")
    labels = label_vector(y, source)
    if len(labels) != n_rows:
        refuse_length(source, n_rows, len(labels))
    return labels
