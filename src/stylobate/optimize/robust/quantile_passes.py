"""Quantiles over rows that are not in memory: exact, by a few passes for each.

The way is that of `check_loss.solve`. A sample of the rows is solved whole; a pass for each
smoothed Newton step comes close to the optimum of all rows; one more gathers the rows near the line
and folds the others into two. The vertex of these is optimal for all rows once a pass finds no sign
wrong. Several quantiles are solved one after the other; a pass sees whether their lines cross.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.config import get_config
from stylobate.exceptions import UnsupportedDataError
from stylobate.optimize.robust import check_loss
from stylobate.optimize.robust.check_loss import CheckLoss, Work, newton_step, vertex_work
from stylobate.optimize.robust.frame import Frame
from stylobate.optimize.robust.line_sums import (
    BandAt,
    BandSums,
    DualAt,
    LeastGaps,
    Sides,
    SideSums,
)
from stylobate.optimize.robust.proof import DualSums, certify_sums
from stylobate.optimize.robust.quantile import (
    CROSSING,
    QuantileSolution,
    course_of,
    end_course,
    model_of,
)
from stylobate.optimize.robust.rows import Rows
from stylobate.optimize.trace import Trace
from stylobate.parallel import one_blas_thread
from stylobate.statistics import Moments, Source, TriangularFactor
from stylobate.statistics.sketches.table_sample import SampleRows

SAMPLE_ROWS = 2560  # per column, of the sample that is solved first
SAMPLE_BYTES = 1 << 27  # that it has at most


@dataclass(frozen=True, slots=True, eq=False)
class _Vertex:
    """An optimal vertex and its dual: rows that were solved, the others by their side."""

    theta: Array
    reference: Array
    numbers: Integers
    duals: Array
    multipliers: Array
    pivots: int
    optimal: bool


class LinesCrossError(Exception):
    """The lines of two quantiles cross within the rows: they have to be solved together."""


def solve_quantile_passes(
    source: Source, taus: list[float], *, alpha: float, intercept: bool
) -> QuantileSolution:
    """Minimise Σₖ [Σ ωᵢ ρ_τₖ(yᵢ − xᵢwₖ − bₖ) / Σω + α‖wₖ‖₁] by passes; see `solve_quantiles`.

    Raises `LinesCrossError` where quantiles solved one by one cross on the rows.
    """
    with one_blas_thread():
        moments: Moments = source.compute(Moments)
        frame = Frame.of(
            moments,
            lambda: source.compute(TriangularFactor),
            intercept=intercept,
            scaled_only=alpha > 0,
        )
        one_by_one = [
            _alone(CheckLoss(frame, tau, alpha * moments.weight), source, moments.n_rows)
            for tau in taus
        ]
        answers, sums = [each.answer for each in one_by_one], [each.sums for each in one_by_one]
        if len(taus) > 1:
            _refuse_crossing(source, answers, moments)
        proof = certify_sums(
            sums,
            answers,
            alpha=alpha,
            center=frame.center if intercept else None,
            condition=frame.condition,
        )
    rows, traces = sums[0], [each.trace for each in one_by_one]
    trace = course_of(traces, rows.weight) if all(each.objective for each in traces) else Trace()
    end_course(trace, proof)
    return QuantileSolution(
        np.array([coef for coef, _ in answers]) + 0.0,  # no −0
        np.array([b for _, b in answers]) + 0.0,
        proof,
        sum(each.vertex.pivots for each in one_by_one),
        all(each.vertex.optimal for each in one_by_one),
        frame.n_columns,
        rows.n_rows,
        rows.weight,
        rows.log_weights,
        trace,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Alone:
    """A quantile by itself: its vertex, the line, the sums that prove it, and the way there."""

    vertex: _Vertex
    answer: tuple[Array, float]
    sums: DualSums
    trace: Trace


def _alone(problem: CheckLoss, source: Source, n_rows: int) -> _Alone:
    trace, frame = Trace(), problem.frame
    found = _vertex(problem, source, n_rows, trace)
    answer = model_of(problem, found.theta, found.multipliers)
    line = frame.model(found.reference)
    sums = source.compute(DualAt(problem.tau, answer, line, found.numbers, found.duals))
    return _Alone(found, answer, sums, trace)


def _refuse_crossing(source: Source, answers: list[tuple[Array, float]], moments: Moments) -> None:
    coefs = np.array([coef for coef, _ in answers])
    gaps = source.compute(LeastGaps(np.diff(coefs, axis=0), np.diff([b for _, b in answers])))
    spread = float(np.sqrt(moments.yy[0, 0] / moments.weight)) or 1.0
    if gaps.least < -CROSSING * spread:
        raise LinesCrossError


def _vertex(problem: CheckLoss, source: Source, n_rows: int, trace: Trace) -> _Vertex:
    start, q = problem.frame.start, problem.frame.n_columns
    none = np.zeros(0, dtype=np.int64)
    if q == 0:  # nothing to fit
        return _Vertex(start, start, none, np.zeros(0), np.zeros(0), 0, True)
    size = max(SAMPLE_ROWS * q, check_loss.LEAST_ROWS)
    size = min(size, max(SAMPLE_BYTES // (8 * (source.n_features + 2)), check_loss.LEAST_ROWS))
    sample = source.compute(SampleRows(size))
    rows = Rows.of(sample.table)
    fit = check_loss.solve(problem.of_share(min(len(rows) / n_rows, 1.0)), rows, start)
    if len(rows) == n_rows:
        weights = sample.table.weights
        numbers = sample.numbers if weights is None else sample.numbers[weights > 0]
        duals, multipliers = fit.dual[: len(rows)], fit.dual[len(rows) :]
        return _Vertex(fit.theta, fit.theta, numbers, duals, multipliers, fit.pivots, fit.optimal)
    near = _approach(problem, source, rows, fit.theta, n_rows, trace)
    return _by_rounds(problem, source, near, fit.pivots)


@dataclass(frozen=True, slots=True, eq=False)
class _Near:
    """A point near the optimum, and how far residuals may still move."""

    theta: Array
    reach: float


def _approach(
    problem: CheckLoss, source: Source, sample: Rows, theta: Array, n_rows: int, trace: Trace
) -> _Near:
    """Smoothed Newton steps, a pass each; how wide a band must be is told by the sample."""
    q = problem.frame.n_columns
    few = max(check_loss.FEW_ROWS * q, check_loss.LEAST_ROWS) / n_rows

    def width_of(theta: Array, share: float) -> float:
        distance = np.abs(sample.y - sample.values(*problem.frame.model(theta)))
        # few of the sample are as near as a small share of all rows: their density is extrapolated
        told = min(max(share, max(8 * q, 200) / len(sample)), 1.0)
        return float(np.quantile(distance, told)) * min(share / told, 1.0)

    def band(theta: Array, width: float) -> tuple[BandSums, float]:
        line = problem.frame.model(theta)
        sums = source.compute(BandAt(problem.frame, problem.tau, line, width))
        return sums, sums.value + problem.penalty * float(np.abs(line[0]).sum())

    width = width_of(theta, min(np.sqrt(q / len(sample)), 1.0))
    enough, length = width, np.inf
    here, value = band(theta, width)
    for _ in range(check_loss.NEWTON_STEPS):
        gradient = -problem.frame.sums(here.pull, here.total)
        left = float(np.linalg.norm(problem.slope(theta, gradient)))
        trace.record(objective=value, gradient_norm=left, step=1.0)
        step = newton_step(problem, theta, gradient, here.scatter, width)
        last, length = length, float(np.linalg.norm(step))
        closer = width_of(theta + step, few)
        next_width = max(check_loss.REACH * length, closer)
        there, lower = band(theta + step, next_width)
        if not lower < value:
            break
        theta, here, value = theta + step, there, lower
        width, enough = next_width, closer
        if width == enough or length > 0.7 * last:
            break
    return _Near(theta, max(min(check_loss.REACH * length, 2.0 * width), enough))


def _by_rounds(problem: CheckLoss, source: Source, near: _Near, pivots: int) -> _Vertex:
    """Vertices of the rows near the line, until no other row is on the wrong side of it."""
    frame, q = problem.frame, problem.frame.n_columns
    sides = Sides(frame.model(near.theta), near.reach)
    sums, work, theta = _looked_at(source, sides, 0), None, near.theta
    numbers = sums.numbers
    for _ in range(check_loss.ROUNDS):
        work = _work(problem, near.theta, sums, work)
        step, dual, basis, count, optimal = _core.descend_by_vertices(
            work.a, work.y, work.low, work.high, work.basis, 200 * (q + 20) + 2 * len(work.y)
        )
        work.basis = basis.astype(np.int64)
        pivots, theta = pivots + count, near.theta + step
        now = replace(sides, now=frame.model(theta), kept=np.sort(numbers))
        sums = _looked_at(source, now, len(numbers))
        if not len(sums.numbers) or not optimal:
            break
        numbers = np.concatenate([numbers, sums.numbers])
    extra, order = 2 + len(problem.penalty_rows()), np.argsort(numbers)
    duals, done = dual[extra:], bool(optimal) and not len(sums.numbers)
    order = order[order < len(duals)]  # rows that were found last may not have been solved
    return _Vertex(theta, near.theta, numbers[order], duals[order], dual[2:extra], pivots, done)


def _work(problem: CheckLoss, start: Array, sums: SideSums, before: Work | None) -> Work:
    """The rows to solve: those looked at, and two in place of those on either side."""
    frame, tau = problem.frame, problem.tau
    a = np.array([frame.sums(*each) for each in zip(sums.pulls, sums.totals, strict=True)])
    some = (sums.totals > 0).astype(float)
    folded = (a, sums.levels, (tau - 1.0) * some, tau * some)
    fresh = (frame.columns(sums.x), sums.residual, *problem.bounds(sums.weights))
    return vertex_work(problem, start, folded, fresh, before)


def _looked_at(source: Source, sides: Sides, known: int) -> SideSums:
    """A pass; refuses more rows than may be collected."""
    sums: SideSums = source.compute(sides)
    size = 16 * (known + len(sums.numbers)) * (source.n_features + 4)
    if size > int(get_config()["collect_limit"]):
        raise UnsupportedDataError(
            f"The quantile's line meets so many rows ({known + len(sums.numbers)}) that holding "
            f"them takes {size / 1e9:.1f} GB, more than the setting collect_limit allows. Equal "
            "rows can be given once, with their number as weight."
        )
    return sums
