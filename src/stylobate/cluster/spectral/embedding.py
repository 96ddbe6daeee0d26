"""Rows by the first eigenvectors of their graph."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.cluster.spectral.eigenpairs import Eigenpairs, smallest_eigenpairs
from stylobate.cluster.spectral.graph import Graph, graph_of
from stylobate.data import read_table
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidParameterError, StylobateWarning

_SOLVERS = (None, "arpack", "lobpcg", "amg")


def spectral_embedding(
    adjacency: Any,
    *,
    n_components: int = 8,
    eigen_solver: str | None = None,
    random_state: Any = None,
    eigen_tol: float | str = "auto",
    norm_laplacian: bool = True,
    drop_first: bool = True,
) -> NDArray[Any]:
    r"""The first eigenvectors of a graph's Laplacian: vertices with strong edges lie together.

    With :math:`v` an eigenvector of the normalised Laplacian a coordinate is
    :math:`D^{-1/2} v`, an eigenvector of the random walk on the graph.

    Parameters
    ----------
    adjacency : array-like or sparse of shape (n, n)
        Weights of edges, symmetric; the diagonal is not looked at.
    n_components : int in [1, inf), default=8
        How many coordinates.
    eigen_solver : {None, "arpack", "lobpcg", "amg"}, default=None
        Accepted for compatibility; the solver is chosen by the size of the graph.
    random_state : ignored
        For compatibility; answers do not depend on chance.
    eigen_tol : "auto" or float in [0, inf), default="auto"
        Accuracy of iterations; "auto" for 1e-10.
    norm_laplacian : bool, default=True
        Whether eigenvectors are those of the normalised Laplacian.
    drop_first : bool, default=True
        Leave out the first, which is constant.

    Returns
    -------
    ndarray of shape (n, n_components)

    References
    ----------
    Belkin & Niyogi (2003), Laplacian eigenmaps for dimensionality reduction and data
    representation.

    Examples
    --------
    >>> path = np.diag([1.0, 1.0, 1.0], 1) + np.diag([1.0, 1.0, 1.0], -1)
    >>> spectral_embedding(path, n_components=1).ravel().round(3)
    array([ 0.577,  0.289, -0.289, -0.577])
    """
    if not isinstance(n_components, int | np.integer) or n_components < 1:
        raise InvalidParameterError(
            f"spectral_embedding: n_components must be a whole number from 1 on; got "
            f"{n_components!r}."
        )
    table = read_table(adjacency, owner="spectral_embedding", accept_sparse=True)
    check_solver(eigen_solver)
    graph = graph_of(table.x)
    warn_disconnected(graph)
    wanted = n_components + 1 if drop_first else n_components
    tol = tolerance_of(eigen_tol)
    pairs = smallest_eigenpairs(graph, wanted, normed=norm_laplacian, tol=tol)
    vectors = constant_first(graph, pairs, norm_laplacian)
    maps = signed(coordinates(graph, vectors, norm_laplacian))
    return np.asarray(maps[:, 1:] if drop_first else maps, dtype=table.x.dtype)


def coordinates(graph: Graph, vectors: Array, normed: bool) -> Array:
    """Eigenvectors of the random walk from those of the symmetric Laplacian."""
    if not normed:
        return vectors
    roots = np.sqrt(graph.degrees)
    return np.asarray(vectors / np.where(roots > 0.0, roots, 1.0)[:, None])


def constant_first(graph: Graph, pairs: Eigenpairs, normed: bool) -> Array:
    """The eigenvectors of 0 turned so that the first is the one that all components share."""
    zeros = min(graph.components, len(pairs.values))
    if zeros < 2 or zeros < graph.components:
        return pairs.vectors
    shared = np.sqrt(graph.degrees) if normed else np.ones(graph.vertices)
    if normed:
        shared[graph.degrees == 0.0] = 1.0
    null = pairs.vectors[:, :zeros]
    turned = np.linalg.qr(np.column_stack([null.T @ shared, np.eye(zeros)]))[0]
    return np.column_stack([null @ turned, pairs.vectors[:, zeros:]])


def signed(vectors: Array) -> Array:
    """Each vector with the sign that makes its largest entry positive, of equal ones the first."""
    sizes = np.abs(vectors)
    largest = (sizes >= (1.0 - 1e-8) * sizes.max(axis=0)).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return np.asarray(vectors * np.where(signs == 0.0, 1.0, signs))


def warn_disconnected(graph: Graph) -> None:
    """Say that a graph has several components."""
    if graph.components > 1:
        warnings.warn(
            "Graph is not fully connected, spectral embedding may not work as expected. It has "
            f"{graph.components} components, which are embedded apart.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )


def check_solver(eigen_solver: Any) -> None:
    """Refuse solvers there are not."""
    if eigen_solver not in _SOLVERS:
        raise InvalidParameterError(
            f"eigen_solver must be None, 'arpack', 'lobpcg' or 'amg'; got {eigen_solver!r}."
        )
    if eigen_solver == "amg":
        from importlib.util import find_spec

        if find_spec("pyamg") is None:
            raise InvalidParameterError(
                "The eigen_solver was set to 'amg', but pyamg is not available. Leave "
                "eigen_solver=None: no other package is needed."
            )


def tolerance_of(eigen_tol: Any) -> float:
    """The accuracy of iterations that ``eigen_tol`` stands for."""
    if eigen_tol == "auto":
        return 1e-10
    if isinstance(eigen_tol, str) or not eigen_tol >= 0.0:
        raise InvalidParameterError(
            f"eigen_tol must be 'auto' or a number of at least 0; got {eigen_tol!r}."
        )
    return float(eigen_tol)
