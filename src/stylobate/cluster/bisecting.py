"""k-means by halves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import Options, RandomState
from stylobate.base.randomness import stream_of
from stylobate.cluster.base import BaseKMeans
from stylobate.cluster.dense import best_run
from stylobate.cluster.kmeans import Algorithm, Tolerance, Verbosity
from stylobate.cluster.lloyd import Run, Stopping
from stylobate.cluster.starts import Centres, Positive, refuse_few_rows, starts
from stylobate.data import Table
from stylobate.exceptions import ModelFileError
from stylobate.parallel import join_threadpoolctl
from stylobate.statistics import AssignTo


class BisectingKMeans(BaseKMeans):
    """Split all rows in two by k-means, then one of the parts, until there are k.

    Parameters
    ----------
    n_clusters : int in [1, n], default=8
        k.
    init : {"k-means++", "random"} or callable, default="random"
        Where each split starts, as for `KMeans`; a callable is asked for two centres.
    n_init : int in [1, inf), default=1
        Starts of each split, of which the best is kept.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the starts.
    max_iter : int in [1, inf), default=300
        Most iterations of a split.
    verbose : int in [0, inf), default=0
        Whether to print the centres of each split.
    tol : float in [0, inf), default=1e-4
        Iterations end when the centres' squared shifts sum to no more than this.
    copy_x : bool, default=True
        Accepted for compatibility; X is never written to.
    algorithm : {"lloyd", "elkan", "auto", "full", "hamerly", "yinyang"}, default="lloyd"
        As for `KMeans`; the answers are the same.
    bisecting_strategy : {"biggest_inertia", "largest_cluster"}, default="biggest_inertia"
        Which part is split next: that of the largest inertia, or of most rows.

    Attributes
    ----------
    cluster_centers_ : array of shape (k, p)
        The centres.
    labels_ : array of int32, shape (n,)
        The cluster of each row.
    inertia_ : float
        Σ w ‖x − μ‖².
    splits_ : array of shape (2 k - 1, 3)
        The tree: of each part the numbers of its two halves and of its cluster, -1 where there are
        none; the first is the whole.
    split_centers_ : array of shape (2 k - 1, p)
        The centre of each part.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[1.0, 1.0], [3.0, 1.0], [2.0, 1.0], [10.0, 1.0], [10.0, 2.0], [10.0, 9.0]]
    >>> model = BisectingKMeans(n_clusters=3, random_state=0).fit(X)
    >>> sorted(np.bincount(model.labels_).tolist())
    [1, 2, 3]
    """

    def __init__(
        self,
        n_clusters: Positive = 8,
        *,
        init: Centres = "random",
        n_init: Positive = 1,
        random_state: RandomState = None,
        max_iter: Positive = 300,
        verbose: Verbosity = 0,
        tol: Tolerance = 1e-4,
        copy_x: bool = True,
        algorithm: Algorithm = "lloyd",
        bisecting_strategy: Annotated[
            str, Options("biggest_inertia", "largest_cluster")
        ] = "biggest_inertia",
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.random_state = random_state
        self.max_iter = max_iter
        self.verbose = verbose
        self.tol = tol
        self.copy_x = copy_x
        self.algorithm = algorithm
        self.bisecting_strategy = bisecting_strategy

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the centres.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : object, optional
            Ignored; there so that pipelines can pass it.
        sample_weight : array-like of shape (n,), default=None
            Non-negative weights.

        Returns
        -------
        self
        """
        self._check_parameters()
        join_threadpoolctl()
        table = self._read(X, None, sample_weight, reset=True)
        table = replace(table, x=table.x.tocsr()) if table.is_sparse else table
        refuse_few_rows(table.n_rows, self.n_clusters)
        draws = stream_of(self.random_state)
        parts = [_Part(np.arange(table.n_rows), _mean(table), 0.0)]
        for _ in range(self.n_clusters - 1):
            leaf = max(_leaves(parts), key=lambda part: part.score)  # of equal ones the first
            self._split(leaf, parts, table, draws)
        return self._store(parts, table)

    def _split(self, leaf: _Part, parts: list[_Part], table: Table, draws: Any) -> None:
        rows = table.take(leaf.rows)
        if rows.n_rows < 2:  # nothing to split: a second centre without rows
            centers = np.vstack([leaf.center, leaf.center])
            run = Run(np.zeros(rows.n_rows, np.int32), 0.0, centers, 0, True)
        else:
            run = self._halves(rows, draws)
        if self.verbose:
            print(f"New centroids from bisection: {run.centers}")
        leaf.halves = (len(parts), len(parts) + 1)
        for label in (0, 1):
            mine = run.labels == label
            part = _Part(leaf.rows[mine], run.centers[label], 0.0)
            if self.bisecting_strategy == "largest_cluster":
                part.score = float(mine.sum())
            elif mine.any():
                found = AssignTo(part.center[None]).of(rows.take(np.flatnonzero(mine)))
                part.score = float(found.inertia)
            parts.append(part)

    def _halves(self, rows: Table, draws: Any) -> Run:
        stopping, best = Stopping(self.max_iter, float(self.tol)), None
        for _ in range(self.n_init):
            start = starts(rows, self.init, 2, draws, type(self).__name__)
            run = best_run(rows, start, stopping, self.algorithm, self._source(rows))
            if best is None or run.inertia < best.inertia * (1.0 - 1e-6):
                best = run
        assert best is not None
        return best

    def _store(self, parts: list[_Part], table: Table) -> Self:
        labels = np.full(table.n_rows, -1, dtype=np.int32)
        number = {id(part): place for place, part in enumerate(parts)}
        self.splits_ = np.full((len(parts), 3), -1, dtype=np.int64)
        centers = []
        for cluster, leaf in enumerate(_leaves(parts)):
            labels[leaf.rows] = cluster
            self.splits_[number[id(leaf)], 2] = cluster
            centers.append(leaf.center)
        for place, part in enumerate(parts):
            if part.halves is not None:
                self.splits_[place, :2] = part.halves
        dtype = table.x.dtype
        self.split_centers_ = np.vstack([part.center for part in parts]).astype(dtype)
        self.cluster_centers_ = np.vstack(centers).astype(dtype)
        self.labels_ = labels
        self.inertia_ = self._inertia(table)
        return self

    def _inertia(self, table: Table) -> float:
        found = 0.0
        for cluster, center in enumerate(self.cluster_centers_):
            mine = np.flatnonzero(self.labels_ == cluster)
            if len(mine):
                found += float(AssignTo(center[None]).of(table.take(mine)).inertia)
        return found

    def _labels_of(self, table: Table) -> NDArray[np.int32]:
        """Down the tree: at each split to the nearer half."""
        table = replace(table, x=table.x.tocsr()) if table.is_sparse else table
        labels = np.empty(table.n_rows, dtype=np.int32)
        waiting = [(0, np.arange(table.n_rows))]
        while waiting:
            part, rows = waiting.pop()
            left, right, cluster = self.splits_[part]
            if left < 0 or not len(rows):
                labels[rows] = cluster
                continue
            centers = self.split_centers_[[left, right]]
            found = AssignTo(centers).rows(table.take(rows))[0].labels
            waiting += [(int(left), rows[found == 0]), (int(right), rows[found == 1])]
        return labels

    def _check_loaded(self) -> None:
        """Refuse splits of a file that go back, or to parts or clusters there are not."""
        if "splits_" not in vars(self):
            return
        halves, clusters = self.splits_[:, :2], self.splits_[:, 2]
        inner = (halves >= 0).all(axis=1)
        later = (halves > np.arange(len(halves))[:, None]) & (halves < len(halves))
        known = (clusters >= 0) & (clusters < len(self.cluster_centers_))
        leaf = (halves == -1).all(axis=1) & known
        if (
            not len(halves)
            or len(halves) != len(self.split_centers_)
            or not np.where(inner, later.all(axis=1), leaf).all()
        ):
            raise ModelFileError("The BisectingKMeans of the file has splits that are no tree.")

    def _formula(self, columns: Any) -> Any:
        from stylobate.exceptions import FormulaError

        raise FormulaError("BisectingKMeans goes down a tree of centres, which has no formula.")


@dataclass(eq=False)
class _Part:
    """Some rows, their centre, and how much they call for a split."""

    rows: NDArray[np.intp]
    center: Array
    score: float
    halves: tuple[int, int] | None = None


def _leaves(parts: list[_Part]) -> list[_Part]:
    """The parts that are not split, in the order of the tree, left before right."""
    found, waiting = [], [0]
    while waiting:
        part = parts[waiting.pop()]
        if part.halves is None:
            found.append(part)
        else:
            waiting += [part.halves[1], part.halves[0]]
    return found


def _mean(table: Table) -> Array:
    from stylobate.statistics import ColumnMoments

    return np.asarray(ColumnMoments.of(table).mean)
