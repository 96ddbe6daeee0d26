r"""Shares of a prediction: what each column adds, on average over the orders of adding them.

.. math:: \phi_c = \sum_{S \not\ni c} \frac{|S|!\,(p - |S| - 1)!}{p!} \, (v(S \cup c) - v(S)),
    \qquad v(S) = \frac{1}{n} \sum_i f(x_S, b_{i, -S})

They add up to f(x) − mean f(b). For a model that adds up over its columns they are its own terms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array

Hybrid = Callable[[NDArray[np.bool_], NDArray[np.intp]], Array]
"""Of m masks (which columns are x's) and m background rows: the model's answers (m,)."""

MOST_ROWS = 40_000  # predicted to have exact values; beyond that they are sampled
_CLOSE = 1e-7
_AT_ONCE = 20_000  # rows predicted together


@dataclass(frozen=True, slots=True)
class Shares:
    """What columns add, their standard errors (0 where exact), and how they were found."""

    values: Array
    errors: Array
    base: float
    method: str


def shares_of(hybrid: Hybrid, p: int, n: int, n_samples: int, seed: int) -> Shares:
    """The shares of p columns against n background rows, by the cheapest way that is right."""
    base = float(hybrid(np.zeros((n, p), dtype=bool), np.arange(n)).mean())
    own = float(hybrid(np.ones((1, p), dtype=bool), np.zeros(1, dtype=np.intp))[0])
    found = additive(hybrid, p, n, base, own)
    if found is not None:
        return found
    if p <= 16 and 2**p * n <= MOST_ROWS:
        return exact(hybrid, p, n, base)
    return sampled(hybrid, p, n, base, n_samples, seed)


def additive(hybrid: Hybrid, p: int, n: int, base: float, own: float) -> Shares | None:
    """The terms of a model that adds up over columns; None if it does not.

    Taking one column away from x and giving it alone to the background must make the same
    difference, and the differences must add up.
    """
    rows = np.tile(np.arange(n), p)
    only = np.repeat(np.eye(p, dtype=bool), n, axis=0)
    given = hybrid(only, rows).reshape(p, n).mean(axis=1) - base
    taken = own - hybrid(~only, rows).reshape(p, n).mean(axis=1)
    scale = _CLOSE * max(abs(own), abs(base), float(np.abs(given).max(initial=0.0)), 1e-12)
    if abs(base + given.sum() - own) > scale or np.abs(given - taken).max(initial=0.0) > scale:
        return None
    return Shares(given, np.zeros(p), base, "exact: the model adds up over its columns")


def exact(hybrid: Hybrid, p: int, n: int, base: float) -> Shares:
    """Shapley values from all subsets of the columns."""
    masks = (np.arange(2**p)[:, None] >> np.arange(p)) & 1 == 1
    told = hybrid(np.repeat(masks, n, axis=0), np.tile(np.arange(n), 2**p))
    values = told.reshape(2**p, n).mean(axis=1)
    sizes = masks.sum(axis=1)
    weights = np.array([factorial(s) * factorial(p - s - 1) for s in range(p)]) / factorial(p)
    found = np.empty(p)
    for column in range(p):
        without = np.flatnonzero(~masks[:, column])
        gains = values[without | (1 << column)] - values[without]
        found[column] = weights[sizes[without]] @ gains
    return Shares(found, np.zeros(p), base, f"exact Shapley values of all {2**p} subsets")


def sampled(hybrid: Hybrid, p: int, n: int, base: float, n_samples: int, seed: int) -> Shares:
    """Shapley values from random orders, each walked forwards and backwards."""
    draw = np.random.default_rng(seed)
    rounds = max(2, -(-n_samples // n))  # every background row equally often: shares add up exactly
    orders = np.array([draw.permutation(p) for _ in range(rounds * n)]).reshape(-1, p)
    each = max(1, _AT_ONCE // (2 * p + 2))
    gains = np.concatenate(
        [
            0.5 * (_walked(hybrid, part, start, n) + _walked(hybrid, part[:, ::-1], start, n))
            for start in range(0, len(orders), each)
            for part in [orders[start : start + each]]
        ]
    )
    errors = gains.std(axis=0, ddof=1) / np.sqrt(len(gains))
    words = f"Shapley values sampled from {2 * len(gains)} orders of the columns"
    return Shares(gains.mean(axis=0), errors, base, words)


def _walked(hybrid: Hybrid, orders: NDArray[np.intp], start: int, n: int) -> Array:
    """What each column adds when the columns become x's one after the other, in these orders."""
    count, p = orders.shape
    place = np.argsort(orders, axis=1)  # when each column's turn is
    masks = place[:, None, :] < np.arange(p + 1)[None, :, None]
    rows = np.repeat(np.arange(start, start + count) % n, p + 1)
    told = hybrid(masks.reshape(-1, p), rows).reshape(count, p + 1)
    return np.take_along_axis(np.diff(told, axis=1), place, axis=1)
