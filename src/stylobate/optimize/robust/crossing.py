"""Several quantiles at once, such that none crosses another on the rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array, Mask
from stylobate.optimize.robust.check_loss import CheckLoss, fold
from stylobate.optimize.robust.rows import Rows

_ROUNDS = 60
_NEAR = 24  # rows per column and quantile that are solved as they are
_TOLERANCE = 1e-11  # of the spread of y: a crossing that is only rounding
_MOST_CROSSINGS = 400  # added in one round, the worst first


@dataclass(slots=True, eq=False)
class Joint:
    """Quantiles θ₁ … θ_K, their dual points, and rows (k, i) that keep k below k + 1."""

    thetas: Array
    duals: Array
    pairs: NDArray[np.int64]
    multipliers: Array
    pivots: int
    rounds: int
    optimal: bool


def solve_jointly(problems: list[CheckLoss], rows: Rows, thetas: Array) -> Joint:
    """Minimise the sum of the objectives under zᵢθ₁ ≤ … ≤ zᵢθ_K for every row i.

    A linear program. Its rows are taken as they are needed: residuals far from zero keep their
    signs and fold into two rows per quantile; an order is asked for only where it was found broken
    (a penalty on what breaks it, raised until nothing does).

    References
    ----------
    Bondell, Reich & Wang (2010), Noncrossing quantile regression curve estimation, Biometrika 97.
    """
    n, q, count = len(rows), problems[0].frame.n_columns, len(problems)
    spread = float(np.abs(rows.y - np.median(rows.y)).mean()) or 1.0
    kept = np.zeros((count, n), dtype=bool)
    pairs = np.zeros((0, 2), dtype=np.int64)
    price, pivots, optimal = 1e3 * float(rows.weights.max()), 0, False
    duals, multipliers = np.zeros((count, n)), np.zeros(0)
    for round_ in range(1, _ROUNDS + 1):
        fits = _fits(problems, rows, thetas)
        found = _broken(fits, pairs, _TOLERANCE * spread)
        if round_ > 1:
            wrong = ~kept & ((rows.y - fits) * np.where(duals > 0, 1.0, -1.0) < 0)
            wrong &= np.abs(rows.y - fits) > _TOLERANCE * spread
            kept |= wrong
            overdrawn = len(multipliers) and multipliers.max() > 0.999 * price
            price *= 100.0 if overdrawn else 1.0
            if optimal and not wrong.any() and not len(found) and not overdrawn:
                break
        pairs = np.concatenate([pairs, found])
        near = min(_NEAR * q + len(pairs), n)
        for k in range(count):
            distance = np.abs(rows.y - fits[k])
            kept[k] |= distance <= np.partition(distance, near - 1)[near - 1]
        step = _solve_round(problems, rows, thetas, fits, kept, pairs, price)
        pivots += step.pivots
        thetas, duals, multipliers, optimal = (
            step.thetas,
            step.duals,
            step.multipliers,
            step.optimal,
        )
    return Joint(thetas, duals, pairs, multipliers, pivots, round_, optimal)


def _fits(problems: list[CheckLoss], rows: Rows, thetas: Array) -> Array:
    models = [p.frame.model(theta) for p, theta in zip(problems, thetas, strict=True)]
    return np.array([rows.values(*model) for model in models])


def _broken(fits: Array, known: NDArray[np.int64], tolerance: float) -> NDArray[np.int64]:
    """Pairs (k, row) at which quantile k lies above the next, those already held left out."""
    over = fits[:-1] - fits[1:]
    over[known[:, 0], known[:, 1]] = 0.0
    k, i = np.nonzero(over > tolerance)
    worst = np.argsort(-over[k, i], kind="stable")[:_MOST_CROSSINGS]
    return np.column_stack([k[worst], i[worst]]).astype(np.int64)


def _solve_round(
    problems: list[CheckLoss],
    rows: Rows,
    thetas: Array,
    fits: Array,
    kept: NDArray[np.bool_],
    pairs: NDArray[np.int64],
    price: float,
) -> Joint:
    q, count = problems[0].frame.n_columns, len(problems)
    duals = np.empty((count, len(rows)))
    blocks = []
    for k, problem in enumerate(problems):
        a, y, low, high, duals[k] = _block(problem, rows, thetas[k], rows.y - fits[k], kept[k])
        wide = np.zeros((len(a), count * q))
        wide[:, k * q : (k + 1) * q] = a
        blocks.append((wide, y, low, high))
    order = np.zeros((len(pairs), count * q))
    z = problems[0].frame.columns(rows.dense(pairs[:, 1]))
    for row, (k, at) in enumerate(zip(pairs[:, 0], z, strict=True)):
        order[row, k * q : (k + 1) * q] = at
        order[row, (k + 1) * q : (k + 2) * q] = -at
    room = fits[pairs[:, 0] + 1, pairs[:, 1]] - fits[pairs[:, 0], pairs[:, 1]]
    blocks.append((order, room, np.full(len(pairs), -price), np.zeros(len(pairs))))
    a, y, low, high = (np.concatenate(part) for part in zip(*blocks, strict=True))
    m, columns = a.shape
    most = 100 * (columns + 20) + 2 * m
    step, dual, _, pivots, optimal = _core.descend_by_vertices(
        a, y, low, high, np.arange(m, m + columns), most
    )
    at = 0
    for k, problem in enumerate(problems):
        at += 2 + len(problem.penalty_rows())
        inside = np.flatnonzero(kept[k])
        duals[k, inside] = dual[at : at + len(inside)]
        at += len(inside)
    return Joint(thetas + step.reshape(count, q), duals, pairs, -dual[at:], pivots, 1, optimal)


def _block(
    problem: CheckLoss, rows: Rows, theta: Array, residual: Array, kept: Mask
) -> tuple[Array, Array, Array, Array, Array]:
    """One quantile's rows, as in `check_loss`, and the dual entries of those folded."""
    low, high = problem.bounds(rows.weights)
    side = np.where(residual >= 0, 1.0, -1.0)
    a, y, folded_low, folded_high = fold(problem, rows, residual, side, kept)
    penalties = problem.penalty_rows()
    size = np.full(len(penalties), problem.penalty)
    inside = np.flatnonzero(kept)
    return (
        np.vstack([a, penalties, problem.frame.columns(rows.dense(inside))]),
        np.concatenate([y, -penalties @ theta, residual[inside]]),
        np.concatenate([folded_low, -size, low[inside]]),
        np.concatenate([folded_high, size, high[inside]]),
        np.where(side > 0, high, low),
    )
