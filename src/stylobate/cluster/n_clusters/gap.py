"""The gap statistic: how much tighter clusters are than those of rows without any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.cluster.n_clusters.choice import CLEAR
from stylobate.interrupts import interruptible

Reference = Literal["pca", "box", "permutation"]
REFERENCES: tuple[Reference, ...] = ("pca", "box", "permutation")


@dataclass(frozen=True, slots=True, eq=False)
class GapStatistic:
    """Gaps of several numbers of clusters and their standard errors.

    Attributes
    ----------
    n_clusters : array of int of shape (m,)
    gap : array of shape (m,)
        Mean log dispersion of the references less that of the rows.
    standard_error : array of shape (m,)
        √(1 + 1/B) times the standard deviation over the B references.
    """

    n_clusters: Indices
    gap: Array
    standard_error: Array

    @property
    def best(self) -> int:
        """The smallest k whose gap is within a standard error of the largest; else one.

        One where the largest gap is not three standard errors above the first: it is the largest of
        many. Unlike `first` it is not stopped by a dip: two of seven balls on a sphere are no
        better than one, and seven are.
        """
        top = int(np.argmax(self.gap))
        error = float(np.hypot(self.standard_error[top], self.standard_error[0]))
        if self.gap[top] - self.gap[0] <= CLEAR * error:
            return int(self.n_clusters[0])
        within = self.gap >= self.gap[top] - self.standard_error[top]
        return int(self.n_clusters[int(np.argmax(within))])

    @property
    def first(self) -> int:
        """The smallest k with gap(k) ≥ gap(k') − s(k') for the next larger k'; else the last."""
        enough = self.gap[:-1] >= self.gap[1:] - self.standard_error[1:]
        at = int(np.argmax(enough)) if enough.any() else len(self.gap) - 1
        return int(self.n_clusters[at])


def gap_statistic(n_clusters: Indices, inertia: Array, references: Sequence[Array]) -> GapStatistic:
    r"""Compare dispersions with those of rows that have no clusters.

    .. math:: \text{gap}(k) = \frac1B \sum_b \log W^*_{kb} - \log W_k

    Parameters
    ----------
    n_clusters : array of int of shape (m,)
    inertia : array of shape (m,)
        The dispersions W of the rows.
    references : sequence of arrays of shape (m,)
        Those of each set of reference rows.

    References
    ----------
    Tibshirani, Walther & Hastie (2001), Estimating the number of clusters in a data set via the gap
    statistic (the rule of `first`). Dudoit & Fridlyand (2002), A prediction-based resampling method
    for estimating the number of clusters in a dataset (the rule of `best`).

    Examples
    --------
    >>> found = gap_statistic(np.array([1, 2]), np.array([9.0, 1.0]), [np.array([9.0, 5.0])] * 2)
    >>> found.gap.round(3).tolist(), found.best
    ([0.0, 1.609], 2)
    """
    logs = np.log(np.maximum(np.array(references), _TINY))
    gap = logs.mean(axis=0) - np.log(np.maximum(inertia, _TINY))
    deviation = logs.std(axis=0)
    return GapStatistic(n_clusters, gap, deviation * np.sqrt(1.0 + 1.0 / len(logs)))


_TINY = np.finfo(np.float64).tiny  # of rows that are all alike the dispersion is 0


def reference_rows(x: Array, kind: Reference, draw: np.random.Generator) -> Array:
    """Rows like those of x, but without clusters.

    Parameters
    ----------
    x : array of shape (n, p)
    kind : {"pca", "box", "permutation"}
        Uniform in the box along the principal components of x; uniform in the ranges of its
        columns; or every column of x in an order of its own, which keeps gaps and codes.
    draw : Generator
    """
    if kind == "permutation":
        return np.column_stack([draw.permutation(column) for column in x.T])
    if kind == "box":
        return draw.uniform(x.min(axis=0), x.max(axis=0), size=x.shape)
    middle = x.mean(axis=0)
    _, _, axes = interruptible(np.linalg.svd, x - middle, full_matrices=False)
    along = (x - middle) @ axes.T
    made = draw.uniform(along.min(axis=0), along.max(axis=0), size=along.shape)
    return np.asarray(made @ axes + middle)
