"""Labels as numbers, without sorting them: what the compiled counters work on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core

_NATIVE = frozenset("bhilqBHILQfd")  # what the core has counters for, as NumPy's type characters


def countable(values: NDArray[Any]) -> NDArray[Any] | None:
    """Numbers as a packed array the core can count; None if they are no numbers."""
    kind = values.dtype.kind
    if kind == "b":
        values = values.view(np.uint8)
    elif kind == "f" and values.dtype.char not in _NATIVE:
        values = values.astype(np.float64)
    elif kind not in "iuf":
        return None
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    return np.ascontiguousarray(values)


def code(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Sorted distinct values, and the number of each row's among them.

    Parameters
    ----------
    values : array of shape (n,)
        Numbers without NaN, text, or objects that all are text.

    Examples
    --------
    >>> code(np.array(["b", "a", "b"]))
    (array(['a', 'b'], dtype='<U1'), array([1, 0, 1]))
    """
    if values.dtype.kind == "O":
        return _code_objects(values)
    if values.dtype.kind == "f":
        values = values + 0.0  # −0 and 0 are the same label in different bits
    packed = np.ascontiguousarray(values)
    if packed.dtype.itemsize == 0 or len(packed) == 0:
        return packed[:1], np.zeros(len(packed), dtype=np.int64)
    rows = packed.view(np.uint8).reshape(len(packed), packed.dtype.itemsize)
    appeared, first = _core.code_items(rows)
    return _sorted(packed[first], appeared)


def _code_objects(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    listed = values.tolist()
    numbers = {label: k for k, label in enumerate(dict.fromkeys(listed))}
    appeared = np.fromiter(map(numbers.__getitem__, listed), dtype=np.int64, count=len(listed))
    return _sorted(np.array(list(numbers)), appeared)


def _sorted(
    distinct: NDArray[Any], appeared: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Numbers by appearance as numbers by order."""
    order = np.argsort(distinct, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return distinct[order], place[appeared]


def two_values(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.uint8]] | None:
    """One or two distinct labels, sorted, and which rows have the greater; None if more.

    Examples
    --------
    >>> two_values(np.array([3, 1, 3]))
    (array([1, 3]), array([1, 0, 1], dtype=uint8))
    """
    numbers = countable(values)
    if numbers is None:
        classes, codes = code(values)
        if len(classes) > 2:
            return None
        return classes, (codes == 1).view(np.uint8)
    found: Any = _core.two_values(numbers)
    if found is None:
        return None
    low, high, greater = found
    distinct = [low] if low == high else [low, high]
    return np.array(distinct).astype(values.dtype), greater
