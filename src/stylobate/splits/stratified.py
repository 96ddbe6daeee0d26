"""K folds in each of which every class has its share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.splits.splitter import Folds, Rows, generator
from stylobate.splits.strata import class_numbers, require_discrete, warn_small_class


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

    def _tests(self, n: int, y: Any, groups: Any) -> Iterator[Rows]:
        name = type(self).__name__
        classes, numbers = class_numbers(y, n, name)
        require_discrete(y, name)
        self._refuse_few(n)
        counts = np.bincount(numbers)
        if (counts < self.n_splits).all():
            raise InvalidParameterError(
                f"{name}: n_splits={self.n_splits} cannot be greater than the number of members in "
                f"each class; the largest of the {len(classes)} classes has {counts.max()}."
            )
        if counts.min() < self.n_splits:
            warn_small_class(int(counts.min()), self.n_splits)
        draw = generator(self.random_state) if self.shuffle else None
        # classes in the order they first appear, as scikit-learn does, so that the folds are its
        first = np.full(len(classes), n)
        np.minimum.at(first, numbers, np.arange(n))
        ranked = np.argsort(first, kind="stable")
        ordered = np.repeat(np.arange(len(classes)), counts[ranked])
        part_of = np.empty(n, dtype=np.intp)
        for rank, label in enumerate(ranked):
            shares = [
                np.count_nonzero(ordered[k :: self.n_splits] == rank) for k in range(self.n_splits)
            ]
            parts = np.repeat(np.arange(self.n_splits), shares)
            if draw is not None:
                draw.shuffle(parts)
            part_of[numbers == label] = parts
        for k in range(self.n_splits):
            yield np.flatnonzero(part_of == k)
