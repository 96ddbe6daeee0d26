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
from stylobate.exceptions import InvalidDataError
from stylobate.regression.likelihood_fit import RowsOfFit, means_and_variances

if TYPE_CHECKING:
    from stylobate.regression.formula_model import FormulaModel


@dataclass(frozen=True, eq=False)
class GLMInfluence:
    """One value per row.

    Parameters
    ----------
    leverage : (n,) array
        Diagonal of the hat matrix `W^½ X (XᵀWX)⁻¹ Xᵀ W^½`.
    residuals_pearson : (n,) array
    studentized : (n,) array
        Pearson's residuals over `√(φ(1 − h))`.
    cooks_distance : (n,) array
        `r² h / ((1 − h) k)`.
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
    """Of the rows of a fit of an exponential family."""
    family = model.family_[0]
    if not family.exponential:
        raise InvalidDataError(
            f"model: influence of rows is known for exponential families, not for {family.name!r}."
        )
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
