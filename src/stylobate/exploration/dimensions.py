"""The curse of dimensionality, measured on a table: do distances still mean something?"""

from __future__ import annotations

from math import pi
from typing import Any, NamedTuple

import numpy as np

from stylobate.arrays import Array
from stylobate.data import read_table
from stylobate.distances import measured
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration.dimension_report import DimensionalityReport
from stylobate.metrics.pairwise import cosine_similarity
from stylobate.splits.splitter import generator

_BINS, _NARROW = 60, 4000


def dimensionality(
    X: Any,
    *,
    n_neighbors: int | None = None,
    scale: bool = True,
    max_rows: int = 5000,
    random_state: Any = 0,
) -> DimensionalityReport:
    """Measure the curse of dimensionality on a table of numbers.

    Parameters
    ----------
    X : array-like or data frame of shape (n, p)
        Numbers without gaps; tables of other kinds go through `TableEncoder` first.
    n_neighbors : int in [1, n), optional
        Of the hubness; 10 by default, or n − 1 of fewer rows.
    scale : bool, default=True
        Whether columns are divided by their standard deviation first, as models of distances
        usually are.
    max_rows : int in [10, inf), default=5000
        Rows looked at; a random sample of longer tables.
    random_state : int, RandomState or None, default=0
        Of the sample.

    Returns
    -------
    DimensionalityReport
        ``print(report)`` ends with the sentence to act on.

    Examples
    --------
    >>> import numpy as np
    >>> random = np.random.default_rng(0)
    >>> dimensionality(random.normal(size=(500, 2))).verdict
    'fine'
    >>> dimensionality(random.normal(size=(500, 1000))).verdict
    'fails'

    References
    ----------
    Beyer, Goldstein, Ramakrishnan & Shaft (1999), When is nearest neighbor meaningful?, ICDT;
    Facco et al. (2017), Estimating the intrinsic dimension of datasets by a minimal neighborhood
    information, Scientific Reports 7; Radovanović, Nanopoulos & Ivanović (2010), Hubs in space,
    JMLR 11.
    """
    x = _rows(X, scale, max_rows, random_state)
    n, p = x.shape
    n_neighbors = min(10, n - 1) if n_neighbors is None else n_neighbors
    if not 1 <= n_neighbors < n:
        raise InvalidParameterError(
            f"dimensionality: n_neighbors must be from 1 to {n - 1}, got {n_neighbors!r}."
        )
    near, rows = measured(x, x).nearest(max(n_neighbors, 2), skip_self=True)
    nearest, distances = near[:, 0], _distances(x)
    farthest = distances.farthest
    angle, spread, nearest_angle = _angles(x, generator(random_state))
    dimension = _two_neighbour_dimension(near)
    popularity = np.bincount(rows[:, :n_neighbors].ravel(), minlength=n).astype(np.float64)
    hubs = np.sort(popularity)[::-1][: max(1, n // 100)]
    contrast = float(np.median((farthest - nearest) / nearest))
    return DimensionalityReport(
        n,
        p,
        n_neighbors,
        contrast,
        distances.variation,
        angle,
        spread,
        *dimension,
        _skewness(popularity),
        float(hubs.sum() / popularity.sum()),
        _verdict(contrast, distances.variation),
        float(np.median(nearest)) / distances.mean,
        float(np.median(farthest)) / distances.mean,
        *distances.histogram(),
        nearest_angle,
        *_places(x),
    )


def _places(x: Array) -> tuple[float, float, float]:
    """Shares of rows in corners and in tails, and of cells that are empty."""
    columns = x.shape[1]
    low, high = x.min(axis=0), x.max(axis=0)
    inside = (2.0 * x - (low + high)) / (high - low)  # the box is [-1, 1]^D
    corners = float(((inside**2).sum(axis=1) > 1.0).mean())
    ends = np.quantile(x, [0.025, 0.975], axis=0)
    tails = float(((x < ends[0]) | (x > ends[1])).any(axis=1).mean())
    cells = len(np.unique(np.packbits(x > np.median(x, axis=0), axis=1), axis=0))
    return corners, tails, 1.0 - cells * 0.5**columns


def _rows(X: Any, scale: bool, max_rows: int, random_state: Any) -> Array:
    table = read_table(X, owner="dimensionality")
    x = np.asarray(table.x, dtype=np.float64)
    if len(x) > max_rows:
        x = x[generator(random_state).permutation(len(x))[:max_rows]]
    x = x - x.mean(axis=0)
    deviation = x.std(axis=0)
    varying = deviation > 1e-12 * np.maximum(np.abs(x).max(axis=0, initial=0.0), 1e-300)
    x = x[:, varying] / deviation[varying] if scale else x[:, varying]
    distinct = np.unique(x, axis=0)  # repeated rows are at distance 0 of each other, in any table
    if len(distinct) < 10 or not x.shape[1]:
        raise InvalidDataError(
            f"dimensionality: at least 10 different rows are needed, got {len(distinct)}."
        )
    return np.ascontiguousarray(distinct)


class _Distances(NamedTuple):
    """Of all pairs of rows: each row's farthest, mean, std / mean, and counts in narrow bins."""

    farthest: Array
    mean: float
    variation: float
    edges: Array
    counts: Array

    def histogram(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """In about _BINS bins from the smallest distance to the largest, which is 1 in the mean."""
        some = np.flatnonzero(self.counts)
        ends = np.linspace(some[0], some[-1] + 1, _BINS + 1).astype(np.intp)
        ends = np.unique(ends)
        shares = np.add.reduceat(self.counts, ends[:-1]) / self.counts.sum()
        return tuple((self.edges[ends] / self.mean).tolist()), tuple(shares.tolist())


def _distances(x: Array) -> _Distances:
    n = len(x)
    farthest = np.empty(n)
    edges = np.linspace(0.0, 2.0 * float(np.sqrt((x * x).sum(axis=1).max())) * 1.001, _NARROW + 1)
    counts = np.zeros(_NARROW)
    total = squares = 0.0
    for start in range(0, n, 512):
        block = measured(x[start : start + 512], x).write()
        farthest[start : start + 512] = block.max(axis=1)
        total += float(block.sum())
        squares += float((block * block).sum())
        counts += np.histogram(block, edges)[0]
    counts[0] -= n  # of rows to themselves
    pairs = n * (n - 1.0)
    mean = total / pairs
    variation = float(np.sqrt(max(squares / pairs - mean * mean, 0.0)) / mean)
    return _Distances(farthest, mean, variation, edges, counts)


def _angles(x: Array, random: np.random.RandomState) -> tuple[float, float, float]:
    """Mean and spread of the angles between some rows, and median of the least, in degrees."""
    centred = x[(x**2).sum(axis=1) > 0.0]
    chosen = random.permutation(len(centred))[:500]
    cosine = np.clip(cosine_similarity(centred[chosen], centred), -1.0, 1.0)
    among = cosine[:, chosen][np.triu_indices(len(chosen), k=1)]
    cosine[np.arange(len(chosen)), chosen] = -1.0
    degrees = np.arccos(among) * (180.0 / pi)
    least = np.arccos(cosine.max(axis=1)) * (180.0 / pi)
    return float(degrees.mean()), float(degrees.std()), float(np.median(least))


def _two_neighbour_dimension(near: Array) -> tuple[float, float, float]:
    r"""Maximum likelihood of d, where :math:`r_2 / r_1` has the distribution :math:`1 - \mu^{-d}`.

    The logarithms are exponential with rate d, so that their sum is a gamma variable: an exact
    interval if rows are independent.
    """
    from scipy.special import gammaincinv

    ratios = np.log(near[:, 1] / near[:, 0])
    ratios = ratios[ratios > 0.0]
    if len(ratios) < 2:
        return np.inf, 0.0, np.inf
    # the largest ratios come from rows at the rim, where the density is not constant
    kept = np.sort(ratios)[: max(2, int(0.9 * len(ratios)))]
    censored = (len(ratios) - len(kept)) * kept[-1]
    total = float(kept.sum() + censored)
    low, high = (float(gammaincinv(len(kept), q) / total) for q in (0.025, 0.975))
    return (len(kept) - 1.0) / total, low, high


def _skewness(values: Array) -> float:
    centred = values - values.mean()
    spread = float(np.sqrt((centred**2).mean()))
    return float((centred**3).mean() / spread**3) if spread > 0.0 else 0.0


def _verdict(contrast: float, variation: float) -> str:
    """In D independent normal columns the variation of distances is about 1 / √(2D)."""
    if variation < 0.05 or contrast < 0.5:
        return "fails"
    return "doubtful" if variation < 0.12 or contrast < 1.5 else "fine"
