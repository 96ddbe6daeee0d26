"""K folds in each of which every class has its share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from stylobate.arrays import Indices
from stylobate.splits.splitter import Folds, generator
from stylobate.splits.strata import check_class_sizes, class_numbers, require_discrete
from stylobate.splits.value_numbers import rows_by_number


class StratifiedKFold(Folds):
    """K parts in each of which every class has nearly its share of the whole.

    Rows sorted by class are dealt out in turn, which fixes how many of each class a part gets; the
    rows of a class then go to the parts in order, or at random.

    Parameters
    ----------
    n_splits : int >= 2, default=5
        Number of parts.
    shuffle : bool, default=False
        Whether to deal out each class at random instead of in order.
    random_state : int, RandomState or None, default=None
        Seed, when shuffling.

    Examples
    --------
    >>> import numpy as np
    >>> y = ["a", "a", "b", "a", "a", "b"]
    >>> [test.tolist() for train, test in StratifiedKFold(2).split(np.zeros((6, 1)), y)]
    [[0, 1, 2], [3, 4, 5]]
    """

    def _tests(self, n: int, y: Any, groups: Any) -> Iterator[Indices]:
        name = type(self).__name__
        _, numbers = class_numbers(y, n, name)
        require_discrete(y, name)
        self._refuse_few(n)
        counts = np.bincount(numbers)
        check_class_sizes(counts, self.n_splits, name)
        draw = generator(self.random_state) if self.shuffle else None
        members = rows_by_number(numbers, counts)
        # classes in the order they first appear, as scikit-learn does, so that the folds are its
        ranked = np.argsort([rows[0] for rows in members], kind="stable")
        part_of = np.empty(n, dtype=np.min_scalar_type(self.n_splits))
        parts = np.arange(self.n_splits)
        start = 0
        for label in ranked:
            stop = start + counts[label]
            shares = (stop - 1 - parts) // self.n_splits - (start - 1 - parts) // self.n_splits
            dealt = np.repeat(parts, shares)  # as dealing rows sorted by class out in turn would
            if draw is not None:
                draw.shuffle(dealt)
            part_of[members[label]] = dealt
            start = stop
        for k in range(self.n_splits):
            yield np.flatnonzero(part_of == k)
