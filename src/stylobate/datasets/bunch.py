"""What a loader returns."""

from __future__ import annotations

from typing import Any


class Bunch(dict[str, Any]):
    """A dictionary whose items are attributes as well.

    >>> Bunch(data=1).data
    1
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(
                f"there is no {name!r} here, only {', '.join(map(str, self))}"
            ) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (), None, None, iter(self.items())
