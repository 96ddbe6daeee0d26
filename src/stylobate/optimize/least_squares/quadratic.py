"""Least squares and ridge as a quadratic of the coefficients, and its direct solutions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from stylobate.arrays import Array
from stylobate.interrupts import interruptible
from stylobate.optimize.blocked_cholesky import upper_factor
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.least_squares.solution import LeastSquaresSolution
from stylobate.statistics import Moments

EPS = float(np.finfo(np.float64).eps)
NULL_TOLERANCE = 1e-7  # share of a flat direction below which a column has no part in it
FLAT = 1e-10  # curvature along a direction, in units of the objective, that counts as none


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
        """Objective f per target."""
        quadratic = (coef * (self.gram @ coef - 2.0 * self.xy)).sum(axis=0)
        return np.asarray(self.yy + quadratic + ((np.sqrt(self.alpha) * coef) ** 2).sum(axis=0))

    def gradient(self, coef: Array) -> Array:
        """H w − b per target (half the derivative)."""
        return np.asarray(self.gram @ coef + self.alpha * coef - self.xy)

    def lengths(self) -> Array:
        """‖xⱼ‖·‖yₜ‖ (p × t): the scale of each entry of the gradient."""
        columns = np.sqrt(np.maximum(np.diag(self.gram)[:, None] + self.alpha, 0.0))
        return np.asarray(columns * np.sqrt(self.yy))

    def column_lengths(self) -> Array:
        """Roots of the diagonal of H, with the smallest penalty."""
        least = float(self.alpha.min()) if len(self.alpha) else 0.0
        return np.sqrt(np.maximum(np.diag(self.gram), 0.0) + least)

    def correlations(self, vector: Array) -> Array:
        """Largest entry of a (half) gradient per target, in units of `lengths`."""
        lengths = self.lengths()
        sizes = np.abs(vector)
        ratios = np.divide(sizes, lengths, out=np.zeros_like(sizes), where=lengths > 0)
        return np.asarray(ratios.max(axis=0, initial=0.0))

    def certificate(
        self, coef: Array, gap: float, condition: float, *, proved: bool = True
    ) -> Certificate:
        """A certificate for a gap found by whatever means, for an answer that used H.

        `condition` is that of H with unit diagonal, the square of the columns' own; solving with H
        costs digits by it.
        """
        proof = Certificate.from_gap(
            formula(self.alpha),
            primal=max(float(self.value(coef).sum()), 0.0),
            gap=gap,
            at_zero=float(self.yy.sum()),
            kkt=float(self.correlations(self.gradient(coef)).max(initial=0.0)),
            condition=float(np.sqrt(condition)),
            lost=condition,
            proved=proved,
        )
        return proof.in_units(coef, self.column_lengths())


def formula(alpha: Array) -> str:
    """The objective in words of mathematics."""
    return "‖y − Xw‖² + α‖w‖²" if np.any(alpha > 0) else "‖y − Xw‖²"


def largest_ratio(numbers: Array, scales: Array) -> float:
    """Largest |number|/scale, where the scale is not zero."""
    sizes = np.abs(numbers)
    ratios = np.divide(sizes, scales, out=np.zeros_like(sizes), where=scales > 0)
    return float(ratios.max(initial=0.0))


def solve_cholesky(problem: Quadratic) -> LeastSquaresSolution | None:
    """H w = b by Cholesky factors of the equilibrated H; None if H is not positive definite.

    The condition number is that of H with unit diagonal, estimated from the factor at the cost of a
    few solves (Higham 1988).
    """
    factors = _factors(problem)
    if factors is None:
        return None
    coef = _solve_each(problem, factors, problem.xy)
    g = problem.gradient(coef)
    gap = float((g * _solve_each(problem, factors, g)).sum())  # f(w) − f* = gᵀH⁻¹g
    condition = max(factor.condition for factor in factors.values())
    return LeastSquaresSolution(coef, problem.certificate(coef, gap, condition), rank=len(coef))


def solve_hessian(problem: Quadratic, right: Array) -> Array | None:
    """H⁻¹ applied to one vector per target; None if H is not positive definite."""
    factors = _factors(problem)
    return None if factors is None else _solve_each(problem, factors, right)


def _factors(problem: Quadratic) -> dict[float, CholeskyFactor] | None:
    """Factors of XᵀX + αI, one for each different penalty."""
    factors = {}
    for alpha in set(problem.alpha.tolist()):
        factor = CholeskyFactor.of(problem.hessian(alpha))
        if factor is None:
            return None
        factors[alpha] = factor
    return factors


def _solve_each(problem: Quadratic, factors: dict[float, CholeskyFactor], right: Array) -> Array:
    if len(factors) == 1:
        return next(iter(factors.values())).solve(right)
    columns = [factors[alpha].solve(right[:, [t]]) for t, alpha in enumerate(problem.alpha)]
    return np.column_stack(columns)


@dataclass(frozen=True, slots=True)
class CholeskyFactor:
    """D H D = RᵀR with D making the diagonal one, so that units of columns do not matter."""

    r: Array
    scale: Array
    condition: float

    @classmethod
    def of(cls, h: Array) -> Self | None:
        """The factor, or None if H is not positive definite to working precision."""
        from scipy.linalg.lapack import dpocon

        diagonal = np.diag(h)
        if len(h) == 0 or not (diagonal > 0).all():
            return cls(h, np.ones(len(h)), 1.0) if len(h) == 0 else None
        scale = 1.0 / np.sqrt(diagonal)
        scaled = scale[:, None] * h * scale
        norm = float(np.abs(scaled).sum(axis=0).max())
        r = upper_factor(scaled)
        if r is None:
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

    Directions whose eigenvalue is rounding error of the largest are left out: the objective seems
    flat along them. Whether it is, only the rows could tell, so nothing is proved then.
    """
    coef, gap, condition = np.empty_like(problem.xy), 0.0, 1.0
    rank = len(coef)
    for alpha in np.unique(problem.alpha):
        targets = problem.alpha == alpha
        inverse, kept, this = pseudo_inverse(problem.hessian(float(alpha)), n_rows)
        coef[:, targets] = inverse @ problem.xy[:, targets]
        w = coef[:, targets]
        g = problem.gram @ w + alpha * w - problem.xy[:, targets]
        gap += max(float((g * (inverse @ g)).sum()), 0.0)
        condition, rank = max(condition, this), min(rank, kept)
    whole = rank == len(coef)
    proof = problem.certificate(coef, gap, condition if whole else np.inf, proved=whole)
    return LeastSquaresSolution(coef, proof, rank=rank)


def pseudo_inverse(h: Array, n_rows: int) -> tuple[Array, int, float]:
    """H⁺, the rank and the condition number, both of H with unit diagonal: units do not matter."""
    diagonal = np.maximum(np.diag(h), 0.0)
    scale = 1.0 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    values, vectors = interruptible(np.linalg.eigh, scale[:, None] * h * scale)
    keep = values > max(n_rows, len(values)) * EPS * values[-1:].sum()
    root = scale[:, None] * vectors[:, keep] / np.sqrt(values[keep])
    flat = project_on(null_basis(vectors[:, ~keep], scale), root)
    # shortest in the columns' own units, unless that is not flat, or rounding hides whether it is
    curvature = np.abs((flat * (h @ flat)).sum(axis=0)) + EPS * (diagonal @ flat**2)
    root = root - np.where(curvature <= FLAT, flat, 0.0)
    kept = values[keep]
    condition = float(kept[-1] / kept[0]) if len(kept) else 1.0
    return np.asarray(root @ root.T), int(keep.sum()), condition


def null_basis(directions: Array, scale: Array) -> Array:
    """Orthonormal basis of flat directions found for columns that were multiplied by `scale`.

    What is only rounding in a direction is set to zero first: a small column's scale would blow it
    up into a part of its own.
    """
    exact = np.where(np.abs(directions) <= NULL_TOLERANCE, 0.0, directions)
    turned = scale[:, None] * exact
    return np.asarray(
        interruptible(np.linalg.qr, turned / np.abs(turned).max(axis=0, initial=0.0))[0]
    )


def project_on(basis: Array, x: Array) -> Array:
    """The part of x in the span of an orthonormal basis."""
    return np.asarray(basis @ (basis.T @ x))
