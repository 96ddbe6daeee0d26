"""From plain JSON values and arrays back to a model; builds values, calls nothing the file says."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import ModelFileError
from stylobate.storage import foreign, leaves
from stylobate.storage.consistency import check_state
from stylobate.storage.hints import misfit
from stylobate.storage.learnt import check_kinds, check_whole
from stylobate.storage.limits import DEEPEST
from stylobate.storage.names import class_named, function_named, is_estimator, is_named_tuple
from stylobate.storage.packing import checked_shape, unpack_array, unpack_list
from stylobate.storage.weight import SHARED


class Decoder:
    """Builds the value of a JSON document whose arrays are `tensors`.

    With `told`, every estimator must say what it had learnt, as since version 1.1 of the format.
    """

    def __init__(self, tensors: Mapping[str, NDArray[Any]], *, told: bool = True) -> None:
        self._told = told
        self.ignored: list[str] = []  # parts this version does not know
        self._tensors = tensors
        self._spent: set[str] = set()  # arrays that became lists: each may only once
        self._objects: dict[int, Any] = {}
        self._depth = 0

    def value(self, node: Any) -> Any:
        """The value of a node."""
        if node is None or isinstance(node, bool | int | float | str):
            return node
        self._depth += 1
        if self._depth > 2 * DEEPEST:
            raise ModelFileError(f"The model file nests values more than {2 * DEEPEST} deep.")
        try:
            if isinstance(node, list):
                return [self.value(each) for each in node]
            kind = node.get("is")
            read = _READERS.get(kind) if isinstance(kind, str) else None
            if read is not None:
                return self._numbered(node, read(self, node))
            if kind in foreign.KINDS:
                return foreign.KINDS[kind].build(self.value(node["parts"]))
            raise ModelFileError(
                f"The model file holds a value of unknown kind {str(kind)[:50]!r}."
            )
        finally:
            self._depth -= 1

    def _numbered(self, node: dict[str, Any], built: Any) -> Any:
        number = node.get("number")
        if node["is"] in SHARED and type(number) is int:
            self._objects[number] = built
        return built

    def _take(self, name: Any) -> NDArray[Any]:
        found = self._tensors.get(name) if isinstance(name, str) else None
        if found is None:
            raise ModelFileError(f"The model file lacks the array {str(name)[:100]!r}.")
        return found

    def _take_once(self, name: Any) -> NDArray[Any]:
        if name in self._spent:
            raise ModelFileError(f"The array {str(name)[:100]!r} of the file is used twice.")
        self._spent.add(name)
        return self._take(name)

    # --- containers -----------------------------------------------------------------------------

    def _entries(self, entries: Any) -> list[Any]:
        if isinstance(entries, list):
            return [self.value(each) for each in entries]
        found = unpack_list(entries, self._take_once) if isinstance(entries, dict) else None
        if found is None:
            raise ModelFileError("The model file holds a list without entries.")
        return found

    def _dict(self, node: dict[str, Any]) -> dict[Any, Any]:
        if "items" in node:
            return {key: self.value(each) for key, each in node["items"].items()}
        keys, values = self._entries(node["keys"]), self._entries(node["values"])
        return dict(zip(keys, values, strict=True))

    # --- NumPy ----------------------------------------------------------------------------------

    def _array(self, node: dict[str, Any]) -> NDArray[Any]:
        return unpack_array(node, self._take_once if "texts" in node else self._take)

    def _masked(self, node: dict[str, Any]) -> Any:
        data, mask, fill = (self.value(node[key]) for key in ("data", "mask", "fill"))
        whole = isinstance(data, np.ndarray) and isinstance(mask, np.ndarray)
        if not whole or mask.dtype != np.bool_ or mask.shape != data.shape:
            raise ModelFileError("A masked array of the file lacks its data or its mask.")
        return np.ma.MaskedArray(data, mask=mask, fill_value=fill)

    def _object_array(self, node: dict[str, Any]) -> NDArray[np.object_]:
        items = self._entries(node["items"])
        array = np.empty(len(items), dtype=object)
        for place, item in enumerate(items):
            array[place] = item
        return array.reshape(checked_shape(node.get("shape"), len(items)))

    # --- objects of ours -------------------------------------------------------------------------

    def _again(self, node: dict[str, Any]) -> Any:
        if node["number"] not in self._objects:
            raise ModelFileError("The model file refers to a part of it that is not complete.")
        return self._objects[node["number"]]

    def _object(self, node: dict[str, Any]) -> Any:
        kind = class_named(node.get("class"))
        state = {str(name): self.value(each) for name, each in node["state"].items()}
        if self._told and is_estimator(kind) and node.get("learnt") is None:
            raise ModelFileError(f"The {kind.__name__} of the file hides what it had learnt.")
        check_whole(kind, state, node.get("learnt"))
        if hasattr(kind, "_from_earlier"):  # what earlier versions called otherwise
            state = kind._from_earlier(state)
        built = self._built(kind, state)
        check_state(built)
        check_kinds(built, node.get("learnt"))
        return built

    def _built(self, kind: type[Any], state: dict[str, Any]) -> Any:
        wrong = misfit(kind, state)
        if wrong is not None:
            raise ModelFileError(
                f"A {kind.__name__} of the file has a {type(state[wrong]).__name__} for {wrong}, "
                "which is none of its values."
            )
        if hasattr(kind, "_rebuilt"):
            return kind._rebuilt(**{name: state[name] for name in kind._rebuilt_from})
        if is_estimator(kind):
            return self._estimator(kind, state)
        if dataclasses.is_dataclass(kind):
            return self._dataclass(kind, state)
        if is_named_tuple(kind):
            known = {name: state[name] for name in kind._fields if name in state}
            self._ignore(kind, state.keys() - known.keys())
            return kind(**known)
        if issubclass(kind, dict):
            return kind(**state)
        built = object.__new__(kind)
        _refuse_shadows(kind, state)
        for name, each in state.items():
            object.__setattr__(built, name, each)
        return built

    def _estimator(self, kind: type[Any], state: dict[str, Any]) -> Any:
        from importlib import import_module

        parameters = import_module("stylobate.base.parameters")
        defaults = parameters.defaults_of(kind)
        missing = [
            name
            for name, default in defaults.items()
            if name not in state and default is parameters.REQUIRED
        ]
        if missing:
            raise ModelFileError(f"The {kind.__name__} of the file lacks {', '.join(missing)}.")
        learnt = {name for name in state if name.startswith("_") or name.endswith("_")}
        unknown = state.keys() - defaults.keys() - learnt
        self._ignore(kind, unknown)
        known = {name: each for name, each in state.items() if name not in unknown}
        _refuse_shadows(kind, known.keys() - defaults.keys())
        built = object.__new__(kind)
        vars(built).update(dict(defaults) | known)
        return built

    def _dataclass(self, kind: type[Any], state: dict[str, Any]) -> Any:
        built = object.__new__(kind)
        fields = {each.name: each for each in dataclasses.fields(kind)}
        self._ignore(kind, state.keys() - fields.keys())
        for name, field in fields.items():
            if name in state:
                value = state[name]
            elif field.default is not dataclasses.MISSING:
                value = field.default
            elif field.default_factory is not dataclasses.MISSING:
                value = field.default_factory()
            else:
                raise ModelFileError(f"A {kind.__name__} of the file lacks {name}.")
            object.__setattr__(built, name, value)  # also where the class is frozen
        return built

    def _ignore(self, kind: type[Any], names: Any) -> None:
        self.ignored += [f"{kind.__name__}.{name}" for name in sorted(names)]


def _refuse_shadows(kind: type[Any], names: Any) -> None:
    """Refuse values under the names of methods and properties."""
    for name in names:
        own = getattr(kind, name, None)
        shadows = callable(own) or isinstance(own, property)
        if name.startswith("__") or not name.isidentifier() or shadows:
            raise ModelFileError(
                f"The {kind.__name__} of the file has a value for {name[:50]!r}, which is none."
            )


_READERS: dict[str, Callable[[Decoder, dict[str, Any]], Any]] = {
    "float": lambda decoder, node: leaves.not_finite(node["text"]),
    "complex": lambda decoder, node: complex(*map(float.fromhex, node["parts"])),
    "bytes": lambda decoder, node: bytes.fromhex(node["hex"]),
    "list": lambda decoder, node: decoder._entries(node["entries"]),
    "tuple": lambda decoder, node: tuple(decoder._entries(node["entries"])),
    "set": lambda decoder, node: set(decoder._entries(node["entries"])),
    "frozenset": lambda decoder, node: frozenset(decoder._entries(node["entries"])),
    "slice": lambda decoder, node: leaves.slice_of(decoder._entries(node["entries"])),
    "range": lambda decoder, node: leaves.range_of(node["entries"]),
    "ellipsis": lambda decoder, node: ...,
    "dict": Decoder._dict,
    "array": Decoder._array,
    "masked": Decoder._masked,
    "objects": Decoder._object_array,
    "scalar": lambda decoder, node: leaves.scalar(node["dtype"], node["value"]),
    "dtype": lambda decoder, node: leaves.dtype_named(node["name"]),
    "type": lambda decoder, node: leaves.type_named(node["name"]),
    "function": lambda decoder, node: function_named(node["name"]),
    "object": Decoder._object,
    "again": Decoder._again,
}
