"""First positions of a layout: eigenvectors of the graph, principal components, chance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.cluster.spectral.eigenpairs import smallest_eigenpairs
from stylobate.cluster.spectral.embedding import coordinates, signed
from stylobate.cluster.spectral.graph import Graph
from stylobate.exceptions import InvalidParameterError
from stylobate.manifold.umap.component_places import component_places
from stylobate.optimize.eigenpairs import leading_eigenpairs
from stylobate.parallel import one_blas_thread

EXTENT = 10.0  # the largest coordinate of a start
_NOISE = 1e-4  # added to starts, so that rows of equal place can part
_SMALL = 400  # vertices up to which all eigenvectors are quicker
_PRODUCTS = 40  # with the graph, at most: a start need not be exact
_TOLERANCE = 1e-3
_MORE = 3  # directions looked for beside those wanted


def random_start(n: int, dimensions: int, seed: int) -> Array:
    """Uniform places within the square (cube, …) of a start."""
    return _draws(seed).uniform(-EXTENT, EXTENT, (n, dimensions))


def pca_start(rows: Any, dimensions: int, seed: int) -> Array:
    """The first principal components of the rows (of sparse ones, not centred)."""
    from stylobate.data.sparse import is_sparse
    from stylobate.decomposition import PCA, TruncatedSVD

    if dimensions > min(rows.shape):
        raise InvalidParameterError(
            f"UMAP: init='pca' has {min(rows.shape)} components for rows of shape {rows.shape}, "
            f"fewer than n_components={dimensions}; use init='spectral' or 'random'."
        )
    if is_sparse(rows):
        model: Any = TruncatedSVD(dimensions, random_state=seed % 2**32)
    else:
        model = PCA(dimensions, random_state=seed % 2**32)
    return _scaled(np.asarray(model.fit_transform(rows), dtype=np.float64), seed)


def spectral_start(graph: Any, dimensions: int, seed: int, distances_among: Any) -> Array:
    """Eigenvectors of the graph's normalised Laplacian; components of the graph lie apart.

    Parameters
    ----------
    graph : csr_array of shape (n, n)
        Of `fuzzy_graph`.
    dimensions : int
        Eigenvectors wanted, that of 0 left out.
    seed : int
        Of first directions and noise.
    distances_among : callable
        From numbers of rows to the square matrix of their distances; places components.
    """
    whole = Graph(graph)
    if whole.components == 1:
        return _scaled(_eigenvectors(whole, dimensions, seed), seed)
    places, radii = component_places(whole, dimensions, seed, distances_among)
    start = np.empty((whole.vertices, dimensions))
    order = np.argsort(whole.component_of, kind="stable")
    ends = np.cumsum(np.bincount(whole.component_of))
    for number, members in enumerate(np.split(order, ends[:-1])):
        own = _eigenvectors(whole.part(members), dimensions, seed)
        own = own - own.mean(axis=0)
        largest = float(np.sqrt((own**2).sum(axis=1).max()))
        start[members] = places[number] + radii[number] * own / (largest if largest > 0.0 else 1.0)
    return _scaled(start, seed)


def _eigenvectors(graph: Graph, dimensions: int, seed: int) -> Array:
    """Of a connected graph; columns beyond its eigenvectors are chance."""
    n = graph.vertices
    some = min(dimensions, n - 1)
    if some == 0:
        return np.zeros((n, dimensions))
    if n <= max(_SMALL, 4 * (some + 1)):
        vectors = smallest_eigenpairs(graph, some + 1).vectors[:, 1:]
    else:
        vectors = _leading(graph, some, seed)
    maps = signed(coordinates(graph, vectors, True))
    if some < dimensions:
        chance = _draws(seed).uniform(-1.0, 1.0, (n, dimensions - some))
        maps = np.column_stack([maps, np.abs(maps).max() * chance])
    return maps


def _leading(graph: Graph, count: int, seed: int) -> Array:
    """By products with (I + D^-1/2 W D^-1/2) / 2, whose leading vector is known."""
    roots = np.sqrt(graph.degrees)
    first = roots / np.linalg.norm(roots)
    scaled = graph.weights.copy()
    scaled.data = scaled.data / np.repeat(roots, np.diff(scaled.indptr)) / roots[scaled.indices]

    def multiply(block: Array) -> Array:
        block = block - np.outer(first, first @ block)
        image = 0.5 * (block + scaled @ block)
        return np.asarray(image - np.outer(first, first @ image))

    start = _draws(seed).normal(size=(graph.vertices, count + _MORE))
    start -= np.outer(first, first @ start)
    with one_blas_thread():
        found = leading_eigenpairs(multiply, start, count, tol=_TOLERANCE, most_products=_PRODUCTS)
    return found.vectors


def _scaled(start: Array, seed: int) -> Array:
    """Centred, of the extent of all starts, with some noise."""
    start = start - 0.5 * (start.max(axis=0) + start.min(axis=0))
    largest = float(np.abs(start).max())
    start = start * (EXTENT / largest if largest > 0.0 else 1.0)
    return np.asarray(start + _draws(seed).normal(scale=_NOISE * EXTENT, size=start.shape))


def given_start(init: Any, n: int, dimensions: int) -> NDArray[np.float32]:
    """Positions the caller gives, checked."""
    try:
        start = np.array(init, dtype=np.float32)
    except (TypeError, ValueError):
        start = np.empty(0, dtype=np.float32)
    if start.shape != (n, dimensions) or not np.isfinite(start).all():
        raise InvalidParameterError(
            "UMAP: init must be 'spectral', 'pca', 'random' or finite positions of shape "
            f"({n}, {dimensions}), one for each row; got an array of shape {np.shape(init)}."
        )
    return start


def _draws(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(key=seed))
