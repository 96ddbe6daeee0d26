"""k-means from small batches of rows."""

from __future__ import annotations

import warnings
from dataclasses import replace
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval, RandomState
from stylobate.base.randomness import stream_of
from stylobate.cluster.base import BaseKMeans, ParameterWarning, Plan
from stylobate.cluster.kmeans import Restarts, Tolerance, Verbosity
from stylobate.cluster.lloyd import rounded
from stylobate.cluster.passes import dense
from stylobate.cluster.starts import Init, Positive, refuse_few_rows, starts
from stylobate.data import Table
from stylobate.data.words import user_stacklevel
from stylobate.parallel import join_threadpoolctl
from stylobate.statistics import AssignTo, ColumnMoments


class MiniBatchKMeans(BaseKMeans):
    r"""k-means by steps from a few rows at a time.

    Each step draws rows, assigns them to their nearest centres and moves every centre to the mean
    of all rows that were ever assigned to it:

    .. math:: \mu_c \leftarrow \mu_c + \frac{1}{v_c + W_c} \sum_{i: l_i = c} w_i (x_i - \mu_c),
        \qquad v_c \leftarrow v_c + W_c

    Parameters
    ----------
    n_clusters : int in [1, n], default=8
        k.
    init : {"k-means++", "random"}, callable or array of shape (k, p), default="k-means++"
        Where to start, as for `KMeans`, from `init_size` rows.
    max_iter : int in [1, inf), default=100
        Most passes over as many rows as there are.
    batch_size : int in [1, inf), default=1024
        Rows of a step.
    verbose : int in [0, inf), default=0
        Whether to print what happens.
    compute_labels : bool, default=True
        Whether to assign all rows at the end.
    random_state : int, RandomState, Generator or None, default=None
        Seed of starts and batches.
    tol : float in [0, inf), default=0.0
        Steps end when the centres' squared shifts sum to no more than ``tol`` times the mean
        variance of the columns; 0: never for that reason.
    max_no_improvement : int in [0, inf) or None, default=10
        Steps end after so many without a new low of the smoothed inertia.
    init_size : int in [1, inf) or None, default=None
        Rows that starts are drawn from and compared on; None: three batches, or 3 k if that is
        more.
    n_init : "auto" or int in [1, inf), default="auto"
        Starts that are compared; "auto": 3 for "random" and callables, else 1.
    reassignment_ratio : float in [0, inf), default=0.01
        Centres that took less than this share of the weight of the heaviest one are moved to rows
        drawn at random.

    Attributes
    ----------
    cluster_centers_ : array of shape (k, p)
        The centres.
    labels_ : array of int32, shape (n,)
        The centre of each row, if `compute_labels`.
    inertia_ : float
        Σ w ‖x − μ‖²; an estimate from the last batches if not `compute_labels`.
    n_iter_ : int
        Passes over as many rows as there are.
    n_steps_ : int
        Batches seen.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[1.0, 2.0], [1.0, 4.0], [1.0, 0.0], [4.0, 2.0], [4.0, 0.0], [4.0, 4.0]]
    >>> model = MiniBatchKMeans(n_clusters=2, random_state=0).partial_fit(X[:4])
    >>> model.partial_fit(X[2:]).predict([[0.0, 0.0], [4.0, 4.0]]).tolist()
    [0, 1]

    References
    ----------
    Sculley (2010), Web-scale k-means clustering, WWW.
    """

    def __init__(
        self,
        n_clusters: Positive = 8,
        *,
        init: Init = "k-means++",
        max_iter: Positive = 100,
        batch_size: Positive = 1024,
        verbose: Verbosity = 0,
        compute_labels: bool = True,
        random_state: RandomState = None,
        tol: Tolerance = 0.0,
        max_no_improvement: Annotated[int, Interval(0, inf)] | None = 10,
        init_size: Positive | None = None,
        n_init: Restarts = "auto",
        reassignment_ratio: Annotated[float, Interval(0, inf)] = 0.01,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.verbose = verbose
        self.compute_labels = compute_labels
        self.random_state = random_state
        self.tol = tol
        self.max_no_improvement = max_no_improvement
        self.init_size = init_size
        self.n_init = n_init
        self.reassignment_ratio = reassignment_ratio

    # --- the whole ------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the centres by steps from rows drawn at random.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : object, optional
            Ignored; there so that pipelines can pass it.
        sample_weight : array-like of shape (n,), default=None
            Non-negative weights: chances of being drawn.

        Returns
        -------
        self
        """
        self._check_parameters()
        join_threadpoolctl()
        table = self._by_rows(self._read(X, None, sample_weight, reset=True))
        refuse_few_rows(table.n_rows, self.n_clusters)
        plan, draws = self._starts_planned(otherwise=3), stream_of(self.random_state)
        batch = min(self.batch_size, table.n_rows)
        size = self._rows_to_start(batch, table.n_rows)
        tol = self._tolerance(table)
        self._restart(self._best_start(table, plan, size, draws), table.x.dtype)
        watch = _Watch(self, batch, table.n_rows, tol)
        n_steps, step = (self.max_iter * table.n_rows) // batch, 0
        weights = np.ones(table.n_rows) if table.weights is None else table.weights
        chances = weights / weights.sum()
        for step in range(n_steps):
            chosen = draws.choice(table.n_rows, batch, p=chances, replace=True)
            part = replace(table.take(chosen), weights=None)
            inertia, shift = self._step(part, draws, batch)
            if watch.ends(step, n_steps, shift, inertia):
                break
        self.n_steps_ = step + 1
        self.n_iter_ = int(np.ceil((step + 1) * batch / table.n_rows))
        self._round_centers(table.x.dtype)
        if self.compute_labels:
            self._label(table)
        else:
            self.inertia_ = float(watch.smoothed or 0.0) * float(weights.sum())
            vars(self).pop("labels_", None)
        return self

    def _by_rows(self, table: Table) -> Table:
        return replace(table, x=table.x.tocsr()) if table.is_sparse else table

    def _rows_to_start(self, batch: int, n_rows: int) -> int:
        size = self.init_size
        if size is None:
            size = 3 * batch
            size = 3 * self.n_clusters if size < self.n_clusters else size
        elif size < self.n_clusters:
            warnings.warn(
                f"init_size={size} should be larger than n_clusters={self.n_clusters}. Setting it "
                "to min(3*n_clusters, n_samples)",
                ParameterWarning,
                stacklevel=user_stacklevel(),
            )
            size = 3 * self.n_clusters
        return min(size, n_rows)

    def _tolerance(self, table: Table) -> float:
        if self.tol == 0.0:
            return 0.0
        return float(self.tol * np.mean(ColumnMoments.of(table).deviation ** 2))

    def _best_start(self, table: Table, plan: Plan, size: int, draws: Any) -> Array:
        """Of several starts the one of the least inertia on rows drawn for that."""
        compared = table.take(draws.randint(0, table.n_rows, size))
        best, least = None, inf
        for i in range(plan.count):
            centers = self._some_start(table, plan, size, draws)
            inertia = float(AssignTo(centers).of(compared).inertia)
            if self.verbose:
                print(f"Inertia for init {i + 1}/{plan.count}: {inertia}")
            if best is None or inertia < least:
                best, least = centers, inertia
        assert best is not None
        return best

    def _some_start(self, table: Table, plan: Plan, size: int, draws: Any) -> Array:
        if plan.given:
            return self._given(table.n_features)
        pool = table
        if size < table.n_rows:
            pool = table.take(draws.randint(0, table.n_rows, size))
        return starts(pool, self.init, self.n_clusters, draws, type(self).__name__)

    def _restart(self, centers: Array, dtype: Any) -> None:
        self.cluster_centers_ = centers
        self._counts = np.zeros(self.n_clusters)
        self._since_reassigned = 0
        self._round_centers(dtype)

    def _round_centers(self, dtype: Any) -> None:
        self.cluster_centers_ = np.asarray(self.cluster_centers_).astype(dtype)

    # --- a step ---------------------------------------------------------------------------------

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Move the centres by one batch.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of the batch; at least `n_clusters` in the first one.
        y : object, optional
            Ignored.
        sample_weight : array-like of shape (n,), default=None
            Non-negative weights.

        Returns
        -------
        self
        """
        self._check_parameters()
        join_threadpoolctl()
        begun = hasattr(self, "cluster_centers_")
        table = self._by_rows(self._read(X, None, sample_weight, reset=not begun))
        if not begun:
            refuse_few_rows(table.n_rows, self.n_clusters)
            self._draws = stream_of(self.random_state)
            size = self._rows_to_start(min(self.batch_size, table.n_rows), table.n_rows)
            start = self._some_start(table, self._starts_planned(3), size, self._draws)
            self._restart(start, table.x.dtype)
            self.n_steps_ = 0
        draws = vars(self).setdefault("_draws", stream_of(self.random_state))
        self._step(table, draws, min(self.batch_size, table.n_rows))
        self._round_centers(table.x.dtype)
        if self.compute_labels:
            self._label(table)
        self.n_steps_ += 1
        return self

    def _step(self, batch: Table, draws: Any, rows: int) -> tuple[float, float]:
        """Move the centres; returns the inertia before, and the squared shift."""
        old = rounded(self.cluster_centers_, batch.x.dtype)
        sums = AssignTo(old).of(batch)
        self._counts = self._counts + sums.weight
        held = np.where(self._counts > 0.0, self._counts, 1.0)
        moved = old + np.where(sums.weight[:, None] > 0.0, sums.deviations / held[:, None], 0.0)
        self._since_reassigned += rows
        due = self._since_reassigned >= 10 * self.n_clusters
        if due or (self._counts == 0.0).any():
            self._since_reassigned = 0
            self._reassign(batch, moved, draws)
        self.cluster_centers_ = rounded(moved, batch.x.dtype)
        return float(sums.inertia), float(((self.cluster_centers_ - old) ** 2).sum())

    def _reassign(self, batch: Table, centers: Array, draws: Any) -> None:
        """Have centres of little weight start anew at rows drawn from the batch."""
        if not self.reassignment_ratio > 0.0:
            return
        light = self._counts < self.reassignment_ratio * self._counts.max()
        most = batch.n_rows // 2
        if light.sum() > 0.5 * batch.n_rows:
            light[np.argsort(self._counts)[most:]] = False
        count = int(light.sum())
        if not count:
            return
        chosen = draws.choice(batch.n_rows, replace=False, size=count)
        if self.verbose:
            print(f"[MiniBatchKMeans] Reassigning {count} cluster centers.")
        centers[light] = dense(batch.x[chosen])
        self._counts[light] = self._counts[~light].min()

    def _label(self, table: Table) -> None:
        rows, sums = self._recipe().rows(table)
        self.labels_ = np.asarray(rows.labels)
        self.inertia_ = float(sums.inertia)


class _Watch:
    """When steps stop being worth it: the inertia of batches, smoothed."""

    def __init__(self, model: MiniBatchKMeans, batch: int, n_rows: int, tol: float) -> None:
        self.patience, self.verbose = model.max_no_improvement, model.verbose
        self.batch, self.tol = batch, tol
        self.share = min(batch * 2.0 / (n_rows + 1), 1.0)
        self.smoothed: float | None = None
        self.lowest: float | None = None
        self.without = 0

    def ends(self, step: int, n_steps: int, shift: float, inertia: float) -> bool:
        inertia /= self.batch
        if step > 0:  # the first is the start's
            before = inertia if self.smoothed is None else self.smoothed
            self.smoothed = before * (1.0 - self.share) + inertia * self.share
        if self.verbose:
            print(f"Minibatch step {step + 1}/{n_steps}: mean batch inertia: {inertia}")
        if step == 0:
            return False
        assert self.smoothed is not None
        if self.tol > 0.0 and shift <= self.tol:
            return self._told("small centers change", step, n_steps)
        if self.lowest is None or self.smoothed < self.lowest:
            self.without, self.lowest = 0, self.smoothed
        else:
            self.without += 1
        if self.patience is not None and self.without >= self.patience:
            return self._told("lack of improvement in inertia", step, n_steps)
        return False

    def _told(self, why: str, step: int, n_steps: int) -> bool:
        if self.verbose:
            print(f"Converged ({why}) at step {step + 1}/{n_steps}")
        return True
