"""Least squares and ridge as a quadratic of the coefficients, and its direct solutions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.certificate import Certificate
from stylobate.optimize.least_squares.solution import LeastSquaresSolution
from stylobate.statistics import Moments

Array = NDArray[np.float64]
EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True)
class Quadratic:
    r"""The ridge objective of several targets, from second moments alone.

    .. math:: f(W) = \sum_t \|y_t - X w_t\|^2 + \alpha_t \|w_t\|^2
                   = \sum_t y_t^\top y_t - 2 w_t^\top b_t + w_t^\top H_t w_t,
              \quad H_t = X^\top X + \alpha_t I, \; b_t = X^\top y_t

    Parameters
    ----------
    gram : array (p, p)
        XᵀX, centred where there is an intercept.
    xy : array (p, t)
    yy : array (t,)
    alpha : array (t,), >= 0
    """

    gram: Array
    xy: Array
    yy: Array
    alpha: Array

    @classmethod
    def of(cls, moments: Moments, alpha: float | Array = 0.0, *, intercept: bool = True) -> Self:
        """The problem whose rows these moments describe."""
        m = moments if intercept else moments.about_zero()
        alphas = np.broadcast_to(np.asarray(alpha, dtype=float), (m.n_targets,))
        return cls(m.xx, m.xy, np.diag(m.yy), alphas)

    def hessian(self, alpha: float) -> Array:
        """XᵀX + αI (half the second derivative)."""
        if alpha == 0.0:
            return self.gram
        h = self.gram.copy()
        h[np.diag_indices_from(h)] += alpha
        return h

    def value(self, coef: Array) -> Array:
        """F per target."""
        quadratic = (coef * (self.gram @ coef - 2.0 * self.xy)).sum(axis=0)
        return np.asarray(self.yy + quadratic + self.alpha * (coef**2).sum(axis=0))

    def gradient(self, coef: Array) -> Array:
        """H w − b per target (half the derivative)."""
        return np.asarray(self.gram @ coef + self.alpha * coef - self.xy)

    def certify(
        self, coef: Array, inverse: Callable[[Array], Array], condition: float
    ) -> Certificate:
        """The exact gap of a quadratic: f(w) − f* = gᵀH⁻¹g, with g the half gradient."""
        g = self.gradient(coef)
        gap = float(np.maximum((g * inverse(g)).sum(axis=0), 0.0).sum())
        return self.certificate(coef, gap, condition)

    def certificate(
        self, coef: Array, gap: float, condition: float, digits: float | None = None
    ) -> Certificate:
        """A certificate for a gap found by whatever means."""
        lengths = np.sqrt(np.maximum(np.diag(self.gram)[:, None] + self.alpha, 0.0) * self.yy)
        return Certificate.from_gap(
            formula(self.alpha),
            primal=max(float(self.value(coef).sum()), 0.0),
            gap=gap,
            at_zero=float(self.yy.sum()),
            kkt=largest_ratio(self.gradient(coef), lengths),
            condition=condition,
            digits=digits,
        )


def formula(alpha: Array) -> str:
    """The objective in words of mathematics."""
    return "‖y − Xw‖² + α‖w‖²" if np.any(alpha > 0) else "‖y − Xw‖²"


def largest_ratio(numbers: Array, scales: Array) -> float:
    """Max |numbers|/scales, where the scale is not zero."""
    sizes = np.abs(numbers)
    ratios = np.divide(sizes, scales, out=np.zeros_like(sizes), where=scales > 0)
    return float(ratios.max(initial=0.0))


def solve_cholesky(problem: Quadratic) -> LeastSquaresSolution | None:
    """H w = b by Cholesky factors of the equilibrated H; None if H is not positive definite.

    The condition number is that of H with unit diagonal, estimated from the factor at the cost of a
    few solves (Higham 1988).
    """
    coef = np.empty_like(problem.xy)
    gap, condition = 0.0, 1.0
    for alpha in np.unique(problem.alpha):
        targets = problem.alpha == alpha
        factor = CholeskyFactor.of(problem.hessian(float(alpha)))
        if factor is None:
            return None
        coef[:, targets] = factor.solve(problem.xy[:, targets])
        condition = max(condition, factor.condition)
        w = coef[:, targets]
        g = problem.gram @ w + alpha * w - problem.xy[:, targets]
        gap += float((g * factor.solve(g)).sum())  # f(w) − f* = gᵀH⁻¹g
    certificate = problem.certificate(coef, gap, condition)
    return LeastSquaresSolution(coef, certificate, rank=len(coef))


@dataclass(frozen=True, slots=True)
class CholeskyFactor:
    """D H D = RᵀR with D making the diagonal one, so that units of columns do not matter."""

    r: Array
    scale: Array
    condition: float

    @classmethod
    def of(cls, h: Array) -> Self | None:
        """The factor, or None if H is not positive definite to working precision."""
        from scipy.linalg.lapack import dpocon, dpotrf

        diagonal = np.diag(h)
        if len(h) == 0 or not (diagonal > 0).all():
            return cls(h, np.ones(len(h)), 1.0) if len(h) == 0 else None
        scale = 1.0 / np.sqrt(diagonal)
        scaled = scale[:, None] * h * scale
        norm = float(np.abs(scaled).sum(axis=0).max())
        r, info = dpotrf(scaled, lower=0, clean=0, overwrite_a=0)
        if info != 0:
            return None
        reciprocal, _ = dpocon(r, norm)
        if reciprocal <= 16 * EPS:
            return None
        return cls(r, scale, 1.0 / float(reciprocal))

    def solve(self, b: Array) -> Array:
        """H⁻¹ b."""
        from scipy.linalg.lapack import dpotrs

        if len(self.r) == 0:
            return b.copy()
        x, _ = dpotrs(self.r, self.scale[:, None] * b, lower=0)
        return np.asarray(self.scale[:, None] * x)


def solve_spectral(problem: Quadratic, n_rows: int) -> LeastSquaresSolution:
    """The least-squares solution of least norm, from eigenvectors of the Gram.

    Directions whose eigenvalue is rounding error of the largest are left out: along them the
    objective is flat. Decides the rank with half the digits the rows would give.
    """
    values, vectors = np.linalg.eigh(problem.gram)
    keep = values > max(n_rows, len(values)) * EPS * max(values[-1:].sum(), 0.0)
    shrunk = np.where(keep, values, 0.0)[:, None] + problem.alpha
    inverse = np.divide(1.0, shrunk, out=np.zeros_like(shrunk), where=shrunk > 0)

    def pseudo_inverse(g: Array) -> Array:
        return np.asarray(vectors @ (inverse * (vectors.T @ g)))

    coef = pseudo_inverse(problem.xy)
    kept = shrunk[keep]
    condition = float((kept.max(axis=0) / kept.min(axis=0)).max()) if kept.size else 1.0
    certificate = problem.certify(coef, pseudo_inverse, condition)
    return LeastSquaresSolution(coef, certificate, rank=int(keep.sum()))
