"""Logistic regression of every fold's training rows along strengths of the penalty, by passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.optimize.logistic.batches import (
    ClassCounts,
    ClassRows,
    CodedRows,
    CountClasses,
    coding,
)
from stylobate.optimize.logistic.solution import LogisticSolution
from stylobate.optimize.logistic.sparse_passes import SparsePasses
from stylobate.sources.together import solve_outside
from stylobate.statistics import Source


@dataclass(frozen=True, slots=True)
class CountNumbers:
    """Recipe of `ClassCounts`, for tables whose target is numbers of so many classes."""

    n_classes: int

    def of(self, table: Table) -> ClassCounts:
        """The counts of a table."""
        return CountClasses().of(replace(table, classes=np.arange(self.n_classes)))


def solve_folds(
    rows: ClassRows,
    classes: NDArray[np.generic],
    factors: Array,
    part_of: Callable[[int, int], NDArray[np.intp]],
    n_folds: int,
    lines: Sequence[Sequence[tuple[float, float]]],
    *,
    fit_intercept: bool,
    tol: float,
    max_iter: int,
) -> list[list[list[LogisticSolution]]]:
    """For every fold and every penalty of every line, the fit to the rows outside the fold.

    All folds are solved in step, so that a pass serves one Newton step of each; along a line every
    fit starts from the one before.

    Parameters
    ----------
    rows : ClassRows
    classes : array
        All labels.
    factors : array
        Of the rows' weights, by class.
    part_of : callable
        The fold of each of some consecutive rows, from the number of the first and how many.
    n_folds : int
    lines : sequence of sequences of (l1, l2)
        Penalties, in the order to go along; an ℓ1 penalty is for two classes.
    fit_intercept, tol, max_iter
        As of `solve_batches`.
    """

    def along(fold: int, training: Source) -> list[list[LogisticSolution]]:
        counts = training.compute(CountNumbers(len(classes)))
        if len(counts.classes) < len(classes):
            lost = np.setdiff1d(np.arange(len(classes)), counts.classes)[0]
            raise InvalidDataError(
                f"{rows.owner}: outside fold {fold} of the cross-validation there is no row of the "
                f"class {classes.tolist()[lost]!r}; use fewer folds, or more rows of that class."
            )
        weight = float(counts.weights.sum())
        coded = CodedRows(training, counts.n_rows, len(classes), weight, counts.sums / weight)
        sparse = None
        if any(l1 > 0.0 for line in lines for l1, _ in line):
            sparse = SparsePasses.of(training, fit_intercept=fit_intercept, max_iter=max_iter)
        found: list[list[LogisticSolution]] = []
        for line in lines:
            found.append([])
            start = None
            for l1, l2 in line:
                if sparse is not None and l1 > 0.0:
                    solution = sparse.solve(l1, l2, tol=tol, start=start)
                else:
                    solution, _ = coded.solve(
                        l2=l2, fit_intercept=fit_intercept, tol=tol, max_iter=max_iter, start=start
                    )
                found[-1].append(solution)
                start = (solution.coef, solution.intercept)
        return found

    source = rows.changed(coding(rows, classes, factors))
    return solve_outside(source, part_of, n_folds, along)
