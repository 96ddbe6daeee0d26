"""What a division of a graph cuts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.cluster.spectral.graph import Graph, graph_of
from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError
from stylobate.metrics.classification.label_codes import code
from stylobate.metrics.cluster.labelings import read_labeling


@dataclass(frozen=True, slots=True)
class CutValues:
    r"""The weight of edges between clusters, as such and against the clusters' sizes.

    Parameters
    ----------
    cut : float
        :math:`\tfrac12 \sum_k W(A_k, \bar A_k)`, every edge between clusters once.
    ratio_cut : float
        :math:`\sum_k W(A_k, \bar A_k) / |A_k|`.
    normalized_cut : float
        :math:`\sum_k W(A_k, \bar A_k) / \mathrm{vol}(A_k)`, the volume being the sum of degrees.
    """

    cut: float
    ratio_cut: float
    normalized_cut: float


def cut_values(affinity: Any, labels: Any) -> CutValues:
    """The cut, ratio cut and normalised cut of a clustering of a graph.

    Parameters
    ----------
    affinity : array-like or sparse of shape (n, n)
        Weights of edges, symmetric; the diagonal is not looked at.
    labels : array-like of shape (n,)
        The cluster of each vertex.

    Returns
    -------
    CutValues

    References
    ----------
    Shi & Malik (2000), Normalized cuts and image segmentation.

    Examples
    --------
    >>> W = [[0, 2, 1, 0], [2, 0, 0, 0], [1, 0, 0, 2], [0, 0, 2, 0]]
    >>> cut_values(W, [0, 0, 1, 1])
    CutValues(cut=1.0, ratio_cut=1.0, normalized_cut=0.4)
    """
    graph = graph_of(read_table(affinity, owner="cut_values", accept_sparse=True).x)
    return cuts_of(graph, labels)


def cuts_of(graph: Graph, labels: Any) -> CutValues:
    """The same of a graph that was read."""
    clusters, of_vertex = code(read_labeling(labels, "labels"))
    if len(of_vertex) != graph.vertices:
        raise InvalidDataError(
            f"cut_values: {len(of_vertex)} labels for {graph.vertices} vertices; give one each."
        )
    member = np.equal.outer(of_vertex, np.arange(len(clusters))).astype(np.float64)
    inside = np.einsum("ik,ik->k", member, graph.weights @ member)
    volumes = graph.degrees @ member
    leaving = np.maximum(volumes - inside, 0.0)
    leaving[leaving <= 1e-14 * volumes] = 0.0  # rounding of a cluster without edges to others
    with np.errstate(invalid="ignore"):
        shares = np.where(volumes > 0.0, leaving / volumes, 0.0)
    return CutValues(
        float(0.5 * leaving.sum()),
        float((leaving / member.sum(axis=0)).sum()),
        float(shares.sum()),
    )
