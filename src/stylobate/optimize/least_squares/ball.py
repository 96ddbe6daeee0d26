"""Least squares inside a ball: min ‖y − Xw‖² subject to wᵀw ≤ R."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stylobate.arrays import Array
from stylobate.interrupts import interruptible
from stylobate.optimize.least_squares.quadratic import (
    EPS,
    Quadratic,
    solve_cholesky,
    solve_spectral,
)
from stylobate.optimize.least_squares.solution import LeastSquaresSolution
from stylobate.parallel import blas_for

FORMULA = "‖y − Xw‖² subject to wᵀw ≤ R"


def solve_ball(problem: Quadratic, radius: float, n_rows: int) -> LeastSquaresSolution:
    """The constrained solution; `dual_values` are its multipliers α ≥ 0, one per target.

    If the least-squares solution (of least norm) is inside the ball it is the answer and α = 0;
    otherwise the answer is the ridge solution w(α) with ‖w(α)‖² = R. In the eigenbasis of XᵀX that
    is one scalar equation, Σ (cⱼ/(λⱼ+α))² = R, whose form 1/‖w‖ is nearly linear in α, so Newton's
    method takes a handful of steps (Moré & Sorensen 1983).
    """
    free = solve_cholesky(problem) or solve_spectral(problem, n_rows)
    outside = (free.coef**2).sum(axis=0) > radius
    alphas = np.zeros(len(problem.yy))
    if not outside.any():
        proof = replace(free.certificate, objective=FORMULA)
        return replace(free, certificate=proof, dual_values=alphas)
    with blas_for(len(problem.gram)):
        values, vectors = interruptible(np.linalg.eigh, problem.gram)
    values = np.maximum(values, 0.0)
    c = vectors.T @ problem.xy
    for t in np.flatnonzero(outside):
        alphas[t] = _multiplier(values, c[:, t], radius)
    shrunk = values[:, None] + alphas[outside]
    coef = free.coef.copy()
    coef[:, outside] = vectors @ (c[:, outside] / shrunk)
    # The Lagrangian ‖y − Xw‖² + α(‖w‖² − R) is minimised at w(α): its value there bounds f*.
    lagrangian = Quadratic(problem.gram, problem.xy, problem.yy, alphas)
    turned = vectors.T @ lagrangian.gradient(coef)[:, outside]
    slack = alphas * np.abs((coef**2).sum(axis=0) - radius)
    gap = free.certificate.gap + float(slack.sum()) + float((turned**2 / shrunk).sum())
    condition = max(
        float((shrunk.max(axis=0) / shrunk.min(axis=0)).max()),
        1.0 if outside.all() else free.certificate.condition**2,
    )
    proved = outside.all() or free.certificate.proved
    proof = replace(
        problem.certificate(coef, gap, condition, proved=bool(proved)),
        objective=FORMULA,
        kkt=float(lagrangian.correlations(lagrangian.gradient(coef)).max(initial=0.0)),
    )
    return LeastSquaresSolution(coef, proof, rank=free.rank, dual_values=alphas)


def _multiplier(values: Array, c: Array, radius: float) -> float:
    """The α > 0 at which ‖w(α)‖² = radius, where ‖w(0)‖² is larger."""
    root = float(np.sqrt(radius))
    # ‖c‖/(λmax+α) ≤ ‖w(α)‖: left of the solution, from where Newton on 1/‖w‖ rises monotonically
    alpha = max(_length(c) / root - float(values[-1]), EPS * float(values[-1]))
    for _ in range(100):
        shrunk = values + alpha
        w = c / shrunk
        norm = _length(w)
        slope = float(((w / norm) ** 2 / shrunk).sum())
        step = (norm - root) / root / slope
        alpha = max(alpha + step, EPS * alpha)
        if abs(step) <= 4 * EPS * alpha:
            break
    return alpha


def _length(v: Array) -> float:
    """‖v‖, without overflow of its squares."""
    largest = float(np.abs(v).max(initial=0.0))
    return largest * float(np.linalg.norm(v / largest)) if largest > 0 else 0.0
