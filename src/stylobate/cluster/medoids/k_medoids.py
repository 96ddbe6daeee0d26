"""k-medoids: clusters about rows of the table."""

from __future__ import annotations

import warnings
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.base import Interval, Numbers, Options
from stylobate.base.constraints import Seed
from stylobate.base.randomness import seed_of
from stylobate.cluster.medoids.base import MedoidClusters, Metric, MetricParams
from stylobate.cluster.medoids.certificate import OPTIMAL, PartitionCertificate
from stylobate.cluster.medoids.dissimilarities import Dissimilarities
from stylobate.cluster.medoids.lagrangian import (
    Bound,
    affordable_steps,
    lagrangian_bound,
    less_rounding,
)
from stylobate.cluster.medoids.methods import METHODS, SWAPS, Found, Request, search, swap, total_of
from stylobate.cluster.medoids.starts import INITS, deliberate, given_medoids
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning


class KMedoids(MedoidClusters):
    r"""k of the rows, such that the dissimilarities of all rows to the nearest add up to least.

    .. math:: \min_{|M| = k} \; \sum_i w_i \min_{m \in M} d(x_i, x_m)

    Unlike means, medoids are rows, so any dissimilarity will do: of mixed columns, of sets, of
    directions, or given numbers. Dissimilarities are computed by tiles, used and forgotten: memory
    is O(n (columns + 1)) plus at most 64 MiB. An n × n matrix is held only if it is given, if the
    metric is a Python function (or Gower's with one), or if it stays in the cache (n ≤ 1024).

    Parameters
    ----------
    n_clusters : int in [1, inf), default=8
        k, at most the number of rows.
    metric : str, callable or Metric, default="euclidean"
        Any of `stylobate.distances`; "gower" for frames of numbers, dates and categories;
        "precomputed" if X is the matrix of dissimilarities, ``X[i, j]`` being that of row i to
        medoid j; a function of two rows.
    metric_params : dict, default=None
        Parameters of the metric.
    method : {"fasterpam", "pam", "alternate", "onebatch"}, default="fasterpam"
        "fasterpam": swaps of a medoid and a row that lower the total, the best of each block of
        rows, until none is left. "pam": always the best swap of all. "alternate": assign rows, then
        find the best medoid of each cluster; quicker and worse. "onebatch": swaps judged by a
        sample of the rows, for many rows; *approximate*, and labelled so.
    init : {"auto", "build", "clara", "k-medoids++", "random"} or array-like, default="auto"
        First medoids. "build": each to lower the total most (k passes over all pairs, no chance);
        "clara": the medoids of a sample of max(500, 10 k) rows; "k-medoids++": drawn with a chance
        in proportion to the distance from those before; "random"; or the numbers of these rows.
        "auto": "build" up to k n² = 2·10⁷, else "clara".
    max_iter : int in [0, inf), default=300
        Passes over all rows as candidates, at most.
    n_init : int in [1, inf), default=1
        Starts of random ones, of which the best is kept.
    batch_size : int in [1, inf) or None, default=None
        Rows of the sample of "onebatch"; None: 100 log(k n).
    certificate_steps : int in [0, inf) or "auto", default="auto"
        Steps for a better lower bound in `certificate_`; each costs a pass over all pairs. Where
        they leave a gap, swaps start once more from the medoids the bound suggests. "auto": as many
        as 10⁸ pairs allow, up to 100, and none where that is less than 20 (n above 2236).
    random_state : int, RandomState, Generator or None, default=None
        Of random starts and samples.

    Attributes
    ----------
    medoid_indices_ : array of int64, shape (n_clusters,)
        The rows that are medoids.
    cluster_centers_ : array or csr_array of shape (n_clusters, n_features), or None
        Those rows; None for "precomputed".
    labels_ : array of int64, shape (n,)
        The cluster of each row.
    inertia_ : float
        The (weighted) sum of the dissimilarities of the rows to their medoids.
    n_iter_ : int
        Passes over the candidates.
    converged_ : bool
        Whether no swap (for "alternate", no step) lowers the total; with "onebatch", that of the
        sample.
    trace_ : array
        The total before the first swap and after each; of the sample with "onebatch".
    certificate_ : PartitionCertificate
        A proved lower bound of `inertia_` over all choices of medoids, from the Lagrangian of the
        p-median problem, and the gap.
    solver_reason_ : str
        What was done, in words.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    References
    ----------
    Schubert, Rousseeuw (2021), Fast and eager k-medoids clustering, Information Systems 101.
    De Mathelin et al. (2025), OneBatchPAM: a fast and frugal k-medoids algorithm, AAAI.
    Cornuéjols, Fisher, Nemhauser (1977), Location of bank accounts to optimize float, Management
    Science 23.

    Examples
    --------
    >>> X = [[1, 2], [1, 4], [1, 0], [10, 2], [10, 4], [10, 0]]
    >>> model = KMedoids(n_clusters=2, random_state=0).fit(X)
    >>> sorted(model.medoid_indices_.tolist()), model.inertia_
    ([0, 3], 8.0)
    >>> model.certificate_.optimal
    True
    >>> model.predict([[0, 0], [12, 3]]) == model.labels_[[0, 3]]
    array([ True,  True])
    """

    medoid_indices_: Indices
    labels_: Indices

    def __init__(
        self,
        n_clusters: Annotated[int, Interval(1, inf)] = 8,
        *,
        metric: Metric = "euclidean",
        metric_params: MetricParams = None,
        method: Annotated[str, Options(*METHODS)] = "fasterpam",
        init: Annotated[str, Options(*INITS)] | Annotated[Any, Numbers(0, inf)] = "auto",
        max_iter: Annotated[int, Interval(0, inf)] = 300,
        n_init: Annotated[int, Interval(1, inf)] = 1,
        batch_size: Annotated[int, Interval(1, inf)] | None = None,
        certificate_steps: Annotated[int, Interval(0, inf)]
        | Annotated[str, Options("auto")] = "auto",
        random_state: Annotated[Any, Seed()] = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.metric_params = metric_params
        self.method = method
        self.init = init
        self.max_iter = max_iter
        self.n_init = n_init
        self.batch_size = batch_size
        self.certificate_steps = certificate_steps
        self.random_state = random_state

    @property
    def _center_numbers(self) -> Indices:
        return self.medoid_indices_

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the medoids.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; with metric="precomputed", dissimilarities among them.
        y : ignored
            For compatibility.
        sample_weight : array-like of shape (n,), default=None
            Weights of the rows in the total. Rows of weight 0 are labelled and nothing else.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, None, sample_weight, reset=True)
        among = self._dissimilarities(table)
        weights = np.ones(among.n_rows) if table.weights is None else table.weights
        counted = np.flatnonzero(weights > 0.0)
        part = among if len(counted) == among.n_rows else among.part(counted)
        init = given_medoids(self.init, self.n_clusters, counted, "KMedoids")
        found, inertia, bound = self._proved(part, weights[counted], init)
        self.medoid_indices_, self.trace_ = counted[found.medoids], found.totals
        self.n_iter_, self.converged_ = found.passes, found.settled
        self.labels_ = np.asarray(among.costs().serve(self.medoid_indices_)[0]).view(np.int64)
        self.inertia_ = inertia
        self._check_answer(inertia, self.labels_)
        self._keep_centers(X, among, self.medoid_indices_)
        self.certificate_ = self._certificate(found, bound, len(counted))
        self.solver_reason_ = self._reason(found)
        if not found.settled:
            self._tell_unfinished()
        return self

    def _proved(
        self, among: Dissimilarities, weights: Array, init: Any
    ) -> tuple[Found, float, Bound | None]:
        """Medoids, their total, and a lower bound, whose own medoids are one more start."""
        found, total = self._best(among, weights, init)
        asked = self.certificate_steps
        steps = affordable_steps(len(weights) ** 2) if isinstance(asked, str) else asked
        known = self.n_clusters == 1 and found.settled and self.method in SWAPS
        if not steps or known or not 0.0 < total < inf:
            return found, total, None
        bound = _bound(among, weights, found.medoids, total, steps)
        if self.method in SWAPS and total - bound.value > OPTIMAL * total:
            other = swap(among, weights, bound.medoids, self._request(init))
            if other.totals[-1] < total * (1.0 - 1e-9):
                return other, total_of(among, weights, other.medoids), bound
        return found, total, bound

    def _request(self, init: Any) -> Request:
        return Request(self.n_clusters, self.method, init, self.max_iter, self.batch_size)

    def _best(self, among: Dissimilarities, weights: Array, init: Any) -> tuple[Found, float]:
        """The best of the starts and its total over all rows."""
        generator = np.random.default_rng(seed_of(self.random_state))
        drawn = self.method == "onebatch" or self._drawn(among.n_rows)
        best: tuple[Found, float] | None = None
        for _ in range(self.n_init if drawn else 1):
            found = search(among, weights, self._request(init), generator)
            total = total_of(among, weights, found.medoids)
            if best is None or total < best[1]:
                best = found, total
        assert best is not None
        return best

    def _drawn(self, n: int) -> bool:
        """Whether the first medoids are drawn."""
        if not isinstance(self.init, str):
            return False
        chosen = deliberate(self.n_clusters, n) if self.init == "auto" else self.init
        return chosen != "build"

    def _tell_unfinished(self) -> None:
        warnings.warn(
            f"KMedoids: stopped after max_iter={self.max_iter} passes, before a pass without a "
            "better swap; raise max_iter.",
            ConvergenceWarning,
            stacklevel=user_stacklevel(),
        )

    def _certificate(self, found: Found, bound: Bound | None, n: int) -> PartitionCertificate:
        batch = self.method == "onebatch"
        local = found.settled and self.method in SWAPS
        dual, why = 0.0, ""
        if self.inertia_ == 0.0:
            local, why = True, "dissimilarities are not negative"
        elif local and self.n_clusters == 1:
            dual, why = less_rounding(self.inertia_, self.inertia_, n), "every row was tried"
        elif bound is not None:
            dual = min(bound.value, self.inertia_)
            why = f"Lagrangian of the p-median problem, {bound.steps} steps"
        return PartitionCertificate(
            "Σ w d(x, medoid)", self.inertia_, dual, why, local, batch, proved=bool(why)
        )

    def _reason(self, found: Found) -> str:
        swaps = len(found.totals) - 1
        done = f"{self.method}: {swaps} changes in {found.passes} passes over the candidates"
        if self.method == "onebatch":
            return f"{done}, judged by a sample of the rows: approximate."
        return f"{done}; no more lower the total." if found.settled else f"{done}; stopped there."


def _bound(
    among: Dissimilarities, weights: Array, medoids: Indices, total: float, steps: int
) -> Bound:
    """The Lagrangian bound with equal rows as one: to choose a row twice would weaken it."""
    first, which = among.distinct()
    if not len(medoids) <= len(first) < among.n_rows:
        return lagrangian_bound(among.costs(), medoids, weights, total, steps)
    merged: Array = np.zeros(len(first))
    np.add.at(merged, which, weights)
    bound = lagrangian_bound(among.part(first).costs(), which[medoids], merged, total, steps)
    return bound._replace(medoids=first[bound.medoids])
