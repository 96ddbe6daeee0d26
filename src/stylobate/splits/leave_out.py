"""Each row once the test part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidDataError
from stylobate.splits.splitter import Rows, Splitter, count_rows


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

    def _tests(self, n: int, y: Any, groups: Any) -> Iterator[Rows]:
        if n < 2:
            raise InvalidDataError(
                f"LeaveOneOut: cannot leave one out of {n} row(s); at least 2 are needed."
            )
        for row in range(n):
            yield np.array([row])

    def __repr__(self) -> str:
        return "LeaveOneOut()"
