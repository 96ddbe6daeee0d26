"""Gradient descent, plain and with momentum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.methods.line_search import Direction, LineSearchMethod
from stylobate.optimize.methods.method import Method, Rate, linear_rate
from stylobate.optimize.objective import Objective
from stylobate.optimize.problem import Problem
from stylobate.optimize.proximal import accelerated_steps
from stylobate.optimize.state import State, norm
from stylobate.optimize.steps import Backtracking, StepRule
from stylobate.optimize.stopping import Stopping


@dataclass(frozen=True)
class GradientDescent(LineSearchMethod):
    r""":math:`x_{t+1} = x_t - \eta_t \nabla f(x_t)`.

    Parameters
    ----------
    step : StepRule or float, default=Backtracking()
        A number, `Constant(c)`, `Decaying(c)` (c/t), `Decaying(c, 0.5)` (c/√t), `Backtracking()` or
        `Wolfe()`.

    Examples
    --------
    >>> from stylobate.optimize import Constant, minimize
    >>> steps = minimize(lambda x: x[0] ** 2, [2.0], method=GradientDescent(Constant(1.0)),
    ...                  max_iter=2, keep_path=True)
    >>> steps.path[:, 0]  # η = 1 bounces for ever
    array([ 2., -2.,  2.])

    References
    ----------
    Cauchy (1847), Méthode générale pour la résolution des systèmes d'équations simultanées.
    """

    step: StepRule = field(default_factory=Backtracking)
    name: ClassVar[str] = "gradient descent"
    _grows: ClassVar[bool] = True

    def direction(self, objective: Objective) -> Direction:
        return lambda at: -at.gradient

    def rate(self, problem: Problem) -> Rate | None:
        return linear_rate(problem)


@dataclass(frozen=True)
class HeavyBall(Method):
    r""":math:`x_{t+1} = x_t - \eta \nabla f(x_t) + \beta (x_t - x_{t-1})`.

    Parameters
    ----------
    step : StepRule or float, optional
        η; by default Polyak's :math:`4 / (\sqrt L + \sqrt\mu)^2`, or 1/L where μ is unknown.
    momentum : float in [0, 1), optional
        β; by default Polyak's :math:`((\sqrt L - \sqrt\mu) / (\sqrt L + \sqrt\mu))^2`, or 0.9.

    References
    ----------
    Polyak (1964), Some methods of speeding up the convergence of iteration methods, USSR Comput.
    Math. Math. Phys. 4.

    Examples
    --------
    >>> from stylobate.optimize import Quadratic, minimize
    >>> found = minimize(Quadratic(np.diag([1.0, 100.0])), [1.0, 1.0], method=HeavyBall())
    >>> found.converged, found.iterations < 200
    (True, True)
    """

    step: StepRule | float | None = None
    momentum: float | None = None
    name: ClassVar[str] = "heavy ball"

    def __post_init__(self) -> None:
        require_momentum("HeavyBall", self.momentum)

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        eta, beta = self._tuned(objective.problem, start, objective)
        x = last = start
        for t in range(10**12):
            gradient = objective.gradient(x)
            step = eta.rate(max(t, 1)) if isinstance(eta, StepRule) else eta
            yield State(x, objective.smooth_value(x), norm(gradient), step if t else 0.0)
            now = eta.rate(t + 1) if isinstance(eta, StepRule) else eta
            x, last = x - now * gradient + beta * (x - last), x

    def _tuned(
        self, problem: Problem, start: Array, objective: Objective
    ) -> tuple[StepRule | float, float]:
        L = problem.lipschitz or curvature_along_gradient(objective, start)
        mu = problem.strong_convexity
        fast, slow = np.sqrt(L), np.sqrt(mu)
        best = (4.0 / (fast + slow) ** 2) if mu > 0 else 1.0 / L
        eta = best if self.step is None else self.step
        drag = ((fast - slow) / (fast + slow)) ** 2 if mu > 0 else 0.9
        return eta, float(drag if self.momentum is None else self.momentum)

    def rate(self, problem: Problem) -> Rate | None:
        return linear_rate(problem, accelerated=True)


@dataclass(frozen=True)
class Nesterov(Method):
    r"""Accelerated gradient: the gradient is taken ahead, at :math:`x_t + \beta_t (x_t - x_{t-1})`.

    Parameters
    ----------
    step : float in (0, inf), optional
        η; by default 1/L, or found by halving where L is unknown.
    momentum : float in [0, 1), optional
        β; by default :math:`(\sqrt\kappa - 1) / (\sqrt\kappa + 1)` where μ > 0 is known, growing
        otherwise.
    restart : bool, default=True
        Whether momentum that points uphill is dropped.

    References
    ----------
    Nesterov (1983), A method for solving the convex programming problem with convergence rate
    O(1/k²), Soviet Math. Dokl. 27.

    Examples
    --------
    >>> from stylobate.optimize import Quadratic, minimize
    >>> found = minimize(Quadratic(np.diag([1.0, 100.0])), [1.0, 1.0], method=Nesterov())
    >>> found.converged
    True
    """

    step: float | None = None
    momentum: float | None = None
    restart: bool = True
    name: ClassVar[str] = "Nesterov"

    def __post_init__(self) -> None:
        require_momentum("Nesterov", self.momentum)

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        problem = objective.problem
        L, mu = problem.lipschitz, problem.strong_convexity
        step = self.step or 1.0 / (L or curvature_along_gradient(objective, start))
        momentum = self.momentum
        if momentum is None and L is not None and mu > 0.0:
            root = np.sqrt(L / mu)
            momentum = (root - 1.0) / (root + 1.0)
        yield State(start, objective.smooth_value(start), norm(objective.gradient(start)))
        known = self.step is not None or L is not None
        for x, value, used in accelerated_steps(
            objective, start, step, search=not known, momentum=momentum, restart=self.restart
        ):
            yield State(x, value, norm(objective.gradient(x)), used)

    def rate(self, problem: Problem) -> Rate | None:
        return linear_rate(problem, accelerated=True)


def require_momentum(owner: str, momentum: float | None) -> None:
    """Refuse momentum that would run away."""
    if momentum is not None and not 0.0 <= momentum < 1.0:
        raise InvalidParameterError(
            f"{owner}: momentum must be a number in [0, 1), got {momentum!r}."
        )


def curvature_along_gradient(objective: Objective, x: Array) -> float:
    """How fast the gradient changes along itself: a first guess of L, to be halved into place."""
    gradient = objective.gradient(x)
    length = norm(gradient)
    if not 0.0 < length < np.inf:
        return 1.0
    h = 1e-4 * max(1.0, norm(x)) / length
    changed = norm(objective.gradient(x - h * gradient) - gradient) / (h * length)
    return changed if 0.0 < changed < np.inf else 1.0
