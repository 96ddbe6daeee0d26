"""What a linear regressor keeps of its fit for inference, and inference's view of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import NumericalError
from stylobate.interrupts import interruptible
from stylobate.linear_model.least_squares.answer import Solved
from stylobate.linear_model.least_squares.request import LinearRequest
from stylobate.optimize.least_squares import Quadratic, aliased_columns, rank_tolerance
from stylobate.statistics import (
    LinearModel,
    Moments,
    Source,
    TriangularFactor,
    row_quadratics,
)

if TYPE_CHECKING:
    from stylobate.inference import LinearFit


_EPS = float(np.finfo(np.float64).eps)
_NEARLY_PERFECT = 1e-4  # 1 − R² below which residuals are summed over the rows again


@dataclass(frozen=True, eq=False)
class LinearFitFacts:
    """Statistics of the rows seen by `fit`: p × p at most, never the rows.

    Parameters
    ----------
    intercept : bool
    alpha : array (t,)
    statistic : Moments, TriangularFactor or None
    rank : int
        Of the (centred) columns, as the solver decided.
    residual_squares : array (t,)
    inverse_gram : array or None
        ([1, X]ᵀW[1, X])⁻¹ where it is known to more digits than the statistic gives.
    constrained : bool
        Whether something other than a penalty keeps the coefficients from the optimum.
    """

    intercept: bool
    alpha: Array
    statistic: Moments | TriangularFactor | None
    rank: int
    residual_squares: Array
    inverse_gram: Array | None
    constrained: bool

    @classmethod
    def of(cls, solved: Solved, source: Source, request: LinearRequest) -> Self:
        solution = solved.solution
        n_targets = solution.coef.shape[1]
        return cls(
            intercept=request.intercept,
            alpha=np.array(np.broadcast_to(np.asarray(request.alpha, dtype=float), (n_targets,))),
            statistic=solved.moments if solved.factor is None else solved.factor,
            rank=solution.rank,
            residual_squares=_residual_squares(solved, source, intercept=request.intercept),
            inverse_gram=solution.inverse_gram,
            constrained=request.positive,
        )

    @cached_property
    def root(self) -> tuple[Array, Array] | None:
        """B and z with BᵀB = AᵀWA, Bᵀz = AᵀWy, where A = [1, X], or X without intercept."""
        if isinstance(self.statistic, TriangularFactor):
            r = self.statistic.r if self.intercept else self.statistic.without_ones()[0]
            k = self.statistic.n_features + self.intercept
            return r[:k, :k], r[:k, k:]
        if self.statistic is None:
            return None
        m = self.statistic if self.intercept else self.statistic.about_zero()
        slopes, z = _gram_root(m.xx, m.xy)
        if not self.intercept:
            return slopes, z
        root_n = np.sqrt(m.weight)
        top = np.concatenate([[root_n], root_n * m.x_mean])
        below = np.column_stack([np.zeros(len(slopes)), slopes])
        return np.vstack([top, below]), np.vstack([root_n * m.y_mean, z])

    @cached_property
    def total_squares(self) -> Array:
        """Σ w (y − ȳ)² per target, or Σ w y² without intercept; 0 where only rounding is left."""
        if isinstance(self.statistic, TriangularFactor):
            r = self.statistic.r if self.intercept else self.statistic.without_ones()[0]
            y = r[:, self.statistic.n_features + self.intercept :]
            squares, raw = (y[int(self.intercept) :] ** 2).sum(axis=0), (y**2).sum(axis=0)
            return np.where(squares > self.statistic.n_rows * (4 * _EPS) ** 2 * raw, squares, 0.0)
        if self.statistic is None:
            return np.full(len(self.alpha), np.nan)
        m = self.statistic if self.intercept else self.statistic.about_zero()
        return np.diag(m.yy)

    @property
    def aliased(self) -> NDArray[np.intp]:
        """Indices of columns that depend on earlier ones (a constant one depends on the ones)."""
        if self.root is None or self.statistic is None:
            return np.array([], dtype=np.intp)
        rows = isinstance(self.statistic, TriangularFactor)
        n = self.statistic.n_rows
        # a Gram tells a dependent column from a nearly dependent one with half the digits
        tolerance = rank_tolerance(n) if rows else float(np.sqrt(n * _EPS))
        found = aliased_columns(self.root[0], tolerance) - self.intercept
        return found[found >= 0]


def _residual_squares(solved: Solved, source: Source, *, intercept: bool) -> Array:
    """Σ w r² per target, from whatever gives it with its digits."""
    coef, best = solved.solution.coef, solved.solution.residual_squares
    if best is not None:
        return best
    if solved.factor is not None:
        r = solved.factor.r if intercept else solved.factor.without_ones()[0]
        k = len(coef) + intercept
        miss = r[:, :k] @ (np.vstack([solved.intercept, coef]) if intercept else coef) - r[:, k:]
        return np.asarray((miss**2).sum(axis=0))
    if solved.moments is None:
        return np.full(coef.shape[1], np.nan)
    problem = Quadratic.of(solved.moments, intercept=intercept)
    squares = np.maximum(problem.value(coef), 0.0)
    if source.capabilities.repeatable and (squares <= _NEARLY_PERFECT * problem.yy).any():
        return source.compute(LinearModel(coef, solved.intercept)).squares
    return squares


def _gram_root(gram: Array, xy: Array) -> tuple[Array, Array]:
    """Upper triangular B with BᵀB = G, and B⁻ᵀ(Xᵀy); from eigenvectors where G is singular."""
    from scipy.linalg import solve_triangular

    try:
        lower = np.asarray(interruptible(np.linalg.cholesky, gram), dtype=np.float64)
        return lower.T, np.asarray(solve_triangular(lower, xy, lower=True))
    except np.linalg.LinAlgError:
        # with unit diagonal, so that the rank does not depend on the columns' units
        diagonal = np.maximum(np.diag(gram), 0.0)
        length = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
        values, vectors = interruptible(np.linalg.eigh, gram / length[:, None] / length)
        roots = np.sqrt(np.where(values > len(values) * _EPS * values[-1], values, 0.0))[:, None]
        turned = vectors.T @ (xy / length[:, None])
        z = np.divide(turned, roots, out=np.zeros_like(xy), where=roots > 0)
        return np.asarray(roots * vectors.T * length), z


def _require_root(facts: LinearFitFacts, owner: str) -> tuple[Array, Array]:
    if facts.root is None:
        raise NumericalError(
            f"{owner}: the solver kept no second moments of the columns, which standard errors and "
            "leverages need; fit with solver='cholesky' or 'qr', on more rows than columns."
        )
    return facts.root


def linear_fit(
    facts: LinearFitFacts,
    coef: Array,
    intercept: float,
    names: tuple[str, ...],
    target: int,
    owner: str,
) -> LinearFit:
    """Inference's view of one target's fit."""
    from stylobate.inference import fit_from_factor

    root, z = _require_root(facts, owner)
    assert facts.statistic is not None
    k = len(root)
    stacked = np.zeros((k + 1, k + 1))
    stacked[:k, :k], stacked[:k, k] = root, z[:, target]
    stacked[k, k] = np.sqrt(facts.residual_squares[target])
    fit = fit_from_factor(
        stacked,
        n_rows=facts.statistic.n_rows,
        has_intercept=facts.intercept,
        names=("(Intercept)", *names) if facts.intercept else names,
        weight_sum=facts.statistic.weight,
        log_weight_sum=facts.statistic.log_weight,
        rank=facts.rank + facts.intercept,
    )
    own = np.concatenate([[intercept], coef]) if facts.intercept else coef
    tss = float(facts.total_squares[target])
    rss = float(facts.residual_squares[target]) if tss > 0.0 else 0.0
    fit = replace(fit, coef=own, rss=rss, tss=tss)
    if facts.inverse_gram is not None:
        fit = replace(fit, unscaled_covariance=facts.inverse_gram, ill_conditioned_note=None)
    return replace(fit, penalised=facts.constrained or facts.alpha[target] > 0.0)


def leverages(facts: LinearFitFacts, table: Table, target: int, owner: str) -> Array:
    """wᵢ·xᵢᵀ(XᵀWX)⁻¹xᵢ (ridge: with the penalty of that target), in chunks of rows."""
    root, _ = _require_root(facts, owner)
    assert facts.statistic is not None
    p = table.n_features
    center = root[0, 1:] / root[0, 0] if facts.intercept else np.zeros(p)
    slopes = root[1:, 1:] if facts.intercept else root
    alpha = float(facts.alpha[target])
    kept = np.setdiff1d(np.arange(p), facts.aliased if facts.rank < p and alpha == 0.0 else [])
    gram_root = np.vstack([slopes[:, kept], np.sqrt(alpha) * np.eye(len(kept))])
    r = np.asarray(interruptible(np.linalg.qr, gram_root, mode="r"))
    some = table if len(kept) == p else replace(table, x=table.x[:, kept])
    h = row_quadratics(some, center[kept], r)
    h = h + (1.0 / facts.statistic.weight if facts.intercept else 0.0)
    return h if table.weights is None else h * table.weights
