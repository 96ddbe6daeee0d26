"""Maximise a log-likelihood within bounds: L-BFGS to get near, Newton's steps to arrive."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.likelihood.edges import ROUNDS, near_edges, within_edges
from stylobate.likelihood.rows import RowLikelihood

NEWTON_STEPS = 20
FLAT = 1e-7  # eigenvalue of the scaled information below which a direction is not identified
ENOUGH = 1e-14  # share of the log-likelihood that Newton's steps leave to gain


@dataclass(frozen=True, slots=True, eq=False)
class Maximum:
    """Where the search ended.

    `rows` is the log-likelihood with the parameters' sizes as they were found to be, `free` marks
    the parameters not held at a bound, `decrement` is how much higher the quadratic model says the
    log-likelihood can get over them, `information` their observed information (k × k, zero rows
    for those at a bound), `flat` the directions it does not determine. `at_edge` marks those held
    by the edge of the density's support; `rows` then has the edges as bounds.
    """

    rows: RowLikelihood
    theta: Array
    value: float
    slope: Array
    information: Array
    free: NDArray[np.bool_]
    flat: Array
    decrement: float
    iterations: int
    at_edge: NDArray[np.bool_] | None = None


def maximise(
    rows: RowLikelihood, start: Array, *, max_iter: int, fixed: int | None = None
) -> Maximum:
    """The maximum reached from a start; `fixed` holds one parameter where it is."""
    near, iterations = _near(rows, start, max_iter, fixed)
    found = _arrive(rows, near, iterations, fixed)
    if np.isfinite(found.slope).all() and not near_edges(found.rows, found.theta, fixed):
        return found
    return _between_edges(replace(found.rows, sizes=rows.sizes), found, max_iter, fixed)


def _between_edges(
    rows: RowLikelihood, found: Maximum, max_iter: int, fixed: int | None
) -> Maximum:
    """Climb again with the support's edges as bounds, until they stay where they are."""
    low, high = rows.low, rows.high
    for _ in range(ROUNDS):
        inner = within_edges(rows, found.theta, fixed)
        near, iterations = _near(inner, found.theta, max_iter, fixed)
        better = _arrive(inner, near, found.iterations + iterations, fixed)
        settled = better.value <= found.value + ENOUGH * max(abs(found.value), 1.0)
        found = better if better.value >= found.value else found
        if settled:
            break
    drawn = found.rows
    held = ~found.free & (
        ((found.theta == drawn.low) & (drawn.low > low))
        | ((found.theta == drawn.high) & (drawn.high < high))
    )
    return replace(found, at_edge=held)


def _near(rows: RowLikelihood, start: Array, max_iter: int, fixed: int | None) -> tuple[Array, int]:
    from scipy.optimize import minimize

    moving = np.arange(len(start)) != (-1 if fixed is None else fixed)
    size = rows.sizes[moving]
    lowest = [rows.value(start)]
    scale = max(abs(lowest[0]), 1.0)

    def whole(v: Array) -> Array:
        theta = start.copy()
        theta[moving] = np.clip(v * size, rows.low[moving], rows.high[moving])
        return theta

    def objective(v: Array) -> tuple[float, Array]:
        theta = whole(v)
        value = rows.value(theta)
        slope = rows.slope(theta)[moving] * size if np.isfinite(value) else np.full(len(v), np.nan)
        if not np.isfinite(slope).all():  # a wall that the line search can see over
            return (10.0 * abs(lowest[0]) + 10.0) / scale, np.zeros(len(v))
        lowest[0] = min(lowest[0], value)
        return -value / scale, -slope / scale

    if not moving.any():
        return start, 0
    pairs = list(zip(rows.low[moving] / size, rows.high[moving] / size, strict=True))
    options: Any = {"maxiter": max_iter, "ftol": 1e-13, "gtol": 1e-9, "maxls": 50}
    found: Any = minimize(
        objective, start[moving] / size, jac=True, method="L-BFGS-B", bounds=pairs, options=options
    )
    best = whole(found.x)
    return (best if rows.value(best) >= rows.value(start) else start), int(found.nit)


def _arrive(rows: RowLikelihood, theta: Array, iterations: int, fixed: int | None) -> Maximum:
    """Newton's steps; the first look finds the parameters' sizes, so it never is the last."""
    value, last = rows.value(theta), False
    for look in range(NEWTON_STEPS + 1):
        slope = rows.slope(theta)
        free = _free(rows, theta, slope)
        if fixed is not None:
            free[fixed] = False
        information = np.where(np.outer(free, free), -rows.curvature(theta), 0.0)
        inverse, flat = invert(information, free)
        direction = inverse @ slope
        decrement = max(0.5 * float(slope @ direction), 0.0)
        if last:
            break
        rows = rows.sized_by(np.sqrt(np.maximum(np.diag(inverse), 0.0)))
        moved = _climb(rows, theta, value, direction)
        iterations += moved is not None
        last = look > 0 and (moved is None or decrement <= ENOUGH * max(abs(value), 1.0))
        if moved is not None:
            theta, value = moved
    return Maximum(rows, theta, value, slope, information, free, flat, decrement, iterations)


def _climb(
    rows: RowLikelihood, theta: Array, value: float, direction: Array
) -> tuple[Array, float] | None:
    """The first of the steps 1, ½, ¼ … that raises the likelihood, or 1 if rounding hides it."""
    rounding = 16 * np.finfo(float).eps * abs(value)
    for halvings in range(30):
        moved = np.clip(theta + 0.5**halvings * direction, rows.low, rows.high)
        if (moved == theta).all():
            return None
        there = rows.value(moved)
        if there > value or (halvings == 0 and there >= value - rounding):
            return moved, there
    return None


def _free(rows: RowLikelihood, theta: Array, slope: Array) -> NDArray[np.bool_]:
    """Parameters that are not pressed against a bound."""
    near = 1e-7 * np.minimum(rows.sizes, 1.0 + np.abs(theta))
    at_low = (theta - rows.low <= near) & (slope <= 0)
    at_high = (rows.high - theta <= near) & (slope >= 0)
    return np.asarray(~(at_low | at_high))


def invert(information: Array, free: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Inverse over the free parameters, and the directions that are flat (k × number of them).

    With unit diagonal, so that units do not matter. Directions of negative curvature are climbed
    as if it were positive.
    """
    k = len(free)
    inverse, index = np.zeros((k, k)), np.flatnonzero(free)
    if not len(index) or not np.isfinite(information).all():
        return inverse, np.zeros((k, 0))
    part = information[np.ix_(index, index)]
    diagonal = np.abs(np.diag(part))
    scale = 1.0 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    values, vectors = np.linalg.eigh(scale[:, None] * part * scale)
    steep = np.abs(values) > FLAT * max(float(np.abs(values).max()), 1e-300)
    root = scale[:, None] * vectors[:, steep] / np.sqrt(np.abs(values[steep]))
    inverse[np.ix_(index, index)] = root @ root.T
    flat = np.zeros((k, int(np.count_nonzero(~steep | (values < 0)))))
    flat[index] = scale[:, None] * vectors[:, ~steep | (values < 0)]
    return inverse, flat
