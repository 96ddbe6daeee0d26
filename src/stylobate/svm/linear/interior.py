"""A quadratic program in a box, by an interior-point method and an exact finish.

    min over β of ½‖v + Aᵀβ‖² − tᵀβ,  low ≤ β ≤ high

is the dual of ½‖w‖² − w·v plus a sum of losses max(low·r, high·r) of r = t − Aw: hinges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array, Mask
from stylobate.interrupts import interruptible
from stylobate.parallel import one_blas_thread

_ITERATIONS = 60
_TO_BORDER = 0.995
_INTERIOR = 1e-10  # relative gap after which the exact finish takes over
_FINISHES = 12
_MOST_FREE = 1500  # rows on their kinks, of which the finish solves a system
_LEAST_ROOM = 1e-15  # of a box, between an entry and its border
_PATIENCE = 5  # steps that do not halve the gap …
_NEAR = 1e-3  # … once it is this small a share; far out it need not fall at once
_FEW = 400  # rows of which an exact finish is tried early
_TINY = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class BoxProgram:
    """The program; `fixed` is what the losses of rows outside it add at w = 0 (see `primal`)."""

    a: Array
    t: Array
    low: Array
    high: Array
    v: Array
    fixed: float

    def weights(self, beta: Array) -> Array:
        """W = v + Aᵀβ."""
        return self.v + beta @ self.a

    def primal(self, w: Array, residual: Array) -> float:
        """½‖w‖² and all losses at w."""
        losses = np.maximum(self.low * residual, self.high * residual).sum()
        return 0.5 * float(w @ w) + self.fixed - float(w @ self.v) + float(losses)

    def gap(self, beta: Array, residual: Array) -> float:
        """Primal minus dual value at β."""
        losses = np.maximum(self.low * residual, self.high * residual)
        return float((losses - beta * residual).sum())


@dataclass(slots=True, eq=False)
class _Best:
    """The β of the smallest gap so far."""

    program: BoxProgram
    beta: Array
    relative: float = float("inf")

    def offer(self, beta: Array) -> Array:
        """Keep β if it is better; its residuals."""
        beta = np.clip(beta, self.program.low, self.program.high)  # rounding may step over
        w = self.program.weights(beta)
        residual = self.program.t - self.program.a @ w
        gap = self.program.gap(beta, residual)
        relative = max(gap, 0.0) / max(self.program.primal(w, residual), _TINY)
        if relative < self.relative:
            self.beta, self.relative = beta, relative
        return residual


def solve_box(program: BoxProgram) -> tuple[Array, int]:
    """Β and the number of Newton steps: Mehrotra's method, then the free entries solved for.

    References
    ----------
    Ferris & Munson (2002), Interior-point methods for massive support vector machines, SIAM J.
    Optim. 13.
    """
    with one_blas_thread():
        beta = _start(program)
        best = _Best(program, beta)
        residual = best.offer(beta)
        size = float(np.abs(residual).mean()) + _TINY
        lower = np.maximum(-residual, 0.0) + 0.1 * size  # multipliers of β ≥ low and β ≤ high
        upper = np.maximum(residual, 0.0) + 0.1 * size
        steps, idle, least = 0, 0, best.relative
        few = len(beta) <= _FEW
        while best.relative > _INTERIOR and steps < _ITERATIONS and idle < _PATIENCE:
            if few and best.relative < _NEAR:
                # of few rows those on their kinks are known long before the method ends
                _finish(best, _inside(program, beta, lower, upper, residual))
                if best.relative <= _INTERIOR:
                    return best.beta, steps
            try:
                close = best.relative < _NEAR
                beta, lower, upper = _step(program, beta, lower, upper, residual, close)
            except np.linalg.LinAlgError:  # rounding is all that is left of the system
                break
            residual = best.offer(beta)
            steps += 1
            idle = 0 if best.relative < 0.5 * least or least > _NEAR else idle + 1
            least = min(least, best.relative) if idle == 0 else least
        _finish(best, _inside(program, beta, lower, upper, residual))
    return best.beta, steps


def _inside(program: BoxProgram, beta: Array, lower: Array, upper: Array, residual: Array) -> Mask:
    """Which entries are inside of the box: farther from its border than their multiplier says."""
    width = program.high - program.low
    span = float(np.median(np.abs(residual))) + _TINY
    inside = (beta - program.low) * span > lower * width
    return np.asarray(inside & ((program.high - beta) * span > upper * width))


def _start(program: BoxProgram) -> Array:
    """The middle of the box; of a huge one, a point no further out than one row could need."""
    length = float(np.mean(np.einsum("ij,ij->i", program.a, program.a))) + _TINY
    most = 10.0 * (float(np.abs(program.t).max()) + _TINY) / length
    return np.clip(0.5 * (program.low + program.high), -most, most)


def _step(
    program: BoxProgram, beta: Array, lower: Array, upper: Array, residual: Array, close: bool
) -> tuple[Array, Array, Array]:
    room = _LEAST_ROOM * (program.high - program.low)
    below = np.maximum(beta - program.low, room)
    above = np.maximum(program.high - beta, room)
    theta = lower / below + upper / above
    once = _factor(program.a, theta)

    def solve(right: Array) -> Array:
        move = once(right)
        if not close:
            return move
        # refined: entries far from their borders cancel
        return move + once(right - program.a @ (move @ program.a) - theta * move)

    infeasible = -residual - lower + upper
    mean = float(lower @ below + upper @ above) / (2 * len(beta))

    def direction(push_low: Array, push_high: Array) -> tuple[Array, Array, Array]:
        right = -infeasible + push_low / below - lower - push_high / above + upper
        move = solve(right)
        return (
            move,
            push_low / below - lower - lower / below * move,
            push_high / above - upper + upper / above * move,
        )

    zero = np.zeros(len(beta))
    d, dl, du = direction(zero, zero)
    reach = _reach(below, above, lower, upper, d, dl, du, 1.0)
    after = float((lower + reach * dl) @ (below + reach * d))
    after += float((upper + reach * du) @ (above - reach * d))
    center = min((after / (2 * len(beta)) / max(mean, _TINY)) ** 3, 1.0) * mean
    d, dl, du = direction(center - dl * d, center + du * d)
    reach = _reach(below, above, lower, upper, d, dl, du, _TO_BORDER)
    return beta + reach * d, lower + reach * dl, upper + reach * du


def _reach(
    below: Array,
    above: Array,
    lower: Array,
    upper: Array,
    d: Array,
    dl: Array,
    du: Array,
    share: float,
) -> float:
    """How far to go: all four stay positive."""
    fall = 0.0  # of the one that falls fastest, as a share of itself
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        for value, move in ((below, d), (above, -d), (lower, dl), (upper, du)):
            fall = max(fall, -float((move / value).min()))
    return share / fall if fall > share else 1.0


def _factor(a: Array, theta: Array) -> Callable[[Array], Array]:
    """The solution of (AAᵀ + Θ)x = r, through the smaller of the two Gram matrices."""
    m, q = a.shape
    if m <= q:
        k = a @ a.T
        k[np.diag_indices_from(k)] += theta
        return solver_of(k)
    inverse = 1.0 / theta
    scaled = a * np.sqrt(inverse)[:, None]
    gram = scaled.T @ scaled
    gram[np.diag_indices_from(gram)] += 1.0
    known = solver_of(gram)
    return lambda r: np.asarray(inverse * (r - a @ known((inverse * r) @ a)))


def solver_of(matrix: Array) -> Callable[[Array], Array]:
    """The solution of a positive definite system with unit diagonal, by Cholesky's factor.

    Near the end of an interior-point method rounding may leave it indefinite: then a little is
    added to the diagonal, for a direction that is nearly right will do.
    """
    from scipy.linalg.lapack import dpotrf, dpotrs

    scale = 1.0 / np.sqrt(np.diag(matrix))
    unit = matrix * np.outer(scale, scale)
    shift = 0.0
    while True:
        shifted = unit + shift * np.eye(len(unit))
        known, failed = interruptible(dpotrf, shifted, lower=True, clean=False, overwrite_a=True)
        if not failed:
            break
        shift = max(10.0 * shift, 1e-14)
        if shift > 1.0:
            raise np.linalg.LinAlgError("the system is not positive definite")
    return lambda r: np.asarray(scale * dpotrs(known, scale * r, lower=True)[0])


def _finish(best: _Best, inside: Mask) -> None:
    """Rows on their kinks solved for exactly, the others put to their corners, while it helps."""
    program, beta = best.program, best.beta
    for _ in range(_FINISHES):
        free = np.flatnonzero(inside)
        if len(free) > _MOST_FREE:
            return
        residual = program.t - program.a @ program.weights(beta)
        corner = np.where(residual > 0.0, program.high, program.low)
        beta = np.where(inside, beta, corner)
        if len(free):
            rows = program.a[free]
            rest = program.t[free] - rows @ program.weights(beta)
            move = interruptible(np.linalg.lstsq, rows @ rows.T, rest, rcond=None)[0]
            beta[free] = np.clip(beta[free] + move, program.low[free], program.high[free])
        before = best.relative
        residual = best.offer(beta)
        if best.relative <= 0.0 or (best.relative >= before and before < _INTERIOR):
            return
        tight = (beta > program.low) & (beta < program.high)
        wrong = np.where(residual > 0.0, beta < program.high, beta > program.low)
        small = 1e-12 * (np.abs(program.t) + 1.0)
        again = tight | (wrong & (np.abs(residual) > small))
        if (again == inside).all():
            return
        inside = again
