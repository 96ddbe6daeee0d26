"""Count, mean and squares of targets in groups of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from stylobate.arrays import Array, Indices


@dataclass(frozen=True, slots=True, eq=False)
class GroupMoments:
    r"""Moments of targets by group: :math:`n_g`, :math:`\bar y_g`, :math:`\sum (y - \bar y_g)^2`.

    Parameters
    ----------
    count : array of shape (groups,)
    mean, squares : arrays of shape (groups, targets)
        0 where a group has no rows.

    Examples
    --------
    >>> left = GroupMoments.of(np.array([0, 1, 0]), 2, np.array([[1.0], [5.0], [3.0]]))
    >>> whole = left.merge(GroupMoments.of(np.array([0]), 2, np.array([[8.0]])))
    >>> whole.count.tolist(), whole.mean.tolist(), whole.squares.tolist()
    ([3.0, 1.0], [[4.0], [5.0]], [[26.0], [0.0]])
    """

    count: Array
    mean: Array
    squares: Array

    @classmethod
    def of(cls, codes: Indices, n_groups: int, targets: Array) -> Self:
        """Of rows whose groups are numbered; a row of number -1 is in none."""
        known = codes >= 0
        if not known.all():
            codes, targets = codes[known], targets[known]
        count = np.bincount(codes, minlength=n_groups).astype(np.float64)
        mean = np.empty((n_groups, targets.shape[1]))
        squares = np.empty_like(mean)
        for k, y in enumerate(targets.T):
            mean[:, k] = np.bincount(codes, weights=y, minlength=n_groups) / np.maximum(count, 1.0)
            spread = (y - mean[codes, k]) ** 2
            squares[:, k] = np.bincount(codes, weights=spread, minlength=n_groups)
        return cls(count, mean, squares)

    def merge(self, other: Self) -> Self:
        """Moments of both parts' rows, group by group."""
        count = self.count + other.count
        share = np.divide(other.count, count, out=np.zeros_like(count), where=count > 0)[:, None]
        delta = np.where((self.count > 0)[:, None], other.mean - self.mean, other.mean)
        delta = np.where((other.count > 0)[:, None], delta, 0.0)
        both = (self.count[:, None] > 0) * (self.count[:, None] * share) * delta**2
        mean = np.where((self.count > 0)[:, None], self.mean + delta * share, other.mean)
        return type(self)(count, mean, self.squares + other.squares + both)

    def at(self, groups: slice) -> Self:
        """Some of the groups."""
        return type(self)(self.count[groups], self.mean[groups], self.squares[groups])
