"""Least squares and ridge from the triangular factor of the rows (QR, and SVD of R)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.optimize.certificate import Certificate, digits_left
from stylobate.optimize.least_squares.quadratic import (
    EPS,
    Quadratic,
    formula,
    largest_ratio,
)
from stylobate.optimize.least_squares.rank import FADING_CUTOFF, rank_tolerance, svd_tolerance
from stylobate.optimize.least_squares.solution import LeastSquaresSolution
from stylobate.optimize.least_squares.truncated import TruncatedSVD
from stylobate.statistics import FactorSolution, TriangularFactor


def solve_qr(
    factor: TriangularFactor, alpha: Array, *, intercept: bool
) -> LeastSquaresSolution | None:
    """R w = Qᵀy by back-substitution, with the digits of the factor; None if columns depend.

    A penalty is √α·I as further rows: R of [X; √α I].
    """
    k = factor.n_features + intercept
    weights = np.empty((k, factor.n_targets))  # the intercept first, if there is one
    minimum = np.empty(factor.n_targets)
    inverse_gram, condition, gap, kkt = None, 1.0, 0.0, 0.0
    for value in np.unique(alpha):
        targets = alpha == value
        r, low = _penalised(factor, float(value), intercept=intercept)
        condition = max(condition, _scaled_condition(r[:k, :k]))
        if condition * rank_tolerance(factor.n_rows) >= 1.0:
            return None
        answer = _back_substitute(r, low, k, extended=factor.extended)
        weights[:, targets] = answer.coefficients[:, targets]
        minimum[targets] = answer.residual_squares[targets]
        inverse_gram = answer.inverse_gram
        miss = r[:k, :k] @ weights[:, targets] - r[:k, k:][:, targets]
        gap += float((miss**2).sum())  # f(w) − f* = ‖Rw − z‖²: nothing cancels
        lengths = np.multiply.outer(_lengths(r[:k, :k]), _lengths(r[:, k:][:, targets]))
        kkt = max(kkt, largest_ratio(r[:k, :k].T @ miss, lengths))
    dual = float(minimum.sum())
    proof = Certificate.from_gap(
        formula(alpha),
        primal=dual + gap,
        gap=gap,
        at_zero=float((factor.r[:, factor.n_features + 1 :] ** 2).sum()),
        kkt=kkt,
        condition=condition,
    )
    if factor.extended:  # the answers are those of exact arithmetic, rounded
        proof = replace(proof, digits=digits_left(1.0))
    else:
        lengths = _problem(factor, alpha, intercept=intercept).column_lengths()
        proof = proof.in_units(weights[int(intercept) :], lengths)
    plain = not alpha.any()
    return LeastSquaresSolution(
        weights[int(intercept) :],
        proof,
        rank=factor.n_features,
        intercept=weights[0] if intercept else np.zeros(factor.n_targets),
        objectives=minimum,
        residual_squares=minimum if plain else None,
        inverse_gram=inverse_gram if plain else None,
    )


def solve_svd(
    factor: TriangularFactor,
    alpha: Array,
    *,
    intercept: bool,
    cutoff: float = FADING_CUTOFF,
    for_rounded_predictions: bool = False,
) -> LeastSquaresSolution:
    """The solution of least norm by the singular value decomposition of R.

    R, with √α·I as further rows where there is a penalty, has the singular values of the (centred)
    rows. Columns are brought to one length first, so that the rank does not depend on their units;
    among the solutions, the shortest in the original units is returned.

    Where there is a gap between the singular values and rounding, all above it count. Where they
    fade into rounding without one the columns have no rank, and directions below `cutoff` of the
    largest singular value are left out; the certificate says what they would gain.

    With `for_rounded_predictions` the rank is the one whose coefficients, rounded as they are
    stored, are expected to fit best (see `TruncatedSVD`).
    """
    p, t = factor.n_features, factor.n_targets
    coef, objectives = np.empty((p, t)), np.empty(t)
    condition, rank, dual, miss, proved = 1.0, p, 0.0, 0.0, True
    for value in np.unique(alpha):
        targets = alpha == value
        svd, told = _decomposed(factor, float(value), intercept=intercept)
        most = svd.rank if told else svd.rank_above(cutoff)
        ranks = svd.best_ranks(most) if for_rounded_predictions else np.full(t, most)
        coef[:, targets] = svd.coef(ranks)[:, targets]
        objectives[targets] = svd.objectives(ranks)[targets]
        dual += float(svd.objectives([svd.rank] * t)[targets].sum())
        left = svd.u[:, : svd.rank].T @ (svd.design @ coef[:, targets] - svd.z[:, targets])
        miss += float((left**2).sum())
        condition, rank = max(condition, svd.condition(most)), min(rank, int(ranks[targets].min()))
        proved = proved and told
    problem = _problem(factor, alpha, intercept=intercept)
    proof = Certificate.from_gap(
        formula(alpha),
        primal=dual + miss,
        gap=miss,
        at_zero=float(problem.yy.sum()),
        kkt=float(problem.correlations(problem.gradient(coef)).max(initial=0.0)),
        condition=condition,
        proved=proved,
    )
    # where the columns have no rank, coefficients hang on the cut-off
    proof = replace(proof, digits=digits_left(condition) if proved else 0.0)
    proof = proof.in_units(coef, problem.column_lengths())
    return LeastSquaresSolution(coef, proof, rank=rank, objectives=objectives)


def _decomposed(
    factor: TriangularFactor, alpha: float, *, intercept: bool
) -> tuple[TruncatedSVD, bool]:
    """The decomposition at a penalty, and whether it tells the rank."""
    p, first = factor.n_features, int(intercept)
    tolerance = svd_tolerance(factor.n_rows, p)
    rounding = 4.0 * EPS * float(np.sqrt(p)) if factor.extended else tolerance / 4.0
    r, _ = _penalised(factor, alpha, intercept=intercept)
    raw = np.hypot(_lengths(factor.r[:, 1 : p + 1]), np.sqrt(alpha))
    svd = TruncatedSVD.of(r[first:, first:], p, raw, tolerance)
    return svd, svd.rank == p or svd.has_gap(rounding)


def _centred(factor: TriangularFactor, *, intercept: bool) -> Array:
    """R of the centred [X, y] (the ones stand first: the block after them), or of [X, y]."""
    return factor.r[1:, 1:] if intercept else factor.without_ones()[0]


def _penalised(factor: TriangularFactor, alpha: float, *, intercept: bool) -> tuple[Array, Array]:
    r, low = (factor.r, factor.r_low) if intercept else factor.without_ones()
    if alpha == 0.0:
        return r, low
    rows = np.zeros_like(r)
    features = np.arange(factor.n_features) + intercept
    rows[features, features] = np.sqrt(alpha)
    if np.sqrt(alpha) > np.abs(r).max():  # the large rows first: reflections keep their digits
        return _core.merge_triangular(rows, np.zeros_like(r), r, low, factor.extended)
    return _core.merge_triangular(r, low, rows, np.zeros_like(r), factor.extended)


def _scaled_condition(r: Array) -> float:
    """1-norm condition estimate of R with columns of length one."""
    from scipy.linalg.lapack import dtrcon

    length = _lengths(r)
    if len(r) == 0:
        return 1.0
    if not (length > 0).all():
        return float("inf")
    reciprocal, _ = dtrcon(np.asfortranarray(r / length))
    return 1.0 / max(float(reciprocal), EPS * EPS)


def _back_substitute(r: Array, low: Array, k: int, *, extended: bool) -> FactorSolution:
    if extended:
        return FactorSolution(*_core.solve_triangular(r, low, k))
    from scipy.linalg import solve_triangular

    coef = solve_triangular(r[:k, :k], r[:k, k:]) if k else np.zeros((0, r.shape[1]))
    return FactorSolution(coef, None, (r[k:, k:] ** 2).sum(axis=0))


def _lengths(r: Array) -> Array:
    return np.asarray(np.sqrt((r**2).sum(axis=0)))


def _problem(factor: TriangularFactor, alpha: Array, *, intercept: bool) -> Quadratic:
    r, p = _centred(factor, intercept=intercept), factor.n_features
    gram = r.T @ r
    return Quadratic(gram[:p, :p], gram[:p, p:], np.diag(gram)[p:], alpha)
