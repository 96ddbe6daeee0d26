"""Graphs of rows: kernels, nearest neighbours, balls, and scales of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.distances import measured
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.pairwise.dispatch import KERNEL_PARAMS, pairwise_kernels
from stylobate.neighbors.graph import kneighbors_graph, radius_neighbors_graph
from stylobate.neighbors.unsupervised import NearestNeighbors

GIVEN = ("precomputed", "precomputed_nearest_neighbors")
AFFINITIES = (
    *sorted(KERNEL_PARAMS),
    "nearest_neighbors",
    "either_neighbors",
    "gaussian_neighbors",
    "epsilon_neighbors",
    "self_tuning",
    *GIVEN,
)


@dataclass(frozen=True, slots=True)
class AffinityRequest:
    """What the parameters of an estimator say of the graph."""

    affinity: Any
    gamma: float
    n_neighbors: int
    radius: float | None
    degree: float
    coef0: float
    kernel_params: dict[str, Any] | None

    def matrix(self, x: Any) -> Any:
        """The affinity matrix of checked rows, or the one they are."""
        if self.affinity == "precomputed":
            return x
        if self.affinity == "nearest_neighbors":
            return _mutual(kneighbors_graph(x, self._neighbours(x), include_self=True))
        if self.affinity == "precomputed_nearest_neighbors":
            known = NearestNeighbors(n_neighbors=self.n_neighbors, metric="precomputed").fit(x)
            return _mutual(known.kneighbors_graph(x, mode="connectivity"))
        if self.affinity == "either_neighbors":
            graph = kneighbors_graph(x, min(self._neighbours(x), x.shape[0] - 1))
            return graph.maximum(graph.T)
        if self.affinity == "gaussian_neighbors":
            return self._gaussian_neighbours(x)
        if self.affinity == "epsilon_neighbors":
            return radius_neighbors_graph(x, self._checked_radius(), include_self=True)
        if self.affinity == "self_tuning":
            return self_tuning_affinity(x, self.n_neighbors)
        return self._kernel(x)

    def _kernel(self, x: Any) -> Any:
        params = dict(self.kernel_params or {})
        if not callable(self.affinity):
            params |= {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}
        return pairwise_kernels(x, metric=self.affinity, filter_params=True, **params)

    def _gaussian_neighbours(self, x: Any) -> Any:
        """An edge where one of two rows is among the other's nearest, by its Gaussian weight."""
        graph = kneighbors_graph(x, min(self._neighbours(x), x.shape[0] - 1), mode="distance")
        graph.data = np.exp(-self.gamma * graph.data**2)
        return graph.maximum(graph.T)

    def _neighbours(self, x: Any) -> int:
        if self.n_neighbors > x.shape[0]:
            raise InvalidDataError(
                f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {self.n_neighbors}, "
                f"n_samples_fit = {x.shape[0]}, n_samples = {x.shape[0]}"
            )
        return self.n_neighbors

    def _checked_radius(self) -> float:
        if self.radius is None:
            raise InvalidParameterError(
                "SpectralClustering: affinity='epsilon_neighbors' joins rows within a radius of "
                "each other; set radius."
            )
        return self.radius


def self_tuning_affinity(x: Any, n_neighbors: int = 7) -> Array:
    r"""Gaussian affinities with a scale for each row, that of its neighbourhood.

    .. math:: w_{ij} = \exp\left(-\frac{\|x_i - x_j\|^2}{\sigma_i \sigma_j}\right)

    with :math:`\sigma_i` the distance of row i to its k-th nearest other row.

    Parameters
    ----------
    x : ndarray or csr_array of shape (n, p)
        Checked rows.
    n_neighbors : int in [1, inf), default=7
        k; at most n - 1 are there.

    References
    ----------
    Zelnik-Manor & Perona (2004), Self-tuning spectral clustering.

    Examples
    --------
    >>> self_tuning_affinity(np.array([[0.0], [1.0], [3.0]]), 1).round(3)
    array([[1.   , 0.368, 0.011],
           [0.368, 1.   , 0.135],
           [0.011, 0.135, 1.   ]])
    """
    pairs = measured(x, x, "sqeuclidean")
    k = max(1, min(n_neighbors, x.shape[0] - 1))
    scales = np.sqrt(pairs.nearest(k, skip_self=True)[0][:, -1])
    squares = np.asarray(pairs.write(), dtype=np.float64)
    scales = np.maximum(scales, np.finfo(np.float64).tiny ** 0.5)  # rows that are equal
    return np.asarray(np.exp(-squares / scales[:, None] / scales))


def _mutual(connectivity: Any) -> Any:
    return 0.5 * (connectivity + connectivity.T)
