"""LSQR: least squares from products with a matrix and its transpose, with a trace."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, sqrt
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.trace import Trace

_EPS = float(np.finfo(np.float64).eps)
_MOST_CONDITION = 1e8  # beyond, what digits are left no longer tell directions apart


@dataclass(frozen=True, slots=True, eq=False)
class Bidiagonal:
    """x, ‖b − Ax‖², steps, an estimate of A's condition number, and whether a test ended it."""

    x: Array
    objective: float
    iterations: int
    condition: float
    converged: bool


def bidiagonalise(
    a: Any, b: Array, *, tol: float, limit: int, trace: Trace, others: float = 0.0
) -> Bidiagonal:
    r"""Minimise ‖b − Ax‖² from x = 0 by Golub–Kahan bidiagonalisation (LSQR).

    Each step multiplies by A and by Aᵀ once. It ends when ‖b − Ax‖ is at most
    tol(‖b‖ + ‖A‖‖x‖), or ‖Aᵀr‖ at most tol‖A‖‖r‖, norms of A being those of Frobenius as far as
    they are seen.

    Parameters
    ----------
    a : linear operator with `matvec` and `rmatvec`
    b : array (n,)
    tol : float
    limit : int
        Steps at most.
    trace : Trace
        Gets an entry per step: ‖b − Ax‖² (`others` added) and ‖Aᵀr‖.
    others : float
        Parts of the objective that this x does not change.

    References
    ----------
    Paige & Saunders (1982), LSQR: an algorithm for sparse linear equations and sparse least
    squares, ACM Transactions on Mathematical Software 8.
    """
    size = float(np.linalg.norm(b))
    x = np.zeros(a.shape[1])
    u, beta = _unit(b.astype(np.float64), size)
    v, alpha = _unit(a.rmatvec(u))
    if beta * alpha == 0.0:  # b is nothing, or at right angles to every column
        return Bidiagonal(x, size**2, 0, 0.0, converged=True)
    w, rho_bar, left = v.copy(), alpha, beta
    frobenius = inverse = 0.0
    for count in range(1, limit + 1):
        u, beta = _unit(a.matvec(v) - alpha * u)
        frobenius += alpha**2 + beta**2
        v, alpha_next = _unit(a.rmatvec(u) - beta * v)
        # a rotation takes beta out of the next row of the bidiagonal matrix
        rho = hypot(rho_bar, beta)
        cosine, sine = rho_bar / rho, beta / rho
        step = cosine * left / rho
        x += step * w
        inverse += float(w @ w) / rho**2
        w = v - (sine * alpha_next / rho) * w
        pull = alpha_next * abs(cosine * sine * left)
        rho_bar, left, alpha = -cosine * alpha_next, sine * left, alpha_next
        trace.record(objective=others + left**2, gradient_norm=pull, step=step)
        norm, condition = sqrt(frobenius), sqrt(frobenius * inverse)
        exact = left <= tol * (size + norm * float(np.linalg.norm(x)))
        if exact or pull <= max(tol, _EPS) * norm * left:
            return Bidiagonal(x, left**2, count, condition, converged=True)
        if condition >= _MOST_CONDITION:
            break
    return Bidiagonal(x, left**2, count, condition, converged=False)


def _unit(vector: Array, length: float | None = None) -> tuple[Array, float]:
    """A vector of length one in its direction, and its length; zeros stay as they are."""
    length = float(np.linalg.norm(vector)) if length is None else length
    return (vector / length if length > 0 else vector), length
