"""Newton's method, and the trust region that keeps its model honest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.damped import Damped
from stylobate.optimize.methods.line_search import Direction, LineSearchMethod
from stylobate.optimize.methods.method import Method, Rate
from stylobate.optimize.newton_direction import NewtonDirection, solve_modified
from stylobate.optimize.objective import Objective, PointOf
from stylobate.optimize.problem import Problem
from stylobate.optimize.state import State, norm
from stylobate.optimize.steps import ROUNDING, StepRule
from stylobate.optimize.stopping import Stopping


@dataclass(frozen=True)
class Newton(LineSearchMethod):
    r""":math:`x_{t+1} = x_t - \eta_t H^{-1} g`, the minimum of the parabola that touches f at x.

    H is factorised by Cholesky. Where it is singular but the parabola has a minimum, the nearest
    one is taken; else its eigenvalues are replaced by their absolute values (flat ones by a small
    number), so the direction still descends and leaves saddle points. Loop, direction and step rule
    are those by which `LogisticRegression`, `PoissonRegressor` and their like are fitted.

    Parameters
    ----------
    step : StepRule, default=Damped()
        A step of 1 is tried first.

    References
    ----------
    Nocedal & Wright (2006), Numerical Optimization, chapter 3; Dauphin et al. (2014), Identifying
    and attacking the saddle point problem, for the absolute values.

    Examples
    --------
    >>> from stylobate.optimize import Quadratic, minimize
    >>> minimize(Quadratic(np.diag([1.0, 1e6])), [5.0, 5.0], method=Newton()).iterations
    1
    """

    step: StepRule = field(default_factory=Damped)
    name: ClassVar[str] = "Newton"

    def oracle(self, objective: Objective) -> Callable[[Array], PointOf]:
        return objective.at_once

    def direction(self, objective: Objective) -> Direction:
        return NewtonDirection[PointOf](lambda at: solve_modified(at.hessian, at.gradient))

    def rate(self, problem: Problem) -> Rate | None:
        return Rate(factor=0.0, words="quadratic, once near") if problem.convex else None


@dataclass(frozen=True)
class TrustRegion(Method):
    r"""Minimise the parabola :math:`g^\top s + \tfrac12 s^\top H s` over :math:`\|s\| \le \Delta`.

    Δ shrinks where the parabola promised more than the step brought, and grows where it was right.
    Negative curvature is followed to the edge of the region.

    Parameters
    ----------
    radius : float in (0, inf), default=1.0
        Δ at the start.
    accept : float in [0, 0.25), default=0.1
        Least share of the promised decrease for which a step is taken.

    References
    ----------
    Moré & Sorensen (1983), Computing a trust region step, SIAM J. Sci. Stat. Comput. 4.

    Examples
    --------
    >>> from stylobate.datasets import rosenbrock
    >>> from stylobate.optimize import minimize
    >>> minimize(rosenbrock(), method=TrustRegion()).x.round(6)
    array([1., 1.])
    """

    radius: float = 1.0
    accept: float = 0.1
    name: ClassVar[str] = "trust region"

    def __post_init__(self) -> None:
        if not 0.0 < self.radius < np.inf or not 0.0 <= self.accept < 0.25:
            raise InvalidParameterError(
                f"TrustRegion: radius must be in (0, inf) and accept in [0, 0.25), got "
                f"{self.radius!r} and {self.accept!r}."
            )

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        x, value, g = start, objective.smooth_value(start), objective.gradient(start)
        yield State(x, value, norm(g))
        radius, fresh = self.radius, True
        while True:
            if fresh:
                values, vectors = np.linalg.eigh(objective.hessian(x))
                turned = vectors.T @ g
            s = vectors @ region_step(values, turned, radius)
            promised = -(float(g @ s) + 0.5 * float((vectors.T @ s) ** 2 @ values))
            reached = objective.smooth_value(x + s)
            brought = value - reached
            good = brought / promised if promised > 0.0 else 0.0
            lost = abs(brought) <= ROUNDING * abs(value) and promised <= ROUNDING * abs(value)
            if lost:
                moved = objective.gradient(x + s)
                if norm(moved) >= norm(g):
                    yield State(x, value, norm(g), stalled=True)
                    return
                good = 1.0
            size = norm(s)
            if good < 0.25:
                radius = 0.25 * size
            elif good > 0.75 and size > 0.99 * radius:
                radius = 2.0 * radius
            fresh = good > self.accept
            if fresh:
                x, value = x + s, reached
                g = objective.gradient(x)
            if radius < 1e-300:
                yield State(x, value, norm(g), stalled=True)
                return
            yield State(x, value, norm(g), size if fresh else 0.0)

    def rate(self, problem: Problem) -> Rate | None:
        return Rate(factor=0.0, words="quadratic, once near") if problem.convex else None


def region_step(values: Array, g: Array, radius: float) -> Array:
    """The s of ‖s‖ ≤ Δ that minimises gᵀs + ½Σλⱼsⱼ², in the basis of eigenvectors."""
    lowest = float(values[0])
    if lowest > 0.0:
        s = -g / values
        if norm(s) <= radius:
            return s
    edge = max(0.0, -lowest)
    spread = max(float(np.abs(values).max(initial=0.0)), norm(g) / radius, 1e-300)
    at_edge = values + edge
    touched = at_edge <= 1e-14 * spread
    if edge > 0.0 and float(np.abs(g[touched]).max(initial=0.0)) <= 1e-14 * norm(g):
        s = np.where(touched, 0.0, -g / np.where(touched, 1.0, at_edge))
        if norm(s) < radius:  # the hard case: go on along the lowest curvature
            s[0] += np.sqrt(radius**2 - norm(s) ** 2)
            return s
    low, high = edge, edge + norm(g) / radius + spread
    for _ in range(200):  # ‖s(ν)‖ falls in ν: bisect, and Newton on 1/‖s‖ would gain little
        middle = 0.5 * (low + high)
        with np.errstate(divide="ignore", invalid="ignore"):
            size = norm(g / (values + middle))
        low, high = (middle, high) if not size <= radius else (low, middle)
        if high - low <= 1e-15 * high:
            break
    return np.asarray(-g / (values + high))
