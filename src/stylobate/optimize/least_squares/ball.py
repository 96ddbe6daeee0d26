"""Least squares inside a ball: min ‖y − Xw‖² subject to wᵀw ≤ R."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.least_squares.quadratic import EPS, Quadratic
from stylobate.optimize.least_squares.solution import LeastSquaresSolution

Array = NDArray[np.float64]


def solve_ball(problem: Quadratic, radius: float) -> LeastSquaresSolution:
    """The constrained solution; `dual_values` are its multipliers α ≥ 0, one per target.

    If the least-squares solution of least norm is inside the ball it is the answer and α = 0;
    otherwise the answer is the ridge solution w(α) with ‖w(α)‖² = R. In the eigenbasis of XᵀX that
    is one scalar equation, Σ (cⱼ/(λⱼ+α))² = R, whose form 1/‖w‖ is nearly linear in α, so Newton's
    method takes a handful of steps (Moré & Sorensen 1983).
    """
    values, vectors = np.linalg.eigh(problem.gram)
    values = np.maximum(values, 0.0)
    floor = len(values) * EPS * (values[-1] if len(values) else 0.0)
    c = vectors.T @ problem.xy
    alphas = np.array([_multiplier(values, c[:, t], radius, floor) for t in range(c.shape[1])])
    shrunk = np.where(values > floor, values, 0.0)[:, None] + alphas
    inverse = np.divide(1.0, shrunk, out=np.zeros_like(shrunk), where=shrunk > 0)
    coef = vectors @ (inverse * c)
    condition = float((shrunk.max(axis=0) / np.where(shrunk > 0, shrunk, np.inf).min(axis=0)).max())
    # The Lagrangian ‖y − Xw‖² + α(‖w‖² − R) is minimised at w(α): its value there is a lower bound.
    norms = (coef**2).sum(axis=0)
    lagrangian = Quadratic(problem.gram, problem.xy, problem.yy, alphas)
    g = lagrangian.gradient(coef)
    slack = float((alphas * np.abs(norms - radius)).sum())
    gap = slack + float(((vectors.T @ g) ** 2 * inverse).sum())
    proof = replace(
        problem.certificate(coef, gap, condition),
        objective="‖y − Xw‖² subject to wᵀw ≤ R",
        kkt=lagrangian.certificate(coef, gap, condition).kkt,
    )
    rank = int((values > floor).sum())
    return LeastSquaresSolution(coef, proof, rank=rank, dual_values=alphas)


def _multiplier(values: Array, c: Array, radius: float, floor: float) -> float:
    """The α ≥ 0 at which ‖w(α)‖² = radius, 0 if the unconstrained solution is inside."""
    free = np.divide(c, values, out=np.zeros_like(c), where=values > floor)
    if float(free @ free) <= radius:
        return 0.0
    root = float(np.sqrt(radius))
    # ‖c‖/(λmax+α) ≤ ‖w(α)‖: left of the solution, from where Newton on 1/‖w‖ rises monotonically
    alpha = max(_length(c) / root - float(values[-1]), 0.0)
    for _ in range(100):
        shrunk = values + alpha
        w = np.divide(c, shrunk, out=np.zeros_like(c), where=shrunk > 0)
        norm = _length(w)
        slope = float((np.divide(w**2, shrunk, out=np.zeros_like(c), where=shrunk > 0)).sum())
        step = norm**2 / slope * (norm - root) / root
        alpha += step
        if abs(step) <= 4 * EPS * alpha:
            break
    return alpha


def _length(v: Array) -> float:
    """‖v‖, without overflow of its squares."""
    largest = float(np.abs(v).max(initial=0.0))
    return largest * float(np.linalg.norm(v / largest)) if largest > 0 else 0.0
