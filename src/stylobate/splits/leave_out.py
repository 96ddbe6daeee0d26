"""Every choice of a few rows once the test part."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from stylobate.arrays import Indices
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.splits.splitter import Splitter, count_rows, is_integer


class LeaveOneOut(Splitter):
    """As many splits as rows: each row is once the test part, all others train.

    Examples
    --------
    >>> import numpy as np
    >>> [(train.tolist(), test.tolist()) for train, test in LeaveOneOut().split(np.zeros((3, 1)))]
    [([1, 2], [0]), ([0, 2], [1]), ([0, 1], [2])]
    """

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Number of splits: that of the rows of X, which must be given."""
        if X is None:
            raise InvalidDataError("LeaveOneOut: X is needed, as there are as many splits as rows.")
        return count_rows(X)

    def _tests(self, n: int, y: Any, groups: Any) -> Iterator[Indices]:
        if n < 2:
            raise InvalidDataError(
                f"LeaveOneOut: cannot leave one out of {n} row(s); at least 2 are needed."
            )
        for row in range(n):
            yield np.array([row])


class LeavePOut(Splitter):
    """Every set of p rows is once the test part: n·(n − 1)···(n − p + 1)/p! splits.

    Parameters
    ----------
    p : int >= 1
        Rows to test at a time.

    Examples
    --------
    >>> import numpy as np
    >>> [test.tolist() for train, test in LeavePOut(2).split(np.zeros((3, 1)))]
    [[0, 1], [0, 2], [1, 2]]
    """

    def __init__(self, p: int) -> None:
        if not is_integer(p) or p < 1:
            raise InvalidParameterError(
                f"LeavePOut: p must be an integer of at least 1, got {p!r}."
            )
        self.p = int(p)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Number of splits: that of the sets of p rows of X, which must be given."""
        if X is None:
            raise InvalidDataError("LeavePOut: X is needed, as its rows say how many splits.")
        return comb(count_rows(X), self.p)

    def _tests(self, n: int, y: Any, groups: Any) -> Iterator[Indices]:
        if n <= self.p:
            raise InvalidDataError(
                f"LeavePOut: p={self.p} must be strictly less than the number of rows, {n}: at "
                f"least one row has to train."
            )
        for rows in combinations(range(n), self.p):
            yield np.array(rows)
