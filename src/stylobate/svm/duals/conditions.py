"""What proves an answer of the dual: the gap and the Karush–Kuhn–Tucker conditions."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan, sqrt

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.optimize.certificate import Certificate
from stylobate.svm.duals.dual import DualProblem, DualSolution
from stylobate.svm.duals.duality import may_fall, may_rise

_SHOWN = 10


@dataclass(frozen=True, slots=True, eq=False)
class MachineConditions:
    """The optimality conditions at the answer of one problem.

    Attributes
    ----------
    name : str
        Which problem: "a against b", "regression", "one class".
    n_points : int
        Points in the problem.
    free : array of int
        Points whose coefficient is strictly between its bounds: they lie on the margin.
    bound : array of int
        Points at their upper bound: inside the margin or on the wrong side.
    violating : array of int
        Points whose condition is violated by more than `tol`, the worst first.
    violation : float
        The worst violation, in units of the decision function.
    tol : float
        What was asked for.
    offset : float
        The intercept as the model uses it.
    free_offset : float
        Its average over the free points, each of which determines it; NaN if there is none.
    norm : float
        ‖w‖ in the feature space of the kernel.
    margin_width : float
        2/‖w‖, the distance between the planes f = 1 and f = −1 (for a regression, of f ± 1).
    certificate : Certificate
        Primal, dual and their gap.
    """

    name: str
    n_points: int
    free: Indices
    bound: Indices
    violating: Indices
    violation: float
    tol: float
    offset: float
    free_offset: float
    norm: float
    margin_width: float
    certificate: Certificate

    @property
    def words(self) -> str:
        """The conditions in a few sentences."""
        support = len(self.free) + len(self.bound)
        said = (
            f"{self.name}: {support} of {self.n_points} points are support vectors, "
            f"{len(self.free)} free (on the margin) and {len(self.bound)} at their bound. "
        )
        if len(self.violating):
            some = ", ".join(map(str, self.violating[:_SHOWN]))
            said += (
                f"{len(self.violating)} violate their condition by more than {self.tol:.1g}, at "
                f"worst by {self.violation:.2g}: points {some}. "
            )
        else:
            said += f"No condition is violated by more than {self.violation:.1g}. "
        if len(self.free):
            said += f"The free ones give the intercept {self.free_offset:.6g}. "
        else:
            said += f"None is free; the intercept {self.offset:.6g} is the middle of an interval. "
        return said + f"‖w‖ = {self.norm:.6g}, margin width 2/‖w‖ = {self.margin_width:.6g}."


@dataclass(frozen=True, slots=True, eq=False)
class KKTReport:
    """The optimality conditions of all problems of a machine.

    Attributes
    ----------
    problems : tuple of MachineConditions
        One, or one for each pair of classes.
    """

    problems: tuple[MachineConditions, ...]

    @property
    def violation(self) -> float:
        """The worst violation of all."""
        return max((each.violation for each in self.problems), default=0.0)

    @property
    def words(self) -> str:
        """One paragraph for each problem."""
        return "\n".join(each.words for each in self.problems)

    def __str__(self) -> str:
        return self.words


def residuals_of(problem: DualProblem, solution: DualSolution) -> Array:
    """What a coefficient would gain: target − score − offset, 0 for free ones."""
    return np.asarray(
        problem.target - solution.scores[problem.rows] - solution.offsets[problem.group]
    )


def violations_of(problem: DualProblem, beta: Array, residual: Array) -> Array:
    """By how much each variable could still gain within its bounds."""
    rises = np.where(may_rise(problem, beta), residual, 0.0)
    falls = np.where(may_fall(problem, beta), -residual, 0.0)
    return np.maximum(np.maximum(rises, falls), 0.0)


def certificate_of(solution: DualSolution, objective: str) -> Certificate:
    r"""Primal and dual, from the scores of the rows in double precision.

    With :math:`r_i = t_i - f(x_i) - b` the gap is
    :math:`\sum_i \max_{l_i \le β \le u_i} (β - β_i)\,r_i`, a sum of numbers that are not negative.
    A hard margin is measured after w is scaled until no point is inside; where that is not
    possible (a regression without tolerance) the gap is infinite and nothing is proved. Neither is
    it for a kernel that turned out not to be positive semidefinite, whose dual bounds nothing; of
    a matrix too large to be looked at whole the gap is an estimate.
    """
    if solution.definite is False:
        return Certificate(
            objective, solution.objective + solution.gap, -inf, inf, inf,
            solution.violation, nan, nan, proved=False,
        )  # fmt: skip
    return Certificate(
        objective, solution.objective + solution.gap, solution.objective, solution.gap,
        solution.relative_gap, solution.violation, nan, nan,
        proved=bool(solution.definite and np.isfinite(solution.gap)),
    )  # fmt: skip


def conditions_of(
    problem: DualProblem,
    solution: DualSolution,
    *,
    name: str,
    objective: str,
    tol: float,
    rows: Indices,
    offset: float,
    scale: float = 1.0,
) -> MachineConditions:
    """The report of one problem; `rows` are the numbers of its points in X.

    `scale` is what the answer of a ν-classification was multiplied with.
    """
    beta, residual = solution.beta, residuals_of(problem, solution)
    wrong = violations_of(problem, beta, residual) * scale
    largest = np.maximum(problem.upper, -problem.lower)
    held = (np.abs(beta) >= largest) & (beta != 0.0)
    free = (beta != 0.0) & ~held
    order = np.argsort(-wrong, kind="stable")
    norm = sqrt(max(float(beta @ solution.scores[problem.rows]), 0.0)) * scale
    found = (problem.target - solution.scores[problem.rows])[free] * scale
    several = len(solution.offsets) > 1
    return MachineConditions(
        name,
        len(rows),
        np.unique(rows[problem.rows[free]]),
        np.unique(rows[problem.rows[held]]),
        rows[problem.rows[order[wrong[order] > tol]]],
        float(wrong.max(initial=0.0)),
        tol,
        offset,
        _group_mean(found, problem.group[free]) if several else _mean(found),
        norm,
        2.0 / norm if norm > 0.0 else inf,
        certificate_of(solution, objective),
    )


def _mean(values: Array) -> float:
    return float(values.mean()) if len(values) else nan


def _group_mean(values: Array, group: np.ndarray) -> float:
    """The middle of the offsets of two groups."""
    return 0.5 * (_mean(values[group == 0]) + _mean(values[group == 1]))
