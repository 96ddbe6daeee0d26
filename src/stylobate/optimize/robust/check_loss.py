"""One quantile, exactly: a vertex found on few rows, the others folded into two."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.optimize.robust.frame import Frame, blocks_of
from stylobate.optimize.robust.rows import Rows
from stylobate.optimize.trace import Trace

_FIRST_ROWS = 40  # rows per column of the first sample, solved whole
LEAST_ROWS = 400
_GROWTH = 64  # from one sample to the next
NEWTON_STEPS = 8
REACH = 4.0  # of the last step: no row's residual moves further before the end, one hopes
FEW_ROWS = 48  # rows per column that are cheap to solve as they are
ROUNDS = 50
_TINY = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """An optimal vertex: z-coordinates, a dual entry per row and per penalty, and the work done.

    The trace tells the objective over all rows: where the samples led, after each Newton step, and
    at each vertex.
    """

    theta: Array
    dual: Array
    pivots: int
    rounds: int
    optimal: bool
    trace: Trace


@dataclass(frozen=True, slots=True, eq=False)
class CheckLoss:
    r"""Σ ωᵢ ρ_τ(yᵢ − zᵢθ) + Σⱼ λ|wⱼ| with w = Tθ in the coordinates of a frame.

    Parameters
    ----------
    frame : Frame
    tau : float in (0, 1)
    penalty : float
        λ; 0 for none.
    """

    frame: Frame
    tau: float
    penalty: float

    def bounds(self, weights: Array) -> tuple[Array, Array]:
        """The slopes of the loss left and right of zero: the box of the dual."""
        return (self.tau - 1.0) * weights, self.tau * weights

    def value(self, rows: Rows, theta: Array, residual: Array) -> float:
        """The objective at a point with these residuals."""
        low, high = self.bounds(rows.weights)
        loss = float(np.maximum(low * residual, high * residual).sum())
        return loss + self.penalty * float(np.abs(self.frame.model(theta)[0]).sum())

    def of_share(self, share: float) -> CheckLoss:
        """The problem of a share of the rows: the penalty is to weigh as much beside their loss."""
        return replace(self, penalty=self.penalty * share) if self.penalty else self

    def slope(self, theta: Array, gradient: Array) -> Array:
        """The subgradient of least length, from that of the loss."""
        if not self.penalty:
            return gradient
        k = self.frame.transform.shape[1]
        room = self.penalty * np.diag(self.frame.transform)
        own, slope = gradient[:k], gradient.copy()
        held = np.sign(own) * np.maximum(np.abs(own) - room, 0.0)
        slope[:k] = np.where(theta[:k] != 0.0, own + room * np.sign(theta[:k]), held)
        return slope

    def penalty_rows(self) -> Array:
        """Rows whose absolute residual is |wⱼ|."""
        if self.penalty == 0.0:
            return np.zeros((0, self.frame.n_columns))
        t = self.frame.transform
        return np.column_stack([t, np.zeros((len(t), int(self.frame.intercept)))])


Block = tuple[Array, Array, Array, Array]  # rows z, targets, and the boxes of their duals


@dataclass(slots=True, eq=False)
class Work:
    """Rows solved at present: two folded ones, the penalties, then rows of the data."""

    a: Array
    y: Array
    low: Array
    high: Array
    basis: Integers


def solve(problem: CheckLoss, rows: Rows, start: Array) -> Fitted:
    """The optimal vertex.

    Solves a small sample, then a larger one, each from the answer of the one before: a few smoothed
    Newton steps come close to the optimum; from there on rows whose residuals are far from zero
    keep their signs, so their loss is linear and all of them fold into two rows, one for each sign
    (Jensen: never more than their loss). Signs that come out wrong are put right until none is, and
    then the vertex is optimal for all rows.

    References
    ----------
    Portnoy & Koenker (1997), The Gaussian hare and the Laplacian tortoise, Statistical Science 12.
    """
    n, q = len(rows), problem.frame.n_columns
    if q == 0:  # nothing to fit: columns of zeros, no intercept
        low, high = problem.bounds(rows.weights)
        sign, trace = np.sign(rows.y), Trace()
        trace.record(objective=problem.value(rows, start, rows.y), gradient_norm=0.0, step=0.0)
        return Fitted(start, np.where(sign > 0, high, low) * np.abs(sign), 0, 0, True, trace)
    size = max(_FIRST_ROWS * q, LEAST_ROWS)
    theta, fitted_on, pivots, rounds = start, 0, 0, 0
    random = np.random.default_rng(0)
    while True:
        whole = 4 * size >= n
        part = rows if whole else rows.take(np.sort(random.integers(0, n, size)))
        fit = _solve_part(problem.of_share(len(part) / n), part, theta, fitted_on)
        theta, fitted_on = fit.theta, len(part)
        pivots, rounds = pivots + fit.pivots, rounds + fit.rounds
        if whole:
            return Fitted(theta, fit.dual, pivots, rounds, fit.optimal, fit.trace)
        size *= _GROWTH


def _solve_part(problem: CheckLoss, rows: Rows, theta: Array, fitted_on: int) -> Fitted:
    n, q = len(rows), problem.frame.n_columns
    residual = rows.y - rows.values(*problem.frame.model(theta))
    kept, steps, trace = np.ones(n, dtype=bool), 0, Trace()
    if fitted_on:
        share = min(np.sqrt(q / fitted_on), 1.0)
        near = approach(problem, rows, theta, residual, share, trace)
        theta, residual, steps = near.theta, near.residual, near.steps
        kept = np.abs(residual) <= near.reach
    side = np.where(residual >= 0, 1.0, -1.0)
    inside = np.flatnonzero(kept)
    work, pivots, start = None, 0, theta
    low, high = problem.bounds(rows.weights)
    fresh, z = inside, problem.frame.columns(rows.dense(inside))
    for round_ in range(1, ROUNDS + 1):  # noqa: B007 - reported
        folded = fold(problem, rows, residual, side, kept)
        work = vertex_work(
            problem, start, folded, (z, residual[fresh], low[fresh], high[fresh]), work
        )
        most = 200 * (q + 20) + 2 * len(work.y)
        step, dual, basis, count, optimal = _core.descend_by_vertices(
            work.a, work.y, work.low, work.high, work.basis, most
        )
        work.basis = basis.astype(np.int64)
        pivots += count
        theta = start + step
        now = rows.y - rows.values(*problem.frame.model(theta))
        wrong = ~kept & (now * side < 0)
        fresh = np.flatnonzero(wrong)
        z = problem.frame.columns(rows.dense(fresh))
        # the folded problem's slope is zero here: what is left comes from rows of the wrong sign
        left = float(np.linalg.norm((side[fresh] * rows.weights[fresh]) @ z))
        trace.record(objective=problem.value(rows, theta, now), gradient_norm=left, step=1.0)
        if not len(fresh) or not optimal:
            break
        kept |= wrong
        inside = np.concatenate([inside, fresh])
    full = np.where(side > 0, high, low)
    extra = 2 + len(problem.penalty_rows())
    full[inside] = dual[extra:]
    done = bool(optimal) and not len(fresh)
    return Fitted(theta, np.append(full, dual[2:extra]), pivots, steps + round_, done, trace)


def vertex_work(
    problem: CheckLoss, start: Array, folded: Block, fresh: Block, before: Work | None
) -> Work:
    """The rows to solve; those of the round before keep their places, so that its basis holds.

    Parameters
    ----------
    problem : CheckLoss
    start : array (q,)
        From where steps are counted.
    folded, fresh : (z, residuals at start, low, high)
        The two rows that stand for those outside, and rows to be added to those of `before`.
    before : Work or None
    """
    q, penalties = problem.frame.n_columns, problem.penalty_rows()
    size = np.full(len(penalties), problem.penalty)
    extra, known = 2 + len(penalties), 0 if before is None else len(before.y)
    parts = [folded, (penalties, -penalties @ start, -size, size), fresh]
    m = max(extra, known) + len(fresh[1])
    basis = np.arange(m, m + q)
    if before is not None:
        held = slice(extra, None)
        parts.insert(2, (before.a[held], before.y[held], before.low[held], before.high[held]))
        if (before.basis >= 2).all():  # else a folded row held the vertex, and is another now
            basis = np.where(before.basis >= known, before.basis + (m - known), before.basis)
    a, y, low, high = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Work(a, y, low, high, basis)


@dataclass(frozen=True, slots=True, eq=False)
class _Near:
    """A point near the optimum, its residuals, and how far residuals may still move."""

    theta: Array
    residual: Array
    reach: float
    steps: int


def approach(
    problem: CheckLoss, rows: Rows, theta: Array, residual: Array, share: float, trace: Trace
) -> _Near:
    """Newton steps on the loss smoothed over a band of residuals that shrinks with the steps.

    The gradient is that of the loss itself; the curvature is the density of residuals near zero,
    H = Σ_{|r| ≤ h} ω z zᵀ / 2h. A step that does not lower the objective is not taken.
    """
    n, q = len(rows), problem.frame.n_columns
    few = max(FEW_ROWS * q, LEAST_ROWS) / n
    value, width = problem.value(rows, theta, residual), _quantile(np.abs(residual), share)
    enough, length, steps = width, np.inf, 0
    while steps < NEWTON_STEPS:
        gradient = _gradient_of_rows(problem, rows, residual)
        left = float(np.linalg.norm(problem.slope(theta, gradient)))
        trace.record(objective=value, gradient_norm=left, step=1.0)
        step = newton_step(
            problem, theta, gradient, _scatter(problem, rows, residual, width), width
        )
        moved = theta + step
        now = rows.y - rows.values(*problem.frame.model(moved))
        lower = problem.value(rows, moved, now)
        steps += 1
        last, length = length, float(np.linalg.norm(step))
        if not lower < value:
            break
        theta, residual, value = moved, now, lower
        enough = _quantile(np.abs(residual), few)
        width = max(REACH * length, enough)
        if width == enough or length > 0.7 * last:
            break
    return _Near(theta, residual, max(min(REACH * length, 2.0 * width), enough), steps)


def _quantile(distance: Array, share: float) -> float:
    """The quantile of many numbers, from a few thousand of them."""
    sample = distance if len(distance) < 20_000 else distance[:: len(distance) // 10_000]
    return float(np.quantile(sample, min(share, 1.0)))


def _gradient_of_rows(problem: CheckLoss, rows: Rows, residual: Array) -> Array:
    low, high = problem.bounds(rows.weights)
    pull = np.where(residual > 0, high, low)
    return -problem.frame.sums(rows.sums(pull), float(pull.sum()))


def _scatter(problem: CheckLoss, rows: Rows, residual: Array, width: float) -> Array:
    """Σ ωzzᵀ over the rows near the line."""
    near = np.flatnonzero(np.abs(residual) <= width)
    z = problem.frame.columns(rows.dense(near))
    weights, scatter = rows.weights[near, None], np.zeros((z.shape[1], z.shape[1]))
    for part in blocks_of(len(z)):
        scatter += (z[part] * weights[part]).T @ z[part]
    return scatter


def newton_step(
    problem: CheckLoss, theta: Array, gradient: Array, scatter: Array, width: float
) -> Array:
    """The step from a point, by the slope there and Σ ωzzᵀ over the band of this width."""
    hessian = scatter / (2.0 * max(width, _TINY))
    hessian[np.diag_indices_from(hessian)] += 1e-6 * np.trace(hessian) / len(hessian) + _TINY
    step = np.zeros_like(theta)
    free = np.ones(len(theta), dtype=bool)
    if problem.penalty:
        k = problem.frame.transform.shape[1]
        free[:k] = theta[:k] != 0.0
    slope = problem.slope(theta, gradient)
    step[free] = -np.linalg.solve(hessian[np.ix_(free, free)], slope[free])
    if problem.penalty:  # a coefficient that would change its sign stops at zero
        crossed = free & (np.sign(theta + step) != np.sign(theta))
        crossed[k:] = False
        step[crossed] = -theta[crossed]
    return step


def fold(
    problem: CheckLoss, rows: Rows, residual: Array, side: Array, kept: NDArray[np.bool_]
) -> Block:
    """Two rows in place of those outside: Σ of the ones above, and of the ones below."""
    q, tau = problem.frame.n_columns, problem.tau
    a, y = np.zeros((2, q)), np.zeros(2)
    if kept.all():
        return a, y, np.zeros(2), np.zeros(2)
    for k, sign in enumerate((1.0, -1.0)):
        share = np.where(~kept & (side == sign), rows.weights, 0.0)
        a[k] = problem.frame.sums(rows.sums(share), float(share.sum()))
        y[k] = (share * residual).sum()
    return a, y, np.full(2, tau - 1.0), np.full(2, tau)
