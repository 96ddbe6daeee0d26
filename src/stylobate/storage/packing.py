"""Arrays and long lists as tensors and back, exactly: dtype, shape, order in memory and bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import ModelFileError
from stylobate.storage.tensors import has_code, is_possible

Node = dict[str, Any]
Keep = Callable[[str, NDArray[Any]], str]  # takes a hint of a name and an array, gives its name
Take = Callable[[Any], NDArray[Any]]  # an array by its name
_MOST_ROOM = 1 << 20  # bytes of padding that texts of one length may always take
_LARGEST = 2**63


def pack_array(array: NDArray[Any], keep: Keep) -> Node | None:
    """The node of an array of numbers, times or texts; None if its dtype has no place in files."""
    kind = array.dtype.kind
    if has_code(array.dtype):
        return _ordered(array, keep)
    if kind in "mM":
        return _ordered(array.view(np.int64), keep) | {"dtype": array.dtype.newbyteorder("<").str}
    if kind == "c" and array.dtype.itemsize in (8, 16):
        part = np.dtype(f"<f{array.dtype.itemsize // 2}")
        pairs = np.ascontiguousarray(array).reshape((*array.shape, 1)).view(part)
        return {
            "is": "array",
            "tensor": keep("", pairs),
            "dtype": array.dtype.newbyteorder("<").str,
        }
    if kind == "U":
        node = pack_texts(array.ravel().tolist(), keep)
        width = array.dtype.itemsize // 4
        return node | {
            "is": "array",
            "shape": list(array.shape),
            "width": _kept_width(array, width),
        }
    if kind == "S":
        width = array.dtype.itemsize
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8).reshape(-1, max(width, 1))
        shape = list(array.shape)
        return {"is": "array", "tensor": keep("", flat), "dtype": f"|S{width}", "shape": shape}
    return None


def _ordered(array: NDArray[Any], keep: Keep) -> Node:
    """Numbers as they lie in memory: products by columns and by rows round differently."""
    if array.ndim > 1 and array.flags.f_contiguous and not array.flags.c_contiguous:
        return {"is": "array", "tensor": keep("", array.T), "order": "F"}
    return {"is": "array", "tensor": keep("", array)}


def _kept_width(array: NDArray[np.str_], width: int) -> int:
    """The characters an entry has room for, or needs if the room is mostly empty."""
    longest = max(map(len, array.ravel().tolist()), default=0)
    return width if _room_is_fair(array.size, width, array.size * longest) else max(longest, 1)


def _room_is_fair(count: int, width: int, characters: int) -> bool:
    return 4 * count * width <= max(_MOST_ROOM, 64 * (characters + count))


def unpack_array(node: Node, take: Take) -> NDArray[Any]:
    """The array of a node."""
    if "texts" in node:
        return _text_array(node, take)
    array = take(node.get("tensor"))
    dtype = node.get("dtype")
    if dtype is not None:
        array = _seen_as(array, dtype, node.get("shape"))
    order = node.get("order", "C")
    if order not in ("C", "F"):
        raise ModelFileError(f"An array of the file has the order {str(order)[:20]!r}.")
    return array.T if order == "F" else array


def _seen_as(array: NDArray[Any], name: Any, shape: Any) -> NDArray[Any]:
    """Numbers of the file as times, complex numbers or byte strings."""
    dtype = np.dtype(name) if isinstance(name, str) and name[:2] in _SEEN else None
    if dtype is None or not array.flags.c_contiguous:
        raise ModelFileError(f"An array of the file has the unknown dtype {str(name)[:50]!r}.")
    if dtype.kind in "mM" and array.dtype == np.int64:
        return array.view(dtype)
    if dtype.kind == "c" and array.dtype.itemsize * 2 == dtype.itemsize:
        if array.dtype.kind == "f" and array.shape[-1:] == (2,):
            return array.view(dtype).reshape(array.shape[:-1])
    elif array.dtype == np.uint8 and array.ndim == 2 and array.shape[1] == dtype.itemsize:
        return array.reshape(-1).view(dtype).reshape(checked_shape(shape, len(array)))
    raise ModelFileError(f"An array of the file does not hold what its dtype {name!r} needs.")


_SEEN = ("<m", "<M", "<c", "|S")


def _text_array(node: Node, take: Take) -> NDArray[np.str_]:
    texts = unpack_texts(node, take)
    shape, width = checked_shape(node.get("shape"), len(texts)), node.get("width")
    longest = max(map(len, texts), default=0)
    if type(width) is not int or width < max(longest, 1):
        raise ModelFileError("An array of texts in the file has no room for its texts.")
    if not _room_is_fair(len(texts), width, len(texts) * longest):
        raise ModelFileError("An array of texts in the file claims far more room than its texts.")
    return np.array(texts, dtype=f"<U{width}").reshape(shape)


def checked_shape(given: Any, count: int) -> tuple[int, ...]:
    shape = tuple(given) if isinstance(given, list) else None
    if (
        shape is None
        or not all(type(length) is int and length >= 0 for length in shape)
        or not is_possible(shape)
        or prod(shape) != count
    ):
        raise ModelFileError(f"An array of {count} entries in the file has an impossible shape.")
    return shape


def pack_texts(texts: Sequence[str], keep: Keep) -> Node:
    """Texts as their bytes one after the other, and how many bytes each has."""
    parts = [text.encode("utf-8", "surrogatepass") for text in texts]
    lengths = np.array([len(part) for part in parts], dtype=np.uint32)
    joined = np.frombuffer(b"".join(parts), dtype=np.uint8)
    return {"texts": keep("text", joined), "lengths": keep("lengths", lengths)}


def unpack_texts(node: Node, take: Take) -> list[str]:
    """The texts `pack_texts` wrote."""
    joined, lengths = take(node.get("texts")), take(node.get("lengths"))
    if joined.dtype != np.uint8 or lengths.dtype != np.uint32 or lengths.ndim != 1:
        raise ModelFileError("Texts of the file are not stored as texts are.")
    if int(lengths.sum(dtype=np.uint64)) != joined.size or joined.ndim != 1:
        raise ModelFileError("The lengths of texts in the file do not add up.")
    data = joined.tobytes()
    stops = list(accumulate(lengths.tolist()))
    starts = [0, *stops[:-1]]
    return [
        data[start:stop].decode("utf-8", "surrogatepass")
        for start, stop in zip(starts, stops, strict=False)
    ]


def pack_list(values: Sequence[Any], keep: Keep) -> Node | None:
    """A long list of whole numbers, of floats or of texts as an array; None for other lists."""
    kinds = set(map(type, values))
    if kinds == {int} and all(-_LARGEST <= value < _LARGEST for value in values):
        return {"ints": keep("", np.array(values, dtype=np.int64))}
    if kinds == {float}:
        return {"floats": keep("", np.array(values, dtype=np.float64))}
    return pack_texts(values, keep) if kinds == {str} else None


def unpack_list(node: Node, take: Take) -> list[Any] | None:
    """The list `pack_list` wrote; None if the node is of another kind."""
    if "texts" in node:
        return unpack_texts(node, take)
    for key, dtype in (("ints", np.int64), ("floats", np.float64)):
        if key in node:
            array = take(node[key])
            if array.dtype != dtype or array.ndim != 1:
                raise ModelFileError("A list of numbers in the file is not stored as one.")
            return list(array.tolist())
    return None
