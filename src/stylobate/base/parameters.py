"""Constructor parameters: their names, defaults and constraints, read once per class.

The constraints sit in the constructor's annotations and are parsed when first needed, so that
importing an estimator costs nothing.

>>> from math import inf
>>> class Shrunk:
...     def __init__(self, alpha: Annotated[float, Interval(0, inf)] = 1.0, solver: str = "auto"):
...         self.alpha, self.solver = alpha, solver
>>> check_parameters("Shrunk", constraints_of(Shrunk), {"alpha": -1, "solver": "auto"})
Traceback (most recent call last):
    ...
stylobate.exceptions.InvalidParameterError: Shrunk: alpha must be a number in [0, inf), got -1.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from numbers import Integral
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from stylobate.base.constraints import (
    MOST_WHOLE,
    AllOf,
    AnyOf,
    Anything,
    CallableObject,
    Constraint,
    HasMethods,
    Instance,
    Interval,
    Nothing,
    Number,
    Numbers,
    Options,
    RandomState,
    Seed,
    Text,
    Truth,
    is_number,
)
from stylobate.exceptions import InvalidParameterError

__all__ = [
    "REQUIRED",
    "HasMethods",
    "Interval",
    "Numbers",
    "Options",
    "RandomState",
    "Seed",
    "brief",
    "check_parameters",
    "constraint_from",
    "constraints_of",
    "defaults_of",
]

REQUIRED = inspect.Parameter.empty
"""Stands for the default of a parameter that has none."""

_PLAIN: dict[Any, Constraint] = {
    int: Number(whole=True),
    float: Number(),
    str: Text(),
    bool: Truth(),
    None: Nothing(),
    type(None): Nothing(),
    Any: Anything(),
    object: Anything(),
    Callable: CallableObject(),
    typing.Callable: CallableObject(),
}


T = TypeVar("T")


def once_per_class(compute: Callable[[type], T]) -> Callable[[type], T]:
    """`functools.cache` for functions of a class, which type checkers do not see as hashable."""
    return cache(compute)


@once_per_class
def defaults_of(owner: type) -> Mapping[str, Any]:
    """Names of the constructor's parameters, in order, with their defaults (or `REQUIRED`).

    >>> class Shrunk:
    ...     def __init__(self, alpha=1.0, *, solver="auto"): ...
    >>> dict(defaults_of(Shrunk))
    {'alpha': 1.0, 'solver': 'auto'}
    """
    if owner.__init__ is object.__init__:  # type: ignore[misc]
        return types.MappingProxyType({})
    parameters = list(inspect.signature(owner.__init__).parameters.values())[1:]  # type: ignore[misc]
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeError(
                f"{owner.__name__}: the constructor takes {parameter}, but the parameters of an "
                "estimator are those its constructor names; name each one."
            )
    return types.MappingProxyType({each.name: each.default for each in parameters})


@once_per_class
def constraints_of(owner: type) -> Mapping[str, Constraint]:
    """The constraint of each constructor parameter, from its annotation."""
    names = defaults_of(owner)
    hints = typing.get_type_hints(owner.__init__, include_extras=True) if names else {}  # type: ignore[misc]
    return types.MappingProxyType({name: constraint_from(hints.get(name, Any)) for name in names})


def constraint_from(hint: Any) -> Constraint:
    """The constraint an annotation stands for.

    >>> constraint_from(Annotated[int, Interval(1, 9)] | None).words
    'an integer in [1, 9) or None'
    >>> constraint_from(Literal["mean", "median"] | bool).words
    "'mean' or 'median' or True or False"
    """
    if isinstance(hint, Constraint):
        return hint
    origin = get_origin(hint)
    if origin is Annotated:
        base, *marks = get_args(hint)
        return _marked(base, [mark for mark in marks if isinstance(mark, Constraint)])
    if origin in (Union, types.UnionType):
        return AnyOf(tuple(constraint_from(member) for member in get_args(hint)))
    if origin is Literal:
        return Options(*get_args(hint))
    kind = hint if origin is None else origin
    if kind in _PLAIN:
        return _PLAIN[kind]
    if isinstance(kind, type):
        return CallableObject() if kind is types.FunctionType else Instance(kind)
    raise TypeError(
        f"The annotation {hint!r} is not one parameters can be checked against; use int, float, "
        "bool, str, None, a class, Literal, a union of those, or Annotated with a constraint."
    )


def _marked(base: Any, marks: list[Constraint]) -> Constraint:
    """The constraint of ``Annotated[base, *marks]``."""
    if get_origin(base) in (Union, types.UnionType):
        # Annotated[float | None, Interval(0, inf)]: the interval speaks of the numbers only
        members = (_marked(m, marks) if m in (int, float, str) else m for m in get_args(base))
        return AnyOf(tuple(constraint_from(member) for member in members))
    whole = [
        replace(mark, whole=True) if base is int and isinstance(mark, Interval) else mark
        for mark in marks
    ]
    if not whole:
        return constraint_from(base)
    return whole[0] if len(whole) == 1 else AllOf(tuple(whole))


def check_parameters(
    owner: str, constraints: Mapping[str, Constraint], values: Mapping[str, Any]
) -> None:
    """Refuse, in one sentence, the first value that its constraint does not accept.

    Parameters
    ----------
    owner : str
        Whose parameters they are, for the message.
    constraints : mapping of str to Constraint
        As from `constraints_of`.
    values : mapping of str to object
        The values now set.

    Raises
    ------
    InvalidParameterError
        «Ridge: alpha must be a number in [0, inf), got -1.»
    """
    for name, constraint in constraints.items():
        if not constraint.accepts(values[name]):
            got = f"{brief(values[name])}{_beyond(values[name])}"
            raise InvalidParameterError(f"{owner}: {name} must be {constraint.words}, got {got}.")


def brief(value: Any, length: int = 80) -> str:
    """`repr` on one line, cut in the middle if long.

    >>> brief("x" * 100, length=11)
    "'xxx...xxx'"
    """
    text = " ".join(repr(value).split())
    half = (length - 3) // 2
    return text if len(text) <= length else f"{text[:half]}...{text[-half:]}"


def _beyond(value: Any) -> str:
    """A word about integers that are in every interval but in no register."""
    large = is_number(value, Integral) and abs(int(value)) > MOST_WHOLE
    return ", which no 64-bit integer holds" if large else ""
