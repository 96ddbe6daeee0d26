"""Distinct values and each row's number among them, in one pass where that is possible."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices
from stylobate.exceptions import InvalidDataError


def numbered(values: NDArray[Any]) -> tuple[NDArray[Any], Indices]:
    """Sorted distinct values and the number of each row's value among them.

    The answer is that of ``numpy.unique(values, return_inverse=True)``; integers of a short range,
    whole numbers and text are counted instead of sorted, in time O(n).

    >>> numbered(np.array(["b", "a", "b"]))
    (array(['a', 'b'], dtype='<U1'), array([1, 0, 1]))
    """
    kind = values.dtype.kind
    if kind == "b":
        classes, numbers = numbered(values.view(np.uint8))
        return classes.astype(bool), numbers
    if kind in "iu" and len(values):
        return _integers(values)
    if kind == "f" and len(values) and _are_whole(values):
        classes, numbers = _integers(values.astype(np.int64))
        return classes.astype(values.dtype), numbers
    if kind == "U" and len(values) and values.ndim == 1 and values.dtype.itemsize > 0:
        numbers = _text(values)
        rows = np.empty(int(numbers.max()) + 1, dtype=np.intp)
        rows[numbers] = np.arange(len(values))  # some row of each
        return values[rows], numbers
    classes, numbers = np.unique(values, return_inverse=True)
    return classes, numbers.reshape(-1)


def rows_by_number(numbers: Indices, counts: NDArray[Any]) -> list[Indices]:
    """The rows of each number, in order.

    >>> [rows.tolist() for rows in rows_by_number(np.array([1, 0, 1]), np.array([1, 2]))]
    [[1], [0, 2]]
    """
    narrow = np.min_scalar_type(len(counts))  # NumPy sorts short integers in O(n)
    order = np.argsort(numbers.astype(narrow), kind="stable")
    return np.split(order, np.cumsum(counts)[:-1])


def at_most_two(values: NDArray[Any]) -> bool:
    """Whether there are no more than two distinct values; without a sort.

    >>> at_most_two(np.array([3, 1, 3])), at_most_two(np.array(["a", "b", "c"]))
    (True, False)
    """
    flat = values.reshape(-1)
    others = flat[flat != flat[0]] if len(flat) else flat
    return len(others) == 0 or bool((others == others[0]).all())


def numpy_of(values: Any) -> NDArray[Any]:
    """A series of any library, or what NumPy takes, as an array.

    Whole numbers of 128 bits, of which NumPy has none, become those of 64 bits where they fit, else
    Python's own; with gaps they are floating-point numbers, as NumPy has no gaps among integers.

    >>> numpy_of([1, 2])
    array([1, 2])
    """
    if str(getattr(values, "dtype", "")) in ("Int128", "UInt128"):  # polars and its narwhals form
        found = values.to_list()
        return np.array(found, dtype=np.float64 if None in found else None)
    # pyarrow's own conversion refuses to copy unless told to; NumPy's question to it does not
    if hasattr(values, "to_numpy") and not type(values).__module__.startswith("pyarrow"):
        values = values.to_numpy()
    return np.asarray(values)


def group_numbers(groups: Any, n: int | None, owner: str) -> tuple[NDArray[Any], Indices]:
    """Sorted groups and each row's number among them; n None leaves the length unchecked."""
    if groups is None:
        raise InvalidDataError(
            f"{owner}: The 'groups' parameter should not be None; give one group for each row."
        )
    values = numpy_of(groups)
    if values.ndim != 1 or (n is not None and len(values) != n):
        rows = "n" if n is None else n
        raise InvalidDataError(
            f"{owner}: groups has shape {values.shape}, expected ({rows},): one group for each row."
        )
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(0, dtype=bool)
    if values.dtype.kind == "O":  # NaN is not equal to itself
        missing = np.array([each is None or each != each for each in values])
    if missing.any():
        row = int(missing.argmax())
        raise InvalidDataError(
            f"{owner}: groups holds NaN or None (first in row {row}); give every row a group."
        )
    if values.dtype.kind == "O" and all(isinstance(each, str) for each in values):
        values = values.astype(str)
    try:
        return numbered(values)
    except TypeError:  # of kinds that do not compare
        raise InvalidDataError(
            f"{owner}: groups mixes values that cannot be sorted, such as text and numbers; give "
            "groups of one kind."
        ) from None


def _are_whole(values: NDArray[Any]) -> bool:
    low, high = values.min(), values.max()
    if not (np.isfinite(low) and np.isfinite(high) and max(-low, high) < 2**53):
        return False
    return bool((values == np.floor(values)).all())


def _integers(values: NDArray[Any]) -> tuple[NDArray[Any], Indices]:
    values = values.reshape(-1)
    low, high = int(values.min()), int(values.max())
    if high - low > 4 * len(values) + 1000:
        classes, numbers = np.unique(values, return_inverse=True)
        return classes, numbers.reshape(-1)
    wide = np.uint64 if values.dtype == np.uint64 else np.int64
    shifted = (values.astype(wide, copy=False) - wide(low)).astype(np.int64, copy=False)
    present = np.flatnonzero(np.bincount(shifted, minlength=high - low + 1))
    places = np.zeros(high - low + 1, dtype=np.intp)
    places[present] = np.arange(len(present))
    classes = (present.astype(wide) + wide(low)).astype(values.dtype)
    return classes, places[shifted]


def _text(values: NDArray[Any]) -> Indices:
    """Numbers of text in its sorted order: one character after the other, as digits."""
    letters = np.ascontiguousarray(values).view(np.uint32).reshape(len(values), -1)
    numbers, count = np.zeros(len(values), dtype=np.int64), 1
    for column in letters.T:
        low, high = int(column.min()), int(column.max())
        if low == high:
            continue
        width = high - low + 1
        if count * width > 2**62:
            classes, places = numbered(numbers)
            numbers, count = places.astype(np.int64), len(classes)
        numbers = numbers * width + (column.astype(np.int64) - low)
        count *= width
    return numbered(numbers)[1]
