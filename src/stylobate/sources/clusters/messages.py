"""Statistics on their way between machines: plain values and arrays, with a version.

A message is a line of JSON that tells the shape of a value, and the bytes of its arrays. It holds
no code: of our own classes the name and the arrays (`to_arrays`), or the fields, are written, and
only names of this package are looked up. A machine with another version of the library refuses.
"""

from __future__ import annotations

import dataclasses
import json
import struct
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.origin import NUMPY, Origin
from stylobate.exceptions import ClusterError

FORMAT = 1
_MARK = b"STYLOBATE"
_ROOT = "stylobate"


@cache
def library_version() -> str:
    """Of this installation."""
    return str(getattr(import_module(_ROOT), "__version__", "0"))


def encode(value: Any) -> bytes:
    """A message that holds a value: plain ones, arrays, and objects of this package's classes.

    Examples
    --------
    >>> import numpy as np
    >>> decode(encode({"mean": np.array([1.0, 2.0]), "rows": 3}))
    {'mean': array([1., 2.]), 'rows': 3}
    """
    arrays: list[NDArray[Any]] = []
    tree = _written(value, arrays)
    parts = [np.ascontiguousarray(each) for each in arrays]
    shapes = [(each.dtype.str, list(np.shape(each))) for each in arrays]
    document = {"version": library_version(), "tree": tree, "arrays": shapes}
    head = json.dumps(document, separators=(",", ":")).encode()
    start = _MARK + struct.pack("<HQ", FORMAT, len(head))
    return b"".join([start, head, *(each.tobytes() for each in parts)])


def decode(message: bytes) -> Any:
    """The value of a message; refuses those of another version in a sentence."""
    start = len(_MARK) + struct.calcsize("<HQ")
    if message[: len(_MARK)] != _MARK:
        raise ClusterError("What a worker sent is no statistic of stylobate.")
    number, length = struct.unpack("<HQ", message[len(_MARK) : start])
    document = json.loads(message[start : start + length]) if number == FORMAT else {}
    refuse_other_version(document.get("version", f"format {number}"))
    place, arrays = start + length, []
    for dtype, shape in document["arrays"]:
        found = np.frombuffer(message, np.dtype(dtype), int(np.prod(shape, dtype=int)), place)
        arrays.append(found.reshape(shape).copy())
        place += found.nbytes
    return _read(document["tree"], arrays)


def refuse_other_version(version: str) -> None:
    """Machines have to run the same version: statistics may differ between two."""
    if version != library_version():
        raise ClusterError(
            f"A machine of the cluster runs stylobate {version} and this one {library_version()}; "
            "install the same version on all of them."
        )


# --- from values to JSON --------------------------------------------------------------------------


def _written(value: Any, arrays: list[NDArray[Any]]) -> Any:
    """The JSON of a value; its arrays are appended."""
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        return {"float": value.hex()}
    if kind is np.ndarray:
        return _array(value, arrays)
    if kind in (list, tuple):
        return {kind.__name__: [_written(each, arrays) for each in value]}
    if kind in (set, frozenset):
        ordered = sorted(value, key=repr)  # so that equal sets give the same bytes
        return {kind.__name__: [_written(each, arrays) for each in ordered]}
    if kind is dict:
        pairs = [[_written(k, arrays), _written(v, arrays)] for k, v in value.items()]
        return {"dict": pairs}
    if isinstance(value, np.generic):
        return {"scalar": _array(np.asarray(value), arrays)}
    if kind is bytes:
        return {"bytes": _array(np.frombuffer(value, np.uint8), arrays)}
    if hasattr(value, "tocsr"):
        matrix = value.tocsr()
        parts = [matrix.data, matrix.indices, matrix.indptr, list(matrix.shape)]
        return {"csr": _written(parts, arrays), "array": "array" in kind.__name__}
    return _object(value, arrays)


def _array(value: NDArray[Any], arrays: list[NDArray[Any]]) -> Any:
    if value.dtype.kind == "O":
        items = [_written(each, arrays) for each in value.ravel().tolist()]
        return {"objects": items, "shape": list(value.shape)}
    if value.dtype.kind == "T" or value.dtype.names is not None:
        raise ClusterError(f"An array of dtype {value.dtype} cannot be sent between machines.")
    arrays.append(value)
    return {"array": len(arrays) - 1}


def _object(value: Any, arrays: list[NDArray[Any]]) -> Any:
    """An object of ours, by its own arrays where it has some, else by its fields."""
    kind = Origin if isinstance(value, Origin) else type(value)
    if kind is Origin:
        value = NUMPY  # which frame rows came in, with its index, is of no use elsewhere
    if isinstance(value, type):
        return {"class": _name(value)}
    name = _name(kind)
    if isinstance(value, tuple):  # a named one
        return {"named": name, "items": [_written(each, arrays) for each in value]}
    if hasattr(kind, "to_arrays") and hasattr(kind, "from_arrays"):
        return {"statistic": name, "arrays": _written(value.to_arrays(), arrays)}
    return {"object": name, "fields": _written(_fields(value), arrays)}


def _fields(value: Any) -> dict[str, Any]:
    if dataclasses.is_dataclass(value):
        names = [each.name for each in dataclasses.fields(value)]
        return {name: getattr(value, name) for name in names if hasattr(value, name)}
    return dict(vars(value))


def _name(kind: type[Any]) -> str:
    if kind.__module__.partition(".")[0] != _ROOT or "<" in kind.__qualname__:
        raise ClusterError(
            f"A {kind.__module__}.{kind.__qualname__} cannot be sent between machines: statistics "
            "travel as numbers, texts and arrays."
        )
    return f"{kind.__module__}:{kind.__qualname__}"


# --- and back -------------------------------------------------------------------------------------


def _read(tree: Any, arrays: list[NDArray[Any]]) -> Any:
    if not isinstance(tree, dict):
        return tree
    what = next(iter(tree))
    return _READERS[what](tree, arrays)


def _items(tree: Any, arrays: list[NDArray[Any]]) -> list[Any]:
    return [_read(each, arrays) for each in tree]


def _objects(tree: Any, arrays: list[NDArray[Any]]) -> NDArray[Any]:
    found = np.empty(len(tree["objects"]), dtype=object)
    for place, each in enumerate(_items(tree["objects"], arrays)):
        found[place] = each
    return found.reshape(tree["shape"])


def _csr(tree: Any, arrays: list[NDArray[Any]]) -> Any:
    from scipy import sparse

    data, indices, indptr, shape = _read(tree["csr"], arrays)
    kind = sparse.csr_array if tree["array"] else sparse.csr_matrix
    return kind((data, indices, indptr), shape=tuple(shape))


def _kind(name: str) -> Any:
    module, _, path = name.partition(":")
    if module.partition(".")[0] != _ROOT:
        raise ClusterError(f"A worker sent a {name}, which is none of our classes.")
    found: Any = import_module(module)
    for step in path.split("."):
        found = getattr(found, step)
    return found


def _built(tree: Any, arrays: list[NDArray[Any]]) -> Any:
    kind = _kind(tree["object"])
    built = object.__new__(kind)
    for name, each in _read(tree["fields"], arrays).items():
        object.__setattr__(built, name, each)  # also where the class is frozen
    return built


_READERS: dict[str, Any] = {
    "float": lambda tree, arrays: float.fromhex(tree["float"]),
    "array": lambda tree, arrays: arrays[tree["array"]],
    "objects": _objects,
    "scalar": lambda tree, arrays: _read(tree["scalar"], arrays)[()],
    "bytes": lambda tree, arrays: _read(tree["bytes"], arrays).tobytes(),
    "list": lambda tree, arrays: _items(tree["list"], arrays),
    "tuple": lambda tree, arrays: tuple(_items(tree["tuple"], arrays)),
    "set": lambda tree, arrays: set(_items(tree["set"], arrays)),
    "frozenset": lambda tree, arrays: frozenset(_items(tree["frozenset"], arrays)),
    "dict": lambda tree, arrays: {_read(k, arrays): _read(v, arrays) for k, v in tree["dict"]},
    "csr": _csr,
    "class": lambda tree, arrays: _kind(tree["class"]),
    "named": lambda tree, arrays: _kind(tree["named"])(*_items(tree["items"], arrays)),
    "statistic": lambda tree, arrays: _kind(tree["statistic"]).from_arrays(
        _read(tree["arrays"], arrays)
    ),
    "object": _built,
}
