"""The augmented Lagrangian: constrained problems as a series of unconstrained ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.constrained.conditions import KKTConditions, conditions_at
from stylobate.optimize.constrained.problem import ConstrainedProblem
from stylobate.optimize.functions.smooth import Smooth
from stylobate.optimize.methods.quasi_newton import LBFGS
from stylobate.optimize.stopping import Stopping
from stylobate.optimize.trace import Trace

_ROUNDS, _GROWTH, _STEEPEST = 60, 5.0, 1e8
_TIGHT = 0.25  # a round that leaves more than this of the violation raises its price


@dataclass(frozen=True, eq=False)
class ConstrainedSolution:
    """The answer to a problem with constraints.

    Parameters
    ----------
    x : array (n,)
        The point.
    value : float
        f there.
    conditions : KKTConditions
        The conditions at x, with the multipliers.
    converged : bool
        Whether the conditions hold to the tolerance asked for.
    iterations : int
        Rounds, each an unconstrained minimisation.
    trace : Trace
        f, and the largest violation of a condition as `gradient_norm`, after each round.
    path : array (iterations + 1, n) or None
        The points after each round, if they were kept.
    problem : ConstrainedProblem
    """

    x: Array
    value: float
    conditions: KKTConditions
    converged: bool
    iterations: int
    trace: Trace = field(repr=False)
    path: Array | None = field(repr=False)
    problem: ConstrainedProblem = field(repr=False)

    @property
    def multipliers(self) -> tuple[Array, Array]:
        """Of the inequalities, and of the equalities."""
        return self.conditions.inequality_multipliers, self.conditions.equality_multipliers

    def __str__(self) -> str:
        """Value, point and conditions."""
        ended = "converged" if self.converged else "did not converge"
        return f"Augmented Lagrangian {ended}: f = {self.value:.10g}\n{self.conditions}"


def solve_constrained(
    problem: ConstrainedProblem,
    start: Array,
    *,
    tol: float,
    max_rounds: int | None,
    keep_path: bool,
    callback: Callable[[int, Any], Any] | None,
) -> ConstrainedSolution:
    r"""Minimise :math:`f + \tfrac1{2\rho} \sum_i (\max(0, \lambda_i + \rho g_i)^2 - \lambda_i^2)
    + \mu^\top h + \tfrac\rho2 \|h\|^2`, then move λ and μ by ρ times the violation, and again.

    References
    ----------
    Hestenes (1969), Multiplier and gradient methods; Nocedal & Wright (2006), chapter 17.
    """
    from stylobate.optimize.minimization import minimize

    x = start
    lam, mu = np.zeros(len(problem.inequalities)), np.zeros(len(problem.equalities))
    rho, before = _first_price(problem, start), np.inf
    trace, path = Trace(), [start.copy()]
    conditions = conditions_at(problem, x, lam, mu)
    rounds, most = 0, _ROUNDS if max_rounds is None else max_rounds
    while rounds < most and not conditions.hold(tol):
        rounds += 1
        merit = _Merit(problem, lam, mu, rho)
        # central differences know slopes to about 1e-9 of their size
        fine = Stopping(500, gradient=max(0.1 * tol, 1e-9) * conditions.scale)
        x = minimize(Smooth(merit.value, merit.gradient), x, method=LBFGS(), stop=fine).x
        g, h = problem.constraint_values(x)
        lam, mu = np.maximum(0.0, lam + rho * g), mu + rho * h
        conditions = conditions_at(problem, x, lam, mu)
        violation = max(
            float(np.abs(np.maximum(g, -lam / rho)).max(initial=0.0)),
            float(np.abs(h).max(initial=0.0)),
        )
        trace.record(
            objective=problem.value(x),
            gradient_norm=max(conditions.stationarity, violation),
            step=rho,
        )
        path.append(x.copy())
        if callback is not None and callback(rounds, conditions):
            break
        if violation > _TIGHT * before:
            rho = min(_GROWTH * rho, _STEEPEST)
        before = violation
    kept = np.array(path) if keep_path else None
    held = conditions.hold(tol)
    return ConstrainedSolution(x, problem.value(x), conditions, held, rounds, trace, kept, problem)


@dataclass(frozen=True)
class _Merit:
    problem: ConstrainedProblem
    lam: Array
    mu: Array
    rho: float

    def value(self, x: Array) -> float:
        g, h = self.problem.constraint_values(x)
        prices = np.maximum(0.0, self.lam + self.rho * g)
        paid = float((prices**2 - self.lam**2).sum()) / (2.0 * self.rho)
        return self.problem.value(x) + paid + float(self.mu @ h) + 0.5 * self.rho * float(h @ h)

    def gradient(self, x: Array) -> Array:
        g, h = self.problem.constraint_values(x)
        prices = np.maximum(0.0, self.lam + self.rho * g)
        return self.problem.lagrangian_gradient(x, prices, self.mu + self.rho * h)


def _first_price(problem: ConstrainedProblem, x: Array) -> float:
    """So that a violation costs about as much as f may gain by it."""
    g, h = problem.constraint_values(x)
    outside = float((np.maximum(g, 0.0) ** 2).sum() + (h**2).sum())
    if not outside > 0.0:
        return 10.0
    return float(np.clip(2.0 * abs(problem.value(x)) / outside, 1.0, 1e3))


def refuse_other_options(given: dict[str, Any]) -> None:
    """Constraints take no method, penalty or gaps of their own."""
    for name, value in given.items():
        if value:
            raise InvalidParameterError(
                f"minimize: {name} has no meaning with inequalities or equalities; they are taken "
                "into account by the augmented Lagrangian."
            )
