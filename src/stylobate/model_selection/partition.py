"""One split into a training and a test part."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.data.indexing import indexable, take_rows
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.splits import ShuffleSplit, StratifiedShuffleSplit
from stylobate.splits.sizes import row_counts
from stylobate.splits.splitter import count_rows


def train_test_split(
    *arrays: Any,
    test_size: Any = None,
    train_size: Any = None,
    random_state: Any = None,
    shuffle: bool = True,
    stratify: Any = None,
) -> list[Any]:
    """Split arrays of equal length into a training and a test part.

    Parameters
    ----------
    *arrays : arrays, sparse arrays, data frames or lists of length n
        What to split; each part comes in the container it was given in.
    test_size : float in (0, 1), int or None, default=None
        Share or number of test rows. None: what `train_size` leaves; 0.25 if that is None too.
    train_size : float in (0, 1), int or None, default=None
        Share or number of training rows. None: what `test_size` leaves.
    random_state : int, RandomState or None, default=None
        Seed.
    shuffle : bool, default=True
        Whether to draw at random; otherwise the first rows train.
    stratify : array-like of shape (n,), optional
        Classes that keep their shares in both parts.

    Returns
    -------
    list
        Training and test part of the first array, of the second, and so on.

    Examples
    --------
    >>> train_test_split([1, 2, 3, 4, 5], test_size=2, shuffle=False)
    [[1, 2, 3], [4, 5]]
    """
    if not arrays:
        raise InvalidParameterError("train_test_split: at least one array required as input.")
    given = [indexable(array) for array in arrays]
    lengths = [count_rows(array) for array in given]
    if len(set(lengths)) > 1:
        raise InvalidDataError(
            f"train_test_split: Found input variables with inconsistent numbers of samples: "
            f"{lengths}; all arrays need the same number of rows."
        )
    n = lengths[0]
    train_count, test_count = row_counts(
        n, test_size, train_size, default=0.25, owner="train_test_split"
    )
    if not shuffle:
        if stratify is not None:
            raise InvalidParameterError(
                "train_test_split: Stratified train/test split is not implemented for "
                "shuffle=False; leave out stratify, or shuffle."
            )
        order = np.arange(train_count + test_count)
        train, test = order[:train_count], order[train_count:]
    else:
        kind = ShuffleSplit if stratify is None else StratifiedShuffleSplit
        splitter = kind(1, test_size=test_count, train_size=train_count, random_state=random_state)
        train, test = next(splitter.split(np.empty((n, 0)), stratify))
    return [take_rows(array, rows) for array in given for rows in (train, test)]
