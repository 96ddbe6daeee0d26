"""Isomap: classical scaling of distances along the surface the rows lie on."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import Interval, Options, Tags, TransformerMixin
from stylobate.data import Table
from stylobate.decomposition import KernelPCA
from stylobate.decomposition.certificate import ComponentCertificate
from stylobate.exceptions import InvalidParameterError
from stylobate.manifold.graphs.geodesics import graph_of_matrix, joined_graph
from stylobate.manifold.row_distances import RowDistances
from stylobate.neighbors import NearestNeighbors
from stylobate.neighbors.base import ExactAlgorithm, Metric, MetricEstimator, MetricParams, Power
from stylobate.parallel import one_blas_thread

_BLOCK_NUMBERS = 1 << 21  # distances looked at together


class Isomap(TransformerMixin, MetricEstimator):
    r"""Coordinates whose distances are those along the surface that the rows lie on.

    Rows are joined with their nearest; :math:`d_{ij}` is the length of the shortest path from i to
    j. Classical scaling gives coordinates: the leading eigenvectors of

    .. math:: K = -\tfrac12 H D^{(2)} H, \quad H = I - \tfrac1n 1 1^T, \quad
              z_j = \sqrt{\lambda_j}\, v_j.

    Memory is O(n²), the paths O(n² log n) in all, from many rows at a time.

    Parameters
    ----------
    n_neighbors : int in [1, inf) or None, default=5
        How many rows each is joined with. Fewer follow the surface more closely, too few tear it.
    radius : float in (0, inf) or None, default=None
        Join rows within this distance instead; then n_neighbors must be None.
    n_components : int in [1, inf), default=2
        How many coordinates.
    eigen_solver : {"auto", "arpack", "dense"}, default="auto"
        How eigenvectors are found, as of `KernelPCA`.
    tol : float in [0, inf), default=0
        Relative residual at which iterations stop; 0 for 1e-10.
    max_iter : int in [1, inf) or None, default=None
        Products at most.
    path_method : {"auto", "FW", "D"}, default="auto"
        Accepted for compatibility: the shortest paths are the same.
    neighbors_algorithm : {"auto", "brute", "kd_tree", "ball_tree"}, default="auto"
        How neighbours are found.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.
    metric : str or callable, default="minkowski"
        Of the rows; "precomputed" for a matrix of distances.
    p : float in (0, inf], default=2
        Power of the Minkowski metric.
    metric_params : dict or None, default=None
        Further arguments of the metric.

    Attributes
    ----------
    embedding_ : array of shape (n, n_components)
        The coordinates; of each eigenvector the entry of largest size is positive.
    dist_matrix_ : array of shape (n, n)
        Lengths of the shortest paths.
    kernel_pca_ : KernelPCA
        Of K.
    nbrs_ : NearestNeighbors
        The rows.
    n_connected_components_ : int
        Of the graph of neighbours. Where there are several the closest rows of every two are
        joined, with a warning: their places to each other mean little.
    certificate_ : ComponentCertificate
        A bound for the error of each eigenpair.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    A spiral is unrolled: its coordinate is the length along it.

    >>> angle = np.linspace(1.0, 10.0, 60)
    >>> spiral = np.column_stack([angle * np.cos(angle), angle * np.sin(angle)])
    >>> model = Isomap(n_neighbors=2, n_components=1).fit(spiral)
    >>> bool((np.diff(model.embedding_[:, 0]) > 0).all())
    True
    >>> model.transform([[8.0, -4.0]]).round(0)
    array([[-2.]])

    References
    ----------
    Tenenbaum, de Silva & Langford (2000), A global geometric framework for nonlinear dimensionality
    reduction, Science 290.
    """

    nbrs_: NearestNeighbors
    kernel_pca_: KernelPCA
    dist_matrix_: NDArray[Any]
    embedding_: NDArray[Any]
    certificate_: ComponentCertificate

    def __init__(
        self,
        *,
        n_neighbors: Annotated[int, Interval(1, inf)] | None = 5,
        radius: Annotated[float, Interval(0, inf, closed="right")] | None = None,
        n_components: Annotated[int, Interval(1, inf)] = 2,
        eigen_solver: Annotated[str, Options("auto", "arpack", "dense")] = "auto",
        tol: Annotated[float, Interval(0, inf)] = 0,
        max_iter: Annotated[int, Interval(1, inf)] | None = None,
        path_method: Annotated[str, Options("auto", "FW", "D")] = "auto",
        neighbors_algorithm: ExactAlgorithm = "auto",
        n_jobs: int | None = None,
        metric: Metric = "minkowski",
        p: Power = 2,
        metric_params: MetricParams = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.n_components = n_components
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.path_method = path_method
        self.neighbors_algorithm = neighbors_algorithm
        self.n_jobs = n_jobs
        self.metric = metric
        self.p = p
        self.metric_params = metric_params

    def _tags(self) -> Tags:
        return super()._tags().but(multi_output=False, preserves_dtype=("float64", "float32"))

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    # --- learning -------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the coordinates of rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; distances of shape (n, n) with metric="precomputed".
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
        if (self.n_neighbors is None) == (self.radius is None):
            both = "Both" if self.radius is not None else "Neither"
            raise InvalidParameterError(
                f"{both} n_neighbors and radius are provided. Use "
                f"Isomap(radius={self.radius}, n_neighbors=None) if intended to use "
                "radius-based neighbors"
            )
        table = self._read(X, reset=True)
        self.nbrs_ = self._neighbors().fit(X)
        by_radius = self.n_neighbors is None
        search = self.nbrs_.radius_neighbors_graph if by_radius else self.nbrs_.kneighbors_graph
        rows = RowDistances(self.nbrs_._metric, self.nbrs_._fit_X)
        graph = graph_of_matrix(search(mode="distance"))
        graph, self.n_connected_components_ = joined_graph(graph, rows, "Isomap")
        distances = graph.distances()
        kernel = np.square(distances)
        kernel *= -0.5
        self.kernel_pca_ = KernelPCA(
            self.n_components,
            kernel="precomputed",
            eigen_solver=self.eigen_solver,
            tol=self.tol,
            max_iter=self.max_iter,
            random_state=0,  # of the start of iterations; the answer does not depend on it
        )
        kind = table.x.dtype
        with one_blas_thread():  # products with few columns wait for memory, not for cores
            coordinates = self.kernel_pca_.fit_transform(kernel)
        self.embedding_ = coordinates.astype(kind, copy=False)
        self.dist_matrix_ = distances.astype(kind, copy=False)
        self.certificate_ = self.kernel_pca_.certificate_
        return table

    def _neighbors(self) -> NearestNeighbors:
        return NearestNeighbors(
            n_neighbors=5 if self.n_neighbors is None else self.n_neighbors,
            radius=1.0 if self.radius is None else self.radius,
            algorithm=self.neighbors_algorithm,
            metric=self.metric,
            p=self.p,
            metric_params=self.metric_params,
        )

    def reconstruction_error(self) -> float:
        r"""How much of the distances along the surface the coordinates leave out.

        .. math:: \frac1n \|K - \sum_j \lambda_j v_j v_j^T\|_F

        Returns
        -------
        float
        """
        self._check_fitted()
        n = len(self.dist_matrix_)
        means = self.kernel_pca_.kernel_means_
        squares = 0.0
        step = max(1, _BLOCK_NUMBERS // n)
        for first in range(0, n, step):
            block = -0.5 * np.square(self.dist_matrix_[first : first + step], dtype=np.float64)
            block -= means[first : first + step, np.newaxis]
            block -= means - means.mean()
            squares += float(np.vdot(block, block))
        values = np.asarray(self.kernel_pca_.eigenvalues_, dtype=np.float64)
        return float(np.sqrt(max(squares - float(values @ values), 0.0)) / n)

    # --- new points -----------------------------------------------------------------------------

    def transform(self, X: Any) -> Any:
        """Coordinates of new rows: paths lead through their nearest rows of the fit.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (m, n_features)
            Rows; their distances to those of the fit with metric="precomputed".

        Returns
        -------
        array or frame of shape (m, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        scores = np.empty((table.n_rows, self._n_features_out))
        search = self.nbrs_.radius_neighbors if self.n_neighbors is None else self.nbrs_.kneighbors
        distances, near = search(X)
        step = max(1, _BLOCK_NUMBERS // len(self.dist_matrix_))
        for first in range(0, table.n_rows, step):
            part = slice(first, first + step)
            kernel = np.square(self._paths(distances[part], near[part]))
            kernel *= -0.5
            scores[part] = self.kernel_pca_.transform(kernel)
        return self._wrap(scores.astype(table.x.dtype, copy=False), table)

    def _paths(self, distances: Any, near: Any) -> Array:
        """Lengths of the shortest paths to all rows of the fit."""
        known = self.dist_matrix_
        if distances.dtype == object:  # within a radius there are more or fewer
            if not all(len(rows) for rows in near):
                raise InvalidParameterError(
                    "Isomap.transform: some rows have no row of the fit within the radius "
                    f"{self.radius}; a larger radius, or n_neighbors, would join them."
                )
            pairs = zip(distances, near, strict=True)
            return np.array([np.min(known[rows] + d[:, None], axis=0) for d, rows in pairs])
        paths = known[near[:, 0]] + distances[:, :1]
        for j in range(1, near.shape[1]):
            np.minimum(paths, known[near[:, j]] + distances[:, j : j + 1], out=paths)
        return np.asarray(paths, dtype=np.float64)
