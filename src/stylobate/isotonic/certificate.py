"""How far an increasing sequence is from the nearest one, proved by the cone's dual."""

from __future__ import annotations

from math import isinf

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.certificate import Certificate


def isotonic_certificate(
    y: Array, weights: Array, fitted: Array, low: float | None, high: float | None
) -> Certificate:
    r"""The certificate of an increasing `fitted` for ½ Σ wᵢ(yᵢ − θᵢ)², within bounds.

    The multipliers of θ₁ ≥ low, θᵢ ≤ θᵢ₊₁ and θₙ ≤ high are partial sums of the residuals,

    .. math:: \lambda_i = \lambda_0 + \sum_{j \le i} w_j (y_j - \theta_j), \quad i = 0 … n,

    and the answer is optimal exactly where none is negative and those of differences that are not
    zero vanish. Negative ones are set to 0, which leaves a dual feasible point, so that the gap is
    a bound whatever made the answer.

    Parameters
    ----------
    y, weights, fitted : arrays (n,)
        In the order in which the answer increases.
    low, high : float or None
        Bounds.

    Returns
    -------
    Certificate
    """
    low, high = (None if each is None or isinf(each) else each for each in (low, high))
    residual = y - fitted
    sums = np.concatenate([[0.0], np.cumsum(weights * residual)])
    first = int(np.searchsorted(fitted, fitted[0], side="right"))
    start = max(-float(sums[first]), 0.0) if low is not None else 0.0
    exact = sums + start
    left = abs(float(exact[-1])) if high is None else 0.0  # free ends leave no force
    if high is None:
        exact[-1] = 0.0
    scale = max(float(np.abs(weights * y).sum()), np.finfo(np.float64).tiny)
    jumps = np.diff(fitted, prepend=fitted[0] if low is None else low)
    jumps = np.append(jumps, 0.0 if high is None else high - fitted[-1])
    spread = max(float(np.ptp(y)), np.finfo(np.float64).tiny)
    slack = np.abs(exact) * np.minimum(np.abs(jumps) / spread, 1.0)
    violations = (-exact.min(), slack.max(), -jumps.min() * scale / spread, left, 0.0)
    kkt = max(float(each) for each in violations)
    multipliers = np.maximum(exact, 0.0)
    # the dual's own answer is y − Δλ/w; half the weighted square between the two is the gap's
    # first part, the products of multipliers and differences its second
    moved = residual - np.diff(multipliers) / weights
    gap = 0.5 * float(weights @ moved**2) + float(multipliers @ jumps)
    primal = 0.5 * float(weights @ residual**2)
    centre = float(weights @ y) / float(weights.sum())
    return Certificate.from_gap(
        "½ Σ wᵢ(yᵢ − θᵢ)², θ increasing",
        primal=primal,
        gap=gap,
        at_zero=0.5 * float(weights @ (y - centre) ** 2),
        kkt=kkt / scale,
        condition=1.0,
    )
