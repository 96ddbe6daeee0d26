"""Every choice of a few groups once the test part."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from stylobate.arrays import Indices
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.splits.splitter import GroupSplitter, is_integer
from stylobate.splits.value_numbers import group_numbers


class LeavePGroupsOut(GroupSplitter):
    """Every set of some groups is once the test part.

    Parameters
    ----------
    n_groups : int >= 1
        Groups to test at a time.

    Examples
    --------
    >>> import numpy as np
    >>> groups = ["a", "b", "b", "c"]
    >>> splits = LeavePGroupsOut(2).split(np.zeros((4, 1)), groups=groups)
    >>> [test.tolist() for train, test in splits]
    [[0, 1, 2], [0, 3], [1, 2, 3]]
    """

    def __init__(self, n_groups: int) -> None:
        if not is_integer(n_groups) or n_groups < 1:
            raise InvalidParameterError(
                f"LeavePGroupsOut: n_groups must be an integer of at least 1, got {n_groups!r}."
            )
        self.n_groups = int(n_groups)

    @property
    def _size(self) -> int:
        return self.n_groups

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Number of splits: that of the sets of groups; `groups` must be given."""
        kinds, _ = group_numbers(groups, None, type(self).__name__)
        return comb(len(kinds), self._size)

    def _tests(self, n: int, y: Any, groups: Any) -> Iterator[Indices]:
        kinds, numbers = group_numbers(groups, n, type(self).__name__)
        count = len(kinds)
        if count <= self._size:
            raise InvalidDataError(
                f"{type(self).__name__}: cannot leave {self._size} of {count} group(s) out; there "
                f"must be at least {self._size + 1} groups, so that one is left to train."
            )
        chosen = np.zeros(count, dtype=bool)
        for few in combinations(range(count), self._size):
            chosen[:] = False
            chosen[list(few)] = True
            yield np.flatnonzero(chosen[numbers])


class LeaveOneGroupOut(LeavePGroupsOut):
    """As many splits as groups: each group is once the test part, all others train.

    Examples
    --------
    >>> import numpy as np
    >>> groups = ["a", "b", "b", "c"]
    >>> splits = LeaveOneGroupOut().split(np.zeros((4, 1)), groups=groups)
    >>> [test.tolist() for train, test in splits]
    [[0], [1, 2], [3]]
    """

    def __init__(self) -> None:
        pass

    @property
    def _size(self) -> int:
        return 1
