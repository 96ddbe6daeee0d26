"""Random splits: a new draw for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.splits.sizes import check_sizes, row_counts
from stylobate.splits.splitter import Split, Splitter, count_rows, generator, is_integer
from stylobate.splits.strata import class_numbers
from stylobate.splits.value_numbers import rows_by_number


class RandomSplits(Splitter):
    """As many random splits as asked for, of given sizes."""

    _default_test_size = 0.1

    def __init__(
        self,
        n_splits: int = 10,
        *,
        test_size: Any = None,
        train_size: Any = None,
        random_state: Any = None,
    ) -> None:
        name = type(self).__name__
        if not is_integer(n_splits) or n_splits < 1:
            raise InvalidParameterError(
                f"{name}: n_splits must be an integer of at least 1, got {n_splits!r}."
            )
        check_sizes(test_size, train_size, name)
        self.n_splits = int(n_splits)
        self.test_size = test_size
        self.train_size = train_size
        self.random_state = random_state

    def _counts(self, n: int) -> tuple[int, int]:
        return row_counts(
            n,
            self.test_size,
            self.train_size,
            default=self._default_test_size,
            owner=type(self).__name__,
        )


class ShuffleSplit(RandomSplits):
    """Random splits, each of a new permutation of the rows; test parts may overlap.

    Parameters
    ----------
    n_splits : int >= 1, default=10
        Number of splits.
    test_size : float in (0, 1), int or None, default=None
        Share or number of test rows. None: what `train_size` leaves; 0.1 if that is None too.
    train_size : float in (0, 1), int or None, default=None
        Share or number of training rows. None: what `test_size` leaves.
    random_state : int, RandomState or None, default=None
        Seed.

    Examples
    --------
    >>> import numpy as np
    >>> [len(test) for train, test in ShuffleSplit(2, test_size=0.3).split(np.zeros((10, 1)))]
    [3, 3]
    """

    def _pairs(self, X: Any, y: Any, groups: Any) -> Iterator[Split]:
        """Row numbers of the training and the test part of each split, in random order."""
        n = count_rows(X)
        train, test = self._counts(n)
        draw = generator(self.random_state)
        for _ in range(self.n_splits):
            order = draw.permutation(n)
            yield order[test : test + train], order[:test]


class StratifiedShuffleSplit(RandomSplits):
    """Random splits in which every class has its share in both parts.

    Parameters
    ----------
    n_splits : int >= 1, default=10
        Number of splits.
    test_size, train_size : float in (0, 1), int or None, default=None
        As of `ShuffleSplit`.
    random_state : int, RandomState or None, default=None
        Seed.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.repeat(["a", "b"], [8, 4])
    >>> splitter = StratifiedShuffleSplit(1, test_size=0.25, random_state=0)
    >>> train, test = next(splitter.split(np.zeros((12, 1)), y))
    >>> sorted(y[test].tolist())
    ['a', 'a', 'b']
    """

    def _pairs(self, X: Any, y: Any, groups: Any) -> Iterator[Split]:
        """Row numbers of the training and the test part of each split, in random order."""
        n = count_rows(X)
        classes, numbers = class_numbers(y, n, type(self).__name__)
        counts = np.bincount(numbers)
        train, test = self._counts(n)
        self._refuse_small(classes, counts, train, test)
        members = rows_by_number(numbers, counts)
        draw = generator(self.random_state)
        for _ in range(self.n_splits):
            for_training = share_out(counts, train, draw)
            for_test = share_out(counts - for_training, test, draw)
            parts: tuple[list[Indices], list[Indices]] = ([], [])
            for rows, a, b in zip(members, for_training, for_test, strict=True):
                order = rows[draw.permutation(len(rows))]
                parts[0].append(order[:a])
                parts[1].append(order[a : a + b])
            yield (
                draw.permutation(np.concatenate(parts[0])),
                draw.permutation(np.concatenate(parts[1])),
            )

    def drawn_for_test(self, codes: NDArray[Any]) -> NDArray[np.bool_]:
        """Which rows the first split tests, of classes 0, 1, …; little memory for many rows.

        >>> codes = np.array([0, 0, 1, 1, 1, 1])
        >>> splitter = StratifiedShuffleSplit(1, test_size=2, random_state=0)
        >>> (_, test), = splitter.split(np.zeros((6, 1)), codes)
        >>> bool((np.flatnonzero(splitter.drawn_for_test(codes)) == np.sort(test)).all())
        True
        """
        counts = np.bincount(codes)
        train, test = self._counts(len(codes))
        self._refuse_small(np.arange(len(counts)), counts, train, test)
        draw = generator(self.random_state)
        for_training = share_out(counts, train, draw)
        for_test = share_out(counts - for_training, test, draw)
        held = np.zeros(len(codes), dtype=bool)
        for code, (a, b) in enumerate(zip(for_training, for_test, strict=True)):
            order = draw.permutation(counts[code])[a : a + b].copy()
            held[np.flatnonzero(codes == code)[order]] = True
        return held

    def _refuse_small(
        self, classes: NDArray[Any], counts: NDArray[np.intp], train: int, test: int
    ) -> None:
        name = type(self).__name__
        if counts.min() < 2:
            which = classes[int(counts.argmin())].item()
            raise InvalidDataError(
                f"{name}: The least populated class in y, {which!r}, has only 1 member, and each "
                "class needs at least 2: one to train on and one to test."
            )
        for part, size in (("train", train), ("test", test)):
            if size < len(counts):
                raise InvalidDataError(
                    f"{name}: the {part}_size = {size} should be greater or equal to the number of "
                    f"classes = {len(counts)}."
                )


def share_out(counts: NDArray[np.intp], total: int, draw: np.random.RandomState) -> Indices:
    """Whole numbers in proportion to `counts` that add up to `total`; draws break ties.

    The largest remainders are rounded up (Hamilton's method).

    >>> share_out(np.array([4, 2]), 3, np.random.RandomState(0))
    array([2, 1])
    """
    exact = counts / counts.sum() * total
    shares = np.floor(exact)
    missing = int(total - shares.sum())
    remainders = exact - shares
    for remainder in np.unique(remainders)[::-1]:
        if missing <= 0:
            break
        alike = np.flatnonzero(remainders == remainder)
        chosen = draw.choice(alike, size=min(len(alike), missing), replace=False)
        shares[chosen] += 1
        missing -= len(chosen)
    return np.asarray(shares, dtype=np.intp)
