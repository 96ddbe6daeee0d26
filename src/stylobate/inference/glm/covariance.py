"""Covariance of the coefficients of a generalised linear fit: classical, robust, clustered.

The robust forms are the sandwich `A⁻¹ (Σ s sᵀ) A⁻¹` of the observed information A and the scores
`s_i = w_i ∂ℓ_i ⊗ x_i`; clustered ones sum the scores within groups first.

References
----------
White (1982), Econometrica 50; Cameron, Gelbach & Miller (2011), J. Business & Economic
Statistics 29.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.covariance.least_squares import CoefficientCovariance, Rows, group_codes
from stylobate.inference.glm.fit import GLMFit, inverse_information
from stylobate.inference.glm.rows import block_gram, check_rows, misfit, score_chunks

GLMCovarianceKind = Literal["classical", "HC0", "HC1", "cluster"]


def glm_covariance(
    fit: GLMFit,
    dispersion: float,
    *,
    rows: Rows | None = None,
    covariance: GLMCovarianceKind = "classical",
    groups: Any = None,
) -> CoefficientCovariance:
    """Covariance of the coefficients, equation by equation.

    Parameters
    ----------
    fit : GLMFit
    dispersion : float
        φ; "classical" is φ times the inverse expected information.
    rows : (X, y, weights or None), optional
        The rows of the fit; all but "classical" need them. Read in chunks.
    covariance : {"classical", "HC0", "HC1", "cluster"}
    groups : (n,) array_like
        Labels for "cluster".
    """
    if covariance not in get_args(GLMCovarianceKind):
        allowed = ", ".join(repr(kind) for kind in get_args(GLMCovarianceKind))
        raise InvalidParameterError(f"covariance must be one of {allowed}, got {covariance!r}.")
    if groups is not None and covariance != "cluster":
        raise InvalidParameterError(
            f"groups are used by covariance='cluster' only, but covariance is {covariance!r}."
        )
    df = float(fit.df_residual)
    if covariance == "classical":
        return CoefficientCovariance(fit.unscaled_covariance * dispersion, covariance, df)
    if rows is None:
        raise InvalidParameterError(
            f"covariance={covariance!r} needs the rows of the fit, which a statistic does not keep:"
            f" give it the data of the fit: summary(X, y, sample_weight, …)."
        )
    bread, scores, w = _bread_and_scores(fit, *rows)
    n, k = fit.n_rows, fit.rank
    if covariance == "cluster":
        codes = group_codes(groups, w)
        sums = np.zeros((codes.max() + 1, scores.shape[1]))
        np.add.at(sums, codes[codes >= 0], scores[codes >= 0])
        g = int(np.count_nonzero(np.bincount(codes[codes >= 0])))
        factor = g / (g - 1) * (n - 1) / (n - k) if n > k else np.nan
        matrix = bread @ (sums.T @ sums) @ bread * factor
        return CoefficientCovariance(matrix, f"cluster ({g} groups)", float(g - 1))
    factor = (n / (n - k) if n > k else np.nan) if covariance == "HC1" else 1.0
    matrix = bread @ (scores.T @ scores) @ bread * factor
    return CoefficientCovariance(matrix, covariance, df)


def _bread_and_scores(fit: GLMFit, X: Any, y: Any, weights: Any) -> tuple[Array, Array, Array]:
    """Inverse observed information and each row's score, both over all coefficients."""
    rows, target, w = check_rows(X, y, weights)
    if int(np.count_nonzero(w)) != fit.n_rows:
        raise InvalidDataError(
            f"The rows passed hold {int(np.count_nonzero(w))} rows of positive weight but the "
            f"model was fitted on {fit.n_rows}: pass the rows (and weights) of the fit itself."
        )
    c, k = fit.coef.shape
    scores = np.empty((len(target), c * k))
    information, deviance = np.zeros((c * k, c * k)), 0.0
    for chunk, mu in score_chunks(fit.family, fit.coef, fit.has_intercept, rows, target, w):
        information += block_gram(chunk.design, chunk.curvature, chunk.weights)
        weighted = chunk.slope * chunk.weights[:, None]
        scores[chunk.index] = (weighted[:, :, None] * chunk.design[:, None, :]).reshape(-1, c * k)
        deviance += misfit(fit.family, target[chunk.index], mu, chunk.weights)[0]
    if not abs(deviance - fit.deviance) <= 1e-6 * max(fit.deviance, fit.null_deviance):
        raise InvalidDataError(
            f"The rows passed have a deviance of {deviance:.6g}, the fit one of "
            f"{fit.deviance:.6g}: pass the rows, target and weights of the fit itself."
        )
    bread, _, _ = inverse_information(information, np.eye(c * k), fit.n_rows)
    return bread, scores, w
