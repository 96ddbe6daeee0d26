"""Sums of bumps on points: by a tree of boxes, or over tiles of all pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.distances import Euclidean, Metric
from stylobate.distances.maps import ROOT, Map
from stylobate.exceptions import ModelFileError
from stylobate.neighbors.indexes.brute import check_measures, with_metric

Held = tuple[Array, Array | None, int, float]

MOST_COLUMNS = 5  # boxes of more columns reach too far to leave much out
MOST_COLUMNS_ASKED = 16  # that the tree can hold at all
FEWEST_POINTS = 512
LONELY = 1e-6  # share of the others' bumps below which they are summed on their own
HEIGHTS = ("gaussian", "exponential", "tophat", "epanechnikov", "linear", "cosine")
LARGEST = 1e140  # squares of larger numbers leave the range


def choose_sums(
    algorithm: str, metric: Metric, points: NDArray[Any], weights: Array | None
) -> tuple[bool, str]:
    """Whether sums go by the tree, and why.

    Examples
    --------
    >>> choose_sums("auto", Euclidean(), np.zeros((9, 2)), None)
    (False, 'tiles of all pairs: 9 points are few (< 512)')
    """
    n, columns = points.shape
    asked = algorithm in ("kd_tree", "ball_tree")
    no = "tiles of all pairs: "
    if algorithm == "brute":
        return False, no + "asked for"
    if metric != Euclidean():
        which = "weighted ones" if isinstance(metric, Euclidean) else repr(metric.name)
        return False, no + f"the tree measures Euclidean distances, not {which}"
    if columns > (MOST_COLUMNS_ASKED if asked else MOST_COLUMNS):
        return False, no + f"in {columns} columns no box is far from another"
    if weights is not None and weights.max() > 1e30 * weights.min():
        return False, no + "the weights differ by more than a factor 1e30"
    if not max(-float(points.min()), float(points.max())) < LARGEST:
        return False, no + f"there are values above {LARGEST:g}"
    if asked:
        return True, "tree of boxes: asked for"
    if n < FEWEST_POINTS:
        return False, no + f"{n} points are few (< {FEWEST_POINTS})"
    return True, f"tree of boxes: {n} points in {columns} <= {MOST_COLUMNS} columns"


@dataclass(frozen=True)
class BumpSums:
    r"""The logarithms of :math:`\sum_i w_i K(\|q - x_i\| / h)`, K not normalised.

    Parameters
    ----------
    kernel : str
        K.
    metric : Metric
        The distance.
    points : array of shape (n, columns)
        x, in double or single precision.
    weights : array of shape (n,) or None
        w, positive.
    by_tree : bool
        Whether many queries walk a tree of boxes.
    rtol : float
        Relative error allowed there; 0: none but rounding.
    held : tuple or None
        The points as the tree holds them, see `arranged`.

    Examples
    --------
    >>> sums = BumpSums("gaussian", Euclidean(), np.array([[0.0], [2.0]]), None, True)
    >>> np.exp(sums.logs(np.full((20, 1), 1.0), 1.0))[0].round(6)  # 2 exp(-1/2)
    np.float64(1.213061)
    """

    kernel: str
    metric: Metric
    points: NDArray[Any]
    weights: Array | None
    by_tree: bool
    rtol: float = 0.0
    held: Held | None = None

    _from_earlier = staticmethod(with_metric)

    def _check_loaded(self) -> None:
        """Refuse points and weights of a file that are none; the tree's memory is made anew."""
        points, weights = self.points, self.weights
        numbers = points.ndim == 2 and points.size > 0 and points.dtype.kind == "f"
        if not numbers or not np.isfinite(points).all() or self.kernel not in HEIGHTS:
            raise ModelFileError("Sums of bumps in the file have no points or no kernel.")
        if weights is not None and (
            weights.shape != points.shape[:1]
            or weights.dtype != np.float64
            or not (np.isfinite(weights) & (weights > 0.0)).all()
        ):
            raise ModelFileError("Sums of bumps in the file have weights that are none.")
        check_measures(self.metric, points.shape[1])
        if self.by_tree and not choose_sums("kd_tree", self.metric, points, weights)[0]:
            raise ModelFileError("Sums of bumps in the file go by a tree that cannot hold them.")
        object.__setattr__(self, "held", None)
        object.__setattr__(self, "held", self.arranged().held)

    def arranged(self) -> BumpSums:
        """With the points as the tree holds them, too: found once, and not for every call."""
        return replace(self, held=self._arranged()) if self.by_tree else self

    def _arranged(self) -> Held:
        """Columns, weights, how many points, the largest weight; the core's memory as it is."""
        from stylobate import _core

        made: Held = _core.arranged_points(self.points, self.weights)
        return made

    def logs(self, queries: Array, width: float, absolute: float = 0.0) -> Array:
        """For each query; `absolute` is an error allowed in the mean of K."""
        within = 1.0 / LARGEST < width < LARGEST and np.abs(queries).max(initial=0.0) < LARGEST
        if self.by_tree and within:
            from stylobate import _core

            held = self._arranged() if self.held is None else self.held
            return _core.log_arranged_sums(queries, *held, self.kernel, width, self.rtol, absolute)
        return self._over_tiles(queries, width)

    def logs_of_others(self, width: float, absolute: float = 0.0) -> Array:
        """For each point, the sum over all others."""
        sums = self.logs(self.points.astype(np.float64, copy=False), width, absolute)
        own = 0.0 if self.weights is None else np.log(self.weights)
        share = np.exp(own - sums)  # of the point's own bump, whose height is 1
        with np.errstate(divide="ignore"):
            others = sums + np.log1p(-np.minimum(share, 1.0))
        # where little but the own bump is left, the difference has lost its digits
        lonely = np.flatnonzero(share > 1.0 - LONELY)
        for start in range(0, len(lonely), step := max(1, 2**21 // len(sums))):
            rows = lonely[start : start + step]
            others[rows] = self._of_distances(self._distances_to_others(rows) / width)
        return others

    def _distances_to_others(self, rows: NDArray[np.intp]) -> Array:
        some = self.points[rows].astype(np.float64)
        distances = self.metric.matrix(some, self.points)
        distances[np.arange(len(rows)), rows] = np.inf
        return np.asarray(distances)

    def _over_tiles(self, queries: Array, width: float) -> Array:
        pairs = self.metric.measured(queries, self.points)
        if pairs.finish != ROOT:
            return self._of_distances(pairs.write() / width)
        square = 1.0 / (width * width)
        if self.kernel == "gaussian":
            return pairs.sum(Map("log_exponent", a=-0.5 * square), self.weights)
        if self.kernel == "exponential":
            return pairs.sum(Map("log_root_exponent", a=-1.0 / width), self.weights)
        with np.errstate(divide="ignore"):
            return np.log(pairs.sum(Map(self.kernel, a=square), self.weights))

    def _of_distances(self, scaled: Array) -> Array:
        """From the whole matrix of distances / h."""
        if self.kernel in ("gaussian", "exponential"):
            from scipy.special import logsumexp

            exponent = -0.5 * scaled**2 if self.kernel == "gaussian" else -scaled
            return np.asarray(logsumexp(exponent, axis=1, b=self.weights))
        inside = scaled < 1.0
        heights = {
            "tophat": lambda u: np.ones_like(u),
            "epanechnikov": lambda u: 1.0 - u**2,
            "linear": lambda u: 1.0 - u,
            "cosine": lambda u: np.cos(0.5 * pi * u),
        }[self.kernel](scaled)
        weights = 1.0 if self.weights is None else self.weights
        with np.errstate(divide="ignore"):
            return np.asarray(np.log((np.where(inside, heights, 0.0) * weights).sum(axis=1)))
