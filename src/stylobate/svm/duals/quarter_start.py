"""A start from the solution of a quarter of the rows, with bounds four times as wide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.svm.duals.duality import DualProblem, feasible_start, reach_total
from stylobate.svm.duals.pair_solver import Descent
from stylobate.svm.duals.working_sets import (
    LEAST_SET,
    Limits,
    Places,
    Search,
    improve_unscored,
    largest_set,
    scores_of,
    search_by_sets,
)
from stylobate.svm.kernel_matrix.kernel_source import KernelSource

FEWEST_ROWS = 3000  # below, sets from scratch are as quick
SHARE = 4


@dataclass
class SomeRows:
    """A kernel source on some of its rows."""

    source: KernelSource
    which: Places

    def __post_init__(self) -> None:
        self.n, self.exact = len(self.which), self.source.exact
        self.diagonal = self.source.diagonal[self.which]

    def block(self, queries: Places, rows: Places) -> NDArray[Any]:
        """As the source's."""
        return self.source.block(self.which[queries], self.which[rows])

    def exact_block(self, queries: Places, rows: Places) -> Array:
        """As the source's."""
        return self.source.exact_block(self.which[queries], self.which[rows])

    def symmetric_product(self, rows: Places, v: Array) -> Array:
        """As the source's."""
        return self.source.symmetric_product(self.which[rows], v)

    def product(self, queries: Places, rows: Places, v: Array, *, exact: bool = False) -> Array:
        """As the source's."""
        return self.source.product(self.which[queries], self.which[rows], v, exact=exact)


def quarter_start(source: KernelSource, problem: DualProblem, limits: Limits) -> Search | None:
    """β and scores near the solution; None where a part does not stand for the whole."""
    chosen = np.sort(np.random.default_rng(0).permutation(source.n)[: source.n // SHARE])
    small = _quarter(problem, chosen, source.n)
    if small is None:
        return None
    part = small
    some = SomeRows(source, chosen)
    try:
        sub = _solved(some, part, limits)
    except InvalidDataError:  # its totals cannot be reached
        return None
    found = sub.optimality()
    by_row = part.by_row(sub.beta, some.n)
    used = np.flatnonzero(by_row)
    scores = source.product(np.arange(source.n), chosen[used], by_row[used])
    off = problem.target - scores[problem.rows] - found.offsets[problem.group]
    free = int(((sub.beta > part.lower) & (sub.beta < part.upper)).sum())
    return _from_margins(source, problem, off, free, limits, sub.went)


def _quarter(problem: DualProblem, chosen: Places, n: int) -> DualProblem | None:
    """The problem of these rows; bounds are scaled so that their sums are the whole's."""
    local = np.full(n, -1, dtype=np.int64)
    local[chosen] = np.arange(len(chosen))
    which = np.flatnonzero(local[problem.rows] >= 0)
    part = problem.some(which, local[problem.rows[which]], problem.totals)
    lower, upper = part.lower.copy(), part.upper.copy()
    for g in range(len(problem.totals)):
        own, mine = problem.group == g, part.group == g
        for all_bounds, bounds in ((problem.lower, lower), (problem.upper, upper)):
            whole, small = float(all_bounds[own].sum()), float(bounds[mine].sum())
            if not np.isfinite(whole) or (small == 0.0 and whole != 0.0):
                return None
            bounds[mine] *= whole / small if whole != 0.0 else 1.0
    return DualProblem(part.rows, part.target, lower, upper, part.group, part.totals)


def _solved(some: SomeRows, part: DualProblem, limits: Limits) -> Search:
    limits_of_part = Limits(10.0 * limits.tol, limits.max_iter, limits.memory, relative_gap=np.inf)
    search = None
    if some.n >= max(FEWEST_ROWS, largest_set(some, limits.memory)):
        search = quarter_start(some, part, limits)
    if search is None:
        beta = feasible_start(part)
        search = Search(some, part, beta, scores_of(some, part, beta))
    search_by_sets(search, limits_of_part, rough=True)
    return search


def _from_margins(
    source: KernelSource,
    problem: DualProblem,
    off: Array,
    free: int,
    limits: Limits,
    went: Descent,
) -> Search | None:
    """Variables far from the margin go to their bounds, those near it are solved for."""
    beta = np.where(off > 0.0, problem.upper, problem.lower)
    size = min(problem.size, largest_set(source, limits.memory), max(3 * free, 8 * LEAST_SET))
    order = np.argpartition(np.abs(off), size - 1)[:size]
    near = order[np.argsort(np.abs(off[order]), kind="stable")]
    for g, total in enumerate(problem.totals):
        own = near[problem.group[near] == g]
        others = float(beta[problem.group == g].sum()) - float(beta[own].sum())
        try:
            beta[own] = reach_total(
                beta[own], problem.lower[own], problem.upper[own], float(total) - others, g
            )
        except InvalidDataError:
            return None
    search = Search(source, problem, beta, np.zeros(0), went=went)
    improve_unscored(search, np.sort(near), limits)
    return search
