"""Labels of a graph's vertices, and everything that was learnt on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.cluster.kmeans import k_means
from stylobate.cluster.spectral.assignment import cluster_qr, discretize
from stylobate.cluster.spectral.certificate import SpectralCertificate, certificate_of
from stylobate.cluster.spectral.cuts import CutValues, cuts_of
from stylobate.cluster.spectral.eigengap import Eigengap
from stylobate.cluster.spectral.eigenpairs import smallest_eigenpairs
from stylobate.cluster.spectral.embedding import coordinates, signed, warn_disconnected
from stylobate.cluster.spectral.graph import Graph
from stylobate.exceptions import InvalidDataError

LAPLACIANS = ("random_walk", "symmetric", "unnormalized")
ASSIGNMENTS = ("kmeans", "discretize", "cluster_qr")


@dataclass(frozen=True, slots=True)
class SpectralRequest:
    """What the parameters ask of the division of a graph."""

    n_clusters: int
    n_components: int | None
    drop_first: bool
    laplacian: str
    assign_labels: str
    n_init: int
    tol: float
    draws: Any
    verbose: bool


@dataclass(frozen=True, slots=True)
class SpectralSolution:
    """Labels, and what they rest on."""

    labels: NDArray[Any]
    embedding: Array
    eigenvalues: Array
    certificate: SpectralCertificate
    cuts: CutValues
    eigengap: Eigengap
    components: int
    reason: str


def divide(graph: Graph, request: SpectralRequest) -> SpectralSolution:
    """Clusters of the vertices with few edges between them.

    A graph of as many components as clusters are wanted, or more, is divided along them: no edge
    is cut, and no other division cuts less.
    """
    k = request.n_clusters
    if k > graph.vertices:
        raise InvalidDataError(
            f"n_samples={graph.vertices} should be >= n_clusters={k}: a cluster has a row at least."
        )
    warn_disconnected(graph)
    normed = request.laplacian != "unnormalized"
    used = k if request.n_components is None else min(request.n_components, graph.vertices)
    first = int(request.drop_first and used < graph.vertices)
    pairs = smallest_eigenpairs(graph, max(used + first, k), normed=normed, tol=request.tol)
    vectors = pairs.vectors[:, first : used + first]
    maps = vectors if request.laplacian == "symmetric" else coordinates(graph, vectors, normed)
    if request.laplacian == "symmetric":
        lengths = np.linalg.norm(maps, axis=1, keepdims=True)
        maps = maps / np.where(lengths > 0.0, lengths, 1.0)
    maps = signed(maps)
    if request.verbose:
        print(f"Computing label assignment using {request.assign_labels}")
    if graph.components >= k:
        labels = _joined_components(graph, k)
        reason = _reason_of_components(graph.components, k)
    else:
        labels = _assigned(maps, request)
        reason = f"eigenvectors by {pairs.method}, labels by {request.assign_labels}"
    cuts = cuts_of(graph, labels)
    return SpectralSolution(
        labels,
        maps,
        pairs.values[first : used + first],
        certificate_of(pairs, cuts, k, normed),
        cuts,
        Eigengap(np.append(pairs.values, pairs.following)[: k + 1], k),
        graph.components,
        reason,
    )


def _assigned(maps: Array, request: SpectralRequest) -> NDArray[Any]:
    if request.assign_labels == "kmeans":
        labels: NDArray[Any] = k_means(
            maps,
            request.n_clusters,
            random_state=request.draws,
            n_init=request.n_init,
            verbose=request.verbose,
        )[1]
        return labels
    if request.assign_labels == "cluster_qr":
        return cluster_qr(maps)
    return discretize(maps, random_state=request.draws)


def _joined_components(graph: Graph, k: int) -> NDArray[np.int32]:
    """Components as clusters; where they are more, the smaller ones join the smallest clusters."""
    sizes = np.bincount(graph.component_of)
    order = np.argsort(-sizes, kind="stable")
    cluster = np.empty(len(sizes), dtype=np.int32)
    cluster[order[:k]] = np.arange(k)
    filled = sizes[order[:k]].copy()
    for component in order[k:]:
        smallest = int(np.argmin(filled))
        cluster[component] = smallest
        filled[smallest] += sizes[component]
    return np.asarray(cluster[graph.component_of])


def _reason_of_components(components: int, k: int) -> str:
    text = f"the graph has {components} connected component" + ("s" if components > 1 else "")
    if components == k:
        return f"{text}, one for each cluster: no edge is cut"
    return f"{text}: the {k} largest are the clusters and smaller ones joined them; no edge is cut"
