"""One problem of a support vector machine, solved: coefficients of rows and an intercept."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, nan
from typing import Any, cast

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    StylobateWarning,
    joined,
)
from stylobate.optimize.certificate import Certificate
from stylobate.svm.duals.conditions import MachineConditions, conditions_of
from stylobate.svm.duals.dual import DualProblem, DualSolution, Method, solve_dual
from stylobate.svm.kernel_matrix.kernel_points import KernelPoints

_NO_MARGIN = 1e-12
_SAID = 5  # points named where classes cannot be separated


@dataclass(frozen=True, slots=True)
class SolverRequest:
    """How a dual is to be solved, as the parameters of an estimator say."""

    tol: float
    max_iter: int
    cache_size: float
    solver: str
    verbose: Any
    owner: str


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """A decision function Σ β_i κ(x_i, x) + b.

    Attributes
    ----------
    beta : array of shape (n,)
        A coefficient for each row of the problem.
    intercept : float
        b.
    scores : array of shape (n,)
        Σ_j β_j κ(x_j, x_i), without b.
    n_iter : int
        Steps of the solver.
    converged : bool
        Whether the tolerance was reached.
    conditions : MachineConditions
        What proves it.
    reason : str
        Which solver, and why.
    definite : bool or None
        Whether the kernel was found positive semidefinite; None where a part was looked at.
    no_margin : bool
        Whether the margin of a ν-classification is 0 within the violation: its classes overlap too
        much for ν, w is 0, and decisions are not divided by ρ.
    """

    beta: Array
    intercept: float
    scores: Array
    n_iter: int
    converged: bool
    conditions: MachineConditions
    reason: str
    definite: bool | None = True
    no_margin: bool = False


def solve_machine(
    points: KernelPoints,
    problem: DualProblem,
    request: SolverRequest,
    *,
    name: str,
    objective: str,
    rows: Indices,
    margin: bool = False,
    start: Array | None = None,
    check: Callable[[Machine], None] | None = None,
) -> Machine:
    """Solve one dual; `rows` are its points' numbers in X.

    With `margin`, of two groups with ρ between them, the answer is divided by ρ, so that the
    margin is at ±1 as in C-classification.
    """
    kernel, data = points.for_engine()
    solution = solve_dual(
        kernel, data, problem, tol=request.tol, max_iter=request.max_iter,
        cache_size=request.cache_size, method=cast(Method, request.solver), start=start,
        mercer=points.mercer,
    )  # fmt: skip
    _check_finite(solution)
    if request.verbose:
        print(f"[{request.owner}] {name}: {solution.n_iter} steps, {solution.reason}")
    scale, offset, no_margin = 1.0, float(np.mean(solution.offsets)), False
    if margin:
        width = 0.5 * float(solution.offsets[1] - solution.offsets[0])
        least = max(solution.violation, _NO_MARGIN * float(np.abs(solution.beta).sum()))
        no_margin = width <= least
        scale = 1.0 if no_margin else 1.0 / width
    conditions = conditions_of(
        problem, solution, name=name, objective=objective, tol=request.tol, rows=rows,
        offset=offset * scale, scale=scale,
    )  # fmt: skip
    beta = scale * problem.by_row(solution.beta, len(rows))
    machine = Machine(
        beta, offset * scale, solution.scores * scale, int(solution.n_iter),
        bool(solution.converged), conditions, solution.reason, solution.definite, no_margin,
    )  # fmt: skip
    if check is not None:
        check(machine)
    return machine


def _check_finite(solution: DualSolution) -> None:
    if not (np.isfinite(solution.beta).all() and np.isfinite(solution.offsets).all()):
        raise InvalidDataError(
            "The dual coefficients or intercepts are not finite. The input data may contain large "
            "values and need to be preprocessed."
        )


def constant_machine(n: int, value: float, name: str, tol: float) -> Machine:
    """A decision that is the same everywhere: of a pair of which one class has no weight."""
    none = np.empty(0, dtype=np.int64)
    proof = Certificate("constant", 0.0, 0.0, 0.0, 0.0, 0.0, nan, nan)
    conditions = MachineConditions(
        name, n, none, none, none, 0.0, tol, value, nan, 0.0, inf, proof
    )  # fmt: skip
    return Machine(np.zeros(n), value, np.zeros(n), 0, True, conditions, "one class has no weight")


def warn_early(machines: list[Machine], request: SolverRequest) -> int:
    """Say that a solver stopped early; 1 if one did, 0 if none did."""
    if all(machine.converged for machine in machines):
        return 0
    worst = max(machine.conditions.violation for machine in machines)
    warnings.warn(
        f"Solver terminated early (max_iter={request.max_iter}).  Consider pre-processing your "
        f"data with StandardScaler or MinMaxScaler. {request.owner}: a condition is still violated "
        f"by {worst:.2g}, tol is {request.tol:.2g}.",
        joined(ConvergenceWarning),
        stacklevel=user_stacklevel(),
    )
    return 1


def warn_indefinite(machines: list[Machine], points: KernelPoints, owner: str) -> None:
    """Say that a matrix or a function is no kernel; values of `kernels` say it of themselves."""
    if points.mercer is not None or all(machine.definite is not False for machine in machines):
        return
    warnings.warn(
        f"{owner}: the kernel is not positive semidefinite (it fails Mercer's condition): what was "
        "found is a stationary point that need not be an optimum. Give an inner product, such as "
        "the kernels of stylobate.kernels, or add to the diagonal of a precomputed matrix what its "
        "smallest eigenvalue lacks.",
        StylobateWarning,
        stacklevel=user_stacklevel(),
    )


def warn_no_margin(machines: list[Machine], request: SolverRequest) -> None:
    """Say that a ν-classification found no margin."""
    found = [machine.conditions for machine in machines if machine.no_margin]
    if not found:
        return
    some = "; ".join(each.name for each in found[:_SAID])
    some += " and others" if len(found) > _SAID else ""
    worst = max(each.violation for each in found)
    warnings.warn(
        f"{request.owner}: for this nu the margin is 0 within {worst:.1g} ({some}): the classes "
        "overlap so much that w is 0, and decisions between them mean nothing; give a larger nu, "
        "or a kernel with more freedom.",
        StylobateWarning,
        stacklevel=user_stacklevel(),
    )


def refuse_inseparable(machine: Machine, sign: Array, rows: Indices, owner: str) -> None:
    """Refuse a hard margin where no plane was found that has all points on their sides.

    The search ends where the hulls of the two sides come within 1e-5 of the data's size
    (`cpp/svm/pair_descent.cpp`): they meet, or the columns' scales hide the margin.
    """
    margins = sign * (machine.scores + machine.intercept)
    wrong = np.flatnonzero(margins <= 0.0)
    if machine.converged and not len(wrong):
        return
    order = wrong[np.argsort(margins[wrong], kind="stable")]
    some = ", ".join(str(rows[i]) for i in order[:_SAID])
    which = f" (points {some}{' and others' if len(order) > _SAID else ''})" if some else ""
    raise InvalidDataError(
        f"{owner}: C=inf asks for a hard margin, but {machine.conditions.name} are not separable "
        f"with this kernel by a margin of 1e-5 of the data's size: {len(order)} points are on the "
        f"wrong side{which}; scale the columns (StandardScaler), give a finite C, or a kernel with "
        "more freedom."
    )
