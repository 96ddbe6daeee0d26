"""The core's 64-bit keys of numbers, in the order of the values, and the way back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.arrow_types import type_of, unit_of

Keys = NDArray[np.uint64]
_SIGN = np.uint64(1 << 63)


def values_of(keys: Keys, kind: str, form: str) -> NDArray[Any]:
    """The values behind keys of a kind, of a column of an Arrow format.

    >>> values_of(np.array([1 << 63], np.uint64), "whole", "l")
    array([0])
    >>> values_of(np.array([(1 << 63) + 1], np.uint64), "whole", "tdD")
    array(['1970-01-02'], dtype='datetime64[D]')
    """
    keys = np.asarray(keys, dtype=np.uint64)
    if kind == "boolean":
        return keys.astype(np.bool_)
    if kind == "natural":
        return keys
    if kind == "whole":
        whole = (keys ^ _SIGN).view(np.int64)
        unit = unit_of(form)
        if unit is None:
            return whole
        span = type_of(form).startswith(("duration", "time["))
        return whole.view(f"{'m8' if span else 'M8'}[{unit}]")
    return np.where(keys >= _SIGN, keys ^ _SIGN, ~keys).view(np.float64)


def numbers_of(keys: Keys, kind: str) -> NDArray[np.float64]:
    """The values as doubles: dates as counts of their unit.

    >>> numbers_of(np.array([3], np.uint64), "natural")
    array([3.])
    """
    return values_of(keys, kind, "").astype(np.float64)


def keys_of(values: Any, kind: str, form: str) -> Keys:
    """Keys of values, rounded down where the column could not hold them; infinities go to the ends.

    >>> values_of(keys_of([-1.5, 2.0], "real", "g"), "real", "g")
    array([-1.5,  2. ])
    """
    array = np.asarray(values)
    if kind == "real":
        bits = (array.astype(np.float64) + 0.0).view(np.uint64)
        return np.where(bits >= _SIGN, ~bits, bits ^ _SIGN)
    if array.dtype.kind in "mM":
        array = array.astype(f"{array.dtype.kind}8[{unit_of(form)}]").view(np.int64)
    keys: NDArray[np.uint64]
    if kind == "whole":
        keys = _floored(array, -(1 << 63), (1 << 63) - 1).view(np.uint64) ^ _SIGN
    else:
        keys = _floored(array, 0, 1 if kind == "boolean" else (1 << 64) - 1)
    return keys


def _floored(array: NDArray[Any], least: int, most: int) -> Any:
    dtype = np.int64 if least < 0 else np.uint64
    if array.dtype.kind in "iub":
        clipped = [min(max(int(v), least), most) for v in array.ravel().tolist()]
    else:
        clipped = [_whole(v, least, most) for v in array.astype(np.float64).ravel().tolist()]
    return np.array(clipped, dtype=dtype).reshape(array.shape)


def _whole(value: float, least: int, most: int) -> int:
    if not np.isfinite(value):
        return most if value > 0 else least
    return min(max(int(np.floor(value)), least), most)
