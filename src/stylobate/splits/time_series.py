"""Splits of rows in the order of time: what is tested comes after what trains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.splits.splitter import Folds, Split, count_rows, is_integer


class TimeSeriesSplit(Folds):
    """Test parts one after the other at the end of the rows, each trained on what comes before.

    Parameters
    ----------
    n_splits : int >= 2, default=5
        Number of splits.
    max_train_size : int >= 1 or None, default=None
        Most rows to train on, the latest ones; None: all.
    test_size : int >= 1 or None, default=None
        Rows of each test part; None: n // (n_splits + 1).
    gap : int >= 0, default=0
        Rows to leave out between the training and the test part.

    Examples
    --------
    >>> import numpy as np
    >>> splits = TimeSeriesSplit(2, test_size=2, gap=1).split(np.zeros((8, 1)))
    >>> [(train.tolist(), test.tolist()) for train, test in splits]
    [([0, 1, 2], [4, 5]), ([0, 1, 2, 3, 4], [6, 7])]
    """

    def __init__(
        self,
        n_splits: int = 5,
        *,
        max_train_size: int | None = None,
        test_size: int | None = None,
        gap: int = 0,
    ) -> None:
        super().__init__(n_splits)
        for name, value in (("max_train_size", max_train_size), ("test_size", test_size)):
            if value is not None and (not is_integer(value) or value < 1):
                raise InvalidParameterError(
                    f"TimeSeriesSplit: {name} must be a number of rows of at least 1 or None, got "
                    f"{value!r}."
                )
        if not is_integer(gap) or gap < 0:
            raise InvalidParameterError(
                f"TimeSeriesSplit: gap must be a number of rows of at least 0, got {gap!r}."
            )
        self.max_train_size = max_train_size
        self.test_size = test_size
        self.gap = int(gap)

    def _pairs(self, X: Any, y: Any, groups: Any) -> Iterator[Split]:
        """Row numbers of the training and the test part of each split, in the order of time."""
        n = count_rows(X)
        size = self._checked_test_size(n)
        rows = np.arange(n)
        for start in range(n - self.n_splits * size, n, size):
            end = start - self.gap
            first = 0 if self.max_train_size is None else max(0, end - self.max_train_size)
            yield rows[first:end], rows[start : start + size]

    def _checked_test_size(self, n: int) -> int:
        if self.n_splits + 1 > n:
            raise InvalidDataError(
                f"TimeSeriesSplit: {self.n_splits} test parts and a first training part need at "
                f"least {self.n_splits + 1} rows and there are {n}; "
                + (f"n_splits may be at most {n - 1}." if n > 2 else "use more rows.")
            )
        size = n // (self.n_splits + 1) if self.test_size is None else int(self.test_size)
        left = n - self.gap - size * self.n_splits
        if left <= 0:
            most = max(0, (n - self.gap - 1) // size)
            way = f"n_splits may be at most {most}" if most >= 2 else "lower test_size or gap"
            raise InvalidDataError(
                f"TimeSeriesSplit: Too many splits={self.n_splits} for {n} rows with test_size="
                f"{size} and gap={self.gap}: together they need "
                f"{self.gap + size * self.n_splits + 1} rows; {way}, or use more rows."
            )
        return size
