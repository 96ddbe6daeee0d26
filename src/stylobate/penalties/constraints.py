"""Constraints: penalties that are 0 inside and infinite outside."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

from stylobate.exceptions import InvalidParameterError
from stylobate.penalties.penalty import Penalty


@dataclass(frozen=True, slots=True)
class Box(Penalty):
    r""":math:`a \le w \le b`; the proximal point is the nearest point of the box.

    Parameters
    ----------
    low, high : float, low <= high
        The bounds, which may be infinite.

    Examples
    --------
    >>> Box(-1.0, 1.0).prox([-3.0, 0.5])
    array([-1. ,  0.5])
    """

    low: float = -1.0
    high: float = 1.0
    name: ClassVar[str] = "box"

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise InvalidParameterError(
                f"Box: low must not exceed high, got low={self.low!r} and high={self.high!r}."
            )

    def _parameters(self) -> tuple[float, float]:
        return self.low, self.high


@dataclass(frozen=True, slots=True)
class Positive(Penalty):
    r""":math:`w \ge 0`.

    Examples
    --------
    >>> Positive().prox([-3.0, 0.5])
    array([0. , 0.5])
    """

    name: ClassVar[str] = "box"

    def _parameters(self) -> tuple[float, float]:
        return 0.0, inf
