"""K folds by a hash of the row's number: the same in memory and on streams."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices, Mask
from stylobate.exceptions import InvalidParameterError
from stylobate.splits.splitter import Splitter, is_integer

_STEP = 0x9E3779B97F4A7C15  # 2⁶⁴ over the golden ratio
_WORD = (1 << 64) - 1


def row_hashes(first: int, count: int, seed: int) -> NDArray[np.uint64]:
    """64 random-looking bits for each of some consecutive rows (splitmix64 of seed and number).

    Examples
    --------
    >>> [hex(each) for each in row_hashes(0, 2, 0).tolist()]
    ['0xe220a8397b1dcdaf', '0x6e789e6aa1b965f4']
    >>> bool((row_hashes(3, 2, 0) == row_hashes(0, 5, 0)[3:]).all())
    True
    """
    start = np.uint64((_mixed(seed) if seed else 0) & _WORD)
    numbers = np.arange(first + 1, first + count + 1, dtype=np.uint64)
    return stirred(numbers * np.uint64(_STEP) + start)


def stirred(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Bits of which each depends on all those given (splitmix64's finish).

    Examples
    --------
    >>> [hex(each) for each in stirred(np.array([0, 1], dtype=np.uint64)).tolist()]
    ['0x0', '0x5692161d100b05e5']
    """
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


def _mixed(seed: int) -> int:
    """The seed's own hash: neighbouring seeds would give each other's numbers, shifted."""
    z = (seed * _STEP) & _WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    return z ^ (z >> 31)


def hashed_share(first: int, count: int, seed: int, share: float) -> Mask:
    """Which of some consecutive rows belong to a sample of about that share of all rows.

    A smaller share of the same seed is part of a larger one.

    Examples
    --------
    >>> int(hashed_share(0, 10_000, 7, 0.25).sum())
    2436
    """
    if share >= 1.0:
        return np.ones(count, dtype=bool)
    limit = np.uint64(int(max(share, 0.0) * 2.0**64))
    return np.asarray(row_hashes(first, count, seed) < limit)


class HashKFold(Splitter):
    """K parts of about equal size, each once the test part; a row's part is a hash of its number.

    The part of row i is h(random_state, i) mod n_splits with a fixed 64-bit hash h (splitmix64), so
    it can be told without knowing how many rows there are: these are the folds of streams, files
    and relations, where an integer ``cv`` means this splitter. In memory it gives the same parts.

    Parameters
    ----------
    n_splits : int >= 2, default=5
        Number of parts.
    random_state : int >= 0, default=0
        Seed of the hash.

    Examples
    --------
    >>> import numpy as np
    >>> [test.tolist() for train, test in HashKFold(3).split(np.zeros((8, 1)))]
    [[1, 5], [0, 2, 3, 4], [6, 7]]

    References
    ----------
    Steele, Lea & Flood (2014), Fast splittable pseudorandom number generators, OOPSLA.
    """

    def __init__(self, n_splits: int = 5, *, random_state: int = 0) -> None:
        if not is_integer(n_splits) or n_splits < 2:
            raise InvalidParameterError(
                f"HashKFold: n_splits must be an integer of at least 2, got {n_splits!r}."
            )
        if not is_integer(random_state) or not 0 <= random_state < 2**64:
            raise InvalidParameterError(
                "HashKFold: random_state must be a whole number from 0 to 2⁶⁴ − 1, got "
                f"{random_state!r}."
            )
        self.n_splits = int(n_splits)
        self.random_state = int(random_state)

    def folds_of(self, first: int, count: int) -> NDArray[np.intp]:
        """The part of each of some consecutive rows.

        Parameters
        ----------
        first : int >= 0
            The number of the first of them.
        count : int >= 0
            How many there are.
        """
        hashes = row_hashes(first, count, self.random_state)
        return np.asarray(hashes % np.uint64(self.n_splits)).astype(np.intp)

    def test_rows(self, fold: int) -> Callable[[int, int], Mask]:
        """Which rows one part tests, as `Stream.where` asks for it."""
        return lambda first, count: np.asarray(self.folds_of(first, count) == fold)

    def train_rows(self, fold: int) -> Callable[[int, int], Mask]:
        """Which rows train the model that one part tests, as `Stream.where` asks for it."""
        return lambda first, count: np.asarray(self.folds_of(first, count) != fold)

    def _tests(self, n: int, y: Any, groups: Any) -> Iterator[Indices]:
        folds = self.folds_of(0, n)
        empty = np.setdiff1d(np.arange(self.n_splits), folds)
        if len(empty):
            raise InvalidParameterError(
                f"HashKFold: of {n} rows none falls into part {empty[0]} of {self.n_splits}; use "
                "fewer parts, another random_state or, for so few rows, KFold."
            )
        for fold in range(self.n_splits):
            yield np.flatnonzero(folds == fold)


def hashed_folds(cv: Any, owner: str) -> HashKFold:
    """The folds that ``cv`` stands for where rows are read in batches.

    >>> hashed_folds(3, "GridSearchCV")
    HashKFold(n_splits=3, random_state=0)
    """
    if isinstance(cv, HashKFold):
        return cv
    if cv is None or is_integer(cv):
        return HashKFold(5 if cv is None else cv)
    raise InvalidParameterError(
        f"{owner}: rows that are read in batches are divided by their numbers: cv must be a number "
        f"of folds or HashKFold(...), got {cv!r}."
    )
