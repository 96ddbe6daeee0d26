"""Random splits of whole groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidDataError
from stylobate.splits.shuffled import RandomSplits
from stylobate.splits.splitter import GroupSplitter, Split, count_rows, generator
from stylobate.splits.value_numbers import group_numbers


class GroupShuffleSplit(GroupSplitter, RandomSplits):
    """Random splits of the groups: each is either trained on or tested, as a whole.

    The sizes are of groups, not of rows.

    Parameters
    ----------
    n_splits : int >= 1, default=5
        Number of splits.
    test_size : float in (0, 1), int or None, default=None
        Share or number of test groups. None: what `train_size` leaves; 0.2 if that is None too.
    train_size : float in (0, 1), int or None, default=None
        Share or number of training groups. None: what `test_size` leaves.
    random_state : int, RandomState or None, default=None
        Seed.

    Examples
    --------
    >>> import numpy as np
    >>> groups = np.array(["a", "a", "b", "c", "c", "d"])
    >>> splitter = GroupShuffleSplit(1, test_size=0.5, random_state=0)
    >>> train, test = next(splitter.split(np.zeros((6, 1)), groups=groups))
    >>> set(groups[train]) & set(groups[test])
    set()
    """

    _default_test_size = 0.2

    def __init__(
        self,
        n_splits: int = 5,
        *,
        test_size: Any = None,
        train_size: Any = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            n_splits, test_size=test_size, train_size=train_size, random_state=random_state
        )

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Row numbers of the training and the test part of each split."""
        kinds, numbers = group_numbers(groups, count_rows(X), type(self).__name__)
        if len(kinds) < 2:
            raise InvalidDataError(
                f"{type(self).__name__}: there is only one group, {kinds[0].item()!r}, and one has "
                "to train and another to be tested."
            )
        train, test = self._counts(len(kinds))
        draw = generator(self.random_state)
        part = np.empty(len(kinds), dtype=np.int8)
        for _ in range(self.n_splits):
            order = draw.permutation(len(kinds))
            part[:] = -1
            part[order[:test]] = 1
            part[order[test : test + train]] = 0
            of_row = part[numbers]
            yield np.flatnonzero(of_row == 0), np.flatnonzero(of_row == 1)
