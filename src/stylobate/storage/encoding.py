"""From a model to plain JSON values and arrays."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from math import isfinite
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import ModelFileError
from stylobate.storage import foreign
from stylobate.storage.learnt import learnt_kinds
from stylobate.storage.leaves import DTYPES, TYPES, range_of
from stylobate.storage.limits import DEEPEST, LONGEST_PLAIN, LONGEST_RANGE, WIDEST_DTYPE
from stylobate.storage.names import (
    function_name,
    is_estimator,
    is_named_tuple,
    is_storable,
    modules,
    name_of,
)
from stylobate.storage.packing import pack_array, pack_list

_LARGEST_INT = 10**300


class Encoder:
    """Walks a model once; `tensors` fills with its arrays, `document` gives the JSON value.

    Arrays and objects that occur twice are written once.
    """

    def __init__(self) -> None:
        self.tensors: dict[str, NDArray[Any]] = {}
        self._numbers: dict[int, int] = {}  # of arrays and objects, by identity
        self._seen: list[Any] = []  # keeps them alive, so that identities stay theirs
        self._open: set[int] = set()
        self._path: list[str] = []
        self._owners: list[tuple[str, int]] = []  # classes around, and where their part begins

    def document(self, value: Any) -> Any:
        """The JSON value of anything a model may hold."""
        kind = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if kind is int:
            if abs(value) >= _LARGEST_INT:
                self._refuse("a number beyond 1e300")
            return value
        if kind is float:
            return value if isfinite(value) else {"is": "float", "text": repr(value)}
        if len(self._path) > DEEPEST:
            self._refuse(f"nested more than {DEEPEST} times")
        write = _WRITERS.get(kind)
        if write is not None:
            return write(self, value)
        return self._other(value)

    def _other(self, value: Any) -> Any:
        if isinstance(value, np.ndarray | np.generic | np.dtype):
            return self._of_numpy(value)
        if isinstance(value, type):
            return self._type(value)
        name = foreign.kind_of(value)
        if name is not None:
            return {"is": name, "parts": self._at("", self._foreign_parts(name, value))}
        function = function_name(value)
        if function is not None:
            return {"is": "function", "name": function}
        return self._object(value)

    def _foreign_parts(self, name: str, value: Any) -> Any:
        """The parts of a value of another library, found fit to build it from again."""
        parts = foreign.KINDS[name].parts(value)
        try:
            foreign.KINDS[name].build(parts)
        except (ModelFileError, ValueError, TypeError, OverflowError) as error:
            self._refuse(f"a {type(value).__name__} that could not be built again ({error})")
        return parts

    # --- containers -----------------------------------------------------------------------------

    @contextmanager
    def _inside(self, step: str) -> Iterator[None]:
        self._path.append(step)
        yield
        self._path.pop()

    def _at(self, step: str, value: Any) -> Any:
        with self._inside(step):
            return self.document(value)

    def _entries(self, values: Any) -> list[Any] | dict[str, Any]:
        """Elements one by one, or as one array if they are many of a kind."""
        values = list(values)
        if len(values) > LONGEST_PLAIN:
            packed = pack_list(values, self._keep)
            if packed is not None:
                return packed
        return [self._at(str(i), each) for i, each in enumerate(values)]

    def from_list(self, values: list[Any]) -> Any:
        """A list is a JSON list, or an object if it is stored as an array."""
        entries = self._entries(values)
        return entries if isinstance(entries, list) else {"is": "list", "entries": entries}

    def from_dict(self, values: dict[Any, Any]) -> Any:
        """A dictionary by its keys if these are few texts, else as keys and values."""
        if len(values) <= LONGEST_PLAIN and all(type(key) is str for key in values):
            return {"is": "dict", "items": {k: self._at(k, v) for k, v in values.items()}}
        with self._inside("keys"):
            keys = self._entries(values)
        return {"is": "dict", "keys": keys, "values": self._entries(values.values())}

    def from_range(self, values: range) -> Any:
        """A range by its ends; one that could not be walked through is refused."""
        entries = [values.start, values.stop, values.step]
        try:
            range_of(entries)
        except ModelFileError:
            self._refuse(f"a range of more than {LONGEST_RANGE} entries")
        return {"is": "range", "entries": entries}

    # --- NumPy ----------------------------------------------------------------------------------

    def _of_numpy(self, value: Any) -> Any:
        if isinstance(value, np.dtype):
            return {"is": "dtype", "name": self._dtype(value)}
        if isinstance(value, np.generic):
            array = np.asarray(value)
            texts = array.dtype.kind in "US"  # as wide as they need
            dtype = array.dtype.str if texts else self._dtype(array.dtype)
            return {"is": "scalar", "dtype": dtype, "value": _exact(array)}
        return self._again(value) or self._numbered(value, self._array(value))

    def _dtype(self, dtype: np.dtype[Any]) -> str:
        wide = dtype.itemsize > WIDEST_DTYPE
        if wide or dtype.kind not in DTYPES or dtype.str[1:] in ("f16", "c32"):
            self._refuse(f"of dtype {dtype}")
        return dtype.str

    def _array(self, array: NDArray[Any]) -> Any:
        if isinstance(array, np.ma.MaskedArray):
            mask = np.ma.getmaskarray(array)
            fill = np.asarray(array.fill_value)[()]
            parts = {"data": np.asarray(array.data), "mask": mask, "fill": fill}
            return {"is": "masked"} | {key: self._at(key, each) for key, each in parts.items()}
        if type(array) not in (np.ndarray, np.memmap):
            self._refuse(f"a {type(array).__name__}")
        if array.dtype.kind == "O":
            items = self._entries(array.ravel().tolist())
            return {"is": "objects", "shape": list(array.shape), "items": items}
        node = pack_array(np.asarray(array), self._keep)
        if node is None:
            self._refuse(f"an array of dtype {array.dtype}")
        return node

    def _keep(self, hint: str, array: NDArray[Any]) -> str:
        """Store an array under a name made of where it is."""
        parts = [part for part in (*self._path, hint) if part]
        name = stem = ".".join(parts)[-200:] or "array"
        number = 1
        while name in self.tensors:
            number += 1
            name = f"{stem}#{number}"
        self.tensors[name] = array
        return name

    def _type(self, kind: type[Any]) -> Any:
        if issubclass(kind, np.generic) and getattr(np, kind.__name__, None) is kind:
            return {"is": "type", "name": f"numpy.{kind.__name__}"}
        if kind in TYPES.values():
            return {"is": "type", "name": kind.__name__}
        self._refuse(f"the class {kind.__name__}")

    # --- objects of ours -------------------------------------------------------------------------

    def _object(self, value: Any) -> Any:
        if id(value) in self._open:
            self._refuse("part of itself")
        again = self._again(value)
        if again is not None:
            return again
        name = name_of(type(value))
        if name is None or not is_storable(type(value)):
            self._refuse(_words(value), _remedy(value))
        self._open.add(id(value))
        self._owners.append((type(value).__name__, len(self._path)))
        parts = state_of(value)
        state = {step: self._at(step, each) for step, each in parts.items()}
        self._owners.pop()
        self._open.discard(id(value))
        node = {"is": "object", "class": name, "state": state}
        if is_estimator(type(value)):
            node["learnt"] = learnt_kinds(type(value), parts)
        return self._numbered(value, node)

    def _numbered(self, value: Any, node: dict[str, Any]) -> dict[str, Any]:
        """A node others can refer to."""
        number = self._numbers[id(value)] = len(self._seen)
        self._seen.append(value)
        return node | {"number": number}

    def _again(self, value: Any) -> dict[str, Any] | None:
        """A reference to what was written before; None if it was not."""
        number = self._numbers.get(id(value))
        return None if number is None else {"is": "again", "number": number}

    def _refuse(self, what: str, remedy: str = "") -> NoReturn:
        owner, start = self._owners[-1] if self._owners else ("The model", 0)
        place = self._path[start:]
        where = place[0] + "".join(f"[{step}]" for step in place[1:] if step) if place else "it"
        raise ModelFileError(
            f"{owner}: {where} is {what}, which a model file cannot hold: it keeps plain values "
            f"and estimators of stylobate, and no code.{remedy}"
        )


def state_of(value: Any) -> dict[str, Any]:
    """The plain parts of an object of ours, from which the same object can be built again."""
    kind = type(value)
    if hasattr(kind, "_rebuilt_from"):
        return {name: getattr(value, name) for name in kind._rebuilt_from}
    if is_estimator(kind):
        state = dict(value.__getstate__())
        state.pop("_stylobate_version", None)
        return state
    if dataclasses.is_dataclass(kind):
        names = [each.name for each in dataclasses.fields(kind)]
        return {name: getattr(value, name) for name in names if hasattr(value, name)}
    if is_named_tuple(kind):
        return dict(value._asdict())
    if issubclass(kind, dict):
        return dict(value)
    slots = [name for each in kind.mro() for name in getattr(each, "__slots__", ())]
    parts = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return parts | {
        name: each
        for name, each in getattr(value, "__dict__", {}).items()
        if not isinstance(getattr(kind, name, None), cached_property)
    }


def _exact(array: NDArray[Any]) -> Any:
    """A number or text of NumPy as a JSON value that gives the same bits back."""
    if array.dtype.kind in "mM":
        return int(array.view(np.int64))
    if array.dtype.kind == "c":
        return [float(array.real).hex(), float(array.imag).hex()]
    if array.dtype.kind == "f":
        return float(array) if isfinite(array) else repr(float(array))
    if array.dtype.kind == "S":
        return array.item().hex()
    return array.item()


def _words(value: Any) -> str:
    kind = type(value)
    if hasattr(value, "__qualname__") and callable(value):
        return f"the function {value.__qualname__}"
    home = kind.__module__.partition(".")[0]
    return f"a {kind.__name__}" + ("" if home == "builtins" else f" of {home}")


def _remedy(value: Any) -> str:
    """What to do about an estimator of scikit-learn."""
    kind = type(value)
    home, _, inside = kind.__module__.partition(".")
    if home != "sklearn" or not hasattr(value, "get_params"):
        return ""
    package = f"stylobate.{inside.partition('.')[0]}"
    ours = package in modules() and hasattr(import_module(package), kind.__name__)
    instead = f"Use {package}.{kind.__name__} instead" if ours else "Use one of ours instead"
    return f" {instead}, or keep the whole with joblib.dump, for files you trust."


def _tagged(tag: str) -> Callable[[Encoder, Any], Any]:
    return lambda encoder, values: {"is": tag, "entries": encoder._entries(values)}


def _sorted_set(tag: str) -> Callable[[Encoder, Any], Any]:
    # in an order of their own, so that the same model gives the same bytes
    return lambda encoder, values: {
        "is": tag,
        "entries": encoder._entries(sorted(values, key=lambda each: (str(type(each)), repr(each)))),
    }


_WRITERS: dict[type, Callable[[Encoder, Any], Any]] = {
    list: Encoder.from_list,
    dict: Encoder.from_dict,
    tuple: _tagged("tuple"),
    set: _sorted_set("set"),
    frozenset: _sorted_set("frozenset"),
    complex: lambda encoder, value: {
        "is": "complex",
        "parts": [value.real.hex(), value.imag.hex()],
    },
    bytes: lambda encoder, value: {"is": "bytes", "hex": value.hex()},
    slice: lambda encoder, value: {
        "is": "slice",
        "entries": [encoder._at("", each) for each in (value.start, value.stop, value.step)],
    },
    range: Encoder.from_range,
    type(Ellipsis): lambda encoder, value: {"is": "ellipsis"},
}
