"""Classes from rows that come in batches: every Newton step is one pass over them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base.batches import refuse_read_once
from stylobate.data import Table
from stylobate.data.joined_tables import joined
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import InvalidDataError
from stylobate.optimize.logistic.newton import NewtonProblem, solve_newton
from stylobate.optimize.logistic.separation import ON_BOUNDARY, Separation
from stylobate.optimize.logistic.smooth import (
    NO_TIGHTER,
    SAMPLE_ROWS,
    sample_stride,
    start_from_sample,
    to_rounding,
)
from stylobate.optimize.logistic.solution import LogisticSolution
from stylobate.sources import StreamSource, source_of
from stylobate.statistics import Source
from stylobate.statistics.rows import counted

MORE_STEPS = 10  # for coefficients that only seemed to grow without end
REASON = "rows in batches: one mergeable pass per iteration"

Read = Callable[[Batch], Table]  # y holds codes of the classes of the table


@dataclass(frozen=True, slots=True, eq=False)
class ClassCounts:
    """Classes seen, the weight of each, the rows that count, sums of the columns, a sample."""

    classes: NDArray[Any]
    weights: Array
    n_rows: int
    sums: Array
    sample: Table | None = None

    subtractable: ClassVar[bool] = False

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        both = np.concatenate([self.classes, other.classes])
        classes, where = np.unique(both, return_inverse=True)
        each = np.concatenate([self.weights, other.weights])
        weights = np.asarray(np.bincount(where, weights=each), dtype=np.float64)
        samples = [part for part in (self.sample, other.sample) if part is not None]
        return type(self)(
            classes,
            weights,
            self.n_rows + other.n_rows,
            self.sums + other.sums,
            joined(samples) if samples else None,
        )

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.sums).all())


@dataclass(frozen=True, slots=True)
class CountClasses:
    """Recipe of `ClassCounts`, for tables whose target is codes of classes.

    Parameters
    ----------
    stride : int, default=0
        One row in so many is put into the sample, by the numbers of the rows; 0 for none.
    """

    stride: int = 0

    def of(self, table: Table) -> ClassCounts:
        """The counts of a table."""
        assert table.y is not None
        assert table.classes is not None
        weights = np.ones(table.n_rows) if table.weights is None else table.weights
        codes = table.y[:, 0].astype(np.intp)
        counts = np.bincount(codes, weights=weights, minlength=len(table.classes))
        totals = np.asarray(counts, dtype=np.float64)
        sums = np.asarray(weights @ table.x, dtype=np.float64).ravel()
        there, n_rows = totals > 0.0, int((weights > 0.0).sum())
        return ClassCounts(table.classes[there], totals[there], n_rows, sums, self._sample(table))

    def _sample(self, table: Table) -> Table | None:
        first = -table.first_row % self.stride if self.stride else table.n_rows
        if first >= table.n_rows:
            return None
        rows = table.take(np.arange(first, table.n_rows, self.stride))  # a copy: windows may go
        return replace(rows, first_row=0)


@dataclass(frozen=True, slots=True)
class LeastMargin:
    """A recipe, and its statistic: the least and the largest margin of the rows' own classes."""

    coef: Array
    intercept: float
    least: float = inf
    largest: float = -inf

    subtractable: ClassVar[bool] = False

    def of(self, table: Table) -> Self:
        """The margins of a table whose target is 0 or 1."""
        rows = counted(table)
        assert rows.y is not None
        own = (2.0 * rows.y[:, 0] - 1.0) * (rows.x @ self.coef + self.intercept)
        return replace(self, least=own.min(initial=inf), largest=own.max(initial=-inf))

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        least, largest = min(self.least, other.least), max(self.largest, other.largest)
        return replace(self, least=least, largest=largest)

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return isfinite(self.least)


@dataclass(frozen=True, slots=True, eq=False)
class ClassRows:
    """Rows of a stream whose target is codes of classes, and the door they are read through."""

    stream: Stream
    read: Read
    owner: str
    source: Source

    @classmethod
    def of(cls, stream: Stream, read: Read, owner: str) -> Self:
        """The rows, which will be passed over for every step."""
        refuse_read_once(stream.repeatable, owner)
        return cls(stream, read, owner, source_of(stream, read, owner, again=True))

    def changed(self, change: Callable[[Table], Table]) -> Source:
        """Their source with tables changed by a function; rows that were kept are not read anew."""
        if isinstance(self.source, StreamSource):
            return self.source.changed(change)
        return source_of(self.stream, lambda batch: change(self.read(batch)), self.owner)


def count_classes(rows: ClassRows) -> ClassCounts:
    """One pass: the classes, their weights, the means of the columns, a sample of many rows."""
    source, owner = rows.source, rows.owner
    length = source.capabilities.length or 0
    dense = length >= SAMPLE_ROWS and not source.is_sparse
    stride = sample_stride(length, source.n_features) if dense else 0
    counts = source.compute(CountClasses(stride if stride >= 4 else 0))
    if len(counts.classes) < 2:
        raise InvalidDataError(
            f"{owner} needs samples of at least 2 classes in the data, but the batches contain "
            f"{len(counts.classes)}: {counts.classes.tolist()!r}."
        )
    return counts


def coding(rows: ClassRows, classes: NDArray[Any], factors: Array) -> Callable[[Table], Table]:
    """Tables with numbers of `classes` as target; `factors` multiply the weights by class."""

    def coded(table: Table) -> Table:
        assert table.y is not None
        assert table.classes is not None
        codes = table.y[:, 0].astype(np.intp)
        _refuse_new(rows.owner, table.classes, codes, table.weights, classes)
        last = len(classes) - 1
        numbers = np.searchsorted(classes, table.classes).clip(max=last)[codes]
        weights = table.weights
        if not (factors == 1.0).all():
            by_row = factors[numbers]
            weights = by_row if weights is None else weights * by_row
        y = numbers.astype(np.float64)[:, np.newaxis]
        return replace(table, y=y, weights=weights, classes=None)

    return coded


def solve_batches(
    rows: ClassRows,
    counts: ClassCounts,
    factors: Array,
    *,
    l2: float,
    fit_intercept: bool,
    tol: float,
    max_iter: int,
    l1: float = 0.0,
) -> tuple[LogisticSolution, Separation | None]:
    """Newton's method over batches; `factors` multiply the rows' weights by class.

    An ℓ1 penalty is for two classes.

    Where the coefficients seem to grow without end, one more pass sees whether they separate the
    classes completely; if not, some more steps whether they end after all. Classes that are
    separated but for rows on the boundary, and more than two, are left as `diverging`: finding
    their direction takes a linear program over the rows, which batches do not allow.
    """
    coded = coding(rows, counts.classes, factors)
    course = CodedRows(
        rows.changed(coded),
        counts.n_rows,
        len(counts.classes),
        float(counts.weights @ factors),
        counts.sums / counts.weights.sum(),
        None if counts.sample is None else coded(counts.sample),
    )
    return course.solve(l1=l1, l2=l2, fit_intercept=fit_intercept, tol=tol, max_iter=max_iter)


@dataclass(frozen=True, slots=True, eq=False)
class CodedRows:
    """Rows whose target is class numbers, and what is known of them.

    Parameters
    ----------
    source : Source
    n_rows, n_classes : int
    weight : float
        Σω.
    center : array of shape (p,)
        The columns' means.
    sample : Table, optional
        One row in so many, from which to start.
    """

    source: Source
    n_rows: int
    n_classes: int
    weight: float
    center: Array
    sample: Table | None = None

    def solve(
        self,
        *,
        l2: float,
        fit_intercept: bool,
        tol: float,
        max_iter: int,
        l1: float = 0.0,
        start: tuple[Array, Array] | None = None,
    ) -> tuple[LogisticSolution, Separation | None]:
        """Fit by passes, from coefficients and intercepts near the answer if there are some."""
        tol = max(tol, NO_TIGHTER)
        if l1 > 0.0:
            from stylobate.optimize.logistic.sparse_passes import SparsePasses

            rows = SparsePasses.of(self.source, fit_intercept=fit_intercept, max_iter=max_iter)
            return rows.solve(l1, l2, tol=tol, start=start), None
        if self.n_classes > 2:
            return self._solve_softmax(l2, fit_intercept, tol, max_iter, start), None
        problem = NewtonProblem(
            self.source,
            self.center if fit_intercept else np.zeros_like(self.center),
            l2=l2,
            fit_intercept=fit_intercept,
        )
        aim, theta = to_rounding(self.n_rows, problem.size), np.zeros(problem.size)
        if start is not None:
            theta = _theta(*start, problem)
        elif self.sample is not None:
            stride = self.n_rows / self.sample.n_rows
            theta = start_from_sample(self.sample, problem, theta, stride)
        solution = solve_newton(problem, theta, tol=tol, max_iter=max_iter, aim=aim)
        separation = None
        if solution.diverging:
            separation = _complete_separation(self.source, solution, self.n_rows)
        if solution.diverging and separation is None:
            theta = _theta(solution.coef, solution.intercept, problem)
            more = solve_newton(problem, theta, tol=tol, max_iter=MORE_STEPS, watch=False, aim=aim)
            steps = solution.iterations + more.iterations
            solution = replace(more, iterations=steps, diverging=not more.converged)
        return replace(solution, reason=REASON), separation

    def _solve_softmax(
        self,
        l2: float,
        fit_intercept: bool,
        tol: float,
        max_iter: int,
        start: tuple[Array, Array] | None,
    ) -> LogisticSolution:
        from stylobate.optimize.logistic.softmax_passes import SoftmaxPasses, solve_passes

        softmax = SoftmaxPasses(
            self.source,
            self.n_rows,
            self.n_classes,
            self.weight,
            self.center,
            l2=l2,
            fit_intercept=fit_intercept,
        )
        return solve_passes(softmax, tol=tol, max_iter=max_iter, start=start)


def _theta(coef: Array, intercept: Array, problem: NewtonProblem) -> Array:
    """Coefficients, and the intercept of centred columns where there is one."""
    return np.append(coef[0], intercept + coef @ problem.center)[: problem.size]


def _complete_separation(
    source: Source, solution: LogisticSolution, n_rows: int
) -> Separation | None:
    """What the coefficients separate, if no row is on the wrong side of them or on the boundary."""
    coef, intercept = solution.coef, solution.intercept
    found = source.compute(LeastMargin(coef[0], float(intercept[0])))
    if not found.least > ON_BOUNDARY * found.largest:
        return None
    size = float(np.abs(coef).max(initial=0.0)) or 1.0
    rows = np.broadcast_to(np.array(True), (n_rows,))
    used = np.flatnonzero(coef[0])
    return Separation("complete", coef / size, intercept / size, rows, used)


def _refuse_new(
    owner: str,
    classes: NDArray[Any],
    codes: NDArray[np.int64],
    weights: Array | None,
    known: NDArray[Any],
) -> None:
    """Refuse a class that the first pass did not give, unless its rows have no weight."""
    new = ~np.isin(classes, known)
    if not new.any() or (weights is not None and not weights[new[codes]].any()):
        return
    raise InvalidDataError(
        f"{owner}: another pass over the batches gave the class {classes[new][0]!r}, which the "
        "first did not; they must give the same rows every time."
    )
