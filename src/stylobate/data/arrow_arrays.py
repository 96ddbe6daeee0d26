"""NumPy arrays as columns in Arrow's layout."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.data.arrow_column import ArrowColumn
from stylobate.data.arrow_types import format_of
from stylobate.exceptions import InvalidDataError, UnsupportedDataError

_UNITS = {"s": "s", "ms": "m", "us": "u", "ns": "n"}


def column_of_array(array: NDArray[Any], name: str) -> ArrowColumn:
    """An array of one dimension as a column; numbers and times share its memory.

    Examples
    --------
    >>> column_of_array(np.array(["a", None], dtype=object), "letter").type
    'text'
    """
    if array.ndim != 1:
        raise InvalidDataError(
            f"column_batches: column {name!r} has {array.ndim} dimensions; a column has 1."
        )
    if isinstance(array, np.ma.MaskedArray):
        masked: Any = array.astype(object)
        array = masked.filled(None)
    kind = array.dtype.kind
    if kind in "mM":
        return _of_moments(array, name)
    if kind in "OSUT":
        return _of_objects(array, name)
    if kind not in "biuf" or array.dtype.itemsize > 8:
        if kind != "f":
            raise UnsupportedDataError(
                f"column_batches: column {name!r} is of dtype {array.dtype}, which is not read; "
                "convert it to numbers or text first."
            )
        array = array.astype(np.float64)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    array = np.asarray(array)
    return ArrowColumn(_core.column_of_array(name, format_of(array.dtype), array, False), name)


def _of_moments(array: NDArray[Any], name: str) -> ArrowColumn:
    unit = np.datetime_data(array.dtype)[0]
    if array.dtype.kind == "M" and unit in ("Y", "M", "W", "D", "generic"):
        array, form = array.astype("M8[D]"), "tdD"
    else:
        if unit not in _UNITS or np.datetime_data(array.dtype)[1] != 1:
            unit = "us" if unit not in _UNITS else unit
            array = array.astype(f"{array.dtype.kind}8[{unit}]")
        form = f"ts{_UNITS[unit]}:" if array.dtype.kind == "M" else f"tD{_UNITS[unit]}"
    return ArrowColumn(_core.column_of_array(name, form, array.view(np.int64), True), name)


def _of_objects(array: NDArray[Any], name: str) -> ArrowColumn:
    """Text and None; numbers if all that is there are numbers; the rest as it prints."""
    values = array.tolist()
    if array.dtype.kind == "O":
        there = [value for value in values if not _is_missing(value)]
        if (
            there
            and all(isinstance(v, bool | np.bool_) for v in there)
            and len(there) == len(values)
        ):
            return column_of_array(array.astype(np.bool_), name)
        if there and all(
            isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in there
        ):
            numbers = [np.nan if _is_missing(v) else float(v) for v in values]
            return column_of_array(np.array(numbers), name)
        values = [None if _is_missing(value) else _as_text(value) for value in values]
    elif array.dtype.kind == "S":
        values = [_as_text(value) for value in values]
    return ArrowColumn(_core.column_of_texts(name, values), name)


def _as_text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas.NA has no truth value; arrays have several
        return type(value).__name__ == "NAType"
