"""k-means."""

from __future__ import annotations

import warnings
from copy import deepcopy
from dataclasses import replace
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import Interval, Options, RandomState, Tags
from stylobate.base.randomness import stream_of
from stylobate.cluster.base import BaseKMeans, ParameterWarning
from stylobate.cluster.certificate import of_inertia
from stylobate.cluster.dense import best_run, way_for
from stylobate.cluster.line import best_on_line
from stylobate.cluster.lloyd import Run, Stopping, iterate
from stylobate.cluster.passes import SampleOf
from stylobate.cluster.starts import Init, Positive, refuse_few_rows, starts
from stylobate.data import Table
from stylobate.data.streams import Stream
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning, joined
from stylobate.parallel import join_threadpoolctl
from stylobate.statistics import ColumnMoments, Source

START_ROWS = 1 << 17  # starts are drawn from a sample of so many rows where there are more

Algorithm = Annotated[str, Options("lloyd", "elkan", "auto", "full", "hamerly", "yinyang")]
Restarts = Annotated[str, Options("auto")] | Positive
Tolerance = Annotated[float, Interval(0, inf)]
Verbosity = Annotated[int, Interval(0, inf)] | bool


class KMeans(BaseKMeans):
    r"""Centres such that rows are near to the nearest of them.

    .. math:: \min_{\mu_1 \dots \mu_k} \sum_i w_i \min_c \|x_i - \mu_c\|^2

    by Lloyd's iterations: each row goes to the nearest centre, each centre to the mean of its rows.

    Parameters
    ----------
    n_clusters : int in [1, n], default=8
        k.
    init : {"k-means++", "random"}, callable or array of shape (k, p), default="k-means++"
        Where to start: rows drawn far from one another (`kmeans_plusplus`), rows drawn at random,
        what ``init(X, k, random_state=...)`` returns, or these centres. With more than 131072 rows
        (or 32 k, if that is more) starts are drawn from a sample of so many.
    n_init : "auto" or int in [1, inf), default="auto"
        Starts, of which the best is kept; "auto": 10 for "random" and callables, else 1.
    max_iter : int in [1, inf), default=300
        Most iterations from a start.
    tol : float in [0, inf), default=1e-4
        Iterations end when the centres' squared shifts sum to no more than ``tol`` times the mean
        variance of the columns, or when no row changes its centre.
    verbose : int in [0, inf), default=0
        Whether to print the inertia of each iteration.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the starts; the same seed starts where scikit-learn does.
    copy_x : bool, default=True
        Accepted for compatibility; X is never written to.
    algorithm : {"lloyd", "elkan", "auto", "full", "hamerly", "yinyang", "exact"}, default="lloyd"
        "lloyd" and "auto" take the quickest way for the shape of the rows, the others the way they
        name: "full" measures every row against every centre, "hamerly", "yinyang" and "elkan" have
        bounds for each row, for groups of centres and for each centre that spare most of it. Labels
        and centres have the same bits on all these ways. "exact" finds the optimum for rows of one
        column.

    Attributes
    ----------
    cluster_centers_ : array of shape (k, p)
        The centres.
    labels_ : array of int32, shape (n,)
        The centre of each row.
    inertia_ : float
        The minimum found.
    n_iter_ : int
        Iterations from the best start.
    certificate_ : ClusteringCertificate
        What is proved of the answer.
    trace_ : array of shape (n_iter_,)
        The inertia about the new centres, iteration by iteration; it never rises.
    solver_, solver_reason_ : str
        The way the iterations took, and why.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[1.0, 2.0], [1.0, 4.0], [1.0, 0.0], [10.0, 2.0], [10.0, 4.0], [10.0, 0.0]]
    >>> model = KMeans(n_clusters=2, random_state=0).fit(X)
    >>> model.cluster_centers_
    array([[10.,  2.],
           [ 1.,  2.]])
    >>> model.predict([[0.0, 0.0], [12.0, 3.0]]), model.inertia_
    (array([1, 0], dtype=int32), 16.0)

    References
    ----------
    Lloyd (1982), Least squares quantization in PCM, IEEE Trans. Inf. Theory 28.
    """

    def __init__(
        self,
        n_clusters: Positive = 8,
        *,
        init: Init = "k-means++",
        n_init: Restarts = "auto",
        max_iter: Positive = 300,
        tol: Tolerance = 1e-4,
        verbose: Verbosity = 0,
        random_state: RandomState = None,
        copy_x: bool = True,
        algorithm: Algorithm | Annotated[str, Options("exact")] = "lloyd",
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.copy_x = copy_x
        self.algorithm = algorithm

    def _tags(self) -> Tags:
        tier = "all rows" if self.algorithm == "exact" else "one pass per iteration"
        return super()._tags().but(tier=tier)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the centres.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : object, optional
            Ignored; there so that pipelines can pass it.
        sample_weight : array-like of shape (n,), default=None
            Non-negative weights; a row of weight 2 counts as two rows.

        Returns
        -------
        self
        """
        self._check_parameters()
        join_threadpoolctl()
        table = self._read(X, None, sample_weight, reset=True)
        refuse_few_rows(table.n_rows, self.n_clusters)
        if self.algorithm == "exact":
            return self._solve_line(table)
        self._tell_of_way(table)
        return self._learn(self._source(table), table)

    def _solve_line(self, table: Table) -> Self:
        """The optimum of one column."""
        run = best_on_line(table, self.n_clusters)
        self.solver_ = "dynamic programming"
        self.solver_reason_ = "the optimum of one column was asked for"
        self._store(run, table.x.dtype)
        found = of_inertia(run.inertia, self.n_clusters, fixed_point=True)
        way = "by dynamic programming"
        self.certificate_ = replace(found, dual=run.inertia, proved=True, reason=way)
        return self

    def _tell_of_way(self, table: Table | None) -> None:
        if table is None or table.is_sparse:
            self.solver_ = "passes"
            where = "of a stream" if table is None else "of a sparse matrix"
            self.solver_reason_ = f"the rows {where} are measured in one pass per iteration"
            return
        if self.algorithm == "elkan" and self.n_clusters == 1:
            warnings.warn(
                "algorithm='elkan' doesn't make sense for a single cluster. Using 'lloyd' instead.",
                ParameterWarning,
                stacklevel=user_stacklevel(),
            )
        self.solver_, self.solver_reason_ = way_for(self.algorithm, self.n_clusters)

    def _fit_stream(self, stream: Stream) -> Self:
        """One pass for the starts, one for each iteration, one for the labels."""
        if self._needs_rows:
            return super()._fit_stream(stream)
        self._check_parameters()
        join_threadpoolctl()
        self._tell_of_way(None)
        return self._learn(self._source(stream), None)

    def _learn(self, source: Source, table: Table | None) -> Self:
        plan = self._starts_planned(otherwise=10)
        draws = stream_of(self.random_state)
        tol = self._tolerance(source)
        given = self._given(source.n_features) if plan.given else None
        pool = self._pool(source, table, draws) if given is None else None
        dtype = np.dtype(np.float32 if self._single(pool, table) else np.float64)
        stopping = Stopping(self.max_iter, tol, bool(self.verbose))
        best: Run | None = None
        for _ in range(plan.count):
            centers = given if pool is None else self._start(pool, table, draws)
            assert centers is not None
            if self.verbose:
                print("Initialization complete")
            if table is None:
                run = iterate(source, centers, stopping, dtype)
            else:
                run = best_run(table, centers, stopping, self.algorithm, source)
            if best is None or (
                run.inertia < best.inertia and not same_clusters(run.labels, best.labels)
            ):
                best = run
        assert best is not None
        return self._store(best, dtype)

    def _tolerance(self, source: Source) -> float:
        """``tol`` times the mean variance of the columns."""
        if self.tol == 0.0:
            return 0.0
        moments: Any = source.compute(ColumnMoments)
        with np.errstate(over="ignore"):  # of huge columns: the first pass refuses them
            return float(self.tol * np.mean(moments.deviation**2))

    def _pool(self, source: Source, table: Table | None, draws: Any) -> Table:
        """The rows that starts are drawn from: all, or a sample of them."""
        size = max(START_ROWS, 32 * self.n_clusters)
        if table is not None and table.n_rows <= size:
            return table
        found: Any = source.compute(SampleOf(size, int(deepcopy(draws).randint(2**31 - 1))))
        refuse_few_rows(found.count, self.n_clusters)
        return Table(x=found.rows, weights=found.weights, owner=type(self).__name__, finite=True)

    def _start(self, pool: Table, table: Table | None, draws: Any) -> Array:
        rows = pool if table is None or not callable(self.init) else table
        return starts(rows, self.init, self.n_clusters, draws, type(self).__name__)

    @staticmethod
    def _single(pool: Table | None, table: Table | None) -> bool:
        known = table if table is not None else pool
        return known is not None and known.x.dtype == np.float32

    def _store(self, run: Run, dtype: Any) -> Self:
        self.cluster_centers_ = run.centers.astype(dtype)
        self.labels_ = run.labels
        self.inertia_ = run.inertia
        self.n_iter_ = run.n_iter
        self.trace_ = np.array(run.trace)
        self.certificate_ = of_inertia(run.inertia, self.n_clusters, run.strict)
        tell_few_clusters(run.labels, self.n_clusters)
        return self


def same_clusters(labels: NDArray[np.int32], others: NDArray[np.int32]) -> bool:
    """Whether two labellings differ in the names of the clusters alone."""
    name = np.full(int(labels.max()) + 1, -1, dtype=np.int32)
    name[labels] = others
    if not np.array_equal(name[labels], others):
        return False
    used = name[name >= 0]
    return len(np.unique(used)) == len(used)


def tell_few_clusters(labels: NDArray[np.int32], n_clusters: int) -> None:
    """Warn of fewer clusters than were asked for."""
    distinct = int(np.count_nonzero(np.bincount(labels, minlength=n_clusters)))
    if distinct < n_clusters:
        warnings.warn(
            f"Number of distinct clusters ({distinct}) found smaller than n_clusters "
            f"({n_clusters}). Possibly due to duplicate points in X.",
            joined(ConvergenceWarning),
            stacklevel=user_stacklevel(),
        )


def k_means(
    X: Any,
    n_clusters: int,
    *,
    sample_weight: Any = None,
    init: Any = "k-means++",
    n_init: Any = "auto",
    max_iter: int = 300,
    verbose: Any = False,
    tol: float = 1e-4,
    random_state: Any = None,
    copy_x: bool = True,
    algorithm: str = "lloyd",
    return_n_iter: bool = False,
) -> tuple[Any, ...]:
    """Centres, labels and inertia of `KMeans`, and if asked the number of iterations.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, p)
        Rows.
    n_clusters : int in [1, n]
        k.
    sample_weight : array-like of shape (n,), default=None
        Non-negative weights.
    init, n_init, max_iter, verbose, tol, random_state, copy_x, algorithm
        As for `KMeans`.
    return_n_iter : bool, default=False
        Whether to return the number of iterations too.

    Returns
    -------
    centers : array of shape (n_clusters, p)
    labels : array of int32, shape (n,)
    inertia : float
    n_iter : int
        If `return_n_iter`.

    Examples
    --------
    >>> centers, labels, inertia = k_means([[0.0], [1.0], [9.0]], 2, random_state=0)
    >>> sorted(centers.ravel().tolist()), inertia
    ([0.5, 9.0], 0.5)
    """
    model = KMeans(
        n_clusters=n_clusters,
        init=init,
        n_init=n_init,
        max_iter=max_iter,
        verbose=verbose,
        tol=tol,
        random_state=random_state,
        copy_x=copy_x,
        algorithm=algorithm,
    ).fit(X, sample_weight=sample_weight)
    found = (model.cluster_centers_, model.labels_, model.inertia_)
    return (*found, model.n_iter_) if return_n_iter else found
