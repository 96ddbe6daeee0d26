"""Recognise what the caller passed and take the numbers out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from stylobate.data.numbers import as_numbers
from stylobate.data.origin import NUMPY, Origin, sparse_origin
from stylobate.data.sparse import as_sparse, is_sparse
from stylobate.data.words import Input, kind_of, refuse_device, short
from stylobate.exceptions import InvalidDataError, UnsupportedDataError

# DLPack's numbers for memory the processor can read: CPU, pinned host (CUDA, ROCm), managed CUDA
_READABLE_DEVICES = (1, 3, 11, 13)
_DEVICE_NAMES = {2: "a CUDA device", 8: "a Metal device", 10: "a ROCm device"}


@dataclass(frozen=True, slots=True, eq=False)
class Unpacked:
    """Numbers taken out of a container, not yet checked for shape or finiteness."""

    values: Any  # ndarray of any number of dimensions, csr_array or csc_array
    names: tuple[Any, ...] | None = None  # column names as the container has them, any type
    origin: Origin = NUMPY
    finite: bool = False  # True where the container's dtype cannot hold NaN or infinities


def unpack(thing: Any, source: Input) -> Unpacked:
    """Numbers, names and origin of any container the library takes.

    Parameters
    ----------
    thing : object
        NumPy array, SciPy sparse, data frame or series, list, DLPack array, or anything with
        ``__array__`` or a buffer.
    source : Input
        Named in refusals.

    Returns
    -------
    Unpacked

    Examples
    --------
    >>> unpack([[1, 2], [3, 4]], Input("Ridge", "X")).values
    array([[1., 2.],
           [3., 4.]])
    """
    if type(thing) is np.ndarray:
        return _from_array(thing, source)
    if isinstance(thing, np.ndarray):
        return _from_array(_unmasked(thing), source)
    if isinstance(thing, list | tuple):
        return _from_array(from_sequence(thing, source), source)
    if is_sparse(thing):
        matrix = as_sparse(thing, source)
        return Unpacked(matrix, None, sparse_origin(thing), thing.dtype.kind in "iub")
    if hasattr(thing, "__cuda_array_interface__"):
        refuse_device(source, thing, _DEVICE_NAMES[2])
    if hasattr(thing, "__dlpack__") and not kind_of(thing).startswith("pyarrow"):
        return _from_array(_from_dlpack(thing, source), source)
    if not isinstance(thing, str | bytes | dict | set | int | float | complex | None):
        from stylobate.data.frames import (
            from_frame,
        )  # loads narwhals: only for what may be one

        unpacked = from_frame(thing, source)
        if unpacked is not None:
            return unpacked
    return _from_array(_from_anything(thing, source), source)


def _from_array(array: NDArray[Any], source: Input) -> Unpacked:
    values = as_numbers(array, source)
    return Unpacked(values, None, NUMPY, array.dtype.kind in "iub")


def _unmasked(array: NDArray[Any]) -> NDArray[Any]:
    """Subclasses (memory maps, matrices) as plain arrays; masked cells become NaN."""
    if isinstance(array, np.ma.MaskedArray) and array.dtype.kind in "fiub":
        if np.ma.is_masked(array):
            wide: Any = array if array.dtype.kind == "f" else array.astype(np.float64)
            return np.asarray(wide.filled(np.nan))
        return np.asarray(array.data)
    return np.asarray(array)


def from_sequence(rows: Any, source: Input) -> NDArray[Any]:
    """A nested list as an array; ragged ones are refused, text stays visible as objects."""
    try:
        array = np.asarray(rows)
    except ValueError as error:
        _refuse_ragged(rows, source, error)
    # NumPy turns the numbers of a list with one text into text: keep each object as it was
    return np.asarray(rows, dtype=object) if array.dtype.kind in "US" else array


def _refuse_ragged(rows: Any, source: Input, error: Exception) -> NoReturn:
    lengths = [len(row) if hasattr(row, "__len__") else None for row in rows]
    other = next((i for i, n in enumerate(lengths) if n != lengths[0]), None)
    if other is None:
        raise InvalidDataError(f"{source} is a list that is no regular table: {error}.") from error
    first, second = (
        "a single value" if n is None else f"{n} values" for n in (lengths[0], lengths[other])
    )
    raise InvalidDataError(
        f"{source} is a list whose rows differ in length: row 0 has {first}, row {other} has "
        f"{second}. Give every row the same number of values."
    ) from error


def _from_dlpack(thing: Any, source: Input) -> NDArray[Any]:
    """An array of another library through DLPack, sharing its memory."""
    device = int(thing.__dlpack_device__()[0])
    if device not in _READABLE_DEVICES:
        refuse_device(source, thing, _DEVICE_NAMES.get(device, f"device type {device}"))
    try:
        return np.from_dlpack(thing)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        # e.g. bfloat16, or a tensor that records gradients: its own conversion may still work
        try:
            return np.asarray(thing.__array__())
        except (AttributeError, RuntimeError, TypeError, ValueError):
            raise UnsupportedDataError(
                f"{source} is a {kind_of(thing)} that cannot be read as an array ({error}). "
                f"Convert it to a detached float32 or float64 array first."
            ) from error


def _from_anything(thing: Any, source: Input) -> NDArray[Any]:
    """Whatever has ``__array__``, an array interface or a buffer; the rest is refused."""
    array = np.asarray(thing) if thing is not None and not isinstance(thing, str | bytes) else None
    if array is None or (array.ndim == 0 and array.dtype.kind not in "fiubc"):
        remedy = (
            "Pass pandas.DataFrame(X) instead."
            if isinstance(thing, dict)
            else ("Pass a NumPy array, a SciPy sparse array, a data frame or a list of rows.")
        )
        raise UnsupportedDataError(
            f"{source} is {short(thing)} ({kind_of(thing)}), which is not a table of numbers. "
            f"{remedy}"
        )
    return array
