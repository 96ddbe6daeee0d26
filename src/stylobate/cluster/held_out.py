"""How many clusters: the error of k-means on rows held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.cluster.kmeans import KMeans
from stylobate.data import read_table
from stylobate.distances import measured
from stylobate.exceptions import InvalidParameterError
from stylobate.splits import check_cv


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutCurve:
    """Mean squared distances to the nearest centre, for every number of clusters.

    Parameters
    ----------
    n_clusters : array of shape (m,)
    training, held_out : arrays of shape (m,)
        Of rows that were learnt from, and of others; means over the splits.
    standard_errors : array of shape (m,)
        Of `held_out`, over the splits.
    """

    n_clusters: NDArray[np.intp]
    training: Array
    held_out: Array
    standard_errors: Array

    @property
    def best(self) -> int:
        """The number of the least error on rows held out."""
        return int(self.n_clusters[np.argmin(self.held_out)])

    @property
    def elbow(self) -> int:
        """Where the error stops falling fast: the sharpest bend of its logarithm."""
        if len(self.n_clusters) < 3:
            return self.best
        with np.errstate(divide="ignore", invalid="ignore"):
            bends = np.nan_to_num(np.diff(np.log(self.held_out), 2))
        return int(self.n_clusters[1 + np.argmax(bends)])

    @property
    def smallest(self) -> int:
        """The least number whose error is within one standard error of the best."""
        at = int(np.argmin(self.held_out))
        near = self.held_out <= self.held_out[at] + self.standard_errors[at]
        return int(self.n_clusters[np.flatnonzero(near)[0]])


def held_out_curve(
    X: Any, n_clusters: Sequence[int], *, cv: Any = 5, random_state: Any = 0
) -> HeldOutCurve:
    r"""The error of k-means on rows held out, for several k.

    .. math:: \frac1{|T|} \sum_{x \in T} \min_c \|x - c\|^2

    On rows that were learnt from it falls with every further centre; on others it falls much
    slower once centres divide what belongs together. It may never rise (centres also tile space),
    so that where it flattens is what to look for: `elbow`.

    Parameters
    ----------
    X : array-like or data frame of shape (n, p)
        Rows.
    n_clusters : sequence of int in [1, inf)
        The k to try.
    cv : int or splitter, default=5
        Which rows are held out.
    random_state : int, RandomState or None, default=0
        Of the starts of k-means.

    Returns
    -------
    HeldOutCurve

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> X = np.repeat([[0.0], [10.0], [20.0]], 30, axis=0) + random.normal(size=(90, 1))
    >>> from stylobate.model_selection import KFold
    >>> curve = held_out_curve(X, [1, 2, 3, 4], cv=KFold(5, shuffle=True, random_state=0))
    >>> curve.elbow
    3
    """
    rows = np.asarray(read_table(X, owner="held_out_curve").x, dtype=np.float64)
    counts = np.asarray(n_clusters, dtype=np.intp)
    if counts.ndim != 1 or not len(counts) or counts.min() < 1:
        raise InvalidParameterError(
            f"held_out_curve: n_clusters must be a list of numbers from 1 on, got {n_clusters!r}."
        )
    splits = list(check_cv(cv).split(rows))
    errors = np.empty((2, len(counts), len(splits)))
    for at, k in enumerate(counts):
        for number, (train, test) in enumerate(splits):
            model = KMeans(int(k), n_init=4, random_state=random_state).fit(rows[train])
            errors[0, at, number] = model.inertia_ / len(train)
            nearest, _ = measured(rows[test], model.cluster_centers_).nearest(1)
            errors[1, at, number] = float((nearest**2).mean())
    spread = errors[1].std(axis=1, ddof=1) / np.sqrt(len(splits))
    return HeldOutCurve(counts, errors[0].mean(axis=1), errors[1].mean(axis=1), spread)
