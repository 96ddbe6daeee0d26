"""Linear support vector machines by dual coordinate descent, of one class against the rest or all.

The compiled engine visits the rows in random order, moves the dual entry of each to its best place,
and passes by the rows that sit firmly at a corner (shrinking), until the gap is small. Losses with
kinks converge slowly that way: after some epochs the rows on their kinks are solved for exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.data import Table
from stylobate.losses import Hinge
from stylobate.optimize.linear_gap import Bounds
from stylobate.optimize.linear_gap_passes import OneAgainstRest
from stylobate.optimize.robust.rows import Rows
from stylobate.optimize.sgd import row_major
from stylobate.statistics.rows import counted, csr_parts
from stylobate.svm.linear.hinges import few_enough, finish_hinges
from stylobate.svm.linear.joint import JointProgram, joint_fits, solve_joint
from stylobate.svm.linear.problem import (
    LinearMachines,
    MarginAnswer,
    MarginObjective,
    MarginRows,
    against_rest,
)

_EPOCHS_BEFORE_FINISH = 200


def solve_dual(
    table: Table,
    objective: MarginObjective,
    problems: Sequence[OneAgainstRest | None],
    *,
    tol: float,
    max_iter: int,
    seed: int,
) -> list[MarginAnswer]:
    """All problems, on several threads.

    Parameters
    ----------
    table : Table
    objective : MarginObjective
        With the hinge, the ε-insensitive loss, or the square of one.
    problems : sequence of OneAgainstRest or None
    tol : float
        Relative gap to be reached.
    max_iter : int
        Epochs at most.
    seed : int
        Of the orders of the rows.

    References
    ----------
    Hsieh, Chang, Lin, Keerthi & Sundararajan (2008), A dual coordinate descent method for
    large-scale linear SVM, ICML. Ho & Lin (2012), Large-scale linear support vector regression,
    JMLR 13.
    """
    table = counted(table)
    parts = [against_rest(table, chosen) for chosen in problems]
    y = np.stack([_first(part) for part in parts])
    shares = np.stack([objective.C * _weights(part) for part in parts])
    width = table.n_features + 1
    finishes = not objective.loss.smooth and few_enough(table.n_rows, width)
    epochs = min(max_iter, _EPOCHS_BEFORE_FINISH) if finishes else max_iter
    how = (objective.scaling, tol, epochs, seed)
    found = _call("linear_dual", table.x, y, shares, objective.loss.core, *how)
    answers = []
    for each, targets, c in zip(found, y, shares, strict=True):
        theta = each["weights"][0]
        at_zero = float(c @ objective.loss.value(targets, np.zeros(len(c))))
        bounds = Bounds(each["primal"], each["dual"], at_zero, 0.0)
        answers.append(MarginAnswer(theta, bounds, each["epochs"], each["converged"]))
    if not finishes or max_iter <= epochs:
        return answers
    return [
        answer if answer.converged else _finished(part, objective, answer, tol, max_iter)
        for part, answer in zip(parts, answers, strict=True)
    ]


def _finished(
    part: Table, objective: MarginObjective, answer: MarginAnswer, tol: float, max_iter: int
) -> MarginAnswer:
    """The exact optimum where coordinate descent crawls: losses with kinks, few rows on them."""
    rows, left = MarginRows(Rows.of(part), objective), max_iter - answer.iterations
    found = finish_hinges(rows, answer.theta, tol=tol, max_iter=left)
    return replace(found, iterations=answer.iterations + found.iterations)


def solve_crammer_singer(
    table: Table,
    codes: Integers,
    factors: Array,
    C: float,
    scaling: float,
    *,
    solver: str,
    tol: float,
    max_iter: int,
    seed: int,
) -> LinearMachines:
    r"""One vector for each class, all at once.

    .. math:: \min \tfrac12 \sum_m \|\tilde w_m\|^2
              + \sum_i c_i \max_m \left(1 - [m = y_i] + (\tilde w_m - \tilde w_{y_i})^\top
              \tilde x_i\right)

    Parameters
    ----------
    table : Table
    codes : int array of shape (n,)
        Class numbers.
    factors : array of shape (n_classes,)
        Weights of the classes.
    C, scaling : float
        As of `MarginObjective`.
    solver : {"auto", "dual"}
        "auto" tries an interior-point method where its systems are small.
    tol, max_iter, seed
        As of `solve_dual`.

    References
    ----------
    Crammer & Singer (2001), On the algorithmic implementation of multiclass kernel-based vector
    machines, JMLR 2. Keerthi, Sundararajan, Chang, Hsieh & Lin (2008), A sequential dual method
    for large scale multi-class linear SVMs, KDD.
    """
    known = np.ones(table.n_rows) if table.weights is None else table.weights
    kept = np.flatnonzero(known)
    shares = C * (known * factors[codes])[kept]
    x = table.x if len(kept) == table.n_rows else row_major(table.x)[kept]
    labels = np.ascontiguousarray(codes[kept], dtype=np.int64)
    found: Any = None
    steps = 0
    if solver == "auto" and joint_fits(len(kept), table.n_features + 1, len(factors)):
        dense = np.asarray(x.toarray() if table.is_sparse else x, dtype=np.float64)
        dense = np.column_stack([dense, np.full(len(dense), scaling)])
        program = JointProgram(dense, labels, shares, len(factors))
        near = solve_joint(program, tol=tol, max_iter=max_iter)
        steps = near.iterations
        if near.gap <= tol or steps >= max_iter:
            found = {"weights": near.weights, "primal": near.primal, "dual": near.dual}
            found["converged"] = near.gap <= tol
    if found is None:
        how = (len(factors), shares, scaling, tol, max_iter, seed)
        found = _call("crammer_singer", x, labels, *how)
        steps += found["epochs"]
    weights = found["weights"]
    answer = MarginAnswer(
        weights.ravel(),
        Bounds(found["primal"], found["dual"], float(shares.sum()), 0.0),
        steps,
        found["converged"],
    )
    whole = LinearMachines.of(MarginObjective(Hinge(), C, scaling), [answer])
    return replace(whole, coef=weights[:, :-1], intercept=scaling * weights[:, -1])


def _first(table: Table) -> Array:
    assert table.y is not None
    return np.asarray(table.y[:, 0], dtype=np.float64)


def _weights(table: Table) -> Array:
    return np.ones(table.n_rows) if table.weights is None else table.weights


def _call(name: str, x: Any, *rest: Any) -> Any:
    """The engine for dense or compressed rows."""
    x = row_major(x)
    if isinstance(x, np.ndarray):
        return getattr(_core, name)(x, *rest)
    return getattr(_core, f"{name}_csr")(*csr_parts(x), *rest)
