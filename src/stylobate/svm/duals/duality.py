"""Duality of the general problem: the gap, the violation of its conditions, and the offsets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError

ROUNDING = 2e-13  # of a sum, relative to the sum of its terms' sizes


@dataclass(frozen=True)
class DualProblem:
    r"""The dual of a support vector machine in signed variables.

    .. math::

        \min_\beta\ \tfrac12 \sum_{ij} \beta_i \beta_j \kappa(x_{r_i}, x_{r_j}) -
        \sum_i t_i \beta_i \quad\text{with}\quad \ell_i \le \beta_i \le u_i,\
        \sum_{i \in g} \beta_i = \delta_g

    Parameters
    ----------
    rows : array of int64, shape (m,)
        The row :math:`r_i` of each variable.
    target, lower, upper : arrays of float64, shape (m,)
        :math:`t_i`, :math:`\ell_i` and :math:`u_i`; bounds may be infinite.
    group : array of uint8, shape (m,)
        0 or 1 for each variable.
    totals : array of float64, one for each group
        :math:`\delta_g`.
    """

    rows: NDArray[np.int64]
    target: Array
    lower: Array
    upper: Array
    group: NDArray[np.uint8]
    totals: Array

    @property
    def size(self) -> int:
        """How many variables there are."""
        return len(self.target)

    def by_row(self, beta: Array, n: int) -> Array:
        """Sums of the variables of each of n rows."""
        return np.asarray(np.bincount(self.rows, weights=beta, minlength=n), dtype=np.float64)

    def some(self, which: NDArray[np.int64], rows: NDArray[np.int64], totals: Array) -> DualProblem:
        """The problem of some variables, on rows numbered anew."""
        return DualProblem(
            rows,
            self.target[which],
            self.lower[which],
            self.upper[which],
            self.group[which],
            totals,
        )


@dataclass(frozen=True)
class Optimality:
    """What is known of a point: the dual value, the gap, the violation and the offsets."""

    objective: float
    gap: float
    violation: float
    offsets: Array
    relative_gap: float


def may_rise(problem: DualProblem, beta: Array) -> NDArray[np.bool_]:
    """Variables below their upper bounds."""
    return beta < problem.upper


def may_fall(problem: DualProblem, beta: Array) -> NDArray[np.bool_]:
    """Variables above their lower bounds."""
    return beta > problem.lower


def optimality(
    problem: DualProblem, beta: Array, residual: Array, *, largest: float = 0.0
) -> Optimality:
    r"""The duality of a feasible β from its residuals :math:`s_i = t_i - (K\beta)_{r_i}`.

    With :math:`r_i = s_i - b_g` the gap is :math:`\sum_i \max\{(u_i - \beta_i) r_i,
    (\ell_i - \beta_i) r_i\}`: primal minus dual, a sum of terms that are never negative. It is
    relative to the larger of both values, or to their rounding, which `largest`, the largest value
    of the kernel, tells: an optimum may be 0.
    """
    rise, fall = may_rise(problem, beta), may_fall(problem, beta)
    offsets, violation = np.zeros(len(problem.totals)), 0.0
    for g in range(len(offsets)):
        own = problem.group == g
        offsets[g], worst = _offset(residual[own], rise[own], fall[own])
        violation = max(violation, worst)
    square = float((beta * (problem.target - residual)).sum())
    objective = float((problem.target * beta).sum()) - 0.5 * square
    gap = _gap(problem, beta, residual - offsets[problem.group], square, objective)
    rounding = ROUNDING * largest * float(np.abs(beta).sum()) ** 2
    scale = max(abs(objective), abs(objective + gap), rounding, np.finfo(float).tiny)
    relative = gap / scale if np.isfinite(gap) else np.inf
    return Optimality(objective, gap, violation, offsets, relative)


def _offset(
    residual: Array, rise: NDArray[np.bool_], fall: NDArray[np.bool_]
) -> tuple[float, float]:
    """The multiplier of a group's sum, and how far its residuals are from agreeing."""
    highest = float(residual[rise].max(initial=-np.inf))
    lowest = float(residual[fall].min(initial=np.inf))
    worst = max(highest - lowest, 0.0)
    free = rise & fall
    if free.any():
        return float(residual[free].mean()), worst
    ends = [end for end in (highest, lowest) if np.isfinite(end)]
    return (sum(ends) / len(ends) if ends else 0.0), worst


def _gap(problem: DualProblem, beta: Array, off: Array, square: float, objective: float) -> float:
    room = np.where(off > 0.0, problem.upper - beta, problem.lower - beta)
    wanted = off != 0.0
    if np.isfinite(room[wanted]).all():
        return float((room[wanted] * off[wanted]).sum())
    outer = np.where(problem.target > 0.0, problem.upper, -problem.lower)
    hard = np.isinf(outer)
    if not (np.abs(problem.target) == 1.0).all() or outer[~hard].any():
        return np.inf
    # A hard margin is feasible after w and b are scaled up until all margins are 1.
    margin = float((1.0 - problem.target * off)[hard].min())
    return 0.5 * square / margin**2 - objective if margin > 0.0 else np.inf


def feasible_start(problem: DualProblem, start: Array | None = None) -> Array:
    """A point within the bounds with the totals asked for, near `start` (or 0)."""
    if (problem.lower > problem.upper).any():
        raise InvalidDataError("solve_dual: a lower bound is above its upper bound.")
    wish = np.zeros(problem.size) if start is None else np.asarray(start, dtype=np.float64)
    beta = np.clip(wish, problem.lower, problem.upper)
    for g, total in enumerate(problem.totals):
        own = np.flatnonzero(problem.group == g)
        beta[own] = reach_total(beta[own], problem.lower[own], problem.upper[own], float(total), g)
    return beta


def reach_total(beta: Array, lower: Array, upper: Array, total: float, group: int = 0) -> Array:
    """Move the first variables that have room until the sum is `total`."""
    missing = total - float(beta.sum())
    size = max(abs(total), float(np.abs(beta).sum()))
    if abs(missing) <= 1e-15 * size:
        return beta
    room = upper - beta if missing > 0.0 else beta - lower
    reached = np.minimum(np.cumsum(room), abs(missing))
    if len(room) == 0 or reached[-1] < abs(missing) * (1 - 1e-12) - 1e-12 * size:
        raise InvalidDataError(
            f"solve_dual: no variables within their bounds sum to {total:g} in group {group}: "
            f"the sum lies between {lower.sum():g} and {upper.sum():g}."
        )
    used = np.diff(reached, prepend=0.0)
    moved = np.clip(beta + np.copysign(used, missing), lower, upper)
    full = used >= room  # exactly at their bounds, so that they are known by comparison
    moved[full] = (upper if missing > 0.0 else lower)[full]
    return moved
