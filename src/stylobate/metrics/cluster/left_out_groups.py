"""Intervals of scores of clusters, from the rows with a group of them left out at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.metrics.cluster.clustered_rows import ClusteredRows
from stylobate.metrics.cluster.parts import clusterings_of
from stylobate.metrics.intervals.interval import Interval

_GROUPS = 20


def groups_of(rows: int, random: np.random.Generator) -> NDArray[np.int64]:
    """The random group of each row, of at most 20 of nearly one size."""
    return random.permutation(np.arange(rows) % min(_GROUPS, rows)).astype(np.int64)


def left_out_silhouettes(
    rows: ClusteredRows, codes: Sequence[NDArray[np.int64]], groups: NDArray[np.int64]
) -> Array:
    """Mean silhouettes without each group, for each clustering: all from one pass over the pairs.

    Parameters
    ----------
    rows : ClusteredRows
        The rows.
    codes : sequence of ndarray of shape (n,)
        Their clusterings.
    groups : ndarray of shape (n,)
        The group of each row.

    Returns
    -------
    ndarray of shape (clusterings, groups)
    """
    count = int(groups.max()) + 1
    without = [np.where(groups == g, -1, each) for each in codes for g in range(count)]
    values = rows.silhouettes(clusterings_of(without), len(without))
    return np.asarray(np.nanmean(values, axis=1).reshape(len(codes), count))


def left_out_values(
    score: Callable[[NDArray[np.int64]], float], groups: NDArray[np.int64]
) -> Array:
    """A score of the rows that are not in each group, by their numbers."""
    count = int(groups.max()) + 1
    return np.array([score(np.flatnonzero(groups != g)) for g in range(count)])


def jackknife_interval(estimate: float, left_out: Array, confidence: float) -> Interval:
    r"""The interval by Student's t from the values with a group left out.

    .. math:: \hat s^2 = \frac{G - 1}{G} \sum_g (\theta_{(g)} - \bar\theta)^2

    Parameters
    ----------
    estimate : float
        The value for all rows.
    left_out : ndarray of shape (G,)
        Those without each group.
    confidence : float in (0, 1)
        Coverage asked for.

    References
    ----------
    Kott (2001), The delete-a-group jackknife.

    Examples
    --------
    >>> print(jackknife_interval(0.5, np.array([0.49, 0.51, 0.5, 0.5]), 0.95))
    0.5 (95 % interval 0.461 to 0.539, jackknife)
    """
    from scipy.special import stdtrit

    known = left_out[np.isfinite(left_out)]
    count = len(known)
    if count < 2:
        return Interval(estimate, float("nan"), float("nan"), "jackknife", confidence)
    error = np.sqrt((count - 1) / count * ((known - known.mean()) ** 2).sum())
    reach = float(stdtrit(count - 1, 0.5 + 0.5 * confidence) * error)
    return Interval(estimate, estimate - reach, estimate + reach, "jackknife", confidence)
