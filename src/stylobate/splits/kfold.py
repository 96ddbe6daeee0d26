"""K folds by position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from stylobate.arrays import Indices
from stylobate.splits.splitter import Folds, generator


class KFold(Folds):
    """K parts of nearly equal size, each once the test part.

    Parameters
    ----------
    n_splits : int >= 2, default=5
        Number of parts.
    shuffle : bool, default=False
        Whether to deal the rows out at random instead of in order.
    random_state : int, RandomState or None, default=None
        Seed, when shuffling.

    Examples
    --------
    >>> import numpy as np
    >>> [test.tolist() for train, test in KFold(3).split(np.zeros((7, 1)))]
    [[0, 1, 2], [3, 4], [5, 6]]
    """

    def _tests(self, n: int, y: Any, groups: Any) -> Iterator[Indices]:
        self._refuse_few(n)
        order = np.arange(n)
        if self.shuffle:
            generator(self.random_state).shuffle(order)
        sizes = np.full(self.n_splits, n // self.n_splits)
        sizes[: n % self.n_splits] += 1
        yield from np.split(order, np.cumsum(sizes)[:-1])
