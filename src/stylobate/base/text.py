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


def text_of(estimator: Any, column: int = 0) -> str:
    """``Name(parameter=value, …)`` with changed parameters only, folded at 80 columns.

    `column` is where the text will begin.

    >>> class Shrunk:
    ...     def __init__(self, alpha=1.0, solver="auto"):
    ...         self.alpha, self.solver = alpha, solver
    ...     def get_params(self, deep=True):
    ...         return {"alpha": self.alpha, "solver": self.solver}
    >>> text_of(Shrunk(alpha=2.0))
    'Shrunk(alpha=2.0)'
    """
    text = f"{type(estimator).__name__}("
    indent = column + len(text)
    reached, folded = indent, False
    for number, (name, value) in enumerate(sorted(changed_parameters(estimator).items())):
        part = f"{name}={_value(value, indent + len(name) + 1)}"
        breaks = folded or "\n" in part or reached + len(f", {part},") > _WIDTH
        folded = "\n" in part
        if number:
            text += ",\n" + " " * indent if breaks else ", "
            reached = indent if breaks else reached + 2
        text += part
        reached = len(part.rsplit("\n", 1)[-1]) + (0 if folded else reached)
    return text + ")"


def _value(value: Any, column: int) -> str:
    if _holds_estimators(value):
        return _laid_out(value, column)
    if hasattr(value, "get_params") and not isinstance(value, type):
        return _estimator(value, column)
    # a function by its name: where it lies in memory tells nobody anything
    text = value.__qualname__ if inspect.isroutine(value) else repr(value)
    if len(text) > _LONGEST_VALUE:
        half = _LONGEST_VALUE // 2
        text = f"{text[:half]}...{text[-half:]}"
    return text.replace("\n", "\n" + " " * column)


def _holds_estimators(value: Any) -> bool:
    """Whether a list or tuple is one of named estimators, however deep."""
    if not isinstance(value, list | tuple):
        return False
    return any(hasattr(each, "get_params") or _holds_estimators(each) for each in value)


def _laid_out(value: Any, column: int) -> str:
    """A list of estimators: as many entries to a line as fit, the lines below each other."""
    opening, closing = ("[", "]") if isinstance(value, list) else ("(", ")")
    indent = column + 1
    text, reached = opening, indent
    for number, each in enumerate(value):
        part = " ".join(repr(each).split())
        if number:
            breaks = reached + len(f", {part},") > _WIDTH
            text += ",\n" + " " * indent if breaks else ", "
            reached = indent if breaks else reached + 2
        if reached + len(f"{part},)") > _WIDTH:
            part = _value(each, reached)
        text += part
        reached = len(part.rsplit("\n", 1)[-1]) + (0 if "\n" in part else reached)
    return text + ("," if isinstance(value, tuple) and len(value) == 1 else "") + closing


def _estimator(value: Any, column: int) -> str:
    try:
        return text_of(value, column)
    except (AttributeError, TypeError):  # not built as estimators are: its own words
        return repr(value).replace("\n", "\n" + " " * column)
