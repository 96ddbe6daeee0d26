"""K folds that keep groups together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidDataError
from stylobate.splits.splitter import Folds, Rows, generator
from stylobate.splits.strata import as_array


class GroupKFold(Folds):
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

    def _tests(self, n: int, y: Any, groups: Any) -> Iterator[Rows]:
        name = type(self).__name__
        if groups is None:
            raise InvalidDataError(f"{name}: The 'groups' parameter should not be None.")
        values = as_array(groups)
        if values.ndim != 1 or len(values) != n:
            raise InvalidDataError(
                f"{name}: groups has shape {values.shape}, expected ({n},): one group for each row."
            )
        kinds, numbers = np.unique(values, return_inverse=True)
        self._refuse_few(len(kinds), "groups")
        if self.shuffle:
            order = generator(self.random_state).permutation(len(kinds))
            for part in np.array_split(order, self.n_splits):
                yield np.flatnonzero(np.isin(numbers, part))
            return
        sizes = np.bincount(numbers)
        part_of = np.empty(len(kinds), dtype=np.intp)
        load = np.zeros(self.n_splits)
        for group in np.argsort(sizes)[::-1]:
            part_of[group] = lightest = int(load.argmin())
            load[lightest] += sizes[group]
        for k in range(self.n_splits):
            yield np.flatnonzero(part_of[numbers] == k)
