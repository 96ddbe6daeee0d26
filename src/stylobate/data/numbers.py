"""NumPy arrays of any dtype → float32 or float64 arrays, without a copy where none is needed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from operator import is_
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from stylobate.data.words import Input, place, refuse_complex, short
from stylobate.exceptions import UnsupportedDataError

FLOAT64 = np.dtype(np.float64)
FLOAT32 = np.dtype(np.float32)
Names = Sequence[Any] | None

_LABEL_REMEDY = (
    "Labels are predicted by a classifier, such as LogisticRegression; numbers written as text are "
    "converted with astype(float)."
)
_TEXT_REMEDY = (
    "Encode text as numbers (one-hot or ordinal) or drop the column; numbers written as text "
    "are converted with astype(float)."
)
_DATE_REMEDY = "Turn dates into numbers first: days since a start, or year, month and weekday."


def as_numbers(array: NDArray[Any], source: Input, *, names: Names = None) -> NDArray[Any]:
    """Float array with the values of `array`: the same memory if it is already usable.

    float32 and float64 stay what they are (any order and strides), integers, booleans, other
    floats and objects that are numbers become float64.

    Parameters
    ----------
    array : ndarray
        Any dtype, any number of dimensions.
    source : Input
        Named in refusals.
    names : sequence, default=None
        Column names, used in refusals.

    Returns
    -------
    ndarray
        Aligned, in native byte order.

    Examples
    --------
    >>> as_numbers(np.array([1, 2], dtype=">i2"), Input("Ridge", "y"))
    array([1., 2.])
    """
    dtype = array.dtype
    if (dtype is FLOAT64 or dtype is FLOAT32) and array.flags.aligned:
        return array
    kind = dtype.kind
    if kind == "f":
        return _cast(array, FLOAT32 if dtype.itemsize == 4 else FLOAT64)
    if kind in "iub":
        return _cast(array, FLOAT64)
    if kind == "O":
        return _from_objects(array, source, names)
    if kind == "c":
        refuse_complex(source, dtype)
    _refuse_dtype(array, source, names)


def _cast(array: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """`array` as aligned, native `dtype`; a long double beyond 1e308 becomes inf, found later."""
    with np.errstate(over="ignore"):
        return np.require(array, dtype=dtype, requirements="A")


def _from_objects(array: NDArray[Any], source: Input, names: Names) -> NDArray[np.float64]:
    """Objects that are numbers → float64; None and pandas.NA → NaN; the rest is refused."""
    kinds = set(map(type, array.flat))
    wrong = {kind for kind in kinds if not _is_number(kind) and not _is_missing(kind)}
    if wrong:
        _refuse_object(array, wrong, source, names)
    for kind in kinds:
        if _is_missing(kind) and kind is not type(None):  # float(pandas.NA) raises
            absent = _singleton(kind)
            found = np.fromiter(map(is_, array.flat, repeat(absent)), dtype=bool, count=array.size)
            array = array.copy()
            array[found.reshape(array.shape)] = None
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise UnsupportedDataError(
            f"{source} holds objects that do not convert to float64 ({error}). "
            f"Pass an array of numbers."
        ) from error


def _singleton(kind: type[Any]) -> Any:
    return kind()  # pandas.NA is the only instance of its class


def _is_missing(kind: type[Any]) -> bool:
    return kind is type(None) or (
        kind.__name__ == "NAType" and kind.__module__.startswith("pandas.")
    )


def _is_number(kind: type[Any]) -> bool:
    """Real numbers of any library: whatever converts to float and is not text or time."""
    if issubclass(
        kind,
        str | bytes | np.datetime64 | np.timedelta64 | np.complexfloating | np.void,
    ):
        return False
    return hasattr(kind, "__float__") or hasattr(kind, "__index__")


def _refuse_object(
    array: NDArray[Any], wrong: set[type[Any]], source: Input, names: Names
) -> NoReturn:
    """Name the first object that is not a number, where it stands and what to do about it."""
    flat, value = next((i, v) for i, v in enumerate(array.flat) if type(v) in wrong)
    position = tuple(int(i) for i in np.unravel_index(flat, array.shape))
    where, kind = place(position, names), type(value)
    if issubclass(kind, complex | np.complexfloating):
        raise UnsupportedDataError(
            f"{source} holds {short(value)} at {where}. Complex data not supported: pass the "
            f"real and imaginary parts as separate columns."
        )
    if issubclass(kind, str | bytes):
        raise UnsupportedDataError(
            f"{source} holds the text {short(value)} at {where}, where only numbers can be "
            f"used. {_text_remedy(source)}"
        )
    if hasattr(kind, "isoformat") or issubclass(kind, np.datetime64 | np.timedelta64):
        raise UnsupportedDataError(
            f"{source} holds the date {short(value)} at {where}, where only numbers can be "
            f"used. {_DATE_REMEDY}"
        )
    # the last words are Python's own for float(value), which callers already look for
    raise UnsupportedDataError(
        f"{source} holds {short(value)} at {where}, where only numbers can be used: float() "
        f"argument must be a string or a real number, not {kind.__name__!r}."
    )


def _refuse_dtype(array: NDArray[Any], source: Input, names: Names) -> NoReturn:
    kind, dtype = array.dtype.kind, array.dtype
    if kind in "Mm":
        raise UnsupportedDataError(
            f"{source} has dtype {dtype}, where only numbers can be used. {_DATE_REMEDY}"
        )
    if dtype.names is not None:
        raise UnsupportedDataError(
            f"{source} is a structured array with fields {short(list(dtype.names))}; pass "
            f"numpy.lib.recfunctions.structured_to_unstructured(X) or a data frame."
        )
    shown = ""
    if array.size:
        shown = f" ({short(array.flat[0])} at {place((0,) * array.ndim, names)})"
    raise UnsupportedDataError(
        f"{source} holds text{shown}, dtype {dtype}, where only numbers can be used. "
        f"{_text_remedy(source)}"
    )


def refuse_column(
    source: Input, column: object | None, meaning: str, dtype: object, first: object
) -> NoReturn:
    """Refuse a data-frame column of the wrong kind, named, with its first value.

    Parameters
    ----------
    source : Input
        Whose input.
    column : object or None
        The column's name; None for a series.
    meaning : {"text", "category", "date", "complex", "other"}
        What the column holds.
    dtype : object
        Its dtype, shown as it prints.
    first : object
        Its first value that is not missing.
    """
    which = (
        str(source) if column is None else f"{source.owner}: column {column!r} of {source.label}"
    )
    shown = f"(dtype {dtype}, first value {short(first)})"
    if meaning == "complex":
        refuse_complex(Input(source.owner, which.removeprefix(f"{source.owner}: ")), dtype)
    if meaning == "category":
        remedy = (
            "The codes of categories are not quantities: one-hot encode it, or convert it with "
            "astype(float) if the categories are numbers meant as such."
        )
        raise UnsupportedDataError(f"{which} is categorical {shown}. {remedy}")
    holds = {"text": "text", "date": "dates or durations"}.get(
        meaning, "values that are no numbers"
    )
    remedy = {"text": _text_remedy(source), "date": _DATE_REMEDY}.get(
        meaning, "Convert or drop it."
    )
    raise UnsupportedDataError(f"{which} holds {holds} {shown}, only numbers can be used. {remedy}")


def common_float(is_float32: Sequence[bool]) -> np.dtype[Any]:
    """The dtype of a table of columns: float32 if all of them are, else float64.

    Examples
    --------
    >>> common_float([True, False])
    dtype('float64')
    """
    return FLOAT32 if all(is_float32) else FLOAT64


def _text_remedy(source: Input) -> str:
    return _LABEL_REMEDY if source.label == "y" else _TEXT_REMEDY
