"""How far a linear model is from the optimum, whatever method found it: one pass, one dual point.

For P(w, b) = Σᵢ cᵢ ℓ(yᵢ, xᵢw + b) + l1‖w‖₁ + ½ l2‖w‖² and any u with Σᵢ cᵢuᵢ = 0 (where there is an
intercept), weak duality gives

    P ≥ D(u) = −Σᵢ cᵢ ℓ*(yᵢ, uᵢ) − g*(−Σᵢ cᵢuᵢxᵢ),   g*(v) = Σⱼ max(|vⱼ| − l1, 0)² / (2 l2),

and for l2 = 0 the constraint |vⱼ| ≤ l1 instead. The gradients of the losses at the answer, scaled
to satisfy the constraints, are such a u: every loss here has a conjugate that is finite on the
segment from 0 to its gradient.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from math import nan, sqrt
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.losses import Loss
from stylobate.losses.links import IDENTITY
from stylobate.optimize.certificate import Certificate, digits_left
from stylobate.parallel import one_blas_thread

TINY = float(np.finfo(np.float64).tiny)
_CHUNK = 8192  # rows made double at a time
_FEW = 8192  # numbers for which BLAS starts no second thread
_FAR_WORSE = 1000.0  # times the objective at zero


@dataclass(frozen=True, slots=True)
class LinearObjective:
    """A loss, the penalties, and whether there is an intercept."""

    loss: Loss
    l1: float
    l2: float
    intercept: bool

    def penalty(self, w: Array) -> float:
        """l1‖w‖₁ + ½ l2‖w‖²."""
        return self.l1 * float(np.abs(w).sum()) + 0.5 * self.l2 * float(w @ w)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Objective at the answer and at zero, a lower bound of its minimum, worst KKT violation."""

    primal: float
    dual: float
    at_zero: float
    kkt: float


def bounds(
    objective: LinearObjective, x: Any, y: Array, shares: Array, w: Array, b: float
) -> Bounds:
    """Primal and dual values of an answer (w, b); `shares` are the factors cᵢ of the losses."""
    # long vectors, little arithmetic: a second thread of BLAS would only wait
    with one_blas_thread() if x.shape[0] * x.shape[1] > _FEW else nullcontext():
        return _bounds(objective, x, y, shares, w, b)


def _bounds(
    objective: LinearObjective, x: Any, y: Array, shares: Array, w: Array, b: float
) -> Bounds:
    z = _times(x, w) + b
    u = objective.loss.gradient(y, z)
    least = 0.0  # Σ cᵢ min ℓ: counted from there, no objective is negative
    if objective.loss.link != IDENTITY:
        least = -float(shares @ objective.loss.conjugate(y, np.zeros(len(y))))
    primal = float(shares @ objective.loss.value(y, z)) - least + objective.penalty(w)
    at_zero = float(shares @ objective.loss.value(y, np.zeros(len(y)))) - least
    gradient = _transposed_times(x, shares * u)
    kkt = violation(objective, gradient, w, float(shares @ u)) / max(
        float(shares @ np.abs(u)), TINY
    )
    v = gradient
    if objective.intercept:
        even = balanced(u, shares)
        v = gradient if even is u else _transposed_times(x, shares * even)
        u = even
    return Bounds(primal, _best_dual(objective, y, shares, u, v) - least, at_zero, kkt)


def diverged(parts: list[Bounds]) -> bool:
    """Whether the answer is far worse than weights of zero."""
    return any(each.primal > _FAR_WORSE * each.at_zero > 0.0 for each in parts)


def certify(formula: str, parts: list[Bounds], l2: float, coef: Array) -> Certificate:
    """One certificate for problems solved side by side.

    With an ℓ2 penalty the objective is strongly convex and the gap bounds the distance of the
    coefficients from the best ones: ‖w − w*‖² ≤ 2·gap / l2. Without one, nothing is known of it,
    and no digits are told.
    """
    primal = sum(each.primal for each in parts)
    at_zero = sum(each.at_zero for each in parts)
    gap = min(max(sum(each.primal - each.dual for each in parts), 0.0), primal)
    length = float(np.linalg.norm(coef))
    off = sqrt(2.0 * gap / l2) / length if l2 > 0.0 and length > 0.0 else nan
    return Certificate(
        formula,
        primal=primal,
        dual=primal - gap,
        gap=gap,
        relative_gap=gap / max(primal, float(np.finfo(float).eps) * at_zero, TINY),
        kkt=max(each.kkt for each in parts),
        condition=nan,
        digits=digits_left(off / float(np.finfo(float).eps)),
    )


def _times(x: Any, w: Array) -> Array:
    """Xw in double precision, without a double copy of single-precision rows."""
    if x.dtype == np.float64 or not isinstance(x, np.ndarray):
        return np.asarray(x @ w, dtype=np.float64)
    starts = range(0, len(x), _CHUNK)
    return np.concatenate([x[at : at + _CHUNK].astype(np.float64) @ w for at in starts])


def _transposed_times(x: Any, u: Array) -> Array:
    """Xᵀu in double precision."""
    if x.dtype == np.float64 or not isinstance(x, np.ndarray):
        return np.asarray(x.T @ u, dtype=np.float64)
    total = np.zeros(x.shape[1])
    for at in range(0, len(x), _CHUNK):
        total += u[at : at + _CHUNK] @ x[at : at + _CHUNK].astype(np.float64)
    return total


def violation(objective: LinearObjective, gradient: Array, w: Array, slope: float) -> float:
    """The largest distance of 0 from a partial subgradient of the objective."""
    smooth = gradient + objective.l2 * w
    at_zero = np.maximum(np.abs(smooth) - objective.l1, 0.0)
    off = np.where(w != 0.0, np.abs(smooth + objective.l1 * np.sign(w)), at_zero)
    worst = float(off.max(initial=0.0))
    return max(worst, abs(slope) if objective.intercept else 0.0)


def balanced(u: Array, shares: Array) -> Array:
    """`u` with the heavier sign scaled down until Σ cᵢuᵢ = 0."""
    up = float(shares @ np.maximum(u, 0.0))
    down = float(shares @ np.maximum(-u, 0.0))
    if up == down:
        return u
    high, low = (up, down) if up > down else (down, up)
    heavier = u > 0 if up > down else u < 0
    return np.where(heavier, u * (low / high), u)


def _best_dual(objective: LinearObjective, y: Array, shares: Array, u: Array, v: Array) -> float:
    """The largest D(s·u) found for s in [0, 1]; a parabola for most losses."""
    most = 1.0
    if objective.l2 == 0.0:
        steepest = float(np.abs(v).max(initial=0.0))
        most = min(1.0, objective.l1 / steepest) if steepest > 0.0 else 1.0

    def dual(s: float) -> float:
        conjugate = objective.loss.conjugate(y, s * u)
        excess = np.maximum(s * np.abs(v) - objective.l1, 0.0)
        penalty = float(excess @ excess) / (2.0 * objective.l2) if objective.l2 > 0.0 else 0.0
        return -float(shares @ conjugate) - penalty

    none, half, full = dual(0.0), dual(0.5 * most), dual(most)
    bend = none - 2.0 * half + full
    best = max(none, half, full)
    if bend < 0.0 and most > 0.0:
        top = 0.25 * (3.0 * none - 4.0 * half + full) / bend  # the parabola's, as a share of most
        if 0.0 < top < 1.0:
            best = max(best, dual(top * most))
    return best
