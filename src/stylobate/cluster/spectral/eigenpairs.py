"""The smallest eigenvalues of a graph's Laplacian with their vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.cluster.spectral.graph import Graph
from stylobate.data.sparse import is_sparse
from stylobate.interrupts import interruptible
from stylobate.parallel import one_blas_thread

_DENSE = 400  # vertices up to which all eigenvalues are quicker
_RESTARTS = 12  # of Lanczos' method, before a factorisation is tried
_KRYLOV = 40  # vectors kept at a time
_SHIFT = 1e-7  # added to the Laplacian that is factored
_TOLERANCE = 1e-10
_LONG = 20  # steps of a path from which on factors are tried first
_GLANCE = 1e-4  # of the eigenvalue that follows: is one missing, and how wide is the gap?


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
    following : float
        The eigenvalue after these, roughly; NaN if there is none.
    method : str
        How they were found.
    """

    values: Array
    vectors: Array
    residuals: Array
    following: float
    method: str


class Laplacian:
    r"""The Laplacian :math:`D - W` of a graph, or :math:`I - D^{-1/2} W D^{-1/2}`.

    Its eigenvectors of 0 are known, one for each component; ``null`` is the sum of them.
    """

    def __init__(self, graph: Graph, normed: bool) -> None:
        self.component_of, self.components = graph.component_of, graph.components
        self.weights, self.diagonal = graph.weights, graph.degrees
        null = np.ones(graph.vertices)
        if normed:
            alone = graph.degrees == 0.0
            roots = np.sqrt(np.where(alone, 1.0, graph.degrees))
            self.weights = _scaled(graph.weights, 1.0 / roots)
            self.diagonal = np.where(alone, 0.0, 1.0)
            null = roots
        lengths = np.sqrt(np.bincount(self.component_of, null**2))
        self.null = null / lengths[self.component_of]
        # the largest eigenvalue is at most twice the largest degree
        self.bound = 2.0 * float(self.diagonal.max()) or 1.0

    def times(self, v: Array) -> Array:
        """The product with a vector, or with columns."""
        diagonal = self.diagonal if v.ndim == 1 else self.diagonal[:, None]
        return np.asarray(diagonal * v - self.weights @ v)

    def without_null(self, v: Array) -> Array:
        """A vector less its part along the eigenvectors of 0."""
        if self.components == 1:
            return np.asarray(v - self.null * (self.null @ v))
        along = np.bincount(self.component_of, self.null * v, minlength=self.components)
        return np.asarray(v - self.null * along[self.component_of])

    def null_vectors(self, count: int) -> Array:
        """The first of the eigenvectors of 0."""
        some = min(count, self.components)
        member = np.equal.outer(self.component_of, np.arange(some))
        return np.asarray(member * self.null[:, None])

    def dense(self) -> Array:
        """The matrix, its eigenvalues 0 moved above all others."""
        weights = self.weights.toarray() if is_sparse(self.weights) else self.weights
        same = np.equal.outer(self.component_of, self.component_of)
        lifted = (1.0 + self.bound) * np.outer(self.null, self.null) * same
        return np.asarray(np.diag(self.diagonal) - weights + lifted)


def smallest_eigenpairs(
    graph: Graph, count: int, *, normed: bool = True, tol: float = _TOLERANCE
) -> Eigenpairs:
    """The smallest eigenvalues and their vectors.

    Every connected component has the eigenvalue 0, with a vector that is known; the others are
    looked for beside those. Iterations can miss one of several equal eigenvalues: a last look finds
    whether there is a smaller one left, and goes on if so.

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
    laplacian = Laplacian(graph, normed)
    count = min(count, graph.vertices)
    zeros = laplacian.null_vectors(count)
    others = count - zeros.shape[1]
    values, vectors, following, method = np.empty(0), np.empty((graph.vertices, 0)), np.nan, ""
    if laplacian.components > count:
        following = 0.0
    elif laplacian.components < graph.vertices:
        values, vectors, following, method = _above_zero(laplacian, others, tol)
    vectors = np.column_stack([zeros, vectors])
    values = np.concatenate([np.zeros(zeros.shape[1]), np.maximum(values, 0.0)])
    residuals = np.linalg.norm(laplacian.times(vectors) - vectors * values, axis=0)
    return Eigenpairs(
        values, vectors, residuals, following, method or "known: they are the components'"
    )


def _above_zero(laplacian: Laplacian, count: int, tol: float) -> tuple[Array, Array, float, str]:
    """Eigenpairs beside those of 0, the eigenvalue that follows them, and how they were found."""
    n = len(laplacian.null)
    if n <= _DENSE or count > n // 4:
        return *_all(laplacian, count), "all eigenvalues of a small matrix"
    empty = np.empty((n, 0))
    search: _Search = _Adjacency(laplacian)
    found = None
    if not is_sparse(laplacian.weights) or not _is_long(laplacian):
        found = search(empty, count, tol) if count else (np.empty(0), empty)
    if found is None and is_sparse(laplacian.weights):
        search = _Factored(laplacian)
        found = search(empty, count, tol) if count else (np.empty(0), empty)
    while found is not None:
        values, vectors = found
        last = float(values[-1]) if count else 0.0
        left = search(vectors, 1, _GLANCE)
        following = float("nan") if left is None else max(float(left[0][0]), last)
        if left is None or left[0][0] >= last - 2.0 * _GLANCE * laplacian.bound:
            return values, vectors, following, search.name
        missed = search(vectors, 1, tol)  # one of several equal ones
        if missed is None:
            break
        joined = np.concatenate([values, missed[0]])
        order = np.argsort(joined, kind="stable")[:count]
        found = joined[order], np.column_stack([vectors, missed[1]])[:, order]
    return *_all(laplacian, count), "all eigenvalues, for Lanczos' method was slow"


def _is_long(laplacian: Laplacian) -> bool:
    """Whether a path through the graph has many steps, as where rows lie near a surface.

    Then eigenvalues are close together, which takes many products, and factors are sparse.
    """
    from scipy.sparse.csgraph import dijkstra

    largest = int(np.bincount(laplacian.component_of).argmax())
    start = int(np.argmax(laplacian.component_of == largest))
    steps = dijkstra(laplacian.weights, directed=False, indices=[start], unweighted=True)
    return bool(steps[np.isfinite(steps)].max() >= _LONG)


def _all(laplacian: Laplacian, count: int) -> tuple[Array, Array, float]:
    from scipy.linalg import eigh

    n = len(laplacian.null)
    last = min(count, n - laplacian.components - 1)
    with one_blas_thread():
        values, vectors = interruptible(
            eigh, laplacian.dense(), subset_by_index=(0, last), overwrite_a=True
        )
    following = float(values[count]) if count < len(values) else float("nan")
    return values[:count], vectors[:, :count], following


class _Search:
    """Lanczos' method on an operator that has the largest eigenvalues where these are smallest."""

    name = ""
    restarts: int | None = None

    def __init__(self, laplacian: Laplacian) -> None:
        self.laplacian = laplacian

    def times(self, v: Array) -> Array:
        """The operator's product with a vector."""
        raise NotImplementedError

    def eigenvalues(self, values: Array) -> Array:
        """The Laplacian's eigenvalues from the operator's."""
        raise NotImplementedError

    def __call__(self, known: Array, count: int, tol: float) -> tuple[Array, Array] | None:
        """The smallest eigenpairs beside known ones; None where it takes long."""
        from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

        n = len(self.laplacian.null)
        operator = LinearOperator(
            (n, n),
            matvec=lambda v: self._beside(known, self.times(self._beside(known, v.ravel()))),
            dtype=np.float64,
        )
        kept = min(n - 1, max(_KRYLOV, 2 * count + 2))
        options: dict[str, Any] = {
            "v0": _start(n),
            "tol": tol,
            "ncv": kept,
            "maxiter": self.restarts,
        }
        try:
            with one_blas_thread():
                found, vectors = eigsh(operator, k=count, which="LA", **options)
        except ArpackNoConvergence:
            return None
        values = self.eigenvalues(found)
        order = np.argsort(values, kind="stable")
        return values[order], vectors[:, order]

    def _beside(self, known: Array, v: Array) -> Array:
        v = self.laplacian.without_null(v)
        return v - known @ (known.T @ v) if known.shape[1] else v


class _Adjacency(_Search):
    """The adjacency, as large a multiple of the identity added as makes it positive."""

    name = "Lanczos' method on the adjacency"
    restarts = _RESTARTS

    def times(self, v: Array) -> Array:
        return self.laplacian.bound * v - self.laplacian.times(v)

    def eigenvalues(self, values: Array) -> Array:
        return self.laplacian.bound - values


class _Factored(_Search):
    """The inverse of the Laplacian, shifted a little, by its sparse factors."""

    name = "Lanczos' method on the factored Laplacian"

    def __init__(self, laplacian: Laplacian) -> None:
        from scipy.sparse import csc_array, diags_array
        from scipy.sparse.linalg import splu

        super().__init__(laplacian)
        self.shift = _SHIFT * 0.5 * laplacian.bound
        matrix = csc_array(diags_array(laplacian.diagonal + self.shift) - laplacian.weights)
        symmetric = {"SymmetricMode": True}
        self.factors = splu(
            matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=symmetric
        )

    def times(self, v: Array) -> Array:
        return np.asarray(self.factors.solve(v))

    def eigenvalues(self, values: Array) -> Array:
        return 1.0 / values - self.shift


def _start(n: int) -> Array:
    """A start that no symmetry of the graph makes orthogonal to an eigenvector, always the same."""
    return np.random.RandomState(0).uniform(-1.0, 1.0, n)


def _scaled(weights: Any, scale: Array) -> Any:
    if not is_sparse(weights):
        return weights * scale[:, None] * scale
    scaled = weights.copy()
    scaled.data = scaled.data * np.repeat(scale, np.diff(scaled.indptr)) * scale[scaled.indices]
    return scaled
