"""Whether an answer fits as it says, found on the rows in the arithmetic of `predict`.

Coefficients of nearly dependent columns can be so large, or columns so far from zero, that the
rounding of xᵀw + b exceeds the residual: in exact arithmetic they solve the problem, in double
precision they do not. So the objective is taken from the rows with the coefficients as they are
stored, and where it is not what was promised others are tried, the mean of the targets last.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stylobate.arrays import Array, Mask
from stylobate.linear_model.least_squares.answer import Solved, factor_means
from stylobate.linear_model.least_squares.request import LinearRequest
from stylobate.optimize import least_squares as ls
from stylobate.statistics import LinearModel, Moments, ResidualMoments, Source, TriangularFactor
from stylobate.statistics.rows import counted

EPS = float(np.finfo(np.float64).eps)
EXACT_CONDITION = 1e2  # of the columns, up to which the moments tell the objective
NEARLY_PERFECT = 1e-4  # 1 − R² below which the objective is summed over the rows again
NOTICEABLE = 1e-7  # of the residual: what rounding of the predictions may be without a look
MISSED = 1e-3  # share by which the objective on the rows may exceed what was promised
FROM_STATISTICS = ("cholesky", "spectral", "qr", "svd")  # solvers that a factor can replace
MISSED_REASON = (
    "rounded as they are stored, its coefficients do not fit as they should: the rank was chosen "
    "for which they do"
)
NULL_REASON = "in double precision no coefficients predict better than none: all are 0"


@dataclass(frozen=True, slots=True)
class NullModel:
    """The mean of the targets (0 without intercept) and its sum of squares, per target."""

    intercept: Array
    squares: Array
    raw: Array  # Σ w y²

    @classmethod
    def of(cls, source: Source, solved: Solved, *, intercept: bool) -> NullModel:
        known = solved.moments if solved.moments is not None else solved.factor
        if isinstance(known, TriangularFactor):
            y = known.r[:, known.n_features + 1 :]
            mean, raw = factor_means(known, intercept=True)[1], (y**2).sum(axis=0)
            centred = (y[1:] ** 2).sum(axis=0)
        elif isinstance(known, Moments):
            mean, centred = known.y_mean, np.diag(known.yy)
            raw = centred + known.weight * mean**2
        else:
            table = counted(source.rows())
            assert table.y is not None
            w, y = table.weights, table.y
            mean = np.average(y, axis=0, weights=w)
            w = np.ones(len(y)) if w is None else w
            raw, centred = w @ y**2, w @ (y - mean) ** 2
        return cls(mean, centred, raw) if intercept else cls(0.0 * mean, raw, raw)


def verified(source: Source, request: LinearRequest, solved: Solved) -> Solved:
    """The answer with its objective taken from the rows, or another that fits them better.

    Answers that the moments are known to describe, and rows that cannot be read again, are left as
    they are.
    """
    if not source.capabilities.repeatable or not _doubtful(solved, request):
        return solved
    null = NullModel.of(source, solved, intercept=request.intercept)
    left = source.compute(LinearModel(solved.solution.coef, solved.intercept))
    found = _objectives(left, solved.solution.coef, request)
    rounding = (16.0 * EPS) ** 2 * null.raw
    promised = _promised(solved, request)
    missed = found > (1.0 + MISSED) * promised + rounding
    if missed.any() and solved.solver in FROM_STATISTICS and not request.positive:
        solved, found, left = _alternative(source, request, solved, found, left)
    worse = found > (1.0 + 1e-9) * null.squares + rounding
    if worse.any():
        solved, found = _without(solved, worse, null), np.where(worse, null.squares, found)
    return _restated(solved, request, left, found, null)


def _doubtful(solved: Solved, request: LinearRequest) -> bool:
    """Whether the objective may not be, to six digits, what the solver's own statistic says."""
    solution, m = solved.solution, solved.moments
    if m is None:
        return True
    refined = solved.solver == "cholesky" and solution.intercept is not None
    if solution.certificate.condition > EXACT_CONDITION and not refined:
        return True
    squares = _promised(solved, request)
    total = np.diag(m.yy) + (0.0 if request.intercept else m.weight * m.y_mean**2)
    lengths = np.diag(m.xx) + m.weight * m.x_mean**2
    noise = EPS**2 * (lengths @ solution.coef**2)
    return bool((squares <= np.maximum(NEARLY_PERFECT * total, noise / NOTICEABLE**2)).any())


def _promised(solved: Solved, request: LinearRequest) -> Array:
    """Objective of each target as the solver's statistic has it; inf: measured on rows already."""
    solution = solved.solution
    if solution.objectives is not None:
        return solution.objectives
    if solved.moments is None:
        return np.full(solution.coef.shape[1], np.inf)
    alpha = np.asarray(request.alpha, dtype=float)
    problem = ls.Quadratic.of(solved.moments, alpha, intercept=request.intercept)
    return np.asarray(np.maximum(problem.value(solution.coef), 0.0))


def _objectives(left: ResidualMoments, coef: Array, request: LinearRequest) -> Array:
    return np.asarray(left.squares + np.asarray(request.alpha) * (coef**2).sum(axis=0))


def _alternative(
    source: Source, request: LinearRequest, solved: Solved, found: Array, left: ResidualMoments
) -> tuple[Solved, Array, ResidualMoments]:
    """For each target the best, on the rows, of the answer and of truncated decompositions."""
    factor = solved.factor
    if factor is None:
        factor = source.compute(TriangularFactor)
    alpha = np.array(np.broadcast_to(np.asarray(request.alpha, dtype=float), (factor.n_targets,)))
    x_mean, y_mean = factor_means(factor, intercept=request.intercept)
    coef, intercept, changed = solved.solution.coef, solved.intercept, False
    rank = solved.solution.rank
    for cautious in (False, True):
        other = ls.solve_svd(
            factor,
            alpha,
            intercept=request.intercept,
            cutoff=request.cutoff,
            for_rounded_predictions=cautious,
        )
        b = y_mean - x_mean @ other.coef
        objectives = _objectives(source.compute(LinearModel(other.coef, b)), other.coef, request)
        better = objectives < found
        if better.any():
            coef, intercept = np.where(better, other.coef, coef), np.where(better, b, intercept)
            found, changed = np.where(better, objectives, found), True
            rank, proof = min(rank, other.rank), other.certificate
    if not changed:
        return solved, found, left
    left = source.compute(LinearModel(coef, intercept))
    solution = ls.LeastSquaresSolution(coef, proof, rank=rank)
    reason = f"{solved.reason}; {MISSED_REASON}"
    changed_to = replace(
        solved, solution=solution, solver="svd", reason=reason, intercept=intercept, factor=factor
    )
    return changed_to, _objectives(left, coef, request), left


def _without(solved: Solved, worse: Mask, null: NullModel) -> Solved:
    """The answer with the null model for the targets that it predicts worse."""
    old = solved.solution
    solution = replace(
        old,
        coef=np.where(worse, 0.0, old.coef),
        rank=0,
        intercept=None,
        objectives=None,
        residual_squares=None,
        inverse_gram=None,
    )
    intercept = np.where(worse, null.intercept, solved.intercept)
    reason = f"{solved.reason}; {NULL_REASON}"
    return replace(solved, solution=solution, intercept=intercept, reason=reason)


def _restated(
    solved: Solved, request: LinearRequest, left: ResidualMoments, found: Array, null: NullModel
) -> Solved:
    """The answer with the certificate of the objective found on the rows."""
    solution = solved.solution
    penalties = np.asarray(request.alpha) * (solution.coef**2).sum(axis=0)
    gap = _gap_on_rows(solved, request, left) if solved.solver == "cholesky" else None
    proof = solution.certificate.measured(
        float(found.sum()), at_zero=float(null.squares.sum()), gap=gap
    )
    squares = solution.residual_squares
    squares = np.asarray(found - penalties) if squares is None else squares
    return replace(solved, solution=replace(solution, certificate=proof, residual_squares=squares))


def _gap_on_rows(solved: Solved, request: LinearRequest, left: ResidualMoments) -> float | None:
    """gᵀH⁻¹g with the gradient g of the rows, which has the digits that of the Gram has lost."""
    m, coef = solved.moments, solved.solution.coef
    if m is None:
        return None
    x_mean = m.x_mean if request.intercept else np.zeros(len(coef))
    problem = ls.Quadratic.of(m, np.asarray(request.alpha, float), intercept=request.intercept)
    g = left.products - x_mean[:, None] * left.total - problem.alpha * coef
    step = ls.solve_hessian(problem, g)
    return None if step is None else float((g * step).sum())
