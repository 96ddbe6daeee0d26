"""What one transformer among several does, as functions that threads and processes can run."""

from __future__ import annotations

from typing import Any

from stylobate.base.composition.part_messages import speaking_of, timed
from stylobate.base.composition.routed_arguments import Arguments, arguments_of

Shown = tuple[str, str | None]  # who says it, and what, once it is done


def fit(
    role: str,
    name: str,
    part: Any,
    X: Any,
    y: Any,
    params: Arguments | None,
    weight: float | None,
    shown: Shown,
) -> Any:
    """The fitted transformer."""
    with speaking_of(role, name, part), timed(*shown):
        return part.fit(X, y, **arguments_of(params, "fit"))


def fit_apply(
    role: str,
    name: str,
    part: Any,
    X: Any,
    y: Any,
    params: Arguments | None,
    weight: float | None,
    shown: Shown,
) -> tuple[Any, Any]:
    """What the transformer makes of X, times its weight, and the fitted transformer."""
    from stylobate.data.stacking import times

    with speaking_of(role, name, part), timed(*shown):
        if hasattr(part, "fit_transform"):
            made = part.fit_transform(X, y, **arguments_of(params, "fit_transform"))
        else:
            part = part.fit(X, y, **arguments_of(params, "fit"))
            made = part.transform(X, **arguments_of(params, "transform"))
        return times(made, weight), part


def apply(
    role: str, name: str, part: Any, X: Any, weight: float | None, params: Arguments | None = None
) -> Any:
    """What the fitted transformer makes of X, times its weight."""
    from stylobate.data.stacking import times

    with speaking_of(role, name, part):
        return times(part.transform(X, **arguments_of(params, "transform")), weight)
