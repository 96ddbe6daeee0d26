"""One step from the solution of the Gram to that of the rows."""

from __future__ import annotations

import numpy as np

from stylobate.optimize.certificate import Certificate
from stylobate.optimize.least_squares.quadratic import EPS, Quadratic, formula, solve_hessian
from stylobate.optimize.least_squares.solution import LeastSquaresSolution
from stylobate.statistics import LinearModel, Moments, Source


def refine(
    source: Source,
    moments: Moments,
    problem: Quadratic,
    start: LeastSquaresSolution,
    *,
    intercept: bool,
) -> LeastSquaresSolution:
    """The solution after a Newton step whose gradient comes from the rows.

    w ← w + H⁻¹(Xᵀr − αw), with r the residuals of the rows at w. The Gram gives w with a relative
    error of about ε·κ², the step leaves ε·κ, as if the rows had been solved by QR, for one more
    pass over them. What is left to gain is what there was before the step, times the square of the
    relative error of H⁻¹.

    References
    ----------
    Björck (1987), Stability analysis of the method of seminormal equations, Linear Algebra Appl.
    """
    coef, n, condition = start.coef, moments.weight, start.certificate.condition
    x_mean = moments.x_mean if intercept else np.zeros(len(coef))
    b = moments.y_mean - x_mean @ coef if intercept else np.zeros(moments.n_targets)
    left = source.compute(LinearModel(coef, b))
    g = left.products - x_mean[:, None] * left.total - problem.alpha * coef
    step = solve_hessian(problem, g)
    assert step is not None  # H was positive definite for the start
    shift = left.total / n if intercept else np.zeros_like(b)
    gain = (g * step).sum(axis=0) + shift * left.total
    before = left.squares + problem.alpha * (coef**2).sum(axis=0)
    proof = Certificate.from_gap(
        formula(problem.alpha),
        primal=float((before - gain).sum()),
        gap=float(gain.sum()) * (len(coef) * EPS * condition**2) ** 2,
        at_zero=float(problem.yy.sum()),
        kkt=float(problem.correlations(g).max(initial=0.0)),
        condition=condition,
    )
    plain = not problem.alpha.any()
    return LeastSquaresSolution(
        coef + step,
        proof,
        rank=start.rank,
        intercept=b + shift - x_mean @ step,
        residual_squares=np.maximum(left.squares - gain, 0.0) if plain else None,
    )
