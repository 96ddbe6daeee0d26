"""A uniform sample of the rows of a stream, the same however the stream is cut into batches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]


def row_keys(first: int, count: int, seed: int) -> Keys:
    """A random number for each row, from its position and the seed alone (splitmix64).

    >>> row_keys(5, 2, seed=0).tolist() == row_keys(0, 7, seed=0)[5:].tolist()
    True
    """
    with np.errstate(over="ignore"):
        x = np.arange(first + 1, first + 1 + count, dtype=np.uint64)
        x += np.uint64(seed & 0xFFFFFFFF) << np.uint64(32)
        x *= np.uint64(0x9E3779B97F4A7C15)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
        return np.asarray(x ^ (x >> np.uint64(31)))


class BottomSample:
    """Which rows to keep: those of the k smallest keys.

    Parameters
    ----------
    size : int >= 1
        Rows kept in the end, at most.
    seed : int
        Of the keys.

    Examples
    --------
    >>> sample = BottomSample(2, seed=0)
    >>> [len(sample.offer(3)) for _ in range(2)]  # rows of each batch that may stay
    [3, 2]
    >>> sample.final().tolist()  # which of those five are kept, in order
    [2, 3]
    """

    def __init__(self, size: int, seed: int) -> None:
        """Begin without rows."""
        self.size, self.seed = size, seed
        self.rows = 0
        self.keys: Keys = np.empty(0, dtype=np.uint64)
        self._limit = np.uint64(0xFFFFFFFFFFFFFFFF)

    def offer(self, count: int) -> NDArray[np.intp]:
        """Look at so many more rows; gives the positions among them of those to hold on to."""
        keys = row_keys(self.rows, count, self.seed)
        self.rows += count
        chosen = np.flatnonzero(keys <= self._limit)
        self.keys = np.append(self.keys, keys[chosen])
        if len(self.keys) > self.size:
            self._limit = np.partition(self.keys, self.size - 1)[self.size - 1]
        return chosen

    @property
    def is_full(self) -> bool:
        """Whether so many rows are held that it is time to `shrink`."""
        return len(self.keys) > 2 * self.size

    def shrink(self) -> NDArray[np.intp]:
        """Let go of rows that cannot stay; gives the positions of the others among those held."""
        kept = self.final()
        self.keys = self.keys[kept]
        return kept

    def final(self) -> NDArray[np.intp]:
        """Positions, among all held, of the rows of the sample, in the order of the rows."""
        return np.flatnonzero(self.keys <= self._limit)
