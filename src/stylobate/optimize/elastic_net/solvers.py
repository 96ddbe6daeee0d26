"""The solvers of the elastic net by name, and which one fits the data.

A solver is a function from an `ElasticNetProblem` to an `ElasticNetSolution`. To add one, write it
in a file of its own and add a line to `SOLVERS`; `FROM_MOMENTS` names those that need no rows.
"""

from __future__ import annotations

from collections.abc import Callable

from stylobate.data import Table
from stylobate.optimize.elastic_net.descent import solve_gram, solve_rows
from stylobate.optimize.elastic_net.problem import ElasticNetProblem
from stylobate.optimize.elastic_net.quadratic_program import solve_quadratic_program
from stylobate.optimize.elastic_net.solution import ElasticNetSolution
from stylobate.optimize.elastic_net.study import (
    solve_fista,
    solve_ista,
    solve_projected,
    solve_subgradient,
)

Solver = Callable[[ElasticNetProblem], ElasticNetSolution]

SOLVERS: dict[str, Solver] = {
    "coordinate_descent": solve_rows,
    "gram": solve_gram,
    # for study: the same answer by other methods
    "ista": solve_ista,
    "fista": solve_fista,
    "subgradient": solve_subgradient,
    "projected": solve_projected,
    "qp": solve_quadratic_program,
}
FROM_MOMENTS = ("gram",)

FEWEST_ROWS = 2  # for each column, from which on a Gram is smaller than the rows
_FEW_COLUMNS = 400  # their Gram costs no more than the few readings of the rows it replaces
_FEW_COLUMNS_PATH = 2500  # … or the hundred readings of a whole path


def solve(problem: ElasticNetProblem, solver: str) -> ElasticNetSolution:
    """The answer by a solver of this name."""
    return SOLVERS[solver](problem)


def choose(table: Table | None, *, many: bool = False) -> tuple[str, str]:
    """The solver for these rows (None: only their moments are known), and why it.

    Parameters
    ----------
    table : Table or None
    many : bool
        Whether there are many penalties to solve for.
    """
    if table is None:
        return "gram", "rows come in batches: their moments are all that is kept"
    n, p = table.n_rows, table.n_features
    few = _FEW_COLUMNS_PATH if many else _FEW_COLUMNS
    if n >= FEWEST_ROWS * p and p <= few and not (table.is_sparse and p > _FEW_COLUMNS):
        return "gram", f"{n} rows, {p} columns: one pass for the moments, then no row is needed"
    kind = "sparse rows" if table.is_sparse else "rows"
    return "coordinate_descent", f"{n} {kind}, {p} columns: a working set of columns on the rows"
