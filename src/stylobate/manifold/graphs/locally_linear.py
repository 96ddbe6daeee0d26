"""Locally linear embedding: rows keep the place they have among their neighbours."""

from __future__ import annotations

import warnings
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array, Integers
from stylobate.base import BaseEstimator, Interval, Options, RandomState, TransformerMixin
from stylobate.data import Table
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    ModelFileError,
    StylobateWarning,
)
from stylobate.manifold.graphs.barycenters import barycenter_weights
from stylobate.manifold.graphs.geodesics import graph_of_edges
from stylobate.manifold.graphs.neighborhood_matrices import (
    hessian_matrix,
    modified_matrix,
    standard_matrix,
    tangent_matrix,
)
from stylobate.manifold.graphs.null_space import null_space
from stylobate.neighbors import NearestNeighbors
from stylobate.neighbors.base import ExactAlgorithm

_Positive = Annotated[int, Interval(1, inf)]
_NonNegative = Annotated[float, Interval(0, inf)]


class LocallyLinearEmbedding(TransformerMixin, BaseEstimator):
    r"""Coordinates in which every row is the same mean of its neighbours as in the data.

    With the weights W that bring the mean of each row's neighbours nearest to it, the coordinates
    minimise

    .. math:: \sum_i \Big\| z_i - \sum_j w_{ij} z_j \Big\|^2 = \mathrm{tr}\, Z^T M Z,\quad
              M = (I - W)^T (I - W),\quad Z^T Z = I:

    the eigenvectors of M with the smallest eigenvalues, but the constant one. Other methods have
    other M: several weights for each row, second derivatives, tangent spaces.

    Parameters
    ----------
    n_neighbors : int in [1, n), default=5
        Neighbours of each row.
    n_components : int in [1, n_features], default=2
        How many coordinates.
    reg : float in [0, inf), default=1e-3
        Of the weights, in units of their Gram matrix's trace.
    eigen_solver : {"auto", "arpack", "dense"}, default="auto"
        Lanczos' method on the factored matrix, or all eigenvalues; "auto": the former for more than
        200 rows and fewer than 9 components.
    tol : float in [0, inf), default=1e-6
        Of "arpack".
    max_iter : int in [1, inf), default=100
        Of "arpack".
    method : {"standard", "hessian", "modified", "ltsa"}, default="standard"
        Which matrix. "hessian" needs more than d(d + 3)/2 neighbours, "modified" and "ltsa" at
        least d.
    hessian_tol, modified_tol : float in [0, inf), default=1e-4, 1e-12
        Of these methods.
    neighbors_algorithm : {"auto", "brute", "kd_tree", "ball_tree"}, default="auto"
        How neighbours are found.
    random_state : ignored
        For compatibility; answers do not depend on chance.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.

    Attributes
    ----------
    embedding_ : array of shape (n, n_components)
        The coordinates; the entry of largest size of each is positive.
    reconstruction_error_ : float
        Sum of the eigenvalues.
    eigenvalues_, residuals_ : array of shape (n_components,)
        Of M, and :math:`\|Mv - \lambda v\|`: a true eigenvalue is that near to each.
    nbrs_ : NearestNeighbors
        The rows.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> angle = np.linspace(0.0, 3.0, 30)
    >>> arc = np.column_stack([np.cos(angle), np.sin(angle)])
    >>> found = LocallyLinearEmbedding(n_neighbors=4, n_components=1).fit_transform(arc)
    >>> bool((np.diff(found[:, 0]) > 0).all() or (np.diff(found[:, 0]) < 0).all())
    True

    References
    ----------
    Roweis & Saul (2000), Nonlinear dimensionality reduction by locally linear embedding, Science
    290. Donoho & Grimes (2003), Hessian eigenmaps, PNAS 100. Zhang & Wang (2006), MLLE, NeurIPS.
    Zhang & Zha (2004), Principal manifolds via tangent space alignment, SIAM J. Sci. Comput. 26.
    """

    embedding_: Array
    nbrs_: NearestNeighbors

    def __init__(
        self,
        *,
        n_neighbors: _Positive = 5,
        n_components: _Positive = 2,
        reg: _NonNegative = 1e-3,
        eigen_solver: Annotated[str, Options("auto", "arpack", "dense")] = "auto",
        tol: _NonNegative = 1e-6,
        max_iter: _Positive = 100,
        method: Annotated[str, Options("standard", "hessian", "modified", "ltsa")] = "standard",
        hessian_tol: _NonNegative = 1e-4,
        modified_tol: _NonNegative = 1e-12,
        neighbors_algorithm: ExactAlgorithm = "auto",
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.n_components = n_components
        self.reg = reg
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.method = method
        self.hessian_tol = hessian_tol
        self.modified_tol = modified_tol
        self.neighbors_algorithm = neighbors_algorithm
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    # --- learning -------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the coordinates of rows.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._learn(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Find the coordinates of rows and return them.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        table = self._learn(X)
        return self._wrap(self.embedding_, table)

    def _learn(self, X: Any) -> Table:
        self._check_parameters()
        table = self._read(X, reset=True)
        x = np.asarray(table.x, dtype=np.float64)
        n, p = x.shape
        if self.n_components > p:
            raise InvalidParameterError(
                "LocallyLinearEmbedding: output dimension must be less than or equal to input "
                f"dimension; got n_components={self.n_components} and {p} columns."
            )
        if self.n_neighbors >= n:
            raise InvalidDataError(
                "LocallyLinearEmbedding: Expected n_neighbors < n_samples, but n_samples = "
                f"{n}, n_neighbors = {self.n_neighbors}"
            )
        if self.n_components >= n:
            raise InvalidDataError(
                f"LocallyLinearEmbedding: {n} rows have at most {n - 1} coordinates beside the "
                f"constant one; got n_components={self.n_components}."
            )
        self.nbrs_ = NearestNeighbors(
            n_neighbors=self.n_neighbors, algorithm=self.neighbors_algorithm
        ).fit(x)
        near = self.nbrs_.kneighbors(return_distance=False)
        matrix = self._matrix(x, near)
        _warn_disconnected(near)
        found = null_space(
            matrix,
            self.n_components,
            solver=self.eigen_solver,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        self.embedding_ = found.vectors
        self.eigenvalues_, self.residuals_ = found.values, found.residuals
        self.reconstruction_error_ = float(found.values.sum())
        return table

    def _matrix(self, x: Array, near: Integers) -> Any:
        """M of the method."""
        if self.method == "standard":
            return standard_matrix(x, near, self.reg)
        if self.method == "ltsa":
            return tangent_matrix(x, near, self.n_components)
        if self.method == "hessian":
            return hessian_matrix(x, near, self.n_components, self.hessian_tol)
        return modified_matrix(x, near, self.n_components, self.modified_tol)

    # --- new points -----------------------------------------------------------------------------

    def transform(self, X: Any) -> Any:
        """Coordinates of new rows: the means of their neighbours' with barycentric weights.

        Parameters
        ----------
        X : array-like or data frame of shape (m, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (m, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        x = np.asarray(table.x, dtype=np.float64)
        near = self.nbrs_.kneighbors(x, n_neighbors=self.n_neighbors, return_distance=False)
        weights = barycenter_weights(x, self.nbrs_._fit_X, near, self.reg)
        placed = np.einsum("ij,ijd->id", weights, self.embedding_[near])
        return self._wrap(placed, table)

    def _check_loaded(self) -> None:
        """Refuse rows of a file that have no place."""
        if "nbrs_" in vars(self):
            rows: Any = getattr(self.nbrs_, "_fit_X", None)
            if rows is None or len(rows) != len(self.embedding_):
                raise ModelFileError(
                    f"The {type(self).__name__} of the file has rows without a place."
                )


def _warn_disconnected(near: Integers) -> None:
    """Say that neighbours do not join all rows: then there is more than one constant vector."""
    n, k = near.shape
    edges = graph_of_edges(n, np.repeat(np.arange(n), k), near.ravel(), np.ones(n * k))
    count = edges.component_of()[0]
    if count > 1:
        warnings.warn(
            f"LocallyLinearEmbedding: the graph of neighbours has {count} components, and "
            "coordinates can tell them apart instead of what is inside them. Increase n_neighbors.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )


def locally_linear_embedding(
    X: Any,
    *,
    n_neighbors: int,
    n_components: int,
    reg: float = 1e-3,
    eigen_solver: str = "auto",
    tol: float = 1e-6,
    max_iter: int = 100,
    method: str = "standard",
    hessian_tol: float = 1e-4,
    modified_tol: float = 1e-12,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> tuple[Array, float]:
    """The embedding of `LocallyLinearEmbedding` and its reconstruction error.

    Parameters
    ----------
    X : array-like or data frame of shape (n, n_features)
        Rows.
    n_neighbors, n_components, reg, eigen_solver, tol, max_iter, method, hessian_tol, \
    modified_tol, random_state, n_jobs
        As of `LocallyLinearEmbedding`.

    Returns
    -------
    embedding : array of shape (n, n_components)
    reconstruction_error : float

    Examples
    --------
    >>> line = np.column_stack([np.arange(8.0), 2.0 * np.arange(8.0)])
    >>> found, error = locally_linear_embedding(line, n_neighbors=2, n_components=1)
    >>> found.shape, error < 1e-3
    ((8, 1), True)
    """
    model = LocallyLinearEmbedding(
        n_neighbors=n_neighbors,
        n_components=n_components,
        reg=reg,
        eigen_solver=eigen_solver,
        tol=tol,
        max_iter=max_iter,
        method=method,
        hessian_tol=hessian_tol,
        modified_tol=modified_tol,
        random_state=random_state,
        n_jobs=n_jobs,
    ).fit(X)
    return model.embedding_, model.reconstruction_error_
