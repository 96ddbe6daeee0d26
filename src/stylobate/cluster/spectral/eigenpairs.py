"""The smallest eigenvalues of a graph's Laplacian with their vectors, component by component."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.cluster.spectral.graph import Graph
from stylobate.data.sparse import is_sparse
from stylobate.parallel import one_blas_thread

_DENSE = 400  # vertices up to which all eigenvalues are quicker
_RESTARTS = 4  # of Lanczos' method, before a factorisation is tried
_KRYLOV = 40  # vectors kept at a time
_SHIFT = 1e-7  # added to the Laplacian that is factored
_TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True)
class Eigenpairs:
    r"""Eigenvalues of a Laplacian from the smallest on, vectors of length 1 and what is left.

    Parameters
    ----------
    values : ndarray of shape (m,)
        Ascending, none negative.
    vectors : ndarray of shape (n, m)
        Orthonormal columns.
    residuals : ndarray of shape (m,)
        :math:`\|L v - \lambda v\|`: a true eigenvalue is that near to each value.
    method : str
        How they were found.
    """

    values: Array
    vectors: Array
    residuals: Array
    method: str


class Laplacian:
    r"""The Laplacian :math:`D - W` of a connected graph, or :math:`I - D^{-1/2} W D^{-1/2}`."""

    def __init__(self, graph: Graph, normed: bool) -> None:
        self.normed = normed
        self.degrees = graph.degrees
        if normed and graph.vertices > 1:
            scale = 1.0 / np.sqrt(self.degrees)
            self.weights = _scaled(graph.weights, scale)
            self.null = np.sqrt(self.degrees)
            self.diagonal = np.ones(graph.vertices)
        else:
            self.weights, self.diagonal = graph.weights, self.degrees
            self.null = np.ones(graph.vertices)
        self.null = self.null / np.linalg.norm(self.null)
        # the largest eigenvalue is at most twice the largest degree
        self.bound = 2.0 * float(self.diagonal.max())

    def times(self, v: Array) -> Array:
        """The product with a vector, or with columns."""
        diagonal = self.diagonal if v.ndim == 1 else self.diagonal[:, None]
        return np.asarray(diagonal * v - self.weights @ v)

    def dense(self) -> Array:
        """The matrix itself."""
        weights = self.weights.toarray() if is_sparse(self.weights) else self.weights
        return np.asarray(np.diag(self.diagonal) - weights)


def smallest_eigenpairs(
    graph: Graph, count: int, *, normed: bool = True, tol: float = _TOLERANCE
) -> Eigenpairs:
    """The smallest eigenvalues and their vectors.

    Every connected component has the eigenvalue 0, with a vector that is known; what else is
    wanted is found in each component for itself, where 0 is simple.

    Parameters
    ----------
    graph : Graph
        Vertices and weighted edges.
    count : int in [1, n]
        How many.
    normed : bool, default=True
        Of the normalised Laplacian.
    tol : float in [0, inf), default=1e-10
        Relative accuracy of iterations; 0 for the machine's.

    Examples
    --------
    >>> from stylobate.cluster.spectral.graph import graph_of
    >>> path = np.diag([1.0, 1.0], 1) + np.diag([1.0, 1.0], -1)
    >>> smallest_eigenpairs(graph_of(path), 3, normed=False).values.round(12)
    array([0., 1., 3.])
    """
    components = graph.components
    count = min(count, graph.vertices)
    found: list[tuple[float, float, Array]] = []
    methods: dict[str, None] = {}
    for component in range(components):
        vertices = np.flatnonzero(graph.component_of == component)
        part = graph if components == 1 else graph.part(vertices)
        laplacian = Laplacian(part, normed)
        others = min(len(vertices) - 1, count - 1 if components == 1 else count - components)
        values, vectors, method = _above_zero(laplacian, others, tol)
        methods[method] = None
        all_vectors = np.column_stack([laplacian.null, vectors])
        all_values = np.concatenate([[0.0], values])
        left = np.linalg.norm(laplacian.times(all_vectors) - all_vectors * all_values, axis=0)
        for k in range(len(all_values)):
            whole = np.zeros(graph.vertices)
            whole[vertices] = all_vectors[:, k]
            found.append((max(0.0, float(all_values[k])), float(left[k]), whole))
    found.sort(key=lambda pair: pair[0])  # stable: of equal ones the first component's
    chosen = found[:count]
    method = ", ".join(name for name in methods if name) or "known: the graph has no other"
    return Eigenpairs(
        np.array([pair[0] for pair in chosen]),
        np.column_stack([pair[2] for pair in chosen]),
        np.array([pair[1] for pair in chosen]),
        method,
    )


def _above_zero(laplacian: Laplacian, count: int, tol: float) -> tuple[Array, Array, str]:
    """Eigenpairs after the first of a connected graph."""
    n = len(laplacian.null)
    if count <= 0:
        return np.empty(0), np.empty((n, 0)), ""
    if n <= _DENSE or count > n // 4:
        values, vectors = _all(laplacian, count)
        return values, vectors, "all eigenvalues of a small matrix"
    found = _lanczos(laplacian, count, tol)
    if found is not None:
        return *found, "Lanczos' method on the adjacency"
    if is_sparse(laplacian.weights):
        return *_inverse(laplacian, count, tol), "Lanczos' method on the factored Laplacian"
    values, vectors = _all(laplacian, count)
    return values, vectors, "all eigenvalues of a matrix on which Lanczos' method was slow"


def _all(laplacian: Laplacian, count: int) -> tuple[Array, Array]:
    from scipy.linalg import eigh

    matrix = laplacian.dense()
    matrix += (1.0 + laplacian.bound) * np.outer(laplacian.null, laplacian.null)
    with one_blas_thread():
        values, vectors = eigh(matrix, subset_by_index=(0, count - 1), overwrite_a=True)
    return values, vectors


def _lanczos(laplacian: Laplacian, count: int, tol: float) -> tuple[Array, Array] | None:
    """The largest eigenvalues of the adjacency without the known one; None where it takes long."""
    from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

    null, bound = laplacian.null, laplacian.bound

    def product(v: Array) -> Array:
        v = v.ravel()
        return bound * (v - null * (null @ v)) - laplacian.times(v)

    n = len(null)
    operator = LinearOperator((n, n), matvec=product, dtype=np.float64)
    kept = min(n - 1, max(_KRYLOV, 2 * count + 2))
    try:
        values, vectors = eigsh(
            operator, k=count, which="LA", v0=_start(n), tol=tol, ncv=kept, maxiter=_RESTARTS
        )
    except ArpackNoConvergence:
        return None
    return _ascending(bound - values, vectors)


def _inverse(laplacian: Laplacian, count: int, tol: float) -> tuple[Array, Array]:
    """The smallest eigenvalues by a factorisation of the Laplacian, shifted a little."""
    from scipy.sparse import csc_array, diags_array
    from scipy.sparse.linalg import LinearOperator, eigsh, splu

    null = laplacian.null
    n = len(null)
    shift = _SHIFT * 0.5 * laplacian.bound
    matrix = csc_array(diags_array(laplacian.diagonal + shift) - laplacian.weights)
    factors = splu(
        matrix,
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )

    def product(v: Array) -> Array:
        v = v.ravel()
        solved = factors.solve(v - null * (null @ v))
        return np.asarray(solved - null * (null @ solved))

    operator = LinearOperator((n, n), matvec=product, dtype=np.float64)
    values, vectors = eigsh(operator, k=count, which="LA", v0=_start(n), tol=tol)
    return _ascending(1.0 / values - shift, vectors)


def _start(n: int) -> Array:
    """A start that no symmetry of the graph makes orthogonal to an eigenvector, always the same."""
    return np.random.RandomState(0).uniform(-1.0, 1.0, n)


def _ascending(values: Array, vectors: Array) -> tuple[Array, Array]:
    order = np.argsort(values, kind="stable")
    return values[order], vectors[:, order]


def _scaled(weights: Any, scale: Array) -> Any:
    if not is_sparse(weights):
        return weights * scale[:, None] * scale
    scaled = weights.copy()
    scaled.data = scaled.data * np.repeat(scale, np.diff(scaled.indptr)) * scale[scaled.indices]
    return scaled
