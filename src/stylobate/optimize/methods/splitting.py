"""ADMM: the two parts minimised in turn, and brought to agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.functions.quadratic import Quadratic
from stylobate.optimize.functions.risk import EmpiricalRisk
from stylobate.optimize.methods.composite import proximal_residual
from stylobate.optimize.methods.method import Method, Rate
from stylobate.optimize.newton_direction import solve_modified
from stylobate.optimize.objective import Objective
from stylobate.optimize.problem import Problem
from stylobate.optimize.state import State, norm
from stylobate.optimize.stopping import Stopping


@dataclass(frozen=True)
class ADMM(Method):
    r"""Alternating directions: :math:`\min f(x) + g(z)` subject to :math:`x = z`.

    .. math::
        x \leftarrow \arg\min f(x) + \tfrac\rho2 \|x - z + u\|^2, \quad
        z \leftarrow \operatorname{prox}_{g/\rho}(x + u), \quad u \leftarrow u + x - z

    The x-step is one solve with a kept factor for quadratics and squared losses, a few Newton steps
    elsewhere. ρ follows the balance of the two residuals.

    Parameters
    ----------
    rho : float in (0, inf), optional
        ρ at the start; √(Lμ) or L/10 where L is known, else 1.
    adaptive : bool, default=True

    References
    ----------
    Boyd, Parikh, Chu, Peleato & Eckstein (2011), Distributed optimization and statistical learning
    via the alternating direction method of multipliers, Foundations and Trends in ML 3.

    Examples
    --------
    >>> from stylobate.optimize import minimize
    >>> from stylobate.penalties import L1
    >>> minimize(Problem(Quadratic(np.eye(2), [-3.0, 0.5]), L1(1.0)), np.zeros(2),
    ...          method=ADMM()).x.round(6)
    array([2., 0.])
    """

    rho: float | None = None
    adaptive: bool = True
    name: ClassVar[str] = "ADMM"
    takes_simple: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.rho is not None and not 0.0 < self.rho < np.inf:
            raise InvalidParameterError(
                f"ADMM: rho must be a number in (0, inf), got {self.rho!r}."
            )

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        rho = self._first(objective.problem)
        z = objective.prox(start, 1.0 / rho)
        u, x = np.zeros_like(z), z
        yield State(z, objective.value(z), proximal_residual(objective, z, 1.0 / rho))
        solve, t = _x_step(objective, rho), 0
        while True:
            t += 1
            x = solve(z - u, x)
            before, z = z, objective.prox(x + u, 1.0 / rho)
            u = u + x - z
            yield State(
                z, objective.value(z), proximal_residual(objective, z, 1.0 / rho), 1.0 / rho
            )
            primal, dual = norm(x - z), rho * norm(z - before)
            factor = 2.0 if primal > 10.0 * dual else 0.5 if dual > 10.0 * primal else 1.0
            if self.adaptive and factor != 1.0 and t < 100:  # later changes could go on for ever
                rho, u = rho * factor, u / factor
                solve = _x_step(objective, rho)

    def _first(self, problem: Problem) -> float:
        if self.rho is not None:
            return self.rho
        L, mu = problem.lipschitz, problem.strong_convexity
        if not L:
            return 1.0
        return float(np.sqrt(L * mu)) if mu > 0.0 else 0.1 * L

    def rate(self, problem: Problem) -> Rate | None:
        return Rate(power=1.0, words="1/t") if problem.convex else None


def _x_step(objective: Objective, rho: float) -> Callable[[Array, Array], Array]:
    """(v, guess) → argmin f(x) + ½ρ‖x − v‖²."""
    smooth = objective.problem.smooth
    squared = isinstance(smooth, EmpiricalRisk) and smooth.loss.name == "half_squared"
    if isinstance(smooth, Quadratic) or squared:
        from scipy.linalg import cho_factor, cho_solve

        zero = np.zeros(objective.n)
        linear = objective.gradient(zero)
        hessian = objective.hessian(zero)
        if isinstance(smooth, Quadratic) and not smooth.convex and rho <= -smooth.eigenvalues[0]:
            raise InvalidParameterError(
                f"ADMM: the quadratic is not convex; rho must exceed {-smooth.eigenvalues[0]:.3g}."
            )
        factor = cho_factor(hessian + rho * np.eye(objective.n))
        return lambda v, guess: np.asarray(cho_solve(factor, rho * v - linear))

    def newton(v: Array, x: Array) -> Array:
        for _ in range(50):
            g = objective.gradient(x) + rho * (x - v)
            if norm(g) <= 1e-12 * max(1.0, rho * norm(v)):
                break
            d, _, _ = solve_modified(objective.hessian(x) + rho * np.eye(objective.n), g)
            here = objective.smooth_value(x) + 0.5 * rho * norm(x - v) ** 2
            length = 1.0
            while length > 1e-10:
                to = x - length * d
                there = objective.smooth_value(to) + 0.5 * rho * norm(to - v) ** 2
                if there <= here - 1e-4 * length * float(g @ d) + 1e-14 * abs(here):
                    break
                length *= 0.5
            x = x - length * d
        return x

    return newton
