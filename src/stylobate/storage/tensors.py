"""Arrays in the safetensors format: a length, a JSON table of contents, then the bytes.

Written here rather than by the package of that name (which reads the result), so that arrays go to
the file one at a time and every size is checked before memory is taken.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from math import prod
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import ModelFileError
from stylobate.storage.limits import LARGEST_HEADER, MOST_DIMENSIONS, MOST_EMPTY_ROWS

_CODES = {
    "<f8": "F64",
    "<f4": "F32",
    "<f2": "F16",
    "<i8": "I64",
    "<i4": "I32",
    "<i2": "I16",
    "|i1": "I8",
    "<u8": "U64",
    "<u4": "U32",
    "<u2": "U16",
    "|u1": "U8",
    "|b1": "BOOL",
}
_DTYPES = {code: np.dtype(name) for name, code in _CODES.items()}
_ALIGNMENT = 8


def has_code(dtype: np.dtype[Any]) -> bool:
    """Whether the format has a name for a dtype."""
    return dtype.newbyteorder("<").str in _CODES


def pieces(arrays: Mapping[str, NDArray[Any]]) -> Iterator[bytes | memoryview]:
    """The bytes of a file with these arrays, part by part.

    Wide entries come first, so that each array begins at a multiple of its item size.
    """
    ordered = sorted(arrays.items(), key=lambda pair: -pair[1].dtype.itemsize)
    contents: dict[str, Any] = {}
    start = 0
    for name, array in ordered:
        stop = start + array.nbytes
        code = _CODES[array.dtype.newbyteorder("<").str]
        contents[name] = {"dtype": code, "shape": array.shape, "data_offsets": [start, stop]}
        start = stop
    header = json.dumps(contents, separators=(",", ":")).encode()
    header += b" " * (-len(header) % _ALIGNMENT)
    yield len(header).to_bytes(8, "little") + header
    for _, array in ordered:
        if array.nbytes:
            little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
            yield little.reshape(-1).view(np.uint8).data


def read_tensors(stream: BinaryIO, size: int) -> dict[str, NDArray[Any]]:
    """The arrays in a stream of `size` bytes, read once into one block of memory."""
    if size < 8:
        raise ModelFileError("The arrays of the model file are cut short.")
    length = int.from_bytes(_exactly(stream, 8), "little")
    if length > min(LARGEST_HEADER, size - 8):
        raise ModelFileError(
            f"The table of contents of the arrays claims {length} bytes, more than there are."
        )
    contents = json.loads(_exactly(stream, length))
    if not isinstance(contents, dict):
        raise ModelFileError("The table of contents of the arrays is not a JSON object.")
    contents.pop("__metadata__", None)
    room = size - 8 - length
    places = {name: _place(name, entry, room) for name, entry in contents.items()}
    if sum(stop - start for _, _, start, stop in places.values()) != room:
        raise ModelFileError("The arrays of the model file overlap or do not fill their room.")
    block = np.empty(room, dtype=np.uint8)
    _fill(stream, block)
    return {  # compiled code reads whole numbers of words: what lies between them is moved
        name: np.require(block[start:stop].view(dtype).reshape(shape), requirements="A")
        for name, (dtype, shape, start, stop) in places.items()
    }


def _place(name: str, entry: Any, room: int) -> tuple[np.dtype[Any], tuple[int, ...], int, int]:
    """Dtype, shape, first and last byte of an array, all found possible."""
    try:
        dtype, shape = _DTYPES[entry["dtype"]], tuple(entry["shape"])
        start, stop = entry["data_offsets"]
    except (KeyError, TypeError, ValueError):
        raise ModelFileError(
            f"The entry of the array {name[:100]!r} lacks its dtype, shape or place."
        ) from None
    whole = all(type(number) is int and number >= 0 for number in (*shape, start, stop))
    if not whole or not is_possible(shape) or not start <= stop <= room:
        raise ModelFileError(
            f"The array {name[:100]!r} claims an impossible shape or lies outside the file."
        )
    if prod(shape) * dtype.itemsize != stop - start:
        raise ModelFileError(
            f"The array {name[:100]!r} of shape {shape} does not fill its {stop - start} bytes."
        )
    return dtype, shape, start, stop


def is_possible(shape: tuple[int, ...]) -> bool:
    """Whether an array may have such a shape; one without entries could claim any length.

    >>> is_possible((3, 0)), is_possible((10**9, 0))
    (True, False)
    """
    rows = prod(length for length in shape if length) if 0 in shape else 0
    return len(shape) <= MOST_DIMENSIONS and rows <= MOST_EMPTY_ROWS


def _exactly(stream: BinaryIO, count: int) -> bytes:
    found = stream.read(count)
    if len(found) != count:
        raise ModelFileError("The arrays of the model file are cut short.")
    return found


_AT_ONCE = 1 << 20


def _fill(stream: BinaryIO, block: NDArray[np.uint8]) -> None:
    """Read what is left, to the last byte and the check sum behind it."""
    place = 0
    while piece := stream.read(_AT_ONCE):
        if place + len(piece) > len(block):
            raise ModelFileError("The arrays of the model file are longer than announced.")
        block[place : place + len(piece)] = np.frombuffer(piece, dtype=np.uint8)
        place += len(piece)
    if place != len(block):
        raise ModelFileError("The arrays of the model file are cut short.")
