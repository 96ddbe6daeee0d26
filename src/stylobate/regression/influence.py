"""What single rows do to a fit by maximum likelihood, by one step from the fit.

References
----------
Pregibon (1981), Logistic regression diagnostics, Annals of Statistics 9; Williams (1987), Applied
Statistics 36.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.regression.likelihood_fit import RowsOfFit, means_and_variances

if TYPE_CHECKING:
    from stylobate.regression.formula_model import FormulaModel


@dataclass(frozen=True, eq=False)
class GLMInfluence:
    """One value per row.

    Parameters
    ----------
    leverage : (n,) array
        Diagonal of the hat matrix `W^½ X (XᵀWX)⁻¹ Xᵀ W^½`; of families with several predictors per
        row the trace of the row's share of the information over that of all rows.
    residuals_pearson : (n,) array
        NaN for classes, which have no mean.
    studentized : (n,) array
        Pearson's residuals over `√(φ(1 − h))`.
    cooks_distance : (n,) array
        `r² h / ((1 − h) k)`; of families with several predictors per row the squared length of the
        one-step change of the coefficients, in the metric of the information, over k.
    dfbetas : (n, k) array
        One-step change of each coefficient without the row, in standard errors.
    """

    leverage: Array
    residuals_pearson: Array
    studentized: Array
    cooks_distance: Array
    dfbetas: Array

    def most(self, k: int = 10) -> Indices:
        """The rows of largest Cook's distance, the largest first."""
        return np.argsort(-self.cooks_distance, kind="stable")[:k]


def glm_influence(model: FormulaModel, rows: RowsOfFit) -> GLMInfluence:
    """Of the rows of a fit by maximum likelihood."""
    if model.family_[0].exponential:
        return _one_predictor(model, rows)
    return _several_predictors(model, rows)


def _one_predictor(model: FormulaModel, rows: RowsOfFit) -> GLMInfluence:
    fit, likelihood = model.likelihood_fit_, model.likelihood_model
    z = likelihood.predictors(rows).at(model.coef_)
    mu, variance = means_and_variances(likelihood, z[:, 0])
    w = np.ones(len(mu)) if rows.weights is None else rows.weights
    found = likelihood.likelihood().at(rows.y, z)
    assert found.expected is not None
    curve = w * found.expected[:, 0, 0]
    h = curve * np.einsum("ij,jk,ik->i", rows.x, fit.inverse, rows.x)
    h = np.minimum(h, 1.0 - 1e-12)
    pearson = np.sqrt(w) * (rows.y - mu) / np.sqrt(variance)
    student = pearson / np.sqrt(fit.dispersion * (1.0 - h))
    slope = w * found.slope[:, 0] / (1.0 - h)
    errors = np.sqrt(np.diag(fit.inverse) * fit.dispersion)
    change = (rows.x * slope[:, None]) @ fit.inverse / errors
    return GLMInfluence(h, pearson, student, student**2 * h / (1.0 - h) / fit.rank, change)


def _several_predictors(model: FormulaModel, rows: RowsOfFit) -> GLMInfluence:
    """Newton's step of the fit without the row, `A⁻¹ Gᵀ (1 − C M)⁻¹ u` with the row's derivatives G
    of its predictors, its score u and curvature C in them, and `M = G A⁻¹ Gᵀ` (Woodbury).
    """
    fit, likelihood = model.likelihood_fit_, model.likelihood_model
    predictors = likelihood.predictors(rows)
    n, m = len(rows.y), likelihood.likelihood().n_predictors
    h, cooks = np.empty(n), np.empty(n)
    change = np.empty((n, len(model.coef_)))
    for part in predictors.chunks():
        found = likelihood.likelihood().at(rows.y[part], predictors.at(model.coef_, part))
        w = np.ones(len(found.value)) if rows.weights is None else rows.weights[part]
        c, u = w[:, None, None] * found.curvature, w[:, None] * found.slope
        unit = np.eye(m)
        g = np.stack([predictors.scores(np.tile(e, (len(w), 1)), part) for e in unit], axis=1)
        spread = g @ fit.bread
        met = np.einsum("imk,ilk->iml", spread, g)
        step = np.linalg.solve(unit - c @ met, u[:, :, None])[:, :, 0]
        h[part] = np.einsum("iml,ilm->i", c, met)
        cooks[part] = np.einsum("im,iml,il->i", step, met, step) / fit.rank
        change[part] = np.einsum("im,imk->ik", step, spread)
    pearson = _pearson(model, rows)
    with np.errstate(invalid="ignore"):
        student = pearson / np.sqrt(np.clip(1.0 - h, 1e-12, None))
    return GLMInfluence(h, pearson, student, cooks, change / np.sqrt(np.diag(fit.inverse)))


def _pearson(model: FormulaModel, rows: RowsOfFit) -> Array:
    if model.family_[0].target == "ordered":
        return np.full(len(rows.y), np.nan)
    z = model.likelihood_model.predictors(rows).at(model.coef_)
    mu, variance = means_and_variances(model.likelihood_model, z[:, 0], z[:, 1:])
    w = np.ones(len(mu)) if rows.weights is None else rows.weights
    return np.asarray(np.sqrt(w) * (rows.y - mu) / np.sqrt(variance))
