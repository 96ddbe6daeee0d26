"""A lower bound of the elastic net from any coefficients: the dual value of a feasible point."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stylobate.arrays import Array


class Proof(NamedTuple):
    """Objective, how far its minimum may be below, and the worst violated condition."""

    primal: float
    gap: float
    kkt: float


def prove(
    w: Array, c: Array, residual_squares: float, *, l1: float, l2: float, positive: bool
) -> Proof:
    r"""Bound :math:`\min \tfrac12\|y - Xw\|^2 + l_1\|w\|_1 + \tfrac12 l_2\|w\|^2` from below.

    Two dual points are tried: the residual with :math:`-\sqrt{l_2}\,w` below it, scaled until
    :math:`|X^\top r - l_2 w| \le l_1`; and, for :math:`l_2 > 0`, the residual itself, for which the
    dual needs no constraint.

    Parameters
    ----------
    w : array (p,)
        Coefficients.
    c : array (p,)
        Xᵀr at them.
    residual_squares : float
        ‖r‖².
    l1, l2 : float
        Penalties.
    positive : bool
        Whether w ≥ 0 is asked.

    Examples
    --------
    >>> prove(np.zeros(1), np.array([2.0]), 4.0, l1=2.0, l2=0.0, positive=False).gap
    0.0
    """
    slack = c - l2 * w
    size = np.abs(w).sum()
    lengths = residual_squares + l2 * float(w @ w)
    primal = 0.5 * lengths + l1 * float(size)
    product = residual_squares + float(w @ c)  # yᵀr
    worst = max(float(slack.max(initial=0.0)), 0.0 if positive else float(-slack.min(initial=0.0)))
    largest = 1.0 if worst <= l1 else l1 / worst
    scale = min(product / lengths, largest) if lengths > 0.0 else 0.0
    dual = scale * product - 0.5 * scale**2 * lengths
    if l2 > 0.0:
        over = np.maximum((c if positive else np.abs(c)) - l1, 0.0)
        dual = max(dual, product - 0.5 * residual_squares - float(over @ over) / (2.0 * l2))
    return Proof(primal, max(primal - dual, 0.0), _violation(w, slack, l1, positive=positive))


def _violation(w: Array, slack: Array, l1: float, *, positive: bool) -> float:
    """Worst distance of Xᵀr − l2·w from l1 times the subgradients of |w|."""
    at_zero = np.maximum((slack if positive else np.abs(slack)) - l1, 0.0)
    return float(np.where(w == 0.0, at_zero, np.abs(slack - l1 * np.sign(w))).max(initial=0.0))
