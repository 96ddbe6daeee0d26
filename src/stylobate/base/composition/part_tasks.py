"""What one transformer among several does, as functions that threads and processes can run."""

from __future__ import annotations

from typing import Any

from stylobate.base.composition.part_messages import speaking_of, timed

Shown = tuple[str, str | None]  # who says it, and what, once it is done


def fit(
    role: str,
    name: str,
    part: Any,
    X: Any,
    y: Any,
    params: dict[str, Any],
    weight: float | None,
    shown: Shown,
) -> Any:
    """The fitted transformer."""
    with speaking_of(role, name, part), timed(*shown):
        return part.fit(X, y, **params)


def fit_apply(
    role: str,
    name: str,
    part: Any,
    X: Any,
    y: Any,
    params: dict[str, Any],
    weight: float | None,
    shown: Shown,
) -> tuple[Any, Any]:
    """What the transformer makes of X, times its weight, and the fitted transformer."""
    from stylobate.data.stacking import times

    with speaking_of(role, name, part), timed(*shown):
        if hasattr(part, "fit_transform"):
            made = part.fit_transform(X, y, **params)
        else:
            made = part.fit(X, y, **params).transform(X)
        return times(made, weight), part


def apply(role: str, name: str, part: Any, X: Any, weight: float | None) -> Any:
    """What the fitted transformer makes of X, times its weight."""
    from stylobate.data.stacking import times

    with speaking_of(role, name, part):
        return times(part.transform(X), weight)
