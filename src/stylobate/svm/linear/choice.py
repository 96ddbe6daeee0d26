"""Which method fits a linear support vector machine, and which requests make sense."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stylobate.data import Table
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.linear_gap_passes import OneAgainstRest
from stylobate.statistics import Source, refuse_out_of_range
from stylobate.statistics.columns.range import LARGEST
from stylobate.statistics.source import rows_at_hand
from stylobate.svm.linear.hinges import few_enough
from stylobate.svm.linear.problem import MarginAnswer, MarginObjective, MarginRows

SOLVERS = ("auto", "newton", "dual", "pegasos")
SMOOTH = ("squared_hinge", "squared_epsilon_insensitive")

# loss → penalty → values of `dual` that LIBLINEAR has a method for
_SUPPORTED: dict[str, dict[str, tuple[bool, ...]]] = {
    "hinge": {"l2": (True,)},
    "squared_hinge": {"l1": (False,), "l2": (False, True)},
    "epsilon_insensitive": {"l2": (True,)},
    "squared_epsilon_insensitive": {"l2": (False, True)},
}
MOST_COLUMNS = 2000  # of a dense Hessian

# relative gaps asked for, as shares of `tol`: what each method reaches at little cost
_GAP_NEWTON, _GAP_DUAL = 1e-5, 1e-2
_GAP_PEGASOS = 10.0
_LEAST_GAP = 1e-14


@dataclass(frozen=True, slots=True)
class MarginRequest:
    """What the parameters of an estimator ask for."""

    owner: str
    loss: str
    penalty: str
    solver: str
    tol: float
    max_iter: int
    seed: int

    @property
    def smooth(self) -> bool:
        """Whether Newton steps need no rows at hand."""
        return self.loss in SMOOTH and self.penalty == "l2" and self.solver in ("auto", "newton")

    @property
    def relative_gap(self) -> float:
        """Proved gap that counts as converged."""
        return max(self.tol * _GAP_DUAL, _LEAST_GAP)


def refuse_combination(
    owner: str, loss: str, penalty: str, dual: bool | str, solver: str = "auto"
) -> None:
    """Refuse a loss, a penalty and a form of the problem that do not go together."""
    known = _SUPPORTED[loss].get(penalty)
    what = f"Parameters: penalty={penalty!r}, loss={loss!r}, dual={dual!r}"
    if known is None:
        raise InvalidParameterError(
            f"{owner}: Unsupported set of arguments: The combination of penalty={penalty!r} and "
            f"loss={loss!r} is not supported, {what}; use loss='squared_hinge' with this penalty."
        )
    if dual != "auto" and bool(dual) not in known:
        raise InvalidParameterError(
            f"{owner}: Unsupported set of arguments: The combination of penalty={penalty!r} and "
            f"loss={loss!r} are not supported when dual={dual!r}, {what}; use dual='auto', which "
            "leaves the form of the problem to the solver."
        )
    if penalty == "l1" and solver not in ("auto", "newton"):
        raise InvalidParameterError(
            f"{owner}: solver={solver!r} has no ℓ1 penalty; use solver='auto' with penalty='l1'."
        )


def refuse_unusable(table: Table) -> None:
    """Refuse NaN, infinity, and columns whose squares would leave the range of numbers."""
    if not table.finite:
        table.refuse_nonfinite()
    values = table.x.data if table.is_sparse else table.x
    if values.size and max(abs(float(values.max())), abs(float(values.min()))) > LARGEST:
        refuse_out_of_range(table)


def choose_solver(request: MarginRequest, n_rows: int | None, width: int) -> tuple[str, str]:
    """The method's name, and why; `width` counts the intercept, `n_rows` is None for a stream."""
    if request.penalty == "l1":
        return "newton", "proximal Newton steps on working sets of columns"
    if request.solver != "auto":
        return request.solver, "asked for"
    if request.loss in SMOOTH:
        if n_rows is None or width <= MOST_COLUMNS:
            return "newton", "few columns: a handful of passes, each a Gram of the margin's rows"
        return "dual", f"{width} columns: a Hessian is too large"
    assert n_rows is not None
    if few_enough(n_rows, width):
        return "newton", "exact: a quadratic program of the rows near the margin"
    return "dual", f"{n_rows} rows and {width} columns: a system of either is too large"


def solve_margins(
    source: Source,
    objective: MarginObjective,
    problems: Sequence[OneAgainstRest | None],
    request: MarginRequest,
) -> tuple[list[MarginAnswer], str, str]:
    """Answers, and the solver with the reason for it."""
    table = rows_at_hand(source)
    rows = None if table is None else table.n_rows
    name, reason = choose_solver(request, rows, source.n_features + 1)
    most = request.max_iter
    if name == "newton" and request.smooth:
        from stylobate.svm.linear.newton import solve_newton

        gap = max(request.tol * _GAP_NEWTON, _LEAST_GAP)
        return (
            solve_newton(source, objective, problems, tol=gap, max_iter=most),
            name,
            reason,
        )
    table = source.rows(f"solver {name!r} visits them")
    refuse_unusable(table)
    gap = request.relative_gap
    if name == "dual":
        from stylobate.svm.linear.dual import solve_dual

        found = solve_dual(table, objective, problems, tol=gap, max_iter=most, seed=request.seed)
        return found, name, reason
    one = [MarginRows.of(table, chosen, objective) for chosen in problems]
    return [_solve_one(rows, name, request, gap) for rows in one], name, reason


def _solve_one(rows: MarginRows, name: str, request: MarginRequest, gap: float) -> MarginAnswer:
    most = request.max_iter
    if request.penalty == "l1":
        from stylobate.svm.linear.sparse import solve_l1

        return solve_l1(rows, tol=gap, max_iter=most)
    if name == "newton":
        from stylobate.svm.linear.hinges import solve_hinges

        return solve_hinges(rows, tol=gap, max_iter=most)
    from stylobate.svm.linear.stochastic import solve_pegasos

    return solve_pegasos(rows, tol=request.tol * _GAP_PEGASOS, max_iter=most, seed=request.seed)
