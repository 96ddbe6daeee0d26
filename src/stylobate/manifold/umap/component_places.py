"""Where the parts of a graph that no edge joins are put."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.cluster.spectral.graph import Graph

_MOST_MEASURED = 1000  # components whose distances are measured; more are placed by chance
_ROUNDS = 200  # of moving components apart
_ROOM = 1.5  # between centres, for discs that touch at 1: components grow in the layout


def component_places(
    graph: Graph, dimensions: int, seed: int, distances_among: Callable[[Indices], Any]
) -> tuple[Array, Array]:
    """Centres and radii of the components.

    Each is stood for by its vertex of largest degree. Centres are the classical scaling of the
    distances among these vertices; a component is a disc (ball) of a volume in proportion to its
    vertices, and discs that overlap are moved apart.

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
    >>> radii, bool(abs(centres[0, 0] - centres[1, 0]) >= 0.99)
    (array([0.5, 0.5]), True)
    """
    centres = np.zeros((graph.components, dimensions))
    # vertices by component, the largest degree last: the last of each component stands for it
    order = np.lexsort((graph.degrees, graph.component_of))
    last = np.cumsum(np.bincount(graph.component_of)) - 1
    if graph.components <= _MOST_MEASURED:
        measured = np.asarray(distances_among(order[last]), dtype=np.float64)
        scaled = classical_scaling(measured, dimensions)
        centres[:, : scaled.shape[1]] = scaled
    spread = float(np.sqrt((centres**2).sum(axis=1).mean()))
    chance = np.random.Generator(np.random.Philox(key=seed)).normal(size=centres.shape)
    # some chance parts centres that fall together; more components than are measured have no other
    centres = chance if spread == 0.0 else centres / spread + 0.01 * chance
    sizes = np.bincount(graph.component_of)
    radii = (sizes / graph.vertices) ** (1.0 / dimensions)
    return _apart(_ROOM * centres, radii), radii


def _apart(centres: Array, radii: Array) -> Array:
    """Centres moved until discs of these radii overlap little."""
    if len(centres) > _MOST_MEASURED:
        return centres
    reach = _ROOM * (radii[:, None] + radii)
    np.fill_diagonal(reach, 0.0)
    for _ in range(_ROUNDS):
        away = centres[:, None] - centres
        lengths = np.sqrt((away**2).sum(axis=2))
        overlap = np.maximum(reach - lengths, 0.0)
        if overlap.max() <= 0.01 * radii.max():
            break
        moves = away * (overlap / np.where(lengths > 0.0, lengths, 1.0))[:, :, None]
        centres = centres + 0.5 * moves.sum(axis=1)
    return centres


def classical_scaling(distances: Array, dimensions: int) -> Array:
    """Points whose distances are nearest to those given, by eigenvectors (Torgerson 1952)."""
    squares = np.where(np.isfinite(distances), distances, 0.0) ** 2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    values, vectors = np.linalg.eigh(-0.25 * (centred + centred.T))
    order = np.argsort(-values, kind="stable")[:dimensions]
    return np.asarray(vectors[:, order] * np.sqrt(np.maximum(values[order], 0.0)))
