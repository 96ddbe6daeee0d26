"""What a linear regressor keeps of its fit for inference, and inference's view of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.data import Table
from stylobate.exceptions import NumericalError
from stylobate.linear_model.solving import Request, Solved
from stylobate.optimize.least_squares import aliased_columns
from stylobate.statistics import LinearModel, Source
from stylobate.statistics.rows import csr_parts, log_weight_sum

if TYPE_CHECKING:
    from stylobate.inference import LinearFit

Array = NDArray[np.float64]

_NEARLY_PERFECT = 1e-4  # 1 − R² below which residuals are summed over the rows again


@dataclass(frozen=True, slots=True, eq=False)
class FitFacts:
    """Statistics of the rows seen by `fit`: p × p at most, never the rows.

    Parameters
    ----------
    root : array (1 + p, 1 + p) or None
        B with BᵀB = √w[1, X] Gram (or of X alone, without intercept: then (p, p)).
    projected : array (k, t) or None
        z with Bᵀz = [1, X]ᵀWy.
    residual_squares, total_squares : arrays (t,)
    inverse_gram : array or None
        (BᵀB)⁻¹ where it is known to more digits than B gives.
    alpha : array (t,)
    n_rows, weight, log_weight : facts of the rows
    aliased : indices of columns that depend on earlier ones
    constrained : whether something other than a penalty keeps the coefficients from the optimum
    """

    intercept: bool
    alpha: Array
    n_rows: int
    weight: float
    log_weight: float
    root: Array | None
    projected: Array | None
    residual_squares: Array
    total_squares: Array
    inverse_gram: Array | None
    aliased: NDArray[np.intp]
    constrained: bool = False

    @classmethod
    def of(cls, solved: Solved, source: Source, request: Request) -> Self:
        solution, table = solved.solution, source.table
        n_targets = solution.coef.shape[1]
        alpha = np.array(np.broadcast_to(np.asarray(request.alpha, dtype=float), (n_targets,)))
        root, projected, rss, tss = _second_moments(solved, intercept=request.intercept)
        if solution.residual_squares is not None:
            rss = solution.residual_squares
        elif source.repeatable and root is not None and (rss <= _NEARLY_PERFECT * tss).any():
            rss = source.compute(LinearModel(solution.coef, solved.intercept)).squares
        weights = None if table is None else table.weights
        statistic = solved.moments if solved.moments is not None else solved.factor
        deficient = solution.rank < len(solution.coef)
        n_rows = statistic.n_rows if statistic else (table.n_rows if table else 0)
        return cls(
            intercept=request.intercept,
            alpha=alpha,
            n_rows=n_rows,
            weight=statistic.weight if statistic else float(n_rows),
            log_weight=solved.moments.log_weight if solved.moments else log_weight_sum(weights),
            root=root,
            projected=projected,
            residual_squares=rss,
            total_squares=tss,
            inverse_gram=solution.inverse_gram,
            aliased=_aliased(root, n_rows, request.intercept) if deficient else _NONE,
            constrained=request.positive,
        )


_NONE = np.array([], dtype=np.intp)


def _aliased(root: Array | None, n_rows: int, intercept: bool) -> NDArray[np.intp]:
    if root is None:
        return _NONE
    found = aliased_columns(root, n_rows) - intercept  # the ones come first: a constant is aliased
    return found[found >= 0]


def _second_moments(
    solved: Solved, *, intercept: bool
) -> tuple[Array | None, Array | None, Array, Array]:
    """(root, projected target, residual and total sums of squares) from whatever is known."""
    coef = solved.solution.coef
    nothing = np.full(coef.shape[1], np.nan)
    if solved.factor is not None:
        r = solved.factor.r if intercept else solved.factor.without_ones()[0]
        k = len(coef) + intercept
        w = np.vstack([solved.intercept, coef]) if intercept else coef
        miss = r[:, :k] @ w - r[:, k:]
        tss = (r[int(intercept) :, k:] ** 2).sum(axis=0)
        return r[:k, :k], r[:k, k:], (miss**2).sum(axis=0), tss
    if solved.moments is None:
        return None, None, nothing, nothing
    m = solved.moments if intercept else solved.moments.about_zero()
    slopes = _gram_root(m.xx)
    z = np.asarray(np.linalg.lstsq(slopes.T, m.xy, rcond=None)[0], dtype=np.float64)
    rss = np.maximum(np.diag(m.yy) + (coef * (m.xx @ coef - 2.0 * m.xy)).sum(axis=0), 0.0)
    if not intercept:
        return slopes, z, rss, np.diag(m.yy)
    root_n = np.sqrt(m.weight)
    top = np.concatenate([[root_n], root_n * m.x_mean])
    below = np.column_stack([np.zeros(len(slopes)), slopes])
    return np.vstack([top, below]), np.vstack([root_n * m.y_mean, z]), rss, np.diag(m.yy)


def _gram_root(gram: Array) -> Array:
    """Upper triangular B with BᵀB = G; from eigenvectors where G is singular."""
    try:
        return np.asarray(np.linalg.cholesky(gram).T)
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(gram)
        return np.asarray(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T)


def _require_root(facts: FitFacts, owner: str) -> Array:
    if facts.root is None:
        raise NumericalError(
            f"{owner}: the solver kept no second moments of the columns, which standard errors and "
            "leverages need; fit with solver='cholesky' or 'qr', on more rows than columns."
        )
    return facts.root


def linear_fit(
    facts: FitFacts, coef: Array, intercept: float, names: tuple[str, ...], target: int, owner: str
) -> LinearFit:
    """Inference's view of one target's fit."""
    from stylobate.inference import fit_from_factor

    root = _require_root(facts, owner)
    assert facts.projected is not None
    k = len(root)
    stacked = np.zeros((k + 1, k + 1))
    stacked[:k, :k], stacked[:k, k] = root, facts.projected[:, target]
    stacked[k, k] = np.sqrt(facts.residual_squares[target])
    fit = fit_from_factor(
        stacked,
        n_rows=facts.n_rows,
        has_intercept=facts.intercept,
        names=("(Intercept)", *names) if facts.intercept else names,
        weight_sum=facts.weight,
        log_weight_sum=facts.log_weight,
    )
    own = np.concatenate([[intercept], coef]) if facts.intercept else coef
    fit = replace(fit, coef=own, rss=float(facts.residual_squares[target]))
    if facts.inverse_gram is not None:
        fit = replace(fit, unscaled_covariance=facts.inverse_gram, ill_conditioned_note=None)
    return replace(fit, penalised=facts.constrained or facts.alpha[target] > 0.0)


def leverages(facts: FitFacts, table: Table, owner: str) -> Array:
    """wᵢ·xᵢᵀ(XᵀWX)⁻¹xᵢ (ridge: with the penalty), in chunks of rows."""
    root = _require_root(facts, owner)
    p = table.n_features
    center = root[0, 1:] / root[0, 0] if facts.intercept else np.zeros(p)
    slopes = root[1:, 1:] if facts.intercept else root
    alpha = float(facts.alpha.max(initial=0.0))
    kept = np.setdiff1d(np.arange(p), facts.aliased if alpha == 0.0 else _NONE)
    gram_root = np.vstack([slopes[:, kept], np.sqrt(alpha) * np.eye(len(kept))])
    r = np.asfortranarray(np.linalg.qr(gram_root, mode="r"))
    x = table.x if len(kept) == p else table.x[:, kept]
    _install_blas()
    center = np.ascontiguousarray(center[kept])
    if table.is_sparse:
        h = _core.row_quadratics_csr(*csr_parts(x), center, r)
    else:
        h = _core.row_quadratics(x, center, r)
    h = h + (1.0 / facts.weight if facts.intercept else 0.0)
    return h if table.weights is None else h * table.weights


_blas_installed = False


def _install_blas() -> None:
    """Hand SciPy's BLAS to the core, once."""
    global _blas_installed
    if not _blas_installed:
        from scipy.linalg import cython_blas

        _core.install_blas(dict(cython_blas.__pyx_capi__))
        _blas_installed = True
