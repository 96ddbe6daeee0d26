"""Scales on which an estimate is closer to normal than as it is, and cannot leave its range."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """A smooth increasing or decreasing function of an estimate, its inverse and its slope.

    `low` and `high` are the ends of the range, where the function is infinite.

    Examples
    --------
    >>> round(LOGIT.back(LOGIT.forward(0.8)), 6)
    0.8
    """

    name: str
    low: float
    high: float
    forward: Callable[[float], float]
    back: Callable[[float], float]
    slope: Callable[[float], float]

    def inside(self, value: float) -> bool:
        """Whether the value is strictly within the range."""
        return self.low < value < self.high

    def plain(self) -> Scale:
        """The estimate as it is, with the same range."""
        return _identity(self.low, self.high)


def _identity(low: float, high: float) -> Scale:
    return Scale("plain", low, high, lambda x: x, lambda u: u, lambda x: 1.0)


def _logistic(u: float) -> float:
    return 1.0 / (1.0 + math.exp(-u)) if u >= 0 else math.exp(u) / (1.0 + math.exp(u))


INF = math.inf
PLAIN = _identity(-INF, INF)
NOT_NEGATIVE = _identity(0.0, INF)
UNIT = _identity(0.0, 1.0)
LOG = Scale("log", 0.0, INF, math.log, math.exp, lambda x: 1.0 / x)
LOGIT = Scale(
    "logit", 0.0, 1.0, lambda x: math.log(x / (1.0 - x)), _logistic, lambda x: 1.0 / (x - x * x)
)
FISHER = Scale("Fisher z", -1.0, 1.0, math.atanh, math.tanh, lambda x: 1.0 / (1.0 - x * x))
SHORTFALL = Scale(  # of shares explained: at most 1, with no lower end
    "log of 1 - x",
    -INF,
    1.0,
    lambda x: math.log(1.0 - x),
    lambda u: 1.0 - math.exp(u),
    lambda x: -1.0 / (1.0 - x),
)
