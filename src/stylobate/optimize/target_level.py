"""Polyak's step where the optimum is not known: a target in its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.certification import certify
from stylobate.optimize.problem import Problem
from stylobate.optimize.steps import Ray, StepRule


@dataclass(frozen=True, slots=True)
class TargetLevel(StepRule):
    r""":math:`\eta_t = (f(x_t) - \hat f_t) / \|g_t\|^2` with a target that stands for f*.

    The target is the best value so far less a hope, never below a proved bound. The hope is halved,
    and the method goes back to its best point, whenever `patience` steps have brought no progress.
    For `Subgradient`.

    Parameters
    ----------
    patience : int in [1, inf), default=20

    References
    ----------
    Nedić & Bertsekas (2001), Incremental subgradient methods for nondifferentiable optimization,
    SIAM J. Optim. 12.

    Examples
    --------
    >>> from stylobate.optimize import Smooth, Subgradient, minimize
    >>> kink = Smooth(lambda x: abs(x[0] - 1.0) + 2 * abs(x[1]), lambda x: np.array(
    ...     [np.sign(x[0] - 1.0), 2 * np.sign(x[1])]))
    >>> minimize(kink, [3.0, -2.0], method=Subgradient(TargetLevel()), max_iter=300).value < 0.01
    True
    """

    patience: int = 20

    def __post_init__(self) -> None:
        if not self.patience >= 1:
            raise InvalidParameterError(
                f"TargetLevel: patience must be an integer in [1, inf), got {self.patience!r}."
            )

    def length(self, ray: Ray, t: int, before: float) -> float | None:
        raise InvalidParameterError(
            "TargetLevel needs the whole course of a run; it is a step of Subgradient alone."
        )


class Level:
    """The course of a run with `TargetLevel` steps.

    Parameters
    ----------
    rule : TargetLevel
    problem : Problem
        May have a `lower_bound` of its own: (x, value) → a number the minimum is not below.
    """

    def __init__(self, rule: TargetLevel, problem: Problem) -> None:
        self._patience, self._problem = rule.patience, problem
        self._best, self._at = np.inf, np.zeros(0)
        self._bound, self._hope, self._idle = -np.inf, np.inf, 0
        self._value = np.inf

    @classmethod
    def of(cls, rule: Any, problem: Problem) -> Level | None:
        """The course, if that is the rule."""
        return cls(rule, problem) if isinstance(rule, TargetLevel) else None

    def look(self, x: Array, value: float) -> tuple[Array, float]:
        """Take in a point; where to step from, and the value there."""
        self._bound = max(self._bound, self._lowest(x, value))
        first = not np.isfinite(self._best)
        self._hope = min(self._hope, value - self._bound if np.isfinite(self._bound) else np.inf)
        if first and not np.isfinite(self._hope):
            self._hope = abs(value) + 1.0  # nothing is known: any hope will be halved soon enough
        self._idle = 0 if first or value < self._best - 0.1 * self._hope else self._idle + 1
        if value < self._best:
            self._best, self._at = value, x
        if self._idle > self._patience:
            self._idle, self._hope = 0, 0.5 * self._hope
            x, value = self._at, self._best
        self._value = value
        return x, value

    def step(self, size: float) -> float:
        """The multiple of a subgradient of this length."""
        target = max(self._best - self._hope, self._bound)
        return max(self._value - target, 0.0) / size**2

    def _lowest(self, x: Array, value: float) -> float:
        known = getattr(self._problem.smooth, "lower_bound", None)
        if known is not None:
            return float(known(x, value))
        if not self._problem.convex:
            return -np.inf
        return value - certify(self._problem, x, value).gap
