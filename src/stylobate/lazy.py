"""Packages whose names are loaded when first used, so that importing them costs little."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, homes: Mapping[str, str | None]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` for a package whose names live in its modules.

    Parameters
    ----------
    package : str
        The package's ``__name__``.
    homes : mapping of str to str or None
        The module each name lives in; None for a module of that name itself.

    Examples
    --------
    >>> get, names = lazy_names("stylobate", {"clone": "base", "base": None})
    >>> get("clone") is get("base").clone, names()
    (True, ['base', 'clone'])
    """

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        module = import_module(f"{package}.{home or name}")
        return module if home is None else getattr(module, name)

    return get, lambda: sorted(homes)
