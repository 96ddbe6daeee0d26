"""Spectral clustering."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import (
    BaseEstimator,
    ClusterMixin,
    Interval,
    Options,
    RandomState,
    Tags,
)
from stylobate.base.randomness import stream_of
from stylobate.cluster.spectral.affinity import AFFINITIES, GIVEN, AffinityRequest
from stylobate.cluster.spectral.embedding import check_solver, tolerance_of
from stylobate.cluster.spectral.graph import graph_of
from stylobate.cluster.spectral.solution import (
    ASSIGNMENTS,
    LAPLACIANS,
    SpectralRequest,
    divide,
)
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning

Positive = Annotated[int, Interval(1, inf)]
NonNegative = Annotated[float, Interval(0, inf)]


class SpectralClustering(ClusterMixin, BaseEstimator):
    r"""Clusters of a graph of the rows, with few and weak edges between them.

    Rows become vertices with edges of weights :math:`w_{ij}`; the best division by the normalised
    cut

    .. math:: \sum_k \frac{W(A_k, \bar A_k)}{\mathrm{vol}(A_k)}

    is hard to find, but its relaxation is an eigenvalue problem of the graph's Laplacian: rows are
    clustered by the entries of the first eigenvectors. Clusters may have any shape that the graph
    can follow.

    Parameters
    ----------
    n_clusters : int in [1, n], default=8
        k.
    eigen_solver : {None, "arpack", "lobpcg", "amg"}, default=None
        Accepted for compatibility; the solver is chosen by the size of the graph
        (``solver_reason_``).
    n_components : int in [1, inf), default=None
        Eigenvectors to use; None for k.
    random_state : int, RandomState, Generator or None, default=None
        Of the starts of k-means and of "discretize".
    n_init : int in [1, inf), default=10
        Starts of k-means.
    gamma : float in [0, inf), default=1.0
        Of the kernels rbf, poly, sigmoid, laplacian and chi2 and of "gaussian_neighbors".
    affinity : str or callable, default="rbf"
        The weights: a kernel of `stylobate.metrics.pairwise` by name, or a function of two rows;
        "nearest_neighbors": 1 where both rows are among the other's nearest (each counts itself),
        ½ where one is; "either_neighbors": 1 where one is (no row counts itself);
        "gaussian_neighbors": :math:`e^{-\gamma \|x - y\|^2}` where one is;
        "epsilon_neighbors": 1 within ``radius``; "self_tuning": Gaussian with each row's distance
        to its ``n_neighbors``-th as its scale; "precomputed": X is the matrix;
        "precomputed_nearest_neighbors": X is a sparse matrix of distances.
    n_neighbors : int in [1, inf), default=10
        Of graphs of neighbours.
    eigen_tol : "auto" or float in [0, inf), default="auto"
        Accuracy of iterations for eigenvectors.
    assign_labels : {"kmeans", "discretize", "cluster_qr"}, default="kmeans"
        From eigenvectors to labels: k-means of their rows, the nearest indicators after a rotation,
        or a pivoted QR factorisation (no starts, no iterations).
    degree : float in [0, inf), default=3
        Of the kernel poly.
    coef0 : float, default=1
        Of the kernels poly and sigmoid.
    kernel_params : dict, default=None
        Further arguments of a function.
    n_jobs : ignored
        For compatibility.
    verbose : bool or int, default=False
        Whether to print what is done.
    laplacian : {"random_walk", "symmetric", "unnormalized"}, default="random_walk"
        Whose eigenvectors: of :math:`I - D^{-1} W` (Shi and Malik; scikit-learn's); of
        :math:`I - D^{-1/2} W D^{-1/2}` with rows scaled to length 1 (Ng, Jordan and Weiss); of
        :math:`D - W`, which goes by the ratio cut.
    radius : float in (0, inf), default=None
        Of "epsilon_neighbors".
    drop_first : bool, default=False
        Whether the first eigenvector, which is constant on a connected graph, is left out of those
        that are clustered; the `n_components` after it are kept.

    Attributes
    ----------
    labels_ : array of int, shape (n,)
        The cluster of each row.
    affinity_matrix_ : array or sparse of shape (n, n)
        The weights.
    embedding_ : array of shape (n, n_components)
        What was clustered: the eigenvectors.
    eigenvalues_ : array of shape (n_components,)
        Theirs, from 0 on.
    certificate_ : SpectralCertificate
        The cut, a lower bound of the smallest, and the residuals of the eigenpairs.
    cut_values_ : CutValues
        Cut, ratio cut and normalised cut of the labels.
    eigengap_ : Eigengap
        The gap after k eigenvalues, with a sentence and a picture.
    n_connected_components_ : int
        Of the graph. If they are k or more, they are the clusters.
    solver_reason_ : str
        How the answer was found, and why so.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[1, 1], [2, 1], [1, 0], [4, 7], [3, 5], [3, 6]]
    >>> model = SpectralClustering(n_clusters=2, assign_labels="discretize", random_state=0).fit(X)
    >>> bool(len(set(model.labels_[:3])) == len(set(model.labels_[3:])) == 1)
    True
    >>> print(model.eigengap_)
    The largest gap, 1.03, follows 2 eigenvalues: 2 clusters, as asked for.

    References
    ----------
    von Luxburg (2007), A tutorial on spectral clustering. Shi & Malik (2000), Normalized cuts and
    image segmentation. Ng, Jordan & Weiss (2002), On spectral clustering.
    """

    def __init__(
        self,
        n_clusters: Positive = 8,
        *,
        eigen_solver: Annotated[str, Options("arpack", "lobpcg", "amg")] | None = None,
        n_components: Positive | None = None,
        random_state: RandomState = None,
        n_init: Positive = 10,
        gamma: NonNegative = 1.0,
        affinity: Annotated[str, Options(*AFFINITIES)] | Callable[..., Any] = "rbf",
        n_neighbors: Positive = 10,
        eigen_tol: Annotated[str, Options("auto")] | NonNegative = "auto",
        assign_labels: Annotated[str, Options(*ASSIGNMENTS)] = "kmeans",
        degree: NonNegative = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        laplacian: Annotated[str, Options(*LAPLACIANS)] = "random_walk",
        radius: Annotated[float, Interval(0, inf, closed="neither")] | None = None,
        drop_first: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.eigen_solver = eigen_solver
        self.n_components = n_components
        self.random_state = random_state
        self.n_init = n_init
        self.gamma = gamma
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.eigen_tol = eigen_tol
        self.assign_labels = assign_labels
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.laplacian = laplacian
        self.radius = radius
        self.drop_first = drop_first

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True, pairwise=self._given)

    @property
    def _given(self) -> bool:
        return isinstance(self.affinity, str) and self.affinity in GIVEN

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, at least 2; affinities or distances of shape (n, n) with a given matrix.
        y : object, optional
            Ignored; there so that pipelines can pass it.

        Returns
        -------
        self
        """
        self._check_parameters()
        check_solver(self.eigen_solver)
        x = self._rows(X)
        request = AffinityRequest(
            self.affinity,
            self.gamma,
            self.n_neighbors,
            self.radius,
            self.degree,
            self.coef0,
            self.kernel_params,
        )
        self.affinity_matrix_ = request.matrix(x)
        found = divide(graph_of(self.affinity_matrix_), self._request())
        self.labels_ = found.labels
        self.embedding_ = found.embedding
        self.eigenvalues_ = found.eigenvalues
        self.certificate_ = found.certificate
        self.cut_values_ = found.cuts
        self.eigengap_ = found.eigengap
        self.n_connected_components_ = found.components
        self.solver_reason_ = found.reason
        return self

    def _rows(self, X: Any) -> Any:
        table = self._read(X, reset=True)
        x = table.x
        if x.shape[0] < 2:
            raise InvalidDataError(
                f"Found array with {x.shape[0]} sample(s) (shape={x.shape}) while a minimum of 2 "
                "is required by SpectralClustering."
            )
        if x.shape[0] == x.shape[1] and not self._given:
            warnings.warn(
                "The spectral clustering API has changed. ``fit`` now constructs an affinity "
                "matrix from data. To use a custom affinity matrix, set ``affinity=precomputed``.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        return x.astype(np.float64, copy=False)

    def _request(self) -> SpectralRequest:
        return SpectralRequest(
            self.n_clusters,
            self.n_components,
            self.drop_first,
            self.laplacian,
            self.assign_labels,
            self.n_init,
            tolerance_of(self.eigen_tol),
            stream_of(self.random_state),
            bool(self.verbose),
        )


def spectral_clustering(
    affinity: Any,
    *,
    n_clusters: int = 8,
    n_components: int | None = None,
    eigen_solver: str | None = None,
    random_state: Any = None,
    n_init: int = 10,
    eigen_tol: float | str = "auto",
    assign_labels: str = "kmeans",
    verbose: bool = False,
) -> NDArray[Any]:
    """The labels of `SpectralClustering` for a matrix of affinities.

    Parameters
    ----------
    affinity : array-like or sparse of shape (n, n)
        Weights of edges, symmetric.
    n_clusters, n_components, eigen_solver, random_state, n_init, eigen_tol, assign_labels, verbose
        As for `SpectralClustering`.

    Returns
    -------
    array of int, shape (n,)

    Examples
    --------
    >>> W = np.kron(np.eye(2), np.ones((3, 3))) + 0.01
    >>> found = spectral_clustering(W, n_clusters=2, assign_labels="cluster_qr")
    >>> bool(len(set(found[:3])) == len(set(found[3:])) == 1)
    True
    """
    if isinstance(affinity, np.matrix):
        raise InvalidParameterError(
            "np.matrix is not supported. Please convert to a numpy array with np.asarray."
        )
    model = SpectralClustering(
        n_clusters,
        n_components=n_components,
        eigen_solver=eigen_solver,
        random_state=random_state,
        n_init=n_init,
        eigen_tol=eigen_tol,
        assign_labels=assign_labels,
        verbose=verbose,
        affinity="precomputed",
    )
    return model.fit(affinity).labels_
