"""Whether a value out of a file is of the type its field announces."""

from __future__ import annotations

import types
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from stylobate.storage.names import is_estimator

_NUMBERS: dict[Any, tuple[type, ...]] = {
    int: (int, np.integer),
    float: (int, float, np.integer, np.floating),
    bool: (bool, np.bool_),
}


def misfit(kind: Any, state: dict[str, Any]) -> str | None:
    """The first attribute whose value is of another type than its class says; None if all fit.

    Where a type says nothing that can be looked up, every value fits. Of an estimator only whole
    numbers and values of our own classes are looked at: its other types are often wider than said.

    >>> from stylobate.metrics.intervals.interval import Interval
    >>> misfit(Interval, {"low": 0.5}), misfit(Interval, {"low": "half"})
    (None, 'low')
    """
    hints: dict[str, Any] = _hints_of(kind)
    if is_estimator(kind):
        hints = {name: hint for name, hint in hints.items() if hint is int or _is_ours(hint)}
    return next((n for n, v in state.items() if n in hints and not _fits(v, hints[n])), None)


@cache
def _hints_of(kind: Any) -> dict[str, Any]:
    hints: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        for name, written in vars(base).get("__annotations__", {}).items():
            one = {"__annotations__": {name: written}, "__module__": base.__module__}
            try:
                hints |= get_type_hints(type("One", (), one))
            except (NameError, TypeError):  # a type that only checkers import
                hints.pop(name, None)
    return hints


def _fits(value: Any, hint: Any) -> bool:
    origin, inner = get_origin(hint), get_args(hint)
    if hint is None or hint is types.NoneType:
        return value is None
    if origin in (Union, types.UnionType):
        return any(_fits(value, each) for each in inner)
    if origin is Literal:
        return value in inner
    if origin in (list, tuple, dict, set, frozenset):
        return isinstance(value, origin) and _parts_fit(value, origin, inner)
    kind = origin or hint
    if kind in _NUMBERS:
        whole = kind is bool or not isinstance(value, bool)
        return isinstance(value, _NUMBERS[kind]) and whole
    return not _is_plain(kind) or isinstance(value, kind)


def _is_plain(kind: Any) -> bool:
    """Whether values of a type can be told by their class."""
    return kind in (str, bytes, np.ndarray) or _is_ours(kind)


def _is_ours(kind: Any) -> bool:
    ours = isinstance(kind, type) and kind.__module__.startswith("stylobate.")
    return ours and not getattr(kind, "_is_protocol", False)


def _parts_fit(value: Any, origin: Any, inner: tuple[Any, ...]) -> bool:
    if not inner:
        return True
    if origin is dict:
        pairs = value.items()
        return all(_fits(key, inner[0]) and _fits(each, inner[1]) for key, each in pairs)
    if origin is tuple and inner[-1] is not ...:
        return len(value) == len(inner) and all(map(_fits, value, inner))
    return all(_fits(each, inner[0]) for each in value)
