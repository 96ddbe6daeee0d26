"""What every elastic-net solver returns, and its certificate."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.elastic_net.problem import OBJECTIVE, ElasticNetProblem
from stylobate.optimize.trace import Trace


@dataclass(frozen=True, slots=True, eq=False)
class ElasticNetSolution:
    """Coefficients of t targets at a penalties, with the evidence for each.

    Parameters
    ----------
    coef : array (t, a, p)
    intercept : array (t, a)
    primal, gap : array (t, a)
        Objective, and how much lower its optimum may be at most: the dual value that bounds it is
        that of a feasible point.
    kkt : array (t, a)
        Worst violation of a column's optimality condition, in units of the penalty's threshold.
    iterations : int array (t, a)
        Epochs.
    condition : array (t, a)
        Condition number of the support's columns, as estimated from their factorisation.
    trace : Trace or None
        Of solvers that record one.
    rounding : float
        Share of ‖y − ȳ‖² below which the solver cannot tell a gap from rounding.
    screened : int array (t, a) or None
        How many columns were proved to be zero at the optimum while it was being sought, by
        solvers that screen.
    """

    coef: Array
    intercept: Array
    primal: Array
    gap: Array
    kkt: Array
    iterations: NDArray[np.int64]
    condition: Array
    trace: Trace | None = field(default=None, repr=False)
    rounding: float = 1e-14
    screened: NDArray[np.int64] | None = None

    def certificate(self, problem: ElasticNetProblem, step: int = 0) -> Certificate:
        """The evidence for all targets together at one penalty."""
        return Certificate.from_gap(
            OBJECTIVE,
            primal=float(self.primal[:, step].sum()),
            gap=float(self.gap[:, step].sum()),
            at_zero=float(problem.squares().sum() / (2.0 * problem.weight)),
            kkt=float(self.kkt[:, step].max(initial=0.0)),
            condition=float(self.condition[:, step].max(initial=1.0)),
        )

    def converged(self, problem: ElasticNetProblem) -> bool:
        """Whether every gap is at most the tolerance asked for (or rounding)."""
        floor = self.rounding * problem.squares()[:, None] / (2.0 * problem.weight)
        return bool((self.gap <= problem.tol * self.primal + floor).all())
