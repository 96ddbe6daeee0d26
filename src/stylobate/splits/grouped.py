"""K folds that keep groups together."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapreplace
from typing import Any

import numpy as np

from stylobate.arrays import Indices
from stylobate.splits.splitter import Folds, GroupSplitter, generator
from stylobate.splits.value_numbers import group_numbers


class GroupKFold(GroupSplitter, Folds):
    """K parts such that no group is in two of them.

    Groups go, largest first, to the part with the fewest rows so far; shuffled, they are dealt out
    at random in equal numbers.

    Parameters
    ----------
    n_splits : int >= 2, default=5
        Number of parts.
    shuffle : bool, default=False
        Whether to deal the groups out at random.
    random_state : int, RandomState or None, default=None
        Seed, when shuffling.

    Examples
    --------
    >>> import numpy as np
    >>> groups = [0, 0, 1, 2, 2, 2]
    >>> [test.tolist() for _, test in GroupKFold(2).split(np.zeros((6, 1)), groups=groups)]
    [[3, 4, 5], [0, 1, 2]]
    """

    def _tests(self, n: int, y: Any, groups: Any) -> Iterator[Indices]:
        kinds, numbers = group_numbers(groups, n, type(self).__name__)
        self._refuse_few(len(kinds), "groups")
        part_of = np.empty(len(kinds), dtype=np.min_scalar_type(self.n_splits))
        if self.shuffle:
            order = generator(self.random_state).permutation(len(kinds))
            for k, part in enumerate(np.array_split(order, self.n_splits)):
                part_of[part] = k
        else:
            sizes = np.bincount(numbers)
            loads = [(0, k) for k in range(self.n_splits)]  # a heap: the lightest part first
            for group in np.argsort(sizes, kind="stable")[::-1].tolist():
                load, lightest = loads[0]
                part_of[group] = lightest
                heapreplace(loads, (load + int(sizes[group]), lightest))
        row_part = part_of[numbers]
        for k in range(self.n_splits):
            yield np.flatnonzero(row_part == k)
