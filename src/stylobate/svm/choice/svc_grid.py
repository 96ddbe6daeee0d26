"""Support vector classification over folds and costs, at one kernel: solve, decide.

The matrix of the kernel is shared: by all folds, and by all pairs of classes where that of all
rows fits into the memory, else by the folds of a pair. Each cost starts from the last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.base.jobs import run_jobs
from stylobate.parallel import one_blas_thread
from stylobate.svm.choice.cost_path import scaled_start
from stylobate.svm.duals.dual import DualSolution, solve_dual
from stylobate.svm.duals.problems import classification_dual
from stylobate.svm.kernel_matrix.kernel_points import KernelPoints, subset, taken, with_matrix
from stylobate.svm.machines.machine import SolverRequest
from stylobate.svm.machines.one_vs_one import class_pairs, pair_sums
from stylobate.svm.machines.svc import SVC

Split = tuple[Indices, Indices]


@dataclass(frozen=True, slots=True, eq=False)
class GridProblem:
    """Rows with their class numbers, folds of them, and costs.

    Parameters
    ----------
    codes : array of shape (n,)
        Class numbers.
    k : int
        How many classes there are.
    folds : sequence of (train, test)
        Row numbers.
    costs : array of shape (n_folds, n)
        Factors of C: weights of the rows by those of their classes, 0 for rows that are left out.
    Cs : array of shape (n_Cs,)
        Ascending.
    request : SolverRequest
        How to solve.
    n_jobs : int or None
        Folds at a time.
    """

    codes: NDArray[np.int64]
    k: int
    folds: Sequence[Split]
    costs: Array
    Cs: Array
    request: SolverRequest
    n_jobs: int | None


@dataclass(frozen=True, slots=True, eq=False)
class FoldMachines:
    """Of one fold: coefficients (k − 1, n, n_Cs) as in `paired`, intercepts (n_pairs, n_Cs)."""

    coefs: Array
    intercepts: Array


@dataclass(frozen=True, slots=True, eq=False)
class PairMachines:
    """Of one pair on one fold: rows, which are of the first class, β (n, n_Cs), intercepts."""

    rows: Indices
    first: NDArray[np.bool_]
    betas: Array
    intercepts: Array
    unfinished: int


@dataclass(frozen=True, slots=True, eq=False)
class GridDecisions:
    """Decisions of each fold's test rows, (n_test, n_pairs) for every C; unfinished problems."""

    decisions: list[list[Array]]
    unfinished: int


def grid_decisions(points: KernelPoints, asked: GridProblem) -> GridDecisions:
    """What the machines of all folds and costs say of the rows left out, at one kernel."""
    shared = with_matrix(points, asked.request.cache_size)
    n, pairs = len(asked.codes), class_pairs(asked.k)
    shape = (asked.k - 1, n, len(asked.Cs))
    folds = [
        FoldMachines(np.zeros(shape), np.zeros((len(pairs), len(asked.Cs)))) for _ in asked.folds
    ]
    unfinished = 0
    for place, (i, j) in enumerate(pairs):
        own = np.flatnonzero((asked.codes == i) | (asked.codes == j))
        block = with_matrix(subset(shared, own), asked.request.cache_size)
        calls = [
            partial(_fold_pair, block, asked, number, (i, j), own) for number in range(len(folds))
        ]
        for fold, found in zip(folds, run_jobs(calls, asked.n_jobs, SVC(), "all"), strict=True):
            fold.coefs[j - 1, found.rows[found.first]] = found.betas[found.first]
            fold.coefs[i, found.rows[~found.first]] = found.betas[~found.first]
            fold.intercepts[place] = found.intercepts
            unfinished += found.unfinished
    with one_blas_thread():  # for products this small more would cost more than they save
        decisions = [
            _decisions(shared, asked, fold, test)
            for fold, (_, test) in zip(folds, asked.folds, strict=True)
        ]
    return GridDecisions(decisions, unfinished)


def _fold_pair(
    block: KernelPoints, asked: GridProblem, number: int, pair: tuple[int, int], own: Indices
) -> PairMachines:
    """Solve a pair of classes on one fold's training rows at all costs.

    `own` are the pair's rows, those of `block`.
    """
    cost = asked.costs[number][own]
    used = np.flatnonzero(cost > 0.0)
    rows = own[used]
    first = asked.codes[rows] == pair[0]
    sign = np.where(first, 1.0, -1.0) * (1.0 if asked.k > 2 else -1.0)
    if not len(rows) or first.all() or not first.any():
        value = float(sign[0]) if len(rows) else 0.0
        none = np.zeros((len(rows), len(asked.Cs)))
        return PairMachines(rows, first, none, np.full(len(asked.Cs), value), 0)
    solutions = _along_costs(subset(block, used), sign, cost[used], asked)
    return PairMachines(
        rows,
        first,
        np.stack([solution.beta for solution in solutions], axis=1),
        np.array([solution.offsets[0] for solution in solutions]),
        sum(not solution.converged for solution in solutions),
    )


def _along_costs(
    points: KernelPoints, sign: Array, cost: Array, asked: GridProblem
) -> list[DualSolution]:
    kernel, data = points.for_engine()
    request = asked.request
    # pairs on a matrix at hand stop at the tolerance: a grid needs no small gap
    method: Any = "smo" if request.solver == "auto" and points.is_given else request.solver
    held = 8e-6 * len(sign) ** 2 + 1.0 if points.is_given else 0.0
    found: list[DualSolution] = []
    for place, c in enumerate(asked.Cs):
        start = None
        if place:
            last = found[-1]
            start = scaled_start(sign, last.beta, last.scores, c / asked.Cs[place - 1])
        found.append(
            solve_dual(
                kernel,
                data,
                classification_dual(sign, c * cost),
                tol=request.tol,
                max_iter=request.max_iter,
                cache_size=max(request.cache_size, held),
                method=method,
                start=start,
                mercer=points.mercer is not False,  # scores need no certificate
            )
        )
    return found


def _decisions(
    points: KernelPoints, asked: GridProblem, fold: FoldMachines, test: Indices
) -> list[Array]:
    """Decisions of the test rows at every cost: one product with the kernel for each class."""
    queries = taken(points.points, test)
    n_Cs = len(asked.Cs)
    products = []
    for code in range(asked.k):
        used = np.flatnonzero((asked.codes == code) & fold.coefs.any(axis=(0, 2)))
        if len(used):
            flat = fold.coefs[:, used].transpose(1, 0, 2).reshape(len(used), -1)
            product = points.product(queries, used, np.ascontiguousarray(flat))
        else:
            product = np.zeros((len(test), (asked.k - 1) * n_Cs))
        products.append(product.reshape(len(test), asked.k - 1, n_Cs))
    return [
        pair_sums([each[:, :, c] for each in products], fold.intercepts[:, c]) for c in range(n_Cs)
    ]
