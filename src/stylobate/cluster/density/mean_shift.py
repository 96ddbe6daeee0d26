"""Mean shift: seeds climb to the places where rows lie most densely."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.base import BaseEstimator, ClusterMixin, Interval, Numbers
from stylobate.cluster.density.bandwidth import estimate_bandwidth, get_bin_seeds
from stylobate.data import read_table
from stylobate.distances import Euclidean, measured
from stylobate.exceptions import InvalidDataError, NumericalError

_TOGETHER = 4096  # seeds that climb at a time


class MeanShift(ClusterMixin, BaseEstimator):
    r"""Clusters as the peaks of a flat-kernel density, by moving seeds to the mean around them.

    .. math:: m \leftarrow \frac{1}{|N(m)|} \sum_{x \in N(m)} x, \quad
        N(m) = \{x : \|x - m\| \le h\}

    until the mean moves by less than h/1000. Peaks closer than h are one, that with more rows
    around it; every row belongs to the nearest peak.

    Parameters
    ----------
    bandwidth : float in (0, inf) or None, default=None
        h; None asks `estimate_bandwidth`.
    seeds : array-like of shape (n_seeds, n_features) or None, default=None
        Where to start; None for all rows, or the bins of `bin_seeding`.
    bin_seeding : bool, default=False
        Start from the corners of a grid of width h near rows; quicker.
    min_bin_freq : int in [1, inf), default=1
        Rows that make a corner a seed.
    cluster_all : bool, default=True
        Whether rows farther than h from every peak belong to the nearest, too; else they are -1.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.
    max_iter : int in [0, inf), default=300
        How often a seed moves at most.

    Attributes
    ----------
    cluster_centers_ : array of shape (n_clusters, n_features)
        The peaks, that with the most rows around it first.
    labels_ : array of shape (n,)
        The peak of every row.
    n_iter_ : int
        How often the seed that moved longest moved.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[1.0, 1.0], [2.0, 1.0], [1.0, 0.0], [4.0, 7.0], [3.0, 5.0], [3.0, 6.0]]
    >>> model = MeanShift(bandwidth=2).fit(X)
    >>> model.labels_
    array([1, 1, 1, 0, 0, 0])
    >>> model.predict([[0.0, 0.0], [5.0, 5.0]])
    array([1, 0])

    References
    ----------
    Comaniciu & Meer (2002), Mean shift: a robust approach toward feature space analysis.
    """

    cluster_centers_: Array
    n_iter_: int

    def __init__(
        self,
        *,
        bandwidth: Annotated[float, Interval(0, inf, closed="neither")] | None = None,
        seeds: Annotated[Any, Numbers(ndim=2)] | None = None,
        bin_seeding: bool = False,
        min_bin_freq: Annotated[int, Interval(1, inf)] = 1,
        cluster_all: bool = True,
        n_jobs: int | None = None,
        max_iter: Annotated[int, Interval(0, inf)] = 300,
    ) -> None:
        self.bandwidth = bandwidth
        self.seeds = seeds
        self.bin_seeding = bin_seeding
        self.min_bin_freq = min_bin_freq
        self.cluster_all = cluster_all
        self.n_jobs = n_jobs
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any = None) -> Self:
        """Let the seeds climb.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        rows = self._read(X, reset=True).x
        width = float(estimate_bandwidth(rows) if self.bandwidth is None else self.bandwidth)
        seeds = self._starts(rows, width)
        points = np.ascontiguousarray(rows, dtype=np.float64)
        peaks, around, moves = climb(points, seeds, width, self.max_iter)
        self.n_iter_ = int(moves.max(initial=0))
        near = around > 0
        if not near.any():
            raise InvalidDataError(
                f"No point was within bandwidth={width:f} of any seed. Try a different seeding "
                "strategy or increase the bandwidth."
            )
        centres = _distinct(peaks[near], around[near], width)
        if not np.isfinite(centres).all():
            raise NumericalError(
                "MeanShift: X holds numbers too large to be added in double precision; scale the "
                "columns."
            )
        self.cluster_centers_ = centres.astype(rows.dtype)
        distances, nearest = measured(points, centres, Euclidean()).nearest(1)
        self.labels_ = nearest[:, 0].astype(np.intp)
        if not self.cluster_all:
            self.labels_[distances[:, 0] > width] = -1
        return self

    def _starts(self, rows: Any, width: float) -> Array:
        if self.seeds is not None:
            seeds = read_table(self.seeds, owner=type(self).__name__).x
            if seeds.shape[1] != rows.shape[1]:
                raise InvalidDataError(
                    f"MeanShift: seeds have {seeds.shape[1]} columns, X has {rows.shape[1]}."
                )
        elif self.bin_seeding:
            seeds = get_bin_seeds(rows, width, self.min_bin_freq)
        else:
            seeds = rows
        return np.ascontiguousarray(seeds, dtype=np.float64)

    def predict(self, X: Any) -> Integers:
        """The nearest peak of each row.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        rows = self._read(X, reset=False).x
        return measured(rows, self.cluster_centers_, Euclidean()).nearest(1)[1][:, 0]


def climb(
    points: Array, seeds: Array, width: float, max_iter: int
) -> tuple[Array, Integers, Integers]:
    """Where seeds end, how many points are around them, and how often they moved.

    Examples
    --------
    >>> x = np.array([[0.0], [1.0], [9.0]])
    >>> climb(x, x[:1], 2.0, 300)[0]
    array([[0.5]])
    """
    if width == 0.0:  # rows that are equal for the most part: each is a peak of its own
        return seeds, np.ones(len(seeds), dtype=np.int64), np.zeros(len(seeds), dtype=np.int64)
    tree = _core.Tree.kd(points, "squared")
    means, around = seeds.copy(), np.zeros(len(seeds), dtype=np.int64)
    moves = np.zeros(len(seeds), dtype=np.int64)
    open_ = np.arange(len(seeds))
    radius, least = width * width, 1e-3 * width
    step = 0
    while len(open_):
        for some in np.array_split(open_, -(-len(open_) // _TOGETHER)):
            sums, counts = tree.sums_within(points, means[some], radius)
            around[some] = counts
            found = counts > 0
            new = sums[found] / counts[found, None]
            moved = np.linalg.norm(new - means[some[found]], axis=1)
            means[some[found]] = new
            moves[some] = step
            # a mark of those that stay where they are: their number of moves, negative
            stay = some[found][(moved <= least) | (step == max_iter)]
            moves[stay] = -step - 1
            moves[some[~found]] = -step - 1
        open_ = open_[moves[open_] >= 0]
        step += 1
    return means, around, -moves - 1


def _distinct(peaks: Array, around: Integers, width: float) -> Array:
    """Of peaks closer than the bandwidth the one with more rows around it."""
    unique, first = np.unique(peaks, axis=0, return_index=True)
    # the last seed that reached a place says how many rows are around it; all say the same
    order = np.lexsort((*unique.T[::-1], around[first]))[::-1]
    ranked = unique[order]
    tree = _core.Tree.kd(np.ascontiguousarray(ranked), "squared")
    kept = np.ones(len(ranked), dtype=bool)
    for i in range(len(ranked)):
        if not kept[i]:
            continue
        _, near, _ = tree.within(ranked[i : i + 1], np.array([width * width]))
        kept[near] = False
        kept[i] = True
    return ranked[kept]


def mean_shift(
    X: Any,
    *,
    bandwidth: float | None = None,
    seeds: Any = None,
    bin_seeding: bool = False,
    min_bin_freq: int = 1,
    cluster_all: bool = True,
    max_iter: int = 300,
    n_jobs: int | None = None,
) -> tuple[Array, Integers]:
    """The peaks and labels of `MeanShift`.

    Parameters
    ----------
    X : array-like or data frame of shape (n, n_features)
        Rows.
    bandwidth, seeds, bin_seeding, min_bin_freq, cluster_all, max_iter, n_jobs
        As of `MeanShift`.

    Returns
    -------
    cluster_centers : array of shape (n_clusters, n_features)
    labels : array of shape (n,)

    Examples
    --------
    >>> mean_shift([[1.0, 1.0], [2.0, 1.0], [1.0, 0.0], [4.0, 7.0]], bandwidth=2)[1]
    array([0, 0, 0, 1])
    """
    model = MeanShift(
        bandwidth=bandwidth,
        seeds=seeds,
        bin_seeding=bin_seeding,
        min_bin_freq=min_bin_freq,
        cluster_all=cluster_all,
        max_iter=max_iter,
        n_jobs=n_jobs,
    ).fit(X)
    return model.cluster_centers_, model.labels_
