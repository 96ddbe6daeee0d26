"""The lasso in its constrained form: min ½‖y − Xw‖² subject to ‖w‖₁ ≤ R, by projection."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.elastic_net.iteration import Task, run
from stylobate.optimize.elastic_net.problem import Problem
from stylobate.optimize.elastic_net.proof import Proof
from stylobate.optimize.elastic_net.proximal import accelerate
from stylobate.optimize.elastic_net.smooth import smooth_parts
from stylobate.optimize.elastic_net.solution import ElasticNetSolution

Array = NDArray[np.float64]


def project_l1_ball(v: Array, radius: float) -> Array:
    """The point of ‖w‖₁ ≤ radius nearest to v: a soft threshold that just fits.

    Parameters
    ----------
    v : array (p,)
        The point.
    radius : float, >= 0
        Of the ball.

    Examples
    --------
    >>> project_l1_ball(np.array([3.0, -1.0]), 2.0)
    array([2., 0.])

    References
    ----------
    Duchi, Shalev-Shwartz, Singer & Chandra (2008), Efficient projections onto the ℓ1-ball for
    learning in high dimensions, ICML.
    """
    size = np.abs(v)
    if size.sum() <= radius:
        return v
    ordered = np.sort(size)[::-1]
    excess = (np.cumsum(ordered) - radius) / np.arange(1, len(v) + 1)
    threshold = excess[np.flatnonzero(ordered > excess)[-1]] if radius > 0.0 else ordered[0]
    w = np.maximum(size - threshold, 0.0)
    total = w.sum()
    if total > radius:  # by rounding
        w *= radius / total
    return np.where(w > 0.0, np.sign(v) * w, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class BallTask(Task):
    """One target: min ½‖y − Xw‖² subject to ‖w‖₁ ≤ radius."""

    radius: float = 0.0

    def prove(self, w: Array) -> Proof:
        """Frank and Wolfe's bound: f(w) − f* ≤ ∇f(w)ᵀw + R·‖∇f(w)‖∞."""
        c, squares = self.smooth.correlations(w)
        largest = float(np.abs(c).max(initial=0.0))
        gap = max(self.radius * largest - float(w @ c), 0.0)
        return Proof(0.5 * squares, min(gap, 0.5 * squares), gap / max(self.radius, 1e-300))

    def prox(self, v: Array, step: float) -> Array:
        """The projection, whatever the step."""
        return project_l1_ball(v, self.radius)


def solve_l1_ball(problem: Problem, radius: float) -> tuple[ElasticNetSolution, Array]:
    """The constrained answer, and its multipliers α: the lasso at α has the same coefficients.

    Parameters
    ----------
    problem : Problem
        With one penalty, which is not used.
    radius : float, > 0
        R.
    """
    solution = run(problem, accelerate, partial(BallTask, radius=radius))
    multipliers = []
    for smooth, w in zip(smooth_parts(problem), solution.coef[:, 0], strict=True):
        c, _ = smooth.correlations(w)
        inside = np.abs(w).sum() < radius * (1 - 1e-9)
        multipliers.append(0.0 if inside else float(np.abs(c).max()) / problem.weight)
    return solution, np.array(multipliers)
