"""Processes that joblib starts for scikit-learn accelerate what their parent does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_ATTRIBUTE = "__reduce__"


class Task:
    """A function of scikit-learn sent to another process, called there with the parent's options.

    Nothing stays behind: processes of joblib are used again, perhaps after the parent's undo.
    """

    def __init__(
        self, switch: Callable[..., Any], options: dict[str, Any], kept: dict[str, Any]
    ) -> None:
        self.switch, self.options, self.kept = switch, options, kept

    def __call__(self, *args: Any, **options: Any) -> Any:
        from sklearn.utils.parallel import _FuncWrapper

        task = _FuncWrapper.__new__(_FuncWrapper)
        task.__dict__.update(self.kept)
        with self.switch(**self.options):
            return task(*args, **options)


def inherit(switch: Callable[..., Any], options: dict[str, Any]) -> None:
    """Let tasks that scikit-learn sends to processes carry the options of `switch`."""
    from sklearn.utils.parallel import _FuncWrapper

    def reduce(self: Any) -> tuple[Any, ...]:
        return Task, (switch, dict(options), dict(self.__dict__))

    setattr(_FuncWrapper, _ATTRIBUTE, reduce)


def inherit_no_more() -> None:
    """Send tasks as scikit-learn does."""
    from sklearn.utils.parallel import _FuncWrapper

    if _ATTRIBUTE in _FuncWrapper.__dict__:
        delattr(_FuncWrapper, _ATTRIBUTE)
