"""The sentences a regression summary adds where a number needs one."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.inference.covariance.least_squares import CoefficientCovariance
from stylobate.inference.fit import LinearFit

_PERFECT = 1e-20  # residuals ten digits below the spread of y are rounding, not noise
_NAMED = 8


def name_list(names: tuple[str, ...]) -> str:
    """A few names in full, the rest counted.

    >>> name_list(("a", "b"))
    'a, b'
    """
    rest = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def summary_notes(
    fit: LinearFit, cov: CoefficientCovariance, std_error: Array, f_df: tuple[int, float]
) -> tuple[str, ...]:
    """All notes for a summary, the most consequential first."""
    notes = [*_identification(fit), *_fit_quality(fit), *cov.notes]
    if fit.ill_conditioned_note:
        notes.append(fit.ill_conditioned_note)
    if cov.kind != "classical" and not fit.penalised and fit.df_residual:
        notes += _robust(fit, cov, std_error, f_df)
    return tuple(notes)


def _identification(fit: LinearFit) -> list[str]:
    notes = []
    if fit.penalised:
        notes.append(
            "The coefficients were penalised or constrained, so they are biased on purpose and "
            "standard errors after penalisation are not valid. They are left out, and so are "
            "tests, intervals, the unbiased variance, adjusted R², AIC and BIC; refit without the "
            "penalty or constraint, or use a bootstrap."
        )
    if fit.not_estimable_names:
        notes.append(
            f"The columns are linearly dependent (rank {fit.rank} of {len(fit.names)}), so the "
            f"data do not determine the coefficients of {name_list(fit.not_estimable_names)}: they "
            f"have no standard error, and their estimates are one choice among many. Fitted "
            f"values are not affected."
        )
    if not fit.df_residual:
        notes.append(
            f"{fit.n_rows} row(s) for a model of rank {fit.rank} leave no residual degrees of "
            f"freedom: the residual variance, standard errors, tests and intervals do not exist."
        )
    return notes


def _fit_quality(fit: LinearFit) -> list[str]:
    notes = []
    if fit.tss == 0:
        same = "constant" if fit.has_intercept else "zero throughout"
        notes.append(
            f"{fit.target} is {same}: there is nothing to explain, so R² is not defined (`score` "
            "gives an exact fit 1, as in scikit-learn) and there is no F test."
        )
    if fit.rss == 0 and fit.df_residual:
        notes.append(
            "The fit is exact (the residual sum of squares is zero): standard errors are zero, and "
            "t and p of single coefficients do not exist."
        )
    elif fit.rss <= _PERFECT * fit.tss and fit.df_residual:
        notes.append(
            "The fit is perfect up to rounding: residual variance, standard errors and tests "
            "describe rounding errors, not noise."
        )
    if fit.df_model < 1 and fit.df_residual and fit.tss > 0:
        notes.append("There is no estimable slope, hence no F test.")
    if not fit.has_intercept:
        notes.append("Without an intercept R² compares with predicting zero, not the mean.")
    return notes


def _robust(
    fit: LinearFit, cov: CoefficientCovariance, std_error: Array, f_df: tuple[int, float]
) -> list[str]:
    notes = []
    negative = np.diag(cov.matrix) < 0
    if negative.any():
        names = tuple(n for n, bad in zip(fit.names, negative, strict=True) if bad)
        notes.append(
            f"The two-way clustered variance of {name_list(names)} is negative (too few groups): "
            f"no standard error."
        )
    zero = (std_error == 0) & fit.estimable
    if zero.any() and fit.rss > 0:
        names = tuple(n for n, bad in zip(fit.names, zero, strict=True) if bad)
        notes.append(
            f"The {cov.kind} standard error of {name_list(names)} is exactly zero: every row that "
            f"determines it is fitted without residual."
        )
    if f_df[0] < fit.df_model:
        notes.append(
            f"The {cov.kind} covariance of the {fit.df_model} slopes has rank {f_df[0]} only, so F "
            f"tests {f_df[0]} combinations of them."
        )
    return notes
