"""How many rows the parts of splits have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stylobate.splits import Split


def part_size(rows: Any) -> int:
    """Number of rows of a part, given by numbers or by a mask."""
    return int(np.count_nonzero(rows)) if rows.dtype == bool else len(rows)


def test_to_train(splits: Sequence[Split]) -> float:
    """Test rows for each training row, the mean over the splits.

    >>> test_to_train([(np.arange(8), np.arange(8, 10))])
    0.25
    """
    return float(np.mean([part_size(test) / part_size(train) for train, test in splits]))
