"""Integrals over an interval cut into pieces, and the places where a rule changes its mind."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array


@cache
def _gauss(count: int) -> tuple[Array, Array]:
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return 0.5 * (nodes + 1.0), 0.5 * weights


def gauss_nodes(low: Any, high: Any, panels: int, count: int = 16) -> tuple[Array, Array]:
    """Gauss–Legendre nodes and weights on equal panels of [low, high], along a new last axis.

    >>> nodes, weights = gauss_nodes(0.0, 2.0, panels=2, count=4)
    >>> round(float((weights * nodes**3).sum()), 12)
    4.0
    """
    unit, weight = _gauss(count)
    places = ((np.arange(panels)[:, None] + unit) / panels).reshape(-1)
    shares = np.tile(weight / panels, panels)
    low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    width = (high - low)[..., None]
    return low[..., None] + width * places, width * shares


def integrate(function: Callable[[Array], Array], cuts: Array) -> tuple[float, float]:
    """The integral over consecutive pieces, and how far it may be off.

    Gauss–Legendre with 10 and with 16 nodes on each piece; pieces on which they differ are halved.

    >>> value, off = integrate(np.exp, np.array([0.0, 1.0]))
    >>> round(value, 12), off < 1e-12
    (1.718281828459, True)
    """
    lows, highs = cuts[:-1], cuts[1:]
    total, off = 0.0, 0.0
    for depth in range(30):
        coarse, fine = (_pieces(function, lows, highs, count) for count in (10, 16))
        error = np.abs(fine - coarse)
        allowed = 1e-12 * max(1.0, abs(total + float(fine.sum()))) / max(len(lows), 1)
        open_ = error > allowed if depth < 29 else np.zeros(len(lows), dtype=bool)
        total += float(fine[~open_].sum())
        off += float(error[~open_].sum())
        if not open_.any():
            break
        middle = 0.5 * (lows[open_] + highs[open_])
        lows, highs = (
            np.concatenate([lows[open_], middle]),
            np.concatenate([middle, highs[open_]]),
        )
    return total, off


def _pieces(function: Callable[[Array], Array], lows: Array, highs: Array, count: int) -> Array:
    nodes, weights = gauss_nodes(lows, highs, 1, count)
    values = np.asarray(function(nodes.reshape(-1)), dtype=np.float64).reshape(nodes.shape)
    return np.asarray((values * weights).sum(axis=1))


def change_points(
    decide: Callable[[Array], NDArray[Any]], grid: Array, steps: int = 80
) -> tuple[Array, list[Any]]:
    """Where the decision changes along a grid, to the last digit, and the decisions between.

    Two changes between neighbours of the grid may be missed.

    >>> points, decisions = change_points(lambda x: x > 0.3, np.linspace(0.0, 1.0, 5))
    >>> points.round(12).tolist(), [bool(each) for each in decisions]
    ([0.3], [False, True])
    """
    labels = decide(grid)
    found: list[float] = []
    pending = np.flatnonzero(labels[1:] != labels[:-1])
    low, high, last = grid[pending], grid[pending + 1], labels[pending + 1]
    first = labels[pending]
    while len(low):
        left, right, seen = low.copy(), high.copy(), last.copy()
        for _ in range(steps):
            middle = 0.5 * (left + right)
            if not ((middle > left) & (middle < right)).any():
                break
            now = decide(middle)
            same = now == first
            left, right = np.where(same, middle, left), np.where(same, right, middle)
            seen = np.where(same, seen, now)
        found.extend(right.tolist())
        more = (seen != last) & (right < high)  # another decision comes in between
        low, high, last, first = right[more], high[more], last[more], seen[more]
    points = np.sort(np.array(found))
    cuts = np.concatenate([grid[:1], points, grid[-1:]])
    return points, decide(0.5 * (cuts[1:] + cuts[:-1])).tolist()
