"""Huber's loss as a value, points of its problem, and small scaled systems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


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
    """

    epsilon: float
    alpha: float
    intercept: bool
    scale: float | None

    def value(self, residual: Array, weights: Array, coef: Array, sigma: float) -> float:
        """The objective."""
        size = np.abs(residual)
        near = np.minimum(size, self.epsilon * sigma)
        loss = float((weights * near * (2.0 * size - near)).sum()) / sigma
        free = 0.0 if self.scale is not None else sigma * float(weights.sum())
        return free + loss + self.alpha * float(coef @ coef)


@dataclass(slots=True, eq=False)
class Point:
    """Coefficients, intercept and scale."""

    coef: Array
    intercept: float
    sigma: float


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
        return np.asarray(inverse * np.linalg.solve(scaled, inverse * right))
    values, vectors = np.linalg.eigh(scaled)
    kept = values > 1e-13 * len(values) * max(float(values[-1]), 0.0) if len(values) else values > 0
    vectors = vectors[:, kept]
    return np.asarray(inverse * (vectors @ ((vectors.T @ (inverse * right)) / values[kept])))


def scaled(matrix: Array, squares: Array) -> Array:
    """A Gram matrix in units that make these squares one."""
    size = np.sqrt(np.maximum(squares, 1e-300))
    return np.asarray(matrix / np.outer(size, size))
