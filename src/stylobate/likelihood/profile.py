"""Profile-likelihood intervals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stylobate.likelihood.maximise import Maximum, maximise
from stylobate.likelihood.rows import RowLikelihood

DOUBLINGS = 40


def profile_interval(
    rows: RowLikelihood, best: Maximum, j: int, drop: float, guess: float, max_iter: int
) -> tuple[float, float]:
    """Where the log-likelihood, maximised over the other parameters, has fallen by `drop`."""
    scale = guess if np.isfinite(guess) and guess > 0 else max(abs(float(best.theta[j])), 1.0)
    ends = [_end(rows, best, j, drop, sign * scale, max_iter) for sign in (-1.0, 1.0)]
    return ends[0], ends[1]


def _end(
    rows: RowLikelihood, best: Maximum, j: int, drop: float, step: float, max_iter: int
) -> float:
    from scipy.optimize import brentq

    limit = float(rows.low[j] if step < 0 else rows.high[j])
    start = [best.theta]

    def excess(value: float) -> float:
        """How far the profile has fallen beyond the drop asked for."""
        theta = start[0].copy()
        theta[j] = value
        if not np.isfinite(rows.value(theta)):
            return 1e300
        found = maximise(replace(rows), theta, max_iter=max_iter, fixed=j)
        start[0] = found.theta
        return float(best.value - found.value - drop)

    inside, outside = float(best.theta[j]), float(best.theta[j]) + step
    for _ in range(DOUBLINGS):
        beyond = (outside <= limit) if step < 0 else (outside >= limit)
        outside = limit if beyond else outside
        fallen = excess(outside) if np.isfinite(outside) else -1.0
        if fallen >= 0:
            found: float = brentq(excess, inside, outside, xtol=1e-9 * abs(step), rtol=1e-10)
            return found
        if beyond:
            return limit  # the likelihood never falls that far
        inside, step = outside, 2.0 * step
        outside = inside + step
    return float(np.copysign(np.inf, step))
