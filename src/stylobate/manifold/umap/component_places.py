"""Where the parts of a graph that no edge joins are put."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.cluster.spectral.graph import Graph

_MOST_MEASURED = 1000  # components whose distances are measured; more are placed by chance


def component_places(
    graph: Graph, dimensions: int, seed: int, distances_among: Callable[[Indices], Any]
) -> tuple[Array, Array]:
    """Centres and radii of the components.

    Each is stood for by its vertex of largest degree. Centres are the classical scaling of the
    distances among these vertices; a component reaches half way to the nearest other centre.

    Parameters
    ----------
    graph : Graph
        Of at least two components.
    dimensions : int
        Of the places.
    seed : int
        For places by chance.
    distances_among : callable
        From numbers of vertices to the square matrix of their distances.

    Returns
    -------
    centres : ndarray of shape (c, dimensions)
    radii : ndarray of shape (c,)

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> apart = Graph(csr_array(np.kron(np.eye(2), 1.0 - np.eye(2))))
    >>> centres, radii = component_places(apart, 1, 0, lambda rows: 4.0 * (1.0 - np.eye(2)))
    >>> np.sort(centres.ravel()), radii
    (array([-2.,  2.]), array([2., 2.]))
    """
    centres = np.zeros((graph.components, dimensions))
    # vertices by component, the largest degree last: the last of each component stands for it
    order = np.lexsort((graph.degrees, graph.component_of))
    last = np.cumsum(np.bincount(graph.component_of)) - 1
    if graph.components <= _MOST_MEASURED:
        measured = np.asarray(distances_among(order[last]), dtype=np.float64)
        scaled = classical_scaling(measured, dimensions)
        centres[:, : scaled.shape[1]] = scaled
    nearest = _nearest(centres)
    # centres that fall together, as of more components than have distances, are parted by chance
    if graph.components > _MOST_MEASURED or (nearest <= 1e-6 * np.abs(centres).max()).any():
        scale = float(np.abs(centres).max()) or 1.0
        chance = np.random.Generator(np.random.Philox(key=seed))
        centres = centres + 0.1 * scale * chance.normal(size=centres.shape)
        nearest = _nearest(centres)
    return centres, 0.5 * nearest


def _nearest(centres: Array) -> Array:
    """Distances to the nearest other centre."""
    from stylobate.distances import measured

    return np.asarray(measured(centres, centres, "euclidean").nearest(1, skip_self=True)[0])[:, 0]


def classical_scaling(distances: Array, dimensions: int) -> Array:
    """Points whose distances are nearest to those given, by eigenvectors (Torgerson 1952)."""
    squares = np.where(np.isfinite(distances), distances, 0.0) ** 2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    values, vectors = np.linalg.eigh(-0.25 * (centred + centred.T))
    order = np.argsort(-values, kind="stable")[:dimensions]
    return np.asarray(vectors[:, order] * np.sqrt(np.maximum(values[order], 0.0)))
