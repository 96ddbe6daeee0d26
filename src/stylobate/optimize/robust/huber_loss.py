"""Huber's loss as a value, points of its problem, and small scaled systems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.interrupts import interruptible


@dataclass(frozen=True, slots=True)
class HuberLoss:
    r"""Σ ωᵢ [σ + σ H(rᵢ/σ)] + α‖w‖², H(z) = z² up to ε and 2ε|z| − ε² beyond.

    σ H(r/σ) is the loss h_{λ,μ} with λ = 2ε and μ = 1/σ: μr² up to |r| = λ/2μ, λ(|r| − λ/4μ)
    beyond. With `scale` σ is that number and the term Σ ωᵢσ is left out; else it is fitted.

    Parameters
    ----------
    epsilon : float > 0
        At least 1 unless the scale is given.
    alpha : float in [0, inf)
    intercept : bool
    scale : float > 0 or None
    turn : array (p, k) or None
        T, where coefficients are given in other coordinates θ: the penalty is α‖Tθ‖².
    """

    epsilon: float
    alpha: float
    intercept: bool
    scale: float | None
    turn: Array | None = None

    def value(self, residual: Array, weights: Array, coef: Array, sigma: float) -> float:
        """The objective."""
        size = np.abs(residual)
        near = np.minimum(size, self.epsilon * sigma)
        loss = float((weights * near * (2.0 * size - near)).sum()) / sigma
        free = 0.0 if self.scale is not None else sigma * float(weights.sum())
        return free + loss + self.penalty(coef)

    def penalty(self, coef: Array) -> float:
        """α‖w‖²."""
        w = coef if self.turn is None else self.turn @ coef
        return self.alpha * float(w @ w)

    def penalty_gradient(self, coef: Array) -> Array:
        """2αw."""
        w = coef if self.turn is None else self.turn.T @ (self.turn @ coef)
        return 2.0 * self.alpha * w

    def penalty_conjugate(self, v: Array) -> float:
        """Sup over w of vᵀw − α‖w‖², for α > 0."""
        if self.turn is None:
            return float(v @ v) / (4.0 * self.alpha)
        from scipy.linalg import solve_triangular

        if not len(v):
            return 0.0
        inverse = 1.0 / np.sqrt(np.einsum("ij,ij->j", self.turn, self.turn))
        r = interruptible(np.linalg.qr, self.turn * inverse, mode="r")  # twice the digits of TᵀT
        solved = solve_triangular(r, inverse * v, trans="T")
        return float(solved @ solved) / (4.0 * self.alpha)


@dataclass(slots=True, eq=False)
class Point:
    """Coefficients, intercept and scale."""

    coef: Array
    intercept: float
    sigma: float


def solve_definite(matrix: Array, right: Array) -> Array | None:
    """matrix⁻¹ right by Cholesky factors, columns brought to one size; None if not definite."""
    from scipy.linalg.lapack import dposv

    diagonal = np.diag(matrix)
    if not len(diagonal) or not (diagonal > 0.0).all():
        return None
    inverse = 1.0 / np.sqrt(diagonal)
    _, solved, broken = dposv(matrix * np.outer(inverse, inverse), inverse * right, overwrite_a=1)
    return None if broken else np.asarray(inverse * solved)


def solve_scaled(matrix: Array, right: Array, ridge: float, *, regular: bool = False) -> Array:
    """(matrix + ridge·I)⁻¹ right, columns brought to one size first; least norm if singular."""
    size = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    inverse = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
    if ridge > 0:
        inverse = 1.0 / np.sqrt(size**2 + ridge)
    scaled = matrix * np.outer(inverse, inverse)
    scaled[np.diag_indices_from(scaled)] += ridge * inverse**2
    # an eigenvalue is at least the smallest share of the penalty: none is lost to rounding then
    if regular or (ridge > 0 and ridge * float(np.min(inverse, initial=np.inf)) ** 2 > 1e-8):
        return np.asarray(inverse * interruptible(np.linalg.solve, scaled, inverse * right))
    values, vectors = interruptible(np.linalg.eigh, scaled)
    kept = values > 1e-13 * len(values) * max(float(values[-1]), 0.0) if len(values) else values > 0
    vectors = vectors[:, kept]
    return np.asarray(inverse * (vectors @ ((vectors.T @ (inverse * right)) / values[kept])))


def scaled(matrix: Array, squares: Array) -> Array:
    """A Gram matrix in units that make these squares one."""
    size = np.sqrt(np.maximum(squares, 1e-300))
    return np.asarray(matrix / np.outer(size, size))
