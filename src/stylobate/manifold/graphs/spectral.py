"""Laplacian eigenmaps: rows by the first eigenvectors of their graph."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Annotated, Any, Self

from numpy.typing import NDArray

from stylobate.base import BaseEstimator, Interval, Options, RandomState, Tags
from stylobate.cluster.spectral.affinity import GIVEN, AffinityRequest
from stylobate.cluster.spectral.embedding import spectral_embedding
from stylobate.exceptions import InvalidDataError

_AFFINITIES = ("nearest_neighbors", "rbf", *GIVEN)
_NonNegative = Annotated[float, Interval(0, inf)]


class SpectralEmbedding(BaseEstimator):
    r"""Coordinates in which rows with strong edges lie together: Laplacian eigenmaps.

    The first eigenvectors, but the constant one, of the random walk on a graph of the rows; with
    weights w and degrees d they minimise :math:`\sum_{ij} w_{ij} (z_i - z_j)^2` for
    :math:`\sum_i d_i z_i^2 = 1`. There is no `transform`: new rows are not on the graph.

    Parameters
    ----------
    n_components : int in [1, inf), default=2
        How many coordinates.
    affinity : {"nearest_neighbors", "rbf", "precomputed", "precomputed_nearest_neighbors"} or \
            callable, default="nearest_neighbors"
        The graph: joined with the nearest rows, weights
        :math:`\exp(-\gamma \|x - y\|^2)`, X itself, distances of which the nearest are joined, or
        a function of the rows.
    gamma : float in [0, inf) or None, default=None
        Of "rbf"; None for 1 / n_features.
    random_state : ignored
        For compatibility; answers do not depend on chance.
    eigen_solver : {"arpack", "lobpcg", "amg"} or None, default=None
        Accepted for compatibility; the solver is chosen by the size of the graph.
    eigen_tol : "auto" or float in [0, inf), default="auto"
        Accuracy of iterations; "auto" for 1e-10.
    n_neighbors : int in [1, inf) or None, default=None
        How many rows each is joined with; None for a tenth of them.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.

    Attributes
    ----------
    embedding_ : array of shape (n, n_components)
        The coordinates; the entry of largest size of each is positive.
    affinity_matrix_ : array or sparse of shape (n, n)
        The weights.
    n_neighbors_ : int
        Rows each was joined with.
    gamma_ : float
        Of "rbf".
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> line = np.arange(6.0)[:, np.newaxis]
    >>> SpectralEmbedding(1, n_neighbors=3).fit_transform(line).ravel().round(2)
    array([ 0.36,  0.34,  0.17, -0.17, -0.34, -0.36])

    References
    ----------
    Belkin & Niyogi (2003), Laplacian eigenmaps for dimensionality reduction and data
    representation, Neural Computation 15.
    """

    embedding_: NDArray[Any]
    affinity_matrix_: Any

    def __init__(
        self,
        n_components: Annotated[int, Interval(1, inf)] = 2,
        *,
        affinity: Annotated[str, Options(*_AFFINITIES)] | Callable[..., Any] = "nearest_neighbors",
        gamma: _NonNegative | None = None,
        random_state: RandomState = None,
        eigen_solver: Annotated[str, Options("arpack", "lobpcg", "amg")] | None = None,
        eigen_tol: Annotated[str, Options("auto")] | _NonNegative = "auto",
        n_neighbors: Annotated[int, Interval(1, inf)] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.affinity = affinity
        self.gamma = gamma
        self.random_state = random_state
        self.eigen_solver = eigen_solver
        self.eigen_tol = eigen_tol
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs

    def _tags(self) -> Tags:
        given = isinstance(self.affinity, str) and self.affinity in GIVEN
        return super()._tags().but(sparse=True, pairwise=given)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the coordinates of rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, at least 2; weights or distances of shape (n, n) with a given matrix.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        x = self._read(X, reset=True).x
        if x.shape[0] < 2:
            raise InvalidDataError(
                f"Found array with {x.shape[0]} sample(s) (shape={x.shape}) while a minimum of 2 "
                "is required by SpectralEmbedding."
            )
        self.affinity_matrix_ = self._affinities(x)
        self.embedding_ = spectral_embedding(
            self.affinity_matrix_,
            n_components=min(self.n_components, max(x.shape[0] - 1, 1)),
            eigen_solver=self.eigen_solver,
            eigen_tol=self.eigen_tol,
        )
        return self

    def fit_transform(self, X: Any, y: Any = None) -> NDArray[Any]:
        """Find the coordinates of rows and return them.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        array of shape (n, n_components)
        """
        return self.fit(X).embedding_

    def _affinities(self, x: Any) -> Any:
        affinity: Any = self.affinity
        if callable(affinity):
            return affinity(x)
        neighbors = max(x.shape[0] // 10, 1) if self.n_neighbors is None else self.n_neighbors
        gamma = 1.0 / x.shape[1] if self.gamma is None else float(self.gamma)
        if affinity == "rbf":
            self.gamma_ = gamma
        elif affinity != "precomputed":
            self.n_neighbors_ = neighbors
        request = AffinityRequest(affinity, gamma, neighbors, None, 3.0, 1.0, None)
        return request.matrix(x)
