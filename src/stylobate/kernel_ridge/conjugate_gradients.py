"""Kernel ridge by preconditioned conjugate gradients on products with the kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.kernel_ridge.nystroem_preconditioner import (
    NystroemPreconditioner,
    preconditioner_rows,
)
from stylobate.kernel_ridge.system import KernelSystem
from stylobate.parallel import blas_for

_RESTARTS = 3  # from the true residual, where rounding has driven the updated one away from it


@dataclass(frozen=True, slots=True, eq=False)
class IterativeSolution:
    """Solutions a of (K + αI) a = y, their true residuals, and how they came about."""

    a: Array
    residual: Array
    iterations: int
    converged: bool
    history: Array


def solve_iteratively(
    system: KernelSystem, alpha: Array, *, tol: float, max_iter: int
) -> IterativeSolution:
    """Until ‖y − (K + αI)a‖ ≤ tol ‖y‖ for every target; all of them share each product with K."""
    y = system.y
    a, residual = np.zeros_like(y), y.copy()
    limits = tol * np.linalg.norm(y, axis=0)
    history = [_relative(residual, y)]
    if not (np.linalg.norm(residual, axis=0) > limits).any():
        return IterativeSolution(a, residual, 0, True, np.array(history))
    with blas_for(preconditioner_rows(system.order)):
        preconditioner = NystroemPreconditioner.of(system)
        for _ in range(_RESTARTS):
            left = max_iter - len(history) + 1
            a = a + _steps(system, preconditioner, residual, alpha, limits, left, history)
            residual = system.residual(a, alpha)
            if len(history) > max_iter or (np.linalg.norm(residual, axis=0) <= limits).all():
                break
    converged = bool((np.linalg.norm(residual, axis=0) <= limits * (1.0 + 1e-6)).all())
    return IterativeSolution(a, residual, len(history) - 1, converged, np.array(history))


def _steps(
    system: KernelSystem,
    preconditioner: NystroemPreconditioner,
    residual: Array,
    alpha: Array,
    limits: Array,
    max_iter: int,
    history: list[float],
) -> Array:
    """The correction that leaves residuals below the limits, by their updated values."""
    r, correction = residual.copy(), np.zeros_like(residual)
    z = preconditioner.apply(r, alpha)
    direction, sizes = z.copy(), (r * z).sum(axis=0)
    for _ in range(max_iter):
        image = system.multiply(direction) + alpha * direction
        curvature = (direction * image).sum(axis=0)
        step = _quotient(sizes, curvature)
        correction += step * direction
        r = r - step * image
        history.append(_relative(r, system.y))
        # a step against negative curvature means an indefinite kernel: there is no descent
        if (np.linalg.norm(r, axis=0) <= 0.9 * limits).all() or (curvature < 0.0).any():
            break
        z = preconditioner.apply(r, alpha)
        former, sizes = sizes, (r * z).sum(axis=0)
        direction = z + _quotient(sizes, former) * direction
    return correction


def _quotient(top: Array, bottom: Array) -> Array:
    """Top / bottom, 0 where a target is solved exactly."""
    return np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0.0)


def _relative(residual: Array, y: Array) -> float:
    sizes = np.linalg.norm(y, axis=0)
    return float((np.linalg.norm(residual, axis=0) / np.where(sizes > 0.0, sizes, 1.0)).max())
