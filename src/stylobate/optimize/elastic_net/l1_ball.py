"""The lasso in its constrained form: min ½‖y − Xw‖² subject to ‖w‖₁ ≤ R, by `FISTA`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.elastic_net.forms import Form, SquaredError
from stylobate.optimize.elastic_net.iteration import Task, run
from stylobate.optimize.elastic_net.problem import ElasticNetProblem
from stylobate.optimize.elastic_net.proof import Proof
from stylobate.optimize.elastic_net.smooth import smooth_parts
from stylobate.optimize.elastic_net.solution import ElasticNetSolution
from stylobate.optimize.problem import Problem
from stylobate.optimize.sets.balls import L1Ball


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


def in_ball(task: Task) -> Form:
    """Squared error over the ball."""
    assert isinstance(task, BallTask)
    return Form(Problem(SquaredError(task), L1Ball(task.radius)), task.start)


def solve_l1_ball(problem: ElasticNetProblem, radius: float) -> tuple[ElasticNetSolution, Array]:
    """The constrained answer, and its multipliers α: the lasso at α has the same coefficients.

    Parameters
    ----------
    problem : elastic-net problem
        With one penalty, which is not used.
    radius : float, > 0
        R.
    """
    from stylobate.optimize.methods.composite import FISTA

    solution = run(problem, FISTA(), in_ball, partial(BallTask, radius=radius))
    multipliers = []
    for smooth, w in zip(smooth_parts(problem), solution.coef[:, 0], strict=True):
        c, _ = smooth.correlations(w)
        inside = np.abs(w).sum() < radius * (1 - 1e-9)
        multipliers.append(0.0 if inside else float(np.abs(c).max()) / problem.weight)
    return solution, np.array(multipliers)
