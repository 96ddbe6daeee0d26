"""Squared losses of a margin by semismooth Newton steps: one pass over the rows for each.

The gradient of ½‖w̃‖² + Σ cᵢ ℓ(yᵢ, x̃ᵢw̃) is piecewise linear, and its generalised Jacobian is
I + 2 Σ cᵢ x̃ᵢx̃ᵢᵀ over the rows within the margin alone. While no row enters or leaves the margin a
step is exact, so that the method ends after finitely many.

With the losses' slopes as dual point, P − D = ½‖∇P‖²: the bound needs no pass of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from stylobate.arrays import Array, Integers, Mask
from stylobate.base.sources import memory_source
from stylobate.data import Table
from stylobate.optimize.linear_gap import TINY, Bounds
from stylobate.optimize.linear_gap_passes import OneAgainstRest
from stylobate.optimize.newton import ROUNDING
from stylobate.optimize.newton_direction import solve_hessian
from stylobate.optimize.robust.rows import Rows
from stylobate.parallel import one_blas_thread
from stylobate.statistics import LossAt, LossStep, Source
from stylobate.statistics.source import rows_at_hand
from stylobate.svm.linear.problem import MarginAnswer, MarginObjective, MarginRows, against_rest

SAMPLE_FROM = 20_000  # rows from which a sample of them gives the start
_SHARE = 16  # one row in so many
_ROUGH = 1e-2  # relative gap on the sample
_SUFFICIENT = 1e-4  # share of the promised decrease that a step must keep
_SHORTEST = 1e-10
_MANY = 6  # a Hessian is summed afresh where more than one row in so many has changed sides


@dataclass(frozen=True, slots=True, eq=False)
class MarginStepsAt:
    """A recipe: loss, gradient and Hessian of several problems over the same rows."""

    objective: MarginObjective
    problems: tuple[tuple[OneAgainstRest | None, Array], ...]

    def of(self, table: Table) -> MarginSteps:
        """The step statistics of a table, one per problem."""
        steps = []
        for chosen, theta in self.problems:
            coef, intercept = self.objective.model(theta)
            center = np.zeros(len(coef))
            at = LossAt.at(self.objective.loss, coef, intercept, center, curvature=True)
            steps.append(at.of(against_rest(table, chosen)))
        return MarginSteps(tuple(steps))


@dataclass(frozen=True, slots=True, eq=False)
class MarginSteps:
    """Step statistics of several problems; they merge one by one."""

    steps: tuple[LossStep, ...]
    subtractable: ClassVar[bool] = False

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        pairs = zip(self.steps, other.steps, strict=True)
        return replace(self, steps=tuple(a.merge(b) for a, b in pairs))

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return all(each.is_finite() for each in self.steps)


@dataclass(frozen=True, slots=True, eq=False)
class _Point:
    """The objective and its derivatives at w̃."""

    theta: Array
    value: float
    gradient: Array
    hessian: Array
    n_rows: int

    @classmethod
    def of(cls, objective: MarginObjective, theta: Array, step: LossStep) -> _Point:
        assert step.hessian is not None
        scale = np.ones(len(theta))
        scale[-1] = objective.scaling  # the derivative in b/s
        factor = objective.C * scale
        hessian = step.hessian * np.outer(factor, scale)
        hessian[np.diag_indices_from(hessian)] += 1.0
        value = objective.C * step.value + 0.5 * float(theta @ theta)
        return cls(theta, value, factor * step.gradient + theta, hessian, step.n_rows)

    @property
    def gap(self) -> float:
        return 0.5 * float(self.gradient @ self.gradient)


class _MemoryOracle:
    """Points of one problem whose rows are at hand: Hessians follow the rows that change sides."""

    def __init__(
        self, table: Table, objective: MarginObjective, chosen: OneAgainstRest | None
    ) -> None:
        self._table = against_rest(table, chosen)
        self._rows = MarginRows(Rows.of(self._table), objective)
        self._inside: Mask | None = None
        self._hessian: Array | None = None

    def __call__(self, theta: Array) -> _Point:
        rows, loss = self._rows, self._rows.objective.loss
        z = rows.margins(theta)
        inside = np.asarray(loss.curvature(rows.y, z) > 0.0)
        before, self._inside = self._inside, inside
        changed = None if before is None else np.flatnonzero(inside != before)
        if changed is None or len(changed) > len(z) // _MANY:
            step = self._afresh(theta)
        else:
            slopes = rows.rows.weights * loss.gradient(rows.y, z)
            value = float(rows.rows.weights @ loss.value(rows.y, z))
            gradient = np.append(rows.rows.sums(slopes), slopes.sum())
            step = LossStep(len(z), 0.0, value, gradient, self._moved(changed, inside))
        if np.isnan(step.value):
            self._table.refuse_nonfinite()
        self._hessian = step.hessian
        return _Point.of(rows.objective, theta, step)

    def _afresh(self, theta: Array) -> LossStep:
        """One pass for all derivatives."""
        coef, intercept = self._rows.objective.model(theta)
        center = np.zeros(len(coef))
        loss = self._rows.objective.loss
        return LossAt.at(loss, coef, intercept, center, curvature=True).of(self._table)

    def _moved(self, changed: Integers, inside: Mask) -> Array:
        """2 Σ ω (x, 1)(x, 1)ᵀ over the rows within the margin, of which some have changed."""
        assert self._hessian is not None
        if not len(changed):
            return self._hessian
        rows = self._rows.rows
        x = np.column_stack([rows.dense(changed), np.ones(len(changed))])
        signs = np.where(inside[changed], 2.0, -2.0) * rows.weights[changed]
        with one_blas_thread():
            return np.asarray(self._hessian + (x * signs[:, None]).T @ x)


class _Course:
    """The steps of one problem: where it is, where it looks next, whether it has arrived."""

    def __init__(self, chosen: OneAgainstRest | None, start: Array, tol: float, most: int) -> None:
        self.chosen, self.trial = chosen, start
        self.here: _Point | None = None
        self._tol, self._most = tol, most
        self._direction, self._length = start, 1.0
        self.iterations, self.done, self.converged = 0, False, False

    def look(self, point: _Point) -> None:
        """Take the step to this point, or a part of it."""
        here = self.here
        if here is not None:
            slope = float(here.gradient @ self._direction)
            gain = point.value - here.value
            lost = ROUNDING * abs(here.value)
            if not gain <= _SUFFICIENT * self._length * slope and not (
                abs(gain) <= lost and point.gap < here.gap
            ):
                return self._shorten(here, gain, slope)
            self.iterations += 1
        self.here = point
        self.converged = point.gap <= max(self._tol, ROUNDING**2) * point.value
        self.done = self.converged or self.iterations >= self._most
        if not self.done:
            solved, _, _ = solve_hessian(point.hessian, point.gradient, point.n_rows)
            self._direction, self._length = -solved, 1.0
            self.trial = point.theta - solved

    def _shorten(self, here: _Point, gain: float, slope: float) -> None:
        curved = 2.0 * (gain - self._length * slope)
        best = -slope * self._length**2 / curved if curved > 0.0 else 0.5 * self._length
        self._length = min(max(best, 0.1 * self._length), 0.5 * self._length)
        self.trial = here.theta + self._length * self._direction
        if self._length < _SHORTEST or (self.trial == here.theta).all():
            self.done = self.converged = True  # rounding is all that is left
            self.converged = -slope <= ROUNDING * abs(here.value)

    def answer(self, at_zero: float) -> MarginAnswer:
        here = self.here
        assert here is not None
        size = 2.0 * float(np.abs(here.theta).max(initial=0.0)) + float(
            np.abs(here.gradient).max(initial=0.0)
        )
        kkt = float(np.abs(here.gradient).max(initial=0.0)) / max(size, TINY)
        bounds = Bounds(here.value, here.value - here.gap, at_zero, kkt)
        return MarginAnswer(here.theta, bounds, self.iterations, self.converged)


def solve_newton(
    source: Source,
    objective: MarginObjective,
    problems: Sequence[OneAgainstRest | None],
    *,
    tol: float,
    max_iter: int,
) -> list[MarginAnswer]:
    """All problems side by side: every pass over the rows serves all that are not yet solved.

    Parameters
    ----------
    source : Source
        Rows whose y holds class numbers, or the numbers to predict.
    objective : MarginObjective
        With the squared hinge or the squared ε-insensitive loss.
    problems : sequence of OneAgainstRest or None
    tol : float
        Relative gap to be reached.
    max_iter : int

    References
    ----------
    Mangasarian (2002), A finite Newton method for classification. Keerthi & DeCoste (2005), A
    modified finite Newton method for fast solution of large scale linear SVMs, JMLR 6.
    """
    width = source.n_features + 1
    table = rows_at_hand(source)
    if table is not None and table.n_rows >= SAMPLE_FROM and table.n_rows >= _SHARE * 4 * width:
        starts = _from_sample(table, objective, problems)
        courses = []
        for problem, start in zip(problems, starts, strict=True):
            oracle = _MemoryOracle(table, objective, problem)
            courses.append(_Course(problem, start, tol, max_iter))
            while not courses[-1].done:
                courses[-1].look(oracle(courses[-1].trial))
        at_zero = [_at_zero(table, objective, problem) for problem in problems]
    else:
        courses = [_Course(problem, np.zeros(width), tol, max_iter) for problem in problems]
        first = _evaluate(source, objective, courses)
        at_zero = [each.value for each in first]
        for course, point in zip(courses, first, strict=True):
            course.look(point)
        while left := [course for course in courses if not course.done]:
            for course, point in zip(left, _evaluate(source, objective, left), strict=True):
                course.look(point)
    return [course.answer(value) for course, value in zip(courses, at_zero, strict=True)]


def _evaluate(source: Source, objective: MarginObjective, courses: list[_Course]) -> list[_Point]:
    found = source.compute(MarginStepsAt(objective, tuple((c.chosen, c.trial) for c in courses)))
    pairs = zip(courses, found.steps, strict=True)
    return [_Point.of(objective, course.trial, step) for course, step in pairs]


def _at_zero(table: Table, objective: MarginObjective, chosen: OneAgainstRest | None) -> float:
    table = against_rest(table, chosen)
    assert table.y is not None
    values = objective.loss.value(table.y[:, 0], np.zeros(table.n_rows))
    total = values.sum() if table.weights is None else table.weights @ values
    return objective.C * float(total)


def _from_sample(
    table: Table, objective: MarginObjective, problems: Sequence[OneAgainstRest | None]
) -> list[Array]:
    """Answers to a sample of the rows, each of which stands for several."""
    n = table.n_rows
    count = n // _SHARE
    rows = np.sort(np.random.default_rng(0).choice(n, count, replace=False))
    sample = memory_source(table.take(rows))
    scaled = replace(objective, C=objective.C * n / count)
    found = solve_newton(sample, scaled, problems, tol=_ROUGH, max_iter=20)
    return [each.theta for each in found]
