"""One split into a training and a test part, and a validation part between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices, Integers
from stylobate.data.indexing import indexable, take_rows
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.splits import ShuffleSplit, StratifiedShuffleSplit
from stylobate.splits.apportionment import apportion
from stylobate.splits.parts import grouped_parts, random_parts, stratified_parts
from stylobate.splits.sizes import row_counts
from stylobate.splits.splitter import Split, count_rows, generator, is_integer


def train_test_split(
    *arrays: Any,
    test_size: Any = None,
    train_size: Any = None,
    random_state: Any = None,
    shuffle: bool = True,
    stratify: Any = None,
    groups: Any = None,
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
    groups : array-like of shape (n,), optional
        Groups of which none is in both parts; the numbers of rows are met as nearly as whole groups
        allow.

    Returns
    -------
    list
        Training and test part of the first array, of the second, and so on.

    Examples
    --------
    >>> train_test_split([1, 2, 3, 4, 5], test_size=2, shuffle=False)
    [[1, 2, 3], [4, 5]]
    >>> people = ["Ann", "Ann", "Bob", "Cyd", "Cyd", "Cyd"]
    >>> train_test_split(people, groups=people, test_size=2, random_state=1)
    [['Bob', 'Cyd', 'Cyd', 'Cyd'], ['Ann', 'Ann']]
    """
    given = _of_one_length(arrays, "train_test_split")
    n = count_rows(given[0])
    train, test = row_counts(n, test_size, train_size, default=0.25, owner="train_test_split")
    split = _split(n, train, test, random_state, shuffle, stratify, groups)
    return [take_rows(array, rows) for array in given for rows in split]


def _split(
    n: int, train: int, test: int, random_state: Any, shuffle: bool, stratify: Any, groups: Any
) -> Split:
    if not shuffle:
        _refuse_unshuffled(stratify, groups, "train_test_split")
        order = np.arange(train + test)
        return order[:train], order[train:]
    if groups is not None:
        sizes, draw = np.array([test, train]), generator(random_state)
        tested, trained = grouped_parts(n, sizes, groups, stratify, draw, "train_test_split")
        return trained, tested
    kind = ShuffleSplit if stratify is None else StratifiedShuffleSplit
    splitter = kind(1, test_size=test, train_size=train, random_state=random_state)
    return next(splitter.split(np.empty((n, 0)), stratify))


def train_validation_test_split(
    *arrays: Any,
    sizes: Any = (0.6, 0.2, 0.2),
    stratify: Any = None,
    groups: Any = None,
    random_state: Any = None,
    shuffle: bool = True,
) -> list[Any]:
    """Split arrays of equal length into parts to train, to choose by, and to test at the very end.

    Parameters
    ----------
    *arrays : arrays, sparse arrays, data frames or lists of length n
        What to split; each part comes in the container it was given in.
    sizes : three floats in (0, 1) or three ints, default=(0.6, 0.2, 0.2)
        Shares of the rows, of sum 1 at most, or numbers of rows: training, validation, test.
    stratify : array-like of shape (n,), optional
        Classes that keep their shares in all parts, each to less than one row.
    groups : array-like of shape (n,), optional
        Groups of which none is in two parts; sizes are met as nearly as whole groups allow, and
        with `stratify` the shares of classes as well.
    random_state : int, RandomState or None, default=None
        Seed.
    shuffle : bool, default=True
        Whether to draw at random; otherwise the first rows train and the last are the test.

    Returns
    -------
    list
        Training, validation and test part of the first array, of the second, and so on.

    Examples
    --------
    >>> train_validation_test_split(list("abcdefghij"), shuffle=False)
    [['a', 'b', 'c', 'd', 'e', 'f'], ['g', 'h'], ['i', 'j']]
    >>> y = ["no"] * 10 + ["yes"] * 5
    >>> parts = train_validation_test_split(y, stratify=y, random_state=0)
    >>> [(part.count("no"), part.count("yes")) for part in parts]
    [(6, 3), (2, 1), (2, 1)]
    """
    owner = "train_validation_test_split"
    given = _of_one_length(arrays, owner)
    n = count_rows(given[0])
    counts = _three_counts(sizes, n, owner)
    parts: list[Indices]
    if not shuffle:
        _refuse_unshuffled(stratify, groups, owner)
        parts = np.split(np.arange(counts.sum()), np.cumsum(counts)[:-1])
    elif groups is not None:
        draw = generator(random_state)
        # the test part first, so that it does not depend on how the rest is divided
        test, validation, train = grouped_parts(n, counts[::-1], groups, stratify, draw, owner)
        parts = [train, validation, test]
    elif stratify is not None:
        parts = stratified_parts(n, counts, stratify, generator(random_state), owner)
    else:
        parts = random_parts(n, counts, generator(random_state))
    return [take_rows(array, rows) for array in given for rows in parts]


def _of_one_length(arrays: tuple[Any, ...], owner: str) -> list[Any]:
    if not arrays:
        raise InvalidParameterError(f"{owner}: at least one array required as input.")
    given = [list(each) if isinstance(each, range) else indexable(each) for each in arrays]
    lengths = [count_rows(array) for array in given]
    if len(set(lengths)) > 1:
        raise InvalidDataError(
            f"{owner}: Found input variables with inconsistent numbers of samples: {lengths}; all "
            "arrays need the same number of rows."
        )
    return given


def _refuse_unshuffled(stratify: Any, groups: Any, owner: str) -> None:
    if stratify is not None:
        raise InvalidParameterError(
            f"{owner}: Stratified train/test split is not implemented for shuffle=False; leave out "
            "stratify, or shuffle."
        )
    if groups is not None:
        raise InvalidParameterError(
            f"{owner}: groups are split at random only; leave out groups, or shuffle."
        )


def _three_counts(sizes: Any, n: int, owner: str) -> Integers:
    """Numbers of rows, from numbers or shares."""
    values: NDArray[Any] = np.asarray(sizes)
    whole = values.shape == (3,) and all(is_integer(each) for each in values.tolist())
    shares = values.shape == (3,) and values.dtype.kind == "f" and bool((values < 1).all())
    if not (whole or shares) or not bool((values > 0).all()):
        raise InvalidParameterError(
            f"{owner}: sizes must be three shares in (0, 1) or three positive numbers of rows "
            f"(training, validation, test), got {sizes!r}."
        )
    if shares and values.sum() > 1 + 1e-9:
        raise InvalidParameterError(
            f"{owner}: the shares in sizes={sizes!r} add up to {values.sum():g}; they may add up "
            "to 1 at most."
        )
    counts = apportion(n, values) if shares else values.astype(np.int64)
    if counts.sum() > n or counts.min() < 1:
        raise InvalidDataError(
            f"{owner}: sizes={sizes!r} of {n} row(s) are {' + '.join(map(str, counts))} rows; each "
            "part needs at least one, and together they may have no more than there are."
        )
    return counts
