"""The sentences a summary of a generalised linear model adds where a number needs one."""

from __future__ import annotations

import math

from stylobate.inference.glm.fit import GLMFit
from stylobate.inference.summary.notes import name_list

PENALISED = (
    "The coefficients were penalised, so they are biased on purpose, and standard errors and "
    "p-values after penalisation are not valid. They are left out, and so are tests, intervals, "
    "AIC and BIC; refit without the penalty, or use a bootstrap."
)
_SPREAD = 1.5  # Pearson's χ² per degree of freedom beyond which φ = 1 is in doubt
_PERFECT = 1e-9  # share of the null deviance below which a fit is perfect


def glm_notes(fit: GLMFit, dispersion: float, estimated: bool, ll: float) -> tuple[str, ...]:
    """All notes for a summary, the most consequential first."""
    notes = [PENALISED] if fit.penalised else []
    notes += _identification(fit)
    if estimated and not fit.dispersion_known:
        notes.append(
            "The dispersion was estimated as Pearson's χ² over the residual degrees of freedom; "
            "the p of the likelihood-ratio test comes from the F distribution."
        )
    elif estimated:
        notes.append(
            f"Quasi-likelihood: standard errors carry the factor √{dispersion:.4g}, the root of "
            "Pearson's χ² over the residual degrees of freedom."
        )
    elif fit.family is not None and fit.family.power == 1.0 and fit.df_residual:
        notes += _overdispersion(fit)
    if math.isnan(ll) and not math.isnan(dispersion):
        notes.append(
            "The log-likelihood, AIC and BIC of this family need the rows: pass the data of the "
            "fit to summary(X, y, …)."
        )
    if not fit.has_intercept:
        notes.append("Without an intercept the null model is a predictor of zero, not the mean.")
    return tuple(notes)


def _identification(fit: GLMFit) -> list[str]:
    notes = []
    if fit.separation:
        notes.append(fit.separation)
    elif fit.deviance <= _PERFECT * fit.null_deviance and not fit.penalised:
        notes.append(
            "The fit is perfect: the likelihood may have no maximum at finite coefficients (as "
            "for classes that can be separated), and standard errors and Wald tests mean nothing."
        )
    known = fit.estimable.reshape(fit.coef.shape)
    names = tuple(name for j, name in enumerate(fit.names) if not known[:, j].all())
    if names and not fit.separation:
        notes.append(
            f"The columns are linearly dependent, so the data do not determine the coefficients of "
            f"{name_list(names)}: they have no standard error, and their estimates are one choice "
            f"among many. Fitted values are not affected."
        )
    if not fit.df_residual:
        notes.append(
            f"{fit.n_rows} row(s) for {fit.rank} coefficients leave no residual degrees of freedom."
        )
    return notes


def _overdispersion(fit: GLMFit) -> list[str]:
    ratio = fit.pearson / fit.df_residual
    if not ratio > _SPREAD:
        return []
    return [
        f"Pearson's χ² is {ratio:.3g} times its degrees of freedom: the counts vary more than a "
        f"Poisson distribution says, and standard errors are too small by about "
        f"√{ratio:.3g} = {math.sqrt(ratio):.2g}. Ask for dispersion='pearson' or "
        f"covariance='HC1'."
    ]
