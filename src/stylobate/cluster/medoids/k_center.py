"""k-centres: clusters of which the largest radius is small."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Indices
from stylobate.base import Interval
from stylobate.base.constraints import Seed
from stylobate.base.randomness import seed_of
from stylobate.cluster.medoids.base import MedoidClusters, Metric, MetricParams
from stylobate.cluster.medoids.certificate import PartitionCertificate
from stylobate.cluster.medoids.dissimilarities import Dissimilarities
from stylobate.distances import Precomputed
from stylobate.exceptions import InvalidDataError

_MOST = 2_000_000_000  # comparisons for the better of the two bounds
_CLEARLY = 1.0 - 1e-12  # an exchange must shrink the radius by more than rounding does


class _Centers(NamedTuple):
    numbers: Indices
    radii: list[float]
    local: bool  # no exchange is better


class KCenter(MedoidClusters):
    r"""k of the rows, such that the row farthest from them is as near as possible.

    .. math:: \min_{|C| = k} \; \max_i \, \min_{c \in C} d(x_i, x_c)

    Always adding the row farthest from the centres so far gives at most twice the smallest radius,
    if the triangle inequality holds (Gonzalez). Then, as long as the radius shrinks, clusters get
    the centre from which their farthest row is least far, or a centre is exchanged for a row near
    the farthest one. Memory is O(n (columns + k)).

    **The proof.** Of any k + 1 rows two are served by the same centre. So no radius is below

    .. math:: \min_{p \ne q} \min_c \max\big(d(x_p, x_c), d(x_q, x_c)\big)

    over k + 1 rows that are far from one another, which needs no triangle inequality and is never
    less than half of their smallest distance, where it holds.

    Parameters
    ----------
    n_clusters : int in [1, inf), default=8
        k, at most the number of rows.
    metric : str, callable or Metric, default="euclidean"
        Any of `stylobate.distances`, "gower" for mixed frames, "precomputed" if X is the
        (symmetric) matrix of dissimilarities, or a function of two rows.
    metric_params : dict, default=None
        Parameters of the metric.
    max_iter : int in [0, inf), default=100
        Steps after the farthest-first choice, at most.
    n_init : int in [1, inf), default=1
        Starts, of which the best is kept: the first begins at row 0, the others at random rows.
    random_state : int, RandomState, Generator or None, default=None
        Of the rows that starts after the first begin with.

    Attributes
    ----------
    center_indices_ : array of int64, shape (n_clusters,)
        The rows that are centres.
    cluster_centers_ : array or csr_array of shape (n_clusters, n_features), or None
        Those rows; None for "precomputed".
    labels_ : array of int64, shape (n,)
        The cluster of each row.
    radius_ : float
        The largest distance of a row from its centre.
    radii_ : array of shape (n_clusters,)
        The same of each cluster.
    n_iter_ : int
        Steps that shrank the radius.
    trace_ : array
        The radius of the farthest-first choice and after each step.
    certificate_ : PartitionCertificate
        A proved lower bound of the radius, and the factor of the answer over it.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    References
    ----------
    Gonzalez (1985), Clustering to minimize the maximum intercluster distance, Theoretical Computer
    Science 38.
    Hochbaum, Shmoys (1985), A best possible heuristic for the k-center problem, Mathematics of
    Operations Research 10.

    Examples
    --------
    >>> model = KCenter(n_clusters=2).fit([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    >>> sorted(model.cluster_centers_.ravel().tolist()), model.radius_
    ([1.0, 11.0], 1.0)
    >>> model.certificate_.factor
    1.0
    """

    center_indices_: Indices
    labels_: Indices

    def __init__(
        self,
        n_clusters: Annotated[int, Interval(1, inf)] = 8,
        *,
        metric: Metric = "euclidean",
        metric_params: MetricParams = None,
        max_iter: Annotated[int, Interval(0, inf)] = 100,
        n_init: Annotated[int, Interval(1, inf)] = 1,
        random_state: Annotated[Any, Seed()] = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.metric_params = metric_params
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

    @property
    def _center_numbers(self) -> Indices:
        return self.center_indices_

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the centres.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; with metric="precomputed", dissimilarities among them.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        among = self._dissimilarities(self._read(X, reset=True))
        _refuse_one_way(among)
        costs = among.costs()
        best, bound = self._best(among, costs)
        labels, nearest, _ = costs.serve(best.numbers)
        self.labels_ = np.asarray(labels).view(np.int64)
        self.radius_ = float(np.max(nearest))
        self._check_answer(self.radius_, self.labels_)
        self.radii_ = np.zeros(self.n_clusters)
        np.maximum.at(self.radii_, self.labels_, np.asarray(nearest))
        self.center_indices_, self.trace_ = best.numbers, np.array(best.radii)
        self.n_iter_ = len(best.radii) - 1
        self._keep_centers(X, among, best.numbers)
        why = "two of k + 1 far rows share a centre" if self.radius_ else "no distance is negative"
        self.certificate_ = PartitionCertificate(
            "max d(x, centre)",
            self.radius_,
            min(bound, self.radius_),
            why,
            best.local,
            proved=bound > 0.0 or self.radius_ == 0.0,
        )
        return self

    def _best(self, among: Dissimilarities, costs: _core.MedoidCosts) -> tuple[_Centers, float]:
        """The centres of the smallest radius and the largest bound that the starts gave."""
        generator = np.random.default_rng(seed_of(self.random_state))
        best: _Centers | None = None
        bound, start = 0.0, 0
        for _ in range(self.n_init):
            far, _ = costs.farthest_first(start, self.n_clusters)
            points = np.asarray(far).view(np.int64)
            bound = max(bound, _far_bound(among, costs, points, self.n_clusters))
            found = _improve(among, costs, points[: self.n_clusters], self.max_iter)
            if best is None or found.radii[-1] < best.radii[-1]:
                best = found
            start = int(generator.integers(among.n_rows))
        assert best is not None
        return best, bound


def _improve(
    among: Dissimilarities, costs: _core.MedoidCosts, numbers: Indices, most: int
) -> _Centers:
    """Better centres of the clusters, and rows near the farthest one, while the radius shrinks."""
    radii = [_radius(costs, numbers)]
    while len(radii) <= most and 0.0 < radii[-1] < inf:
        numbers = _recentred(among, costs, numbers)
        radius = _radius(costs, numbers)
        if not radius < radii[-1] * _CLEARLY:
            numbers = _exchanged(among, costs, numbers, radii[-1])
            radius = _radius(costs, numbers)
        if not radius < radii[-1] * _CLEARLY:
            return _Centers(numbers, radii, True)
        radii.append(radius)
    return _Centers(numbers, radii, radii[-1] == 0.0)


def _radius(costs: _core.MedoidCosts, numbers: Indices) -> float:
    return float(np.max(costs.serve(numbers)[1]))


def _recentred(among: Dissimilarities, costs: _core.MedoidCosts, numbers: Indices) -> Indices:
    """Of each cluster the row from which its farthest row is least far."""
    labels, nearest, _ = map(np.asarray, costs.serve(numbers))
    better = numbers.copy()
    for cluster in range(len(numbers)):
        members = np.flatnonzero(labels == cluster)
        if len(members) < 3 or not (worst := nearest[members].max()) > 0.0:
            continue
        within = among.costs(members, members)
        radius, candidate, _ = _core.MedoidCosts.replacement(within, within, np.array([0]))
        if radius < worst * _CLEARLY:
            better[cluster] = members[candidate]
    return better


def _exchanged(
    among: Dissimilarities, costs: _core.MedoidCosts, numbers: Indices, radius: float
) -> Indices:
    """One centre for a row near the farthest one, whichever leaves the smallest radius."""
    nearest = np.asarray(costs.serve(numbers)[1])
    # the farthest row must come nearer, so one of the rows near it must become a centre
    about = np.asarray(costs.distances(np.array([np.argmax(nearest)])))[0]
    near = np.flatnonzero(about < radius * _CLEARLY)
    found, candidate, centre = _core.MedoidCosts.replacement(
        costs, among.costs(None, near), numbers
    )
    better = numbers.copy()
    if found < radius * _CLEARLY:
        better[centre] = near[candidate]
    return better


def _far_bound(among: Dissimilarities, costs: _core.MedoidCosts, points: Indices, k: int) -> float:
    """A lower bound of every radius, from k + 1 rows that are far from one another."""
    if len(points) <= k:
        return 0.0
    rows = np.asarray(costs.distances(points))
    if len(points) ** 2 * among.n_rows > _MOST:
        apart = rows[:, points]
        np.fill_diagonal(apart, inf)
        return 0.5 * float(apart.min()) * _CLEARLY if among.metric.triangle else 0.0
    return min(float(_meeting(rows[p], rows[p + 1 :]).min()) for p in range(len(points) - 1))


def _meeting(row: Array, others: Array) -> Array:
    """For each of the others, how near one row can be to both."""
    return np.asarray(np.maximum(row, others).min(axis=1))


def _refuse_one_way(among: Dissimilarities) -> None:
    if isinstance(among.metric, Precomputed) and not np.allclose(
        among.matrix, among.matrix.T, rtol=1e-9, atol=0.0
    ):
        raise InvalidDataError(
            "KCenter: with metric='precomputed', X must be symmetric: the distance of two rows "
            "does not depend on their order."
        )
