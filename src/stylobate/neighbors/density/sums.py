"""Kernel densities of a table of any size, at queries in memory: a statistic of one pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.distances import Metric, metric_of
from stylobate.neighbors.density.bump_sums import BumpSums, choose_sums
from stylobate.neighbors.density.kernel_density import KernelDensity
from stylobate.neighbors.density.kernel_norms import log_norm
from stylobate.neighbors.indexes.metric import effective_metric
from stylobate.neighbors.indexes.nearest_rows import rows_read_by
from stylobate.statistics.rows import counted


@dataclass(frozen=True, slots=True, eq=False)
class DensitySums:
    r"""The logarithms of :math:`\sum_i w_i K(d(q, x_i) / h)` at each query, and of what weight.

    Parameters
    ----------
    logs : array of shape (queries,)
        −inf where no bump reaches.
    total : float
        The sum of the weights, the number of rows without.

    Examples
    --------
    >>> one = DensitySums(np.log([1.0, 2.0]), 5.0)
    >>> np.exp(one.merge(DensitySums(np.array([-np.inf, 0.0]), 2.0)).logs).round(12)
    array([1., 3.])
    """

    logs: Array
    total: float

    subtractable: ClassVar[bool] = False

    def merge(self, other: Self) -> Self:
        """Of the rows of both parts."""
        return type(self)(np.logaddexp(self.logs, other.logs), self.total + other.total)

    def is_finite(self) -> bool:
        return True  # the door has looked at the rows

    def column_lengths(self) -> Array:
        return np.empty(0)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"logs": self.logs, "total": np.array([self.total])}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        return cls(np.array(arrays["logs"]), float(arrays["total"][0]))


@dataclass(frozen=True, slots=True, eq=False)
class DensityAt:
    """The queries at which bumps of one width are to be summed.

    Parameters
    ----------
    queries : ndarray of shape (n, p)
        Checked, of doubles.
    kernel : str
        K, as of `KernelDensity`.
    metric : Metric
        With all it takes from rows already given.
    width : float
        The bandwidth h.
    """

    queries: Array
    kernel: str
    metric: Metric
    width: float

    def of(self, table: Table) -> DensitySums:
        """Of the rows of a table, weighted if they are."""
        table = counted(table)
        if not table.n_rows:
            return DensitySums(np.full(len(self.queries), -np.inf), 0.0)
        points, weights = np.asarray(table.x), table.weights
        by_tree, _ = choose_sums("auto", self.metric, points, weights)
        sums = BumpSums(self.kernel, self.metric, points, weights, by_tree)
        total = float(table.n_rows if weights is None else weights.sum())
        return DensitySums(sums.logs(self.queries, self.width), total)


def kernel_log_density(
    rows: Any,
    queries: Any,
    bandwidth: float,
    *,
    kernel: str = "gaussian",
    metric: str = "euclidean",
    metric_params: Mapping[str, Any] | None = None,
    features: Sequence[str] | None = None,
    weight: str | None = None,
) -> Array:
    """The logarithm of a kernel density of rows that need not fit into memory, in one pass.

    `KernelDensity.score_samples` of all rows, summed window by window.

    Parameters
    ----------
    rows : stream, relation of `stylobate.read`, Arrow reader, iterable of batches, table-like
        The points that bumps stand on; read once.
    queries : table-like of shape (n, n_features)
        Where the density is wanted, in memory.
    bandwidth : float in (0, inf)
        Width of the bumps.
    kernel : str, default="gaussian"
        As of `KernelDensity`.
    metric : str, default="euclidean"
        As of `KernelDensity`; variances of "seuclidean" and "mahalanobis" must be given.
    metric_params : mapping, default=None
        Further arguments of the metric.
    features : sequence of str, default=None
        The columns of `rows` to use; all but the weights by default.
    weight : str, default=None
        The column of `rows` with weights.

    Returns
    -------
    array of shape (n,)
        −inf where no bump reaches.

    Examples
    --------
    >>> batches = [np.array([[0.0]]), np.array([[1.0]])]
    >>> logs = kernel_log_density(iter((each,) for each in batches), [[0.5]], bandwidth=0.5)
    >>> np.exp(logs).round(4)  # the normal density at 1 standard deviation
    array([0.4839])
    """
    parameters = None if metric_params is None else dict(metric_params)
    model = KernelDensity(
        bandwidth=float(bandwidth), kernel=kernel, metric=metric, metric_params=parameters
    )
    model._check_parameters()
    source = rows_read_by(model, rows, "kernel_log_density", features=features, weight=weight)
    columns = source.n_features  # the first rows are read: the model knows its columns
    distance = metric_of(*effective_metric(metric, 2, parameters))
    distance.form(columns)  # refuses what is not given of it
    asked = np.ascontiguousarray(model._read(queries, reset=False).x, dtype=np.float64)
    sums = source.compute(DensityAt(asked, kernel, distance, float(bandwidth)))
    norm = log_norm(kernel, columns) - columns * log(bandwidth)
    return sums.logs + norm - log(sums.total)
