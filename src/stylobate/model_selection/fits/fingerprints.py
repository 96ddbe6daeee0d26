"""Values as bytes that are the same in every run: what a fit is recognised by on disk."""

from __future__ import annotations

import functools
import hashlib
import inspect
import sys
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidParameterError

_DEEPEST = 20


def fingerprint(*values: Any) -> str:
    """A hash (32 hexadecimal digits) of values; equal for equal values, in any run.

    Numbers, texts, arrays, sparse arrays, data frames, containers, estimators (class, version and
    parameters), functions (by their code) and objects made of these.

    >>> fingerprint(1.5, "a") == fingerprint(1.5, "a"), fingerprint(1) == fingerprint(1.0)
    (True, False)
    """
    digest = hashlib.blake2b(digest_size=16)
    for value in values:
        for piece in _pieces(value, 0):
            digest.update(piece)
    return digest.hexdigest()


def name_of(kind: type) -> str:
    """Module, name and version of the package of a class."""
    package = sys.modules.get(kind.__module__.partition(".")[0])
    version = getattr(package, "__version__", "")
    return f"{kind.__module__}.{kind.__qualname__} {version}".strip()


def _pieces(value: Any, depth: int) -> Iterator[bytes]:
    """The bytes of a value, begun by its kind and ended, so that no two values read alike."""
    if depth > _DEEPEST:
        raise InvalidParameterError(
            f"store: {type(value).__name__} holds itself or is nested deeper than {_DEEPEST} "
            "levels, so that it cannot be recognised on disk; run without store."
        )
    yield f"<{name_of(type(value))}:".encode()
    for handler in (_of_plain, _of_array, _of_container, _of_code, _of_frame):
        found = handler(value, depth + 1)
        if found is not None:
            yield from found
            break
    else:
        yield from _of_object(value, depth + 1)
    yield b">"


def _of_plain(value: Any, depth: int) -> Iterator[bytes] | None:
    if value is None or isinstance(value, bool | int | float | complex | str):
        return iter([repr(value).encode("utf-8", "surrogatepass")])
    if isinstance(value, bytes):
        return iter([value])
    if isinstance(value, type):
        return iter([name_of(value).encode()])
    return None


def _of_array(value: Any, depth: int) -> Iterator[bytes] | None:
    if isinstance(value, np.generic):
        value = np.asarray(value)
    if isinstance(value, np.ndarray):
        return _array_bytes(value, depth)
    if is_sparse(value):
        parts = value.tocsr()
        return _each((parts.shape, parts.data, parts.indices, parts.indptr), depth)
    return None


def _array_bytes(array: Any, depth: int) -> Iterator[bytes]:
    yield f"{array.dtype.str}{array.shape}".encode()
    if array.dtype.hasobject:
        yield from _each(array.ravel().tolist(), depth)
    else:
        yield np.ascontiguousarray(array).tobytes() if array.ndim == 0 else _buffer(array)


def _buffer(array: Any) -> Any:
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(np.uint8).data if flat.size else b""


def _of_container(value: Any, depth: int) -> Iterator[bytes] | None:
    if isinstance(value, Mapping):
        items = sorted(value.items(), key=lambda item: repr(item[0]))
        return _each([part for item in items for part in item], depth)
    if isinstance(value, set | frozenset):
        return _each(sorted(value, key=repr), depth)
    if isinstance(value, list | tuple | range):
        return _each(value, depth)
    return None


def _of_code(value: Any, depth: int) -> Iterator[bytes] | None:
    if isinstance(value, functools.partial):
        return _each((value.func, value.args, value.keywords), depth)
    if inspect.ismethod(value):
        return _each((value.__func__, value.__self__), depth)
    if isinstance(value, FunctionType):
        closure = [cell.cell_contents for cell in value.__closure__ or ()]
        about = (value.__module__, value.__qualname__, value.__defaults__, value.__kwdefaults__)
        return _each((*about, value.__code__, closure), depth)
    if isinstance(value, CodeType):
        return _each((value.co_code, value.co_consts, value.co_names, value.co_varnames), depth)
    if inspect.isbuiltin(value) or isinstance(value, np.ufunc):
        return _each((str(getattr(value, "__module__", "")), value.__name__), depth)
    return None


def _of_frame(value: Any, depth: int) -> Iterator[bytes] | None:
    """Frames column by column, series and the like as arrays."""
    names = getattr(value, "column_names", None)
    names = getattr(value, "columns", None) if names is None else names
    if names is not None and hasattr(value, "__getitem__"):
        columns = [value[name] for name in names]
        return _each([*map(str, names), *(np.asarray(column) for column in columns)], depth)
    if hasattr(value, "__array__"):
        return _array_bytes(np.asarray(value), depth)
    return None


def _of_object(value: Any, depth: int) -> Iterator[bytes]:
    if isinstance(value, np.random.RandomState):
        return _each(value.get_state(legacy=False), depth)
    if isinstance(value, np.random.Generator):
        return _each(value.bit_generator.state, depth)
    if hasattr(value, "get_params"):
        return _each(value.get_params(deep=False), depth)
    state = _state(value)
    if state is None:
        raise InvalidParameterError(
            f"store: {value!r} cannot be recognised on disk: nothing tells it from other values "
            f"of its type {type(value).__name__}; run without store, or use a plainer value."
        )
    return _each(state, depth)


def _state(value: Any) -> Any:
    """What an object of any class is made of; None if it does not tell."""
    if hasattr(value, "__dict__"):
        kept = vars(type(value))  # what was only worked out and kept is no part of it
        return {
            name: each
            for name, each in vars(value).items()
            if not isinstance(kept.get(name), functools.cached_property)
        }
    try:
        found = value.__reduce_ex__(2)
    except TypeError:  # it cannot be taken apart
        return None
    return found if isinstance(found, str) else list(found[1:3])


def _each(values: Any, depth: int) -> Iterator[bytes]:
    values = list(values.items()) if isinstance(values, dict) else values
    for value in values:
        yield from _pieces(value, depth)
