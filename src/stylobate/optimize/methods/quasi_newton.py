"""BFGS, with the whole inverse Hessian or a few of its last changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.lbfgs import QuasiNewton
from stylobate.optimize.methods.line_search import Direction, LineSearchMethod
from stylobate.optimize.methods.method import Rate
from stylobate.optimize.objective import Objective, PointOf
from stylobate.optimize.problem import Problem
from stylobate.optimize.steps import StepRule, Wolfe


class _QuasiNewton(LineSearchMethod):
    def rate(self, problem: Problem) -> Rate | None:
        if problem.strong_convexity <= 0.0:
            return None
        return Rate(factor=0.0, words="faster than any linear rate")


@dataclass(frozen=True)
class BFGS(_QuasiNewton):
    r"""Quasi-Newton: :math:`d = -B g`, B built from the changes of the gradient.

    Parameters
    ----------
    step : StepRule, default=Wolfe()

    References
    ----------
    Nocedal & Wright (2006), Numerical Optimization, chapter 6.

    Examples
    --------
    >>> from stylobate.datasets import rosenbrock
    >>> from stylobate.optimize import minimize
    >>> minimize(rosenbrock(), method=BFGS()).x.round(6)
    array([1., 1.])
    """

    step: StepRule = field(default_factory=Wolfe)
    name: ClassVar[str] = "BFGS"

    def direction(self, objective: Objective) -> Direction:
        inverse = np.eye(objective.n)
        last: tuple[Array, Array] | None = None
        started = False

        def find(at: PointOf) -> Array:
            nonlocal inverse, last, started
            x, g = at.theta, at.gradient
            if last is not None:
                s, y = x - last[0], g - last[1]
                sy = float(s @ y)
                if sy > 1e-12 * float(np.linalg.norm(s) * np.linalg.norm(y)):
                    if not started:
                        inverse, started = inverse * (sy / float(y @ y)), True
                    v = np.eye(len(x)) - np.outer(s, y) / sy
                    inverse = v @ inverse @ v.T + np.outer(s, s) / sy
            d = -(inverse @ g)
            if last is None:
                d = d / max(float(np.abs(d).sum()), 1.0)
            if not float(d @ g) < 0.0:  # rounding: forget
                inverse, started, d = np.eye(len(x)), False, -g
            last = (x, g)
            return d

        return find


@dataclass(frozen=True)
class LBFGS(_QuasiNewton):
    """BFGS that remembers a few steps only: memory of m·n numbers. What
    `LogisticRegression(solver="lbfgs")` uses, with a scaling of its own.

    Parameters
    ----------
    memory : int in [1, inf), default=10
        m.
    step : StepRule, default=Wolfe(strong=False)
    scaling : callable, optional
        An approximate inverse Hessian applied to a vector, for the directions of which nothing is
        remembered; a multiple of the identity by default.

    References
    ----------
    Liu & Nocedal (1989), On the limited memory BFGS method, Mathematical Programming 45.

    Examples
    --------
    >>> from stylobate.datasets import rosenbrock
    >>> from stylobate.optimize import minimize
    >>> minimize(rosenbrock(), method=LBFGS()).x.round(6)
    array([1., 1.])
    """

    memory: int = 10
    step: StepRule = field(default_factory=lambda: Wolfe(strong=False))
    scaling: Callable[[Array], Array] | None = None
    name: ClassVar[str] = "L-BFGS"

    def __post_init__(self) -> None:
        if not self.memory >= 1:
            raise InvalidParameterError(
                f"LBFGS: memory must be an integer in [1, inf), got {self.memory!r}."
            )
        super().__post_init__()

    def direction(self, objective: Objective) -> Direction:
        return QuasiNewton(self.memory, self.scaling)
