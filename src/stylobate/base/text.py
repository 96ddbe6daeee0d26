"""Text representation: the class and the parameters that differ from their defaults."""

from __future__ import annotations

import inspect
from typing import Any

from stylobate.base.parameters import REQUIRED, defaults_of

_WIDTH = 80
_LONGEST_VALUE = 300


def changed_parameters(estimator: Any) -> dict[str, Any]:
    """The parameters whose values do not print as their defaults do, by name."""
    defaults = defaults_of(type(estimator))
    return {
        name: value
        for name, value in estimator.get_params(deep=False).items()
        if name not in defaults or not _is_default(value, defaults[name])
    }


def _is_default(value: Any, default: Any) -> bool:
    if value is default:
        return True
    if default is REQUIRED or (hasattr(value, "get_params") and type(value) is not type(default)):
        return False
    return repr(value) == repr(default)  # also right for nan, arrays, and 1 against 1.0


def text_of(estimator: Any) -> str:
    """``Name(parameter=value, …)`` with changed parameters only, folded at 80 columns.

    >>> class Shrunk:
    ...     def __init__(self, alpha=1.0, solver="auto"):
    ...         self.alpha, self.solver = alpha, solver
    ...     def get_params(self, deep=True):
    ...         return {"alpha": self.alpha, "solver": self.solver}
    >>> text_of(Shrunk(alpha=2.0))
    'Shrunk(alpha=2.0)'
    """
    opening = f"{type(estimator).__name__}("
    indent = " " * len(opening)
    parts = [
        f"{name}=" + _value(value).replace("\n", "\n" + indent + " " * (len(name) + 1))
        for name, value in sorted(changed_parameters(estimator).items())
    ]
    text = opening
    for part in parts:
        column = len(text.rsplit("\n", 1)[-1])
        head = part.split("\n", 1)[0]
        if text is opening:
            text += part
        elif column + len(f", {head},") > _WIDTH:
            text += f",\n{indent}{part}"
        else:
            text += f", {part}"
    return text + ")"


def _value(value: Any) -> str:
    # a function by its name: where it lies in memory tells nobody anything
    text = value.__qualname__ if inspect.isroutine(value) else repr(value)
    if len(text) <= _LONGEST_VALUE:
        return text
    half = _LONGEST_VALUE // 2
    return f"{text[:half]}...{text[-half:]}"
