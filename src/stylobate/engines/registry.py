"""The registry of engines: (kind of recipe, kind of source) → the function that computes.

A recipe says *what* is to be known (`Moments`, `LossAt(…)`), a source *where* the rows are. Who
computes it is looked up here: the entry of the most specific source, among these of the most
specific recipe. An engine for another kind of source (a cluster, a join, a device) registers its
functions and touches neither estimators nor statistics.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stylobate.exceptions import UnsupportedDataError

Engine = Callable[[Any, Any], Any]

_engines: dict[tuple[type, type], Engine] = {}
_found: dict[tuple[type, type], Engine] = {}  # what was looked up before


def register(recipe: type, source: type) -> Callable[[Engine], Engine]:
    """Enter an engine: a function of a recipe and a source that returns the statistic.

    Parameters
    ----------
    recipe : type
        The class of the recipe, or the statistic where it is its own recipe; `object` for any.
    source : type
        The class of the source (or of a table of rows) it computes on.

    Examples
    --------
    >>> class Count:
    ...     pass
    >>> @register(Count, list)
    ... def count(recipe, rows):
    ...     return len(rows)
    >>> compute(Count(), [1, 2, 3])
    3
    """

    def enter(engine: Engine) -> Engine:
        _engines[recipe, source] = engine
        _found.clear()
        return engine

    return enter


def engine_for(recipe: Any, source: Any) -> Engine:
    """The engine of a recipe (a class or a value) on a source; refuses in words where none is."""
    kind = recipe if isinstance(recipe, type) else type(recipe)
    key = (kind, type(source))
    engine = _found.get(key)
    if engine is None:
        engine = _found[key] = _look_up(*key)
    return engine


def _look_up(recipe: type, source: type) -> Engine:
    for place in source.__mro__:
        for what in recipe.__mro__:
            engine = _engines.get((what, place))
            if engine is not None:
                return engine
    raise UnsupportedDataError(
        f"{recipe.__name__} cannot be computed on a {source.__name__}: no engine is registered for "
        "it (see stylobate.engines.register)."
    )


def compute(recipe: Any, source: Any) -> Any:
    """The statistic of a recipe on a source, by whoever is registered for the pair."""
    return engine_for(recipe, source)(recipe, source)
