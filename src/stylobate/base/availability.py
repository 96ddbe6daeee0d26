"""Methods an estimator has only with some parameters."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any


def available_if(
    condition: Callable[[Any], bool],
    why: str | Callable[[Any], str] = "which need all rows at once",
) -> Callable[[Callable[..., Any]], Any]:
    """Decorate a method so that it exists only where ``condition(self)`` is true.

    `why` (or what it says of the object) ends the sentence "… has no … with these parameters, …" of
    the error raised elsewhere.

    >>> class Model:
    ...     def __init__(self, online):
    ...         self.online = online
    ...     @available_if(lambda self: self.online)
    ...     def partial_fit(self):
    ...         return self
    >>> hasattr(Model(True), "partial_fit"), hasattr(Model(False), "partial_fit")
    (True, False)
    """
    return lambda method: _Conditional(method, condition, why)


class _Conditional:
    def __init__(
        self,
        method: Callable[..., Any],
        condition: Callable[[Any], bool],
        why: str | Callable[[Any], str],
    ) -> None:
        self.why = why
        self.method = method
        self.condition = condition
        self.__doc__ = method.__doc__
        self.__name__ = method.__name__
        self.__wrapped__ = method

    def __get__(self, owner: Any, kind: type) -> Callable[..., Any]:
        if owner is None:
            return self.method
        if not self.condition(owner):
            why = self.why if isinstance(self.why, str) else self.why(owner)
            raise AttributeError(
                f"{kind.__name__} has no {self.__name__} with these parameters, {why}: {owner!r}"
            )
        return MethodType(self.method, owner)
