"""Newton's method for the rows of coefficients that are not zero."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stylobate.penalties import Group

Array = NDArray[np.float64]

_STEPS = 20  # after the last row that left
_LARGEST = 800  # unknowns up to which a dense system is cheaper than more sweeps
_RIDGE = 1e-13  # of the mean curvature: dependent columns have no unique step


def newton_on_support(gram: Array, products: Array, w: Array, l1: float, l2: float) -> Array:
    r"""Minimise ½⟨W, GW⟩ − ⟨W, C⟩ + l₁Σ‖wⱼ‖ + ½l₂‖W‖² over the non-zero rows of W.

    There the norms are smooth: the Hessian is :math:`G \otimes I` and, for each row, the curvature
    of its norm. A step ends where the first row would turn away from its direction; that row
    becomes zero and leaves, for coordinate descent to take back if it was wrong.

    Parameters
    ----------
    gram : array (p, p)
        G = XᵀX.
    products : array (p, t)
        C = XᵀY.
    w : array (p, t)
        Where to start.
    l1, l2 : float
        Penalties.

    Returns
    -------
    array (p, t)
        Of no higher objective.
    """
    p, t = w.shape
    support = np.flatnonzero(w.any(axis=1))
    best = now = _value(gram, products, w, l1, l2)
    answer = w
    left = len(support) + _STEPS
    while left > 0 and 0 < len(support) * t <= _LARGEST:
        left -= 1
        part = w[support]
        step = _step(gram[np.ix_(support, support)], products[support], part, l1, l2)
        toward = (part * step).sum(axis=1)
        reach = np.full(len(support), np.inf)
        np.divide((part * part).sum(axis=1), toward, out=reach, where=toward > 0)
        first = int(np.argmin(reach))
        share = min(1.0, float(reach[first]))
        w = np.zeros((p, t))
        w[support] = part - share * step
        if share < 1.0:
            w[support[first]] = 0.0
            support = np.delete(support, first)
        now = _value(gram, products, w, l1, l2)
        if now < best:
            best, answer = now, w
        elif share == 1.0:
            break
    return answer


def _value(gram: Array, products: Array, w: Array, l1: float, l2: float) -> float:
    squares = 0.5 * float((w * (gram @ w)).sum()) - float((w * products).sum())
    return squares + float(Group(l1).value(w).sum()) + 0.5 * l2 * float((w * w).sum())


def _step(g: Array, c: Array, w: Array, l1: float, l2: float) -> Array:
    """The Newton step to be subtracted."""
    s, t = w.shape
    penalty = Group(l1)
    gradient = g @ w - c + l2 * w + penalty.gradient(w)
    hessian = np.kron(g, np.eye(t)).reshape(s, t, s, t)
    rows = np.arange(s)
    hessian[rows, :, rows, :] += penalty.curvature(w) + l2 * np.eye(t)
    square = hessian.reshape(s * t, s * t)
    square[np.diag_indices(s * t)] += _RIDGE * np.trace(square) / (s * t)
    step: Array = np.linalg.lstsq(square, gradient.reshape(-1), rcond=1e-14)[0]
    return step.reshape(s, t)
