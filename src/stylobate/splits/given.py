"""Splits that are known beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from stylobate.arrays import Indices
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.splits.splitter import Split, Splitter


class PredefinedSplit(Splitter):
    """Test parts given by a number for each row; rows numbered -1 are never tested.

    Parameters
    ----------
    test_fold : array-like of int, shape (n,)
        The number of the test part of each row, or -1.

    Examples
    --------
    >>> [(train.tolist(), test.tolist()) for train, test in PredefinedSplit([0, 1, -1, 1]).split()]
    [([1, 2, 3], [0]), ([0, 2], [1, 3])]
    """

    def __init__(self, test_fold: Any) -> None:
        self.test_fold = np.asarray(test_fold, dtype=np.intp)
        if self.test_fold.ndim != 1:
            raise InvalidParameterError(
                f"PredefinedSplit: test_fold must have one number per row, got an array of shape "
                f"{self.test_fold.shape}."
            )
        self.unique_folds = np.unique(self.test_fold[self.test_fold >= 0])

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Number of splits."""
        return len(self.unique_folds)

    def split(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Row numbers of the training and the test part of each split."""
        return super().split(self.test_fold, y, groups)

    def _tests(self, n: int, y: Any, groups: Any) -> Iterator[Indices]:
        for fold in self.unique_folds:
            yield np.flatnonzero(self.test_fold == fold)


class GivenSplits(Splitter):
    """Splits from an iterable of pairs, kept so that they can be gone over again.

    Parameters
    ----------
    splits : iterable of (train, test)
        Row numbers (or masks) of both parts.

    Examples
    --------
    >>> GivenSplits([([0, 1], [2]), ([2], [0, 1])]).get_n_splits()
    2
    """

    def __init__(self, splits: Iterable[Any]) -> None:
        self.splits = list(splits)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Number of splits."""
        return len(self.splits)

    def split(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """The pairs, as arrays."""
        for number, pair in enumerate(self.splits):
            try:
                train, test = pair
            except (TypeError, ValueError):
                raise InvalidDataError(
                    f"cv: split {number} must be a pair (train, test) of row numbers, got {pair!r}."
                ) from None
            yield _rows(train), _rows(test)

    def __repr__(self) -> str:
        return f"GivenSplits({len(self.splits)} splits)"


def _rows(rows: Any) -> Indices:
    array = np.asarray(rows)
    return array.astype(np.intp) if array.size == 0 else array
