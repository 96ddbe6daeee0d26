"""Quantile regression: from rows to coefficients and a certificate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.robust.check_loss import CheckLoss, solve
from stylobate.optimize.robust.crossing import solve_jointly
from stylobate.optimize.robust.frame import Frame
from stylobate.optimize.robust.linear_program import solve_by_highs
from stylobate.optimize.robust.proof import Answer, Crossing, certify
from stylobate.optimize.robust.rows import Rows
from stylobate.optimize.trace import Trace
from stylobate.parallel import one_blas_thread
from stylobate.statistics import Moments
from stylobate.statistics.rows import log_weight_sum

CROSSING = 1e-11  # of the spread of y: less is rounding
MOST_COLUMNS = 1500  # beyond, a vertex costs more than HiGHS's sparse factors


@dataclass(frozen=True, slots=True, eq=False)
class QuantileSolution:
    """Coefficients (K, p), intercepts (K,), a certificate, the work done, rank of the columns.

    And of the rows: how many have a weight, Σ ω and Σ log ω. The trace is None for HiGHS, which
    tells of no steps.
    """

    coef: Array
    intercept: Array
    certificate: Certificate
    iterations: int
    converged: bool
    rank: int
    n_rows: int
    weight: float
    log_weights: float
    trace: Trace | None


def solve_quantiles(
    rows: Rows, taus: list[float], moments: Moments, *, alpha: float, intercept: bool
) -> QuantileSolution:
    r"""Minimise Σₖ [Σᵢ ωᵢ ρ_τₖ(yᵢ − xᵢwₖ − bₖ) / Σω + α‖wₖ‖₁], exactly, without crossing.

    Parameters
    ----------
    rows : Rows
    taus : list of float in (0, 1), ascending
    moments : Moments
        Of the rows.
    alpha : float in [0, inf)
    intercept : bool

    Returns
    -------
    QuantileSolution
    """
    with one_blas_thread():
        frame = Frame.of_rows(rows, moments, intercept=intercept, scaled_only=alpha > 0)
        penalty = alpha * float(rows.weights.sum())
        problems = [CheckLoss(frame, tau, penalty) for tau in taus]
        answers, count, optimal, start = [], 0, True, frame.start
        thetas, traces = [], []
        for problem in problems:
            fit = solve(problem, rows, start)
            count, optimal = count + fit.pivots, optimal and fit.optimal
            thetas.append(fit.theta)
            traces.append(fit.trace)
            coef, b = model_of(problem, fit.theta, fit.dual[len(rows) :])
            answers.append(Answer(problem.tau, coef, b, fit.dual[: len(rows)]))
        crossings: list[Crossing] = []
        if len(taus) > 1 and _crosses(rows, answers):
            joint = solve_jointly(problems, rows, np.array(thetas))
            count, optimal = count + joint.pivots, joint.optimal
            pairs = zip(problems, joint.thetas, joint.duals, strict=True)
            answers = [Answer(p.tau, *p.frame.model(t), d) for p, t, d in pairs]
            for k in range(len(taus) - 1):
                own = joint.pairs[:, 0] == k
                crossings.append(Crossing(k, joint.pairs[own, 1], joint.multipliers[own]))
        proof = certify(
            rows,
            answers,
            crossings,
            alpha=alpha,
            center=frame.center if intercept else None,
            condition=frame.condition,
        )
    trace = course_of(traces, float(rows.weights.sum()))
    if crossings:
        end_course(trace, proof)
    return _solution(rows, answers, proof, count, optimal, frame.n_columns, trace)


def course_of(traces: list[Trace], weight: float) -> Trace:
    """The course of all quantiles, one after the other: the mean loss of all of them so far."""
    whole, begun = Trace(), 0.0
    waiting = sum(each.objective[0] for each in traces)
    done = 0.0
    for each in traces:
        waiting -= each.objective[0]
        whole.objective += [(done + value + waiting) / weight for value in each.objective]
        whole.gradient_norm += [norm / weight for norm in each.gradient_norm]
        whole.step += each.step
        whole.seconds += [begun + seconds for seconds in each.seconds]
        done, begun = done + each.objective[-1], whole.seconds[-1]
    return whole


def end_course(trace: Trace, proof: Certificate) -> None:
    """Add the optimum to a course that `course_of` put together."""
    so_far = trace.seconds[-1] if trace.seconds else 0.0
    trace.record(objective=proof.primal, gradient_norm=0.0, step=1.0)
    trace.seconds[-1] += so_far


def solve_linear_program(
    rows: Rows,
    taus: list[float],
    moments: Moments,
    *,
    alpha: float,
    intercept: bool,
    method: str,
    options: dict[str, Any] | None,
) -> QuantileSolution:
    """The same by HiGHS; see `solve_by_highs`."""
    answers, crossings, count = solve_by_highs(
        rows, taus, alpha=alpha, intercept=intercept, method=method, options=options
    )
    with one_blas_thread():
        frame = Frame.of_rows(rows, moments, intercept=intercept, scaled_only=alpha > 0)
    proof = certify(
        rows,
        answers,
        crossings,
        alpha=alpha,
        center=frame.center if intercept else None,
        condition=frame.condition,
    )
    return _solution(rows, answers, proof, count, True, frame.n_columns, None)


def model_of(problem: CheckLoss, theta: Array, multipliers: Array) -> tuple[Array, float]:
    """Coefficients whose penalty holds them at zero are exactly zero."""
    coef, intercept = problem.frame.model(theta)
    if problem.penalty:
        tiny = 1e-12 * float(np.abs(coef).max(initial=0.0))
        held = (np.abs(multipliers) < problem.penalty * (1 - 1e-9)) & (np.abs(coef) <= tiny)
        coef = np.where(held, 0.0, coef)
    return coef, intercept


def _crosses(rows: Rows, answers: list[Answer]) -> bool:
    spread = float(np.abs(rows.y - np.median(rows.y)).mean()) or 1.0
    below = rows.values(answers[0].coef, answers[0].intercept)
    for answer in answers[1:]:
        above = rows.values(answer.coef, answer.intercept)
        if (below - above).max() > CROSSING * spread:
            return True
        below = above
    return False


def _solution(
    rows: Rows,
    answers: list[Answer],
    proof: Certificate,
    count: int,
    optimal: bool,
    rank: int,
    trace: Trace | None,
) -> QuantileSolution:
    return QuantileSolution(
        np.array([answer.coef for answer in answers]) + 0.0,  # no −0
        np.array([answer.intercept for answer in answers]) + 0.0,
        proof,
        count,
        optimal,
        rank,
        len(rows),
        float(rows.weights.sum()),
        log_weight_sum(rows.weights),
        trace,
    )
