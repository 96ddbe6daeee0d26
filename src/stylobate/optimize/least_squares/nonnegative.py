"""Non-negative least squares and ridge, from second moments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stylobate.arrays import Array
from stylobate.interrupts import interruptible
from stylobate.optimize.least_squares.quadratic import (
    EPS,
    CholeskyFactor,
    Quadratic,
)
from stylobate.optimize.least_squares.solution import LeastSquaresSolution


def solve_active_set(problem: Quadratic, max_iter: int | None = None) -> LeastSquaresSolution:
    """Minimise f(w) subject to w ≥ 0 by the active-set method, one target at a time.

    Columns enter one by one, the one whose multiplier is most violated first; whenever the
    unconstrained solution on the entered columns has a negative entry, the step is cut there and
    that column leaves. Ends after finitely many steps at the exact solution.

    References
    ----------
    Lawson & Hanson (1974), Solving Least Squares Problems, ch. 23; Bro & de Jong (1997), A fast
    non-negativity-constrained least squares algorithm, J. Chemometrics 11.
    """
    p, n_targets = problem.xy.shape
    limit = 10 * p + 30 if max_iter is None else max_iter
    coef = np.zeros((p, n_targets))
    converged, iterations, condition = True, 0, 1.0
    for t in range(n_targets):
        h, b = problem.hessian(float(problem.alpha[t])), problem.xy[:, t]
        coef[:, t], steps, this, done = _one_target(h, b, float(problem.yy[t]), limit)
        converged, iterations = converged and done, max(iterations, steps)
        condition = max(condition, this)
    return certify_nonnegative(problem, coef, condition, converged, iterations)


def _one_target(h: Array, b: Array, yy: float, limit: int) -> tuple[Array, int, float, bool]:
    p = len(b)
    w, entered = np.zeros(p), np.zeros(p, dtype=bool)
    lengths = np.sqrt(np.maximum(np.diag(h), 0.0))
    floor = 10 * EPS * p * lengths * np.sqrt(yy)  # a correlation below this is rounding
    barred = lengths == 0.0  # a column of zeros helps nothing
    condition = 1.0
    for steps in range(limit):
        multiplier = np.where(entered | barred, -np.inf, b - h @ w - floor)
        if multiplier.max(initial=-np.inf) <= 0.0:
            return w, steps, condition, True
        newcomer = int(np.argmax(multiplier / np.where(lengths > 0, lengths, 1.0)))
        entered[newcomer] = True
        while entered.any():
            factor = CholeskyFactor.of(h[np.ix_(entered, entered)])
            if factor is None:  # the newcomer depends on those already in: it adds nothing
                entered[newcomer], barred[newcomer] = False, True
                break
            condition = max(condition, factor.condition)
            target = np.zeros(p)
            target[entered] = factor.solve(b[entered, None])[:, 0]
            if (target[entered] > 0.0).all():
                w = target
                break
            falling = entered & (target <= 0.0)
            reach = np.divide(w, w - target, out=np.zeros(p), where=falling & (w > target))
            step = float(reach[falling].min())
            w = np.maximum(w + step * (target - w), 0.0)
            entered &= ~(falling & (reach <= step))
            w[~entered] = 0.0
    return w, limit, condition, False


def certify_nonnegative(
    problem: Quadratic, coef: Array, condition: float, converged: bool, iterations: int
) -> LeastSquaresSolution:
    """A certificate for w ≥ 0 from a feasible dual point.

    With multipliers λ = max(g, 0) ≥ 0 the Lagrangian's minimum bounds f* from below:
    f(w) − d = wᵀλ·2 + rᵀH⁻¹r, where r = g − λ is what λ does not balance.
    """
    g = problem.gradient(coef)
    multipliers = np.maximum(g, 0.0)
    unbalanced = g - multipliers
    outside, whole = _norm_in_inverse(problem, unbalanced)
    gap = 2.0 * float((coef * multipliers).sum()) + outside
    proof = problem.certificate(coef, gap, condition, proved=whole)
    worst = np.where(coef > 0, np.abs(g), np.maximum(-g, 0.0))
    proof = replace(proof, kkt=float(problem.correlations(worst).max(initial=0.0)))
    return LeastSquaresSolution(
        coef,
        proof,
        rank=len(coef),
        converged=converged,
        iterations=iterations,
        dual_values=2.0 * multipliers,
    )


def _norm_in_inverse(problem: Quadratic, r: Array) -> tuple[float, bool]:
    """Σ rᵀH⁺r, and whether H is definite: else r may have a part that H⁺ does not see."""
    total, whole = 0.0, True
    for alpha in np.unique(problem.alpha):
        part = r[:, problem.alpha == alpha]
        h = problem.hessian(float(alpha))
        factor = CholeskyFactor.of(h)
        inverse = (
            factor.solve(part) if factor is not None else interruptible(np.linalg.pinv, h) @ part
        )
        total, whole = total + float((part * inverse).sum()), whole and factor is not None
    return max(total, 0.0), whole
