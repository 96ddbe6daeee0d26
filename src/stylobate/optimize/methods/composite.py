"""Methods for a smooth part and a simple one: proximal gradient, FISTA, projections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.methods.gradient import curvature_along_gradient
from stylobate.optimize.methods.method import Method, Rate, linear_rate
from stylobate.optimize.objective import Objective
from stylobate.optimize.problem import Problem
from stylobate.optimize.proximal import accelerated_steps, proximal_steps, spectral_steps
from stylobate.optimize.state import State, norm
from stylobate.optimize.stopping import Stopping


def step_or_guess(objective: Objective, start: Array, step: float | None) -> tuple[float, bool]:
    """The step asked for or 1/L, or a guess; and whether it is to be shortened where too long."""
    if step is not None:
        return step, False
    L = objective.problem.lipschitz
    return (1.0 / L, False) if L else (1.0 / curvature_along_gradient(objective, start), True)


def proximal_residual(objective: Objective, x: Array, step: float) -> float:
    """‖x − prox(x − η∇f(x))‖/η: 0 at a solution; ‖∇f‖ without a simple part."""
    slope = objective.gradient(x)
    if objective.problem.simple is None:
        return norm(slope)
    return norm(x - objective.prox(x - step * slope, step)) / step


class _Proximal(Method):
    takes_simple: ClassVar[bool] = True
    step: float | None

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        step, search = step_or_guess(objective, start, self.step)
        inside = objective.prox(start, step) if objective.problem.is_constrained else start
        value = objective.value(inside)
        yield State(inside, value, proximal_residual(objective, inside, step))
        for x, smooth, used in self._points(objective, inside, step, search):
            value = smooth + objective.problem.simple_value(x)
            yield State(x, value, proximal_residual(objective, x, used), used)

    def _points(
        self, objective: Objective, start: Array, step: float, search: bool
    ) -> Iterator[tuple[Array, float, float]]:
        raise NotImplementedError


@dataclass(frozen=True)
class ProximalGradient(_Proximal):
    r""":math:`x_{t+1} = \operatorname{prox}_{\eta g}(x_t - \eta \nabla f(x_t))`, or ISTA.

    Parameters
    ----------
    step : float in (0, inf), optional
        η; by default 1/L, or found by halving where L is unknown.
    spectral : bool, default=False
        Whether every step has the length that the last one's curvature suggests (Barzilai and
        Borwein), halved where the objective would rise: far fewer steps on most problems.

    References
    ----------
    Parikh & Boyd (2014), Proximal algorithms, Foundations and Trends in Optimization 1.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.optimize import Problem, Quadratic, minimize
    >>> from stylobate.penalties import L1
    >>> minimize(Problem(Quadratic(np.eye(2), [-3.0, 0.5]), L1(1.0)), np.zeros(2),
    ...          method=ProximalGradient()).x
    array([2., 0.])
    """

    step: float | None = None
    spectral: bool = False
    name: ClassVar[str] = "proximal gradient"

    def _points(
        self, objective: Objective, start: Array, step: float, search: bool
    ) -> Iterator[tuple[Array, float, float]]:
        if self.spectral:
            return spectral_steps(objective, start, step)
        return proximal_steps(objective, start, step, search=search)

    def rate(self, problem: Problem) -> Rate | None:
        return linear_rate(problem)


@dataclass(frozen=True)
class ProjectedGradient(ProximalGradient):
    r"""A gradient step, then the nearest point: :math:`x_{t+1} = P_C(x_t - \eta \nabla f)`.

    Parameters
    ----------
    step : float in (0, inf), optional
    spectral : bool, default=False
        As of `ProximalGradient`, which for a set is the same method.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.optimize import L2Ball, Problem, Quadratic, minimize
    >>> minimize(Problem(Quadratic(np.eye(2), [-3.0, -4.0]), L2Ball(1.0)), np.zeros(2),
    ...          method=ProjectedGradient()).x
    array([0.6, 0.8])
    """

    name: ClassVar[str] = "projected gradient"

    def check(self, problem: Problem) -> None:
        super().check(problem)
        if problem.simple is not None and not problem.is_constrained:
            raise InvalidParameterError(
                f"ProjectedGradient: the simple part {problem.simple!r} is a penalty, not a set; "
                "use ProximalGradient."
            )


@dataclass(frozen=True)
class FISTA(_Proximal):
    """Proximal gradient with momentum, restarted where it points uphill.

    Parameters
    ----------
    step : float in (0, inf), optional
        η; by default 1/L, or found by halving where L is unknown.
    restart : bool, default=True

    References
    ----------
    Beck & Teboulle (2009), A fast iterative shrinkage-thresholding algorithm for linear inverse
    problems, SIAM J. Imaging Sciences 2.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.optimize import Problem, Quadratic, minimize
    >>> from stylobate.penalties import L1
    >>> minimize(Problem(Quadratic(np.diag([1.0, 50.0]), [-3.0, 0.5]), L1(1.0)), np.zeros(2),
    ...          method=FISTA()).x.round(6)
    array([2., 0.])
    """

    step: float | None = None
    restart: bool = True
    name: ClassVar[str] = "FISTA"

    def _points(
        self, objective: Objective, start: Array, step: float, search: bool
    ) -> Iterator[tuple[Array, float, float]]:
        return accelerated_steps(objective, start, step, search=search, restart=self.restart)

    def rate(self, problem: Problem) -> Rate | None:
        if not problem.convex:
            return None
        return Rate(power=2.0, words="1/t²")
