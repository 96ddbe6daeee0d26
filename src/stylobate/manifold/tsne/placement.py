"""Places of new rows in a map that stays as it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array, Indices
from stylobate.manifold.tsne.affinities import conditional_affinities, directed_affinities
from stylobate.manifold.tsne.descent import Repulsion

_MOST_ITERATIONS = 100
_TOLERANCE = 1e-4  # of the gradient of one point


def place(
    embedding: NDArray[np.float32],
    near: tuple[Array, Indices],
    perplexities: Array,
    kind: str,
    repulsion: Repulsion,
) -> NDArray[np.float32]:
    """New rows, each by itself, given distances to and numbers of their nearest rows of the map.

    A row that is one of the map's (distance 0) takes its place. Others start at the mean of their
    neighbours, weighted by affinity, and descend.
    """
    distances, rows = near
    conditional = conditional_affinities(distances, perplexities, kind)
    starts: NDArray[np.float32] = np.einsum("ik,ikd->id", conditional, embedding[rows]).astype(
        np.float32
    )
    known = distances[:, 0] == 0.0
    starts[known] = embedding[rows[known, 0]]
    if known.all():
        return starts
    new = np.flatnonzero(~known)
    edges = directed_affinities(rows[new], conditional[new])
    _, z = _core.tsne_repulsion(embedding, repulsion.dof, repulsion.method, repulsion.angle)
    starts[new] = _core.place_points(
        embedding,
        edges.offsets,
        edges.columns,
        edges.values,
        np.ascontiguousarray(starts[new]),
        repulsion.dof,
        z,
        _MOST_ITERATIONS,
        _TOLERANCE,
    )[0]
    return starts
