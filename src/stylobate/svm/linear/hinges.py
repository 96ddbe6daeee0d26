"""Losses with kinks (hinge, ε-insensitive), exactly: a program of the rows near the margin.

Rows far from their kink keep the side they are on: their dual entry sits at a corner of its box and
their loss is linear, so that all of them fold into one vector. The rest is a small quadratic
program. Rows whose side came out wrong join it until there are none, and then the answer is optimal
for all rows, with an exact dual point.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

import numpy as np

from stylobate.arrays import Array, Integers, Mask
from stylobate.losses import EpsilonInsensitive, Hinge
from stylobate.parallel import one_blas_thread
from stylobate.svm.linear.interior import BoxProgram, solve_box
from stylobate.svm.linear.problem import MarginAnswer, MarginRows

_FEW_ROWS = 3000  # that are solved at once
_FEW_PER_COLUMN = 20
_GROWTH = 32  # from one sample to the next
_NEWTON_STEPS = 8
_REACH = 3.0  # of the last change of margins: none moves further before the end, one hopes
_ROUNDS = 60
_MOST_KINKS = 1500  # rows or columns of the interior-point method's systems
_MOST_ENTRIES = 40_000_000  # numbers of rows made dense


def few_enough(n_rows: int, width: int) -> bool:
    """Whether the systems are small and the rows near the margin fit into memory as dense ones."""
    near = min(n_rows, 50 * width)
    return min(n_rows, width) <= _MOST_KINKS and near * width <= _MOST_ENTRIES


@dataclass(frozen=True, slots=True, eq=False)
class Kinks:
    """Losses max over β in [low, high] of β(t − z), z the margin of a row; a row may have two."""

    row: Integers
    t: Array
    low: Array
    high: Array

    @classmethod
    def of(cls, rows: MarginRows) -> Kinks:
        """Of the hinge or the ε-insensitive loss."""
        loss, c, y = rows.objective.loss, rows.shares, rows.y
        every = np.arange(len(y))
        if isinstance(loss, Hinge):
            return cls(every, y, np.where(y > 0, 0.0, -c), np.where(y > 0, c, 0.0))
        assert isinstance(loss, EpsilonInsensitive)
        if loss.margin == 0.0:
            return cls(every, y, -c, c)
        zero = np.zeros(len(y))
        return cls(
            np.concatenate([every, every]),
            np.concatenate([y - loss.margin, y + loss.margin]),
            np.concatenate([zero, -c]),
            np.concatenate([c, zero]),
        )

    def sums(self, beta: Array, n_rows: int) -> Array:
        """The dual entries of the rows."""
        return np.bincount(self.row, weights=beta, minlength=n_rows).astype(np.float64)

    def residuals(self, margins: Array) -> Array:
        """T − z."""
        return self.t - margins[self.row]


def solve_hinges(rows: MarginRows, *, tol: float, max_iter: int) -> MarginAnswer:
    """The optimum, from samples of growing size.

    Parameters
    ----------
    rows : MarginRows
    tol : float
        Relative gap that counts as converged; the method itself is exact.
    max_iter : int
        Newton steps of the quadratic programs at most, in all.
    """
    n, width = len(rows.y), rows.rows.n_features + 1
    few = max(_FEW_ROWS, _FEW_PER_COLUMN * width)
    sizes = [n]
    while sizes[-1] > 2 * few:
        sizes.append(max(sizes[-1] // _GROWTH, few))
    theta, fitted, steps = np.zeros(width), 0, 0
    random = np.random.default_rng(0)
    for size in reversed(sizes):
        part = rows
        if size < n:
            some = rows.rows.take(np.sort(random.choice(n, size, replace=False)))
            part = MarginRows(some, replace(rows.objective, C=rows.objective.C * n / size))
        theta, beta, more = _solve_part(part, theta, fitted, max_iter - steps)
        fitted, steps = size, steps + more
    bounds = rows.bounds(theta, beta)
    near = bounds.primal - bounds.dual <= tol * bounds.primal
    return MarginAnswer(theta, bounds, steps, near)


def _solve_part(rows: MarginRows, theta: Array, fitted: int, most: int) -> tuple[Array, Array, int]:
    """W̃, β and the Newton steps made, from an answer to `fitted` other rows."""
    kinks, steps = Kinks.of(rows), 0
    residual = kinks.residuals(rows.margins(theta))
    inside = np.ones(len(kinks.t), dtype=bool)
    if fitted:
        share = min(float(np.sqrt(len(theta) / fitted)), 1.0)
        residual, reach, steps = _approach(rows, kinks, theta, residual, share)
        inside = np.abs(residual) <= reach
    theta, beta, more = _rounds(rows, kinks, residual, inside, most - steps)
    return theta, beta, steps + more


def finish_hinges(rows: MarginRows, theta: Array, *, tol: float, max_iter: int) -> MarginAnswer:
    """The optimum from a point near it, such as coordinate descent leaves: the few rows nearest to
    their kinks first.
    """
    kinks = Kinks.of(rows)
    residual = kinks.residuals(rows.margins(theta))
    share = min(_FEW_PER_COLUMN * len(theta) / len(rows.y), 1.0)
    inside = np.abs(residual) <= _quantile(np.abs(residual), share)
    theta, beta, steps = _rounds(rows, kinks, residual, inside, max_iter)
    bounds = rows.bounds(theta, beta)
    near = bounds.primal - bounds.dual <= tol * bounds.primal
    return MarginAnswer(theta, bounds, steps, near)


def _rounds(
    rows: MarginRows, kinks: Kinks, residual: Array, inside: Mask, most: int
) -> tuple[Array, Array, int]:
    """Programs of the rows inside, until none outside is on the wrong side."""
    n, steps = len(rows.y), 0
    for _ in range(_ROUNDS):
        beta = np.where(residual > 0.0, kinks.high, kinks.low)
        program, chosen = _program(rows, kinks, beta, inside)
        beta[chosen], more = solve_box(program)
        steps += max(more, 1)
        theta = rows.combined(kinks.sums(beta, n))
        now = kinks.residuals(rows.margins(theta))
        wrong = ~inside & (now * residual < 0.0)
        if not wrong.any() or steps >= most:
            break
        # those that are now as near as most of the wrong ones may be next
        doubt = ~inside & (np.abs(now) <= np.median(np.abs(now[wrong])))
        inside |= wrong | doubt
        residual = now
    return theta, kinks.sums(beta, n), steps


def _approach(
    rows: MarginRows, kinks: Kinks, theta: Array, residual: Array, share: float
) -> tuple[Array, float, int]:
    """Newton steps on losses whose kinks are rounded over a band that shrinks with the steps.

    Returns residuals near the optimum, how far they may still move, and the steps made.
    """
    n, width = len(rows.y), len(theta)
    few = min(_FEW_PER_COLUMN * width / n, 1.0)
    value = _primal(kinks, theta, residual)
    band = _quantile(np.abs(residual), share)
    reach, last = band, inf
    for steps in range(1, _NEWTON_STEPS + 1):
        moved = _newton_step(rows, kinks, theta, residual, band)
        now = kinks.residuals(rows.margins(moved))
        lower = _primal(kinks, moved, now)
        change = float(np.sqrt(np.mean((now - residual) ** 2)))
        if not lower < value:
            return residual, max(reach, _quantile(np.abs(residual), few)), steps
        theta, residual, value = moved, now, lower
        enough = _quantile(np.abs(residual), few)
        reach = max(_REACH * change, enough)
        if reach == enough or change > 0.7 * last:
            break
        band, last = max(min(0.5 * band, reach), enough), change
    return residual, reach, steps


def _newton_step(
    rows: MarginRows, kinks: Kinks, theta: Array, residual: Array, band: float
) -> Array:
    width = kinks.high - kinks.low
    band = max(band, 1e-300)
    beta = kinks.low + width * np.clip(0.5 + 0.5 * residual / band, 0.0, 1.0)
    gradient = theta - rows.combined(kinks.sums(beta, len(rows.y)))
    near = np.flatnonzero(np.abs(residual) <= band)
    x = rows.dense(kinks.row[near])
    with one_blas_thread():
        hessian = (x * (width[near] / (2.0 * band))[:, None]).T @ x
        hessian[np.diag_indices_from(hessian)] += 1.0
        return np.asarray(theta - np.linalg.solve(hessian, gradient))


def _primal(kinks: Kinks, theta: Array, residual: Array) -> float:
    losses = np.maximum(kinks.low * residual, kinks.high * residual).sum()
    return 0.5 * float(theta @ theta) + float(losses)


def _quantile(distance: Array, share: float) -> float:
    return float(np.quantile(distance, share))


def _program(
    rows: MarginRows, kinks: Kinks, beta: Array, inside: Mask
) -> tuple[BoxProgram, Integers]:
    chosen = np.flatnonzero(inside)
    outside = np.where(inside, 0.0, beta)
    v = rows.combined(kinks.sums(outside, len(rows.y)))
    program = BoxProgram(
        rows.dense(kinks.row[chosen]),
        kinks.t[chosen],
        kinks.low[chosen],
        kinks.high[chosen],
        v,
        float(outside @ kinks.t),
    )
    return program, chosen
