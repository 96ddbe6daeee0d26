"""Constraints of the parameters forests have in common."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

from stylobate.base import Interval, Options
from stylobate.base.constraints import Instance

if TYPE_CHECKING:
    Count = int
    Draws = int | float | None
    ForestClassWeight = Any
    OutOfBag = bool | Callable[..., Any]
    Verbose = int
else:
    Count = Annotated[int, Interval(1, inf)]
    Draws = (
        Annotated[int, Interval(1, inf)] | Annotated[float, Interval(0, inf, closed="neither")]
    ) | None
    ForestClassWeight = (
        dict[Any, float]
        | Annotated[Any, Instance(list)]
        | Annotated[str, Options("balanced", "balanced_subsample")]
        | None
    )
    OutOfBag = bool | Callable[..., Any]
    Verbose = Annotated[int, Interval(0, inf)] | bool
