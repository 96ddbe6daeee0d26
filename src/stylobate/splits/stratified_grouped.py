"""K folds that keep groups together and give every class its share."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.splits.splitter import Folds, GroupSplitter, generator
from stylobate.splits.strata import check_class_sizes, class_numbers, require_discrete
from stylobate.splits.value_numbers import group_numbers

_RELATIVE, _ABSOLUTE = 1e-5, 1e-8  # spreads this close are equal


class StratifiedGroupKFold(GroupSplitter, Folds):
    """K parts such that no group is in two of them and every class has nearly its share.

    Groups go one by one, those of the most uneven class counts first, to the part that leaves the
    classes spread most evenly: the least mean over classes of the standard deviation over parts of
    the share of the class; of equal ones to the part with the fewest rows.

    Parameters
    ----------
    n_splits : int >= 2, default=5
        Number of parts.
    shuffle : bool, default=False
        Whether to take equally uneven groups in random order.
    random_state : int, RandomState or None, default=None
        Seed, when shuffling.

    Examples
    --------
    >>> import numpy as np
    >>> y = [0, 0, 0, 1, 0, 0, 0, 1]
    >>> groups = [1, 1, 2, 2, 3, 3, 4, 4]
    >>> folds = StratifiedGroupKFold(2).split(np.zeros((8, 1)), y, groups)
    >>> [test.tolist() for train, test in folds]
    [[0, 1, 2, 3], [4, 5, 6, 7]]
    """

    def __init__(self, n_splits: int = 5, shuffle: bool = False, random_state: Any = None) -> None:
        super().__init__(n_splits, shuffle=shuffle, random_state=random_state)

    def _tests(self, n: int, y: Any, groups: Any) -> Iterator[Indices]:
        name = type(self).__name__
        classes, labels = class_numbers(y, n, name)
        require_discrete(y, name)
        check_class_sizes(np.bincount(labels), self.n_splits, name)
        kinds, numbers = group_numbers(groups, n, name)
        self._refuse_few(len(kinds), "groups")
        counts = class_counts(numbers, labels, len(kinds), len(classes))
        order = np.arange(len(kinds))
        if self.shuffle:
            generator(self.random_state).shuffle(order)
        uneven = np.std(counts[order], axis=1)
        order = order[np.argsort(-uneven, kind="stable")]
        part_of = _deal(counts, order, self.n_splits)[numbers]
        for k in range(self.n_splits):
            yield np.flatnonzero(part_of == k)


def class_counts(groups: Indices, labels: Indices, n_groups: int, n_classes: int) -> Array:
    """Rows of each class (columns) in each group (rows)."""
    cells = np.bincount(groups * n_classes + labels, minlength=n_groups * n_classes)
    return cells.reshape(n_groups, n_classes).astype(np.float64)


def _deal(counts: Array, order: Indices, n_splits: int) -> NDArray[Any]:
    """The part of each group.

    Every step looks at all parts at once: `held[i]` is what the parts would hold if the group went
    to part i. The sums run as those of scikit-learn, so that ties fall alike.
    """
    totals = counts.sum(axis=0)
    held = np.zeros((n_splits, n_splits, counts.shape[1]))
    diagonal = np.arange(n_splits)
    rows = [0.0] * n_splits
    sizes = counts.sum(axis=1).tolist()
    part_of = np.empty(len(counts), dtype=np.min_scalar_type(n_splits))
    for group in order.tolist():
        own = counts[group]
        held[diagonal, diagonal] += own
        shares = held / totals
        shares -= np.add.reduce(shares, axis=1, keepdims=True) / n_splits
        spread = np.sqrt(np.add.reduce(shares * shares, axis=1) / n_splits)
        best = _least((np.add.reduce(spread, axis=1) / spread.shape[1]).tolist(), rows)
        held[diagonal, diagonal] -= own
        held[:, best] += own
        rows[best] += sizes[group]
        part_of[group] = best
    return part_of


def _least(spreads: list[float], rows: list[float]) -> int:
    """The part of least spread; among equal ones that of the fewest rows."""
    best, least, fewest = 0, inf, inf
    for k, spread in enumerate(spreads):
        alike = least < inf and abs(spread - least) <= _ABSOLUTE + _RELATIVE * abs(least)
        if spread < least or (alike and rows[k] < fewest):
            best, least, fewest = k, spread, rows[k]
    return best
