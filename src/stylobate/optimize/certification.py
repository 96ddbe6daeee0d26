"""A proved bound of how far a point is above the minimum, from what is known of the problem."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.certificate import Certificate, digits_left
from stylobate.optimize.functions.risk import EmpiricalRisk
from stylobate.optimize.problem import Problem
from stylobate.optimize.state import norm

_TINY = 2.0**-1022
_ROUNDING = 2.0**-50  # of the values: no gap is known better than this


def certify(problem: Problem, x: Array, value: float) -> Certificate:
    r"""The best of the bounds that hold for this problem.

    - f is μ-strongly convex: :math:`F(x) - F^* \le \|s\|^2 / 2\mu` for every subgradient s at x.
    - f is convex on a bounded set C: :math:`F(x) - F^* \le \nabla f(x)^\top x + \max_{c \in C}
      -\nabla f(x)^\top c` (Frank and Wolfe).
    - a mean loss with a penalty: Fenchel's dual value at the losses' slopes, scaled until feasible.

    Parameters
    ----------
    problem : Problem
    x : array (n,)
    value : float
        F(x).

    Returns
    -------
    Certificate
        With an infinite gap where nothing is known.
    """
    gradient = np.asarray(problem.smooth.gradient(x), dtype=np.float64)
    gap, residual = np.inf, norm(gradient)
    if problem.simple is not None:
        # A step below 1/L leads to a point at least as good whose subgradient is known.
        step = 1.0 / problem.lipschitz if problem.lipschitz else 1e-3
        residual = norm(x - problem.prox(x - step * gradient, step)) / step
    if problem.convex:
        gap = min(_strongly_convex(problem, x, gradient), _frank_wolfe(problem, x, gradient),
                  _fenchel(problem, x, value))  # fmt: skip
        gap = max(gap, 0.0) + _ROUNDING * abs(value)
    scale = max(abs(value), _TINY)
    L, mu = problem.lipschitz, problem.strong_convexity
    condition = L / mu if L and mu > 0.0 else np.nan
    digits = digits_left(condition) if np.isfinite(condition) else np.nan
    named = problem.name or ("f(x)" if problem.simple is None else "f(x) + g(x)")
    return Certificate(named, value, value - gap, gap, gap / scale, residual, condition, digits)


def _strongly_convex(problem: Problem, x: Array, gradient: Array) -> float:
    mu = problem.strong_convexity
    if mu <= 0.0:
        return np.inf
    if problem.simple is None:
        return norm(gradient) ** 2 / (2.0 * mu)
    L = problem.lipschitz
    if not L:
        return np.inf
    # x⁺ = prox(x − ∇f/L): F(x) − F* is at most F(x) − F(x⁺) plus the bound at x⁺
    to = problem.prox(x - gradient / L, 1.0 / L)
    s = np.asarray(problem.smooth.gradient(to)) - gradient + L * (x - to)
    return max(problem.value(x) - problem.value(to), 0.0) + norm(s) ** 2 / (2.0 * mu)


def _frank_wolfe(problem: Problem, x: Array, gradient: Array) -> float:
    if not problem.is_constrained:
        return np.inf
    try:
        return float(gradient @ x) + float(problem.simple.support(-gradient))
    except NotImplementedError:
        return np.inf


def _fenchel(problem: Problem, w: Array, value: float) -> float:
    """P(w) − D(u), u the slopes of the losses, scaled until the penalty's conjugate is finite."""
    risk: Any = problem.smooth
    if not isinstance(risk, EmpiricalRisk) or risk.l2 > 0.0 or problem.is_constrained:
        return np.inf
    slopes = np.asarray(risk.loss.gradient(risk.y, risk.X @ w))
    pulled = -(risk.X.T @ slopes) / risk.n_terms
    best = np.inf
    for share in _shares(problem.simple, pulled):
        price = np.asarray(risk.loss.conjugate(risk.y, share * slopes))
        penalty = 0.0
        if problem.simple is not None:
            penalty = float(np.sum(problem.simple.conjugate(share * pulled)))
        elif float(np.abs(share * pulled).max(initial=0.0)) > 0.0:
            penalty = np.inf
        best = min(best, value + float(np.mean(price)) + penalty)
    return best if np.isfinite(best) else np.inf


def _shares(penalty: Any, pulled: Array) -> list[float]:
    """1, and the largest multiple whose conjugate is finite."""
    largest = float(np.abs(pulled).max(initial=0.0))
    strength = getattr(penalty, "strength", None)
    if type(penalty).__name__ == "L1" and strength is not None and largest > strength:
        return [float(strength) / largest * (1.0 - 1e-15)]
    return [1.0]
