"""What an adapter is: one method of a class of scikit-learn that ours can answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol

import numpy as np

Allowed = tuple[Any, ...] | Callable[[Any], bool]


class Adapter(Protocol):
    """One method of one class of scikit-learn, answered by ours where conditions hold."""

    @property
    def name(self) -> str:
        """The class's name."""

    @property
    def method(self) -> str:
        """The method that is replaced."""

    @property
    def home(self) -> str:
        """The package of the class, in both libraries."""

    def prepared(self, model: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """What `answer` needs, or a text: why the call is left to scikit-learn."""

    def answer(self, model: Any, prepared: Any) -> Any:
        """Write our answer into the model and return what the method returns."""

    def learnt_by(self, model: Any) -> dict[str, Any]:
        """What the method learnt, to be compared."""

    def describe(self) -> str:
        """The conditions in words."""


def class_of(home: str, name: str, library: str = "sklearn") -> type[Any]:
    """A class by its package and name."""
    found: type[Any] = getattr(import_module(f"{library}.{home}"), name)
    return found


def refused_parameter(
    model: Any, free: tuple[str, ...], fixed: Mapping[str, Allowed]
) -> str | None:
    """The first parameter with a value that ours does not answer for, as text, or None.

    `free` may have any value, `fixed` those allowed, and all others their default alone.
    """
    defaults = type(model)().get_params(deep=False)
    for name, value in model.get_params(deep=False).items():
        if name in free:
            continue
        allowed = fixed.get(name, (defaults[name],))
        if not (allowed(value) if callable(allowed) else _among(value, allowed)):
            return f"{name}={_short(value)}"
    return None


def with_parameters_of(model: Any, home: str, name: str, **others: Any) -> Any:
    """An estimator of ours with the parameters of theirs."""
    cls = class_of(home, name, "stylobate")
    known = cls().get_params(deep=False)
    asked = model.get_params(deep=False) | others
    return cls(**{name: value for name, value in asked.items() if name in known})


def described_parameters(free: tuple[str, ...], fixed: Mapping[str, Allowed]) -> str:
    """Which parameters may have which values, in words."""
    parts = [f"any {', '.join(free)}"] if free else []
    parts += [f"{name}: {_words(allowed)}" for name, allowed in sorted(fixed.items())]
    return "; ".join([*parts, "other parameters at their defaults"])


def _among(value: Any, allowed: tuple[Any, ...]) -> bool:
    """Whether a value is one of these; True is not 1."""
    return any(type(value) is type(each) and value == each for each in allowed)


def _words(allowed: Allowed) -> str:
    if callable(allowed):
        return (allowed.__doc__ or "").strip().rstrip(".")
    return " or ".join(repr(each) for each in allowed)


def _short(value: Any) -> str:
    text = f"array of shape {value.shape}" if isinstance(value, np.ndarray) else repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
