"""How many rows train and how many test, from ``test_size`` and ``train_size``."""

from __future__ import annotations

from math import ceil, floor
from numbers import Real
from typing import Any

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.splits.splitter import is_integer


def check_sizes(test_size: Any, train_size: Any, owner: str) -> None:
    """Refuse sizes that are no number of rows and no share of them."""
    for name, size in (("test_size", test_size), ("train_size", train_size)):
        if size is None:
            continue
        share = isinstance(size, Real) and not is_integer(size) and 0 < float(size) < 1
        if isinstance(size, bool) or not (share or (is_integer(size) and size > 0)):
            raise InvalidParameterError(
                f"{owner}: {name} must be a share of the rows in (0, 1), a positive number of rows "
                f"or None, got {size!r}."
            )
    shares = [s for s in (test_size, train_size) if s is not None and not is_integer(s)]
    if len(shares) == 2 and sum(shares) > 1:
        raise InvalidParameterError(
            f"{owner}: test_size and train_size add up to {sum(shares):g}; as shares of the rows "
            "they may add up to 1 at most."
        )


def row_counts(
    n: int, test_size: Any, train_size: Any, *, default: float, owner: str
) -> tuple[int, int]:
    """Numbers of training and test rows; a test share is rounded up, a training share down.

    >>> row_counts(10, 0.25, None, default=0.1, owner="example")
    (7, 3)
    """
    check_sizes(test_size, train_size, owner)
    if test_size is None and train_size is None:
        test_size = default
    for name, size in (("test_size", test_size), ("train_size", train_size)):
        if is_integer(size) and size >= n:
            raise InvalidDataError(
                f"{owner}: {name}={size} must be less than the number of rows, {n}."
            )
    test = _count(n, test_size, ceil)
    train = _count(n, train_size, floor)
    train, test = (
        (n - (test or 0)) if train is None else train,
        (n - (train or 0)) if test is None else test,
    )
    if train + test > n:
        raise InvalidDataError(
            f"{owner}: {train} training and {test} test rows are more than the {n} rows there are; "
            "lower test_size or train_size."
        )
    if train == 0:
        raise InvalidDataError(
            f"{owner}: with {n} row(s), test_size={test_size} and train_size={train_size} the "
            "training part is empty; change the sizes or give more rows."
        )
    return train, test


def _count(n: int, size: Any, rounded: Any) -> int | None:
    if size is None:
        return None
    return int(size) if is_integer(size) else int(rounded(size * n))
