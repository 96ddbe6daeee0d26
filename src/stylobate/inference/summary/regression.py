"""The summary of a linear regression: data first, text second.

Definitions are those of statsmodels' OLS and WLS; AIC and BIC count the coefficients and not the
residual variance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.covariance.least_squares import (
    CoefficientCovariance,
    CovarianceKind,
    Rows,
    coefficient_covariance,
)
from stylobate.inference.distributions import check_level, f_p, two_sided_p, two_sided_quantile
from stylobate.inference.fit import LinearFit
from stylobate.inference.summary.notes import summary_notes

_NAN = float("nan")
_FIELDS = ("estimate", "std_error", "t", "p", "ci_low", "ci_high")


@dataclass(frozen=True, eq=False)
class Coefficients:
    """The table of coefficients: one array per column, all in the order of `names`."""

    names: tuple[str, ...]
    estimate: Array
    std_error: Array
    t: Array
    p: Array
    ci_low: Array
    ci_high: Array

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> dict[str, float]:
        """The row of one coefficient, by name."""
        if name not in self.names:
            raise InvalidDataError(
                f"There is no coefficient named {name!r}; the names are {', '.join(self.names)}."
            )
        row = self.names.index(name)
        return {field: float(getattr(self, field)[row]) for field in _FIELDS}

    def to_dict(self) -> dict[str, list[Any]]:
        """Plain lists, ready for JSON."""
        return {
            "name": list(self.names),
            **{field: getattr(self, field).tolist() for field in _FIELDS},
        }

    def to_pandas(self) -> Any:
        """A pandas DataFrame indexed by name."""
        import pandas as pd

        return pd.DataFrame(self.to_dict()).set_index("name")

    def to_polars(self) -> Any:
        """A polars DataFrame with a column `name`."""
        import polars as pl

        return pl.DataFrame(self.to_dict())


@dataclass(frozen=True, eq=False)
class RegressionSummary:
    """What a linear regression says, as values; `print` it for a table.

    `t` and `p` use Student's law with `df_inference` degrees of freedom (the residual ones, or
    the number of groups less one when clustered), or the normal law when `distribution` says so.
    `sigma2` is `rss / df_residual`, `sigma2_ml` is `rss / n`. With a robust covariance `f` is the
    Wald statistic of all slopes divided by their number. Quantities that do not exist are NaN, and
    `notes` says why.
    """

    target: str
    coefficients: Coefficients
    n: int
    weight_sum: float
    has_intercept: bool
    df_model: int
    df_residual: int
    df_inference: float
    sigma2: float
    sigma2_ml: float
    residual_std: float
    r2: float
    adjusted_r2: float
    f: float
    f_df: tuple[int, float]
    f_p: float
    log_likelihood: float
    deviance: float
    aic: float
    bic: float
    condition: float
    covariance_type: str
    covariance: Array
    distribution: str
    level: float
    notes: tuple[str, ...]

    @property
    def n_params(self) -> int:
        """Coefficients that the rows determine."""
        return self.df_model + self.has_intercept

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers, strings and lists."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        plain["coefficients"] = self.coefficients.to_dict()
        plain["covariance"] = self.covariance.tolist()
        plain["f_df"], plain["notes"] = list(self.f_df), list(self.notes)
        return plain

    def __str__(self) -> str:
        from stylobate.inference.summary.text import summary_text

        return summary_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from stylobate.inference.summary.html import summary_html

        return summary_html(self)


def summarize(
    fit: LinearFit,
    *,
    rows: Rows | None = None,
    covariance: CovarianceKind = "classical",
    groups: Any = None,
    lags: int | None = None,
    level: float = 0.95,
    distribution: Literal["t", "normal"] = "t",
) -> RegressionSummary:
    """Standard errors, tests, intervals and measures of fit of a linear regression.

    Parameters
    ----------
    fit : LinearFit
    rows : (X, y, weights or None), optional
        The rows of the fit, for the robust and clustered covariances only; read in chunks.
    covariance : {"classical", "HC0", "HC1", "HC2", "HC3", "cluster", "CR2", "CR3", "HAC"}
        Clustered standard errors carry the correction `G/(G−1) · (N−1)/(N−K)`.
    groups : (n,) or (n, 2) array_like, optional
        Labels for "cluster", "CR2" and "CR3".
    lags : int, optional
        Of "HAC".
    level : float in (0, 1)
        Level of the confidence intervals.
    distribution : {"t", "normal"}
        Law of the coefficient tests.

    Returns
    -------
    RegressionSummary

    Examples
    --------
    >>> from stylobate.inference import fit_from_factor
    >>> x, y = np.arange(4.0), np.array([1.0, 2.0, 2.0, 4.0])
    >>> r = np.linalg.qr(np.column_stack([np.ones(4), x, y]), mode="r")
    >>> summary = summarize(fit_from_factor(r, n_rows=4))
    >>> round(summary.r2, 4), round(summary.coefficients["x0"]["std_error"], 4)
    (0.8526, 0.2646)
    """
    check_level(level)
    if distribution not in ("t", "normal"):
        raise InvalidParameterError(f"distribution must be 't' or 'normal', got {distribution!r}.")
    cov = coefficient_covariance(fit, rows=rows, covariance=covariance, groups=groups, lags=lags)
    table, matrix = _coefficient_table(fit, cov, level, distribution)
    f, f_df = _slope_test(fit, cov)
    r2 = _r2(fit)
    loglik, aic, bic = _likelihood(fit)
    sigma2 = _NAN if fit.penalised else fit.sigma2
    adjusted = fit.df_residual and not fit.penalised
    return RegressionSummary(
        target=fit.target,
        coefficients=table,
        n=fit.n_rows,
        weight_sum=fit.weight_sum,
        has_intercept=fit.has_intercept,
        df_model=fit.df_model,
        df_residual=fit.df_residual,
        df_inference=cov.df,
        sigma2=sigma2,
        sigma2_ml=fit.rss / fit.n_rows,
        residual_std=math.sqrt(sigma2),
        r2=r2,
        adjusted_r2=1 - (fit.n_rows - fit.has_intercept - fit.absorbed) / fit.df_residual * (1 - r2)
        if adjusted
        else _NAN,
        f=f,
        f_df=f_df,
        f_p=_NAN if math.isnan(f) else f_p(f, *f_df),
        log_likelihood=loglik,
        deviance=fit.rss,
        aic=aic,
        bic=bic,
        condition=fit.condition,
        covariance_type=cov.kind,
        covariance=matrix,
        distribution=distribution,
        level=level,
        notes=summary_notes(fit, cov, table.std_error, f_df),
    )


def _coefficient_table(
    fit: LinearFit, cov: CoefficientCovariance, level: float, distribution: str
) -> tuple[Coefficients, Array]:
    known = fit.estimable & bool(fit.df_residual and not fit.penalised)
    matrix = np.where(np.outer(known, known), cov.matrix, np.nan)
    variance = np.diag(matrix)
    # A two-way clustered matrix need not be positive; such a variance does not exist.
    se = np.sqrt(np.where(variance >= 0, variance, np.nan))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where((se == 0) & ((fit.coef == 0) | (fit.rss == 0)), np.nan, fit.coef / se)
    df = np.inf if distribution == "normal" else cov.df
    half = two_sided_quantile(level, df) * se if df > 0 else np.full_like(se, np.nan)
    p = two_sided_p(t, df) if df > 0 else np.full_like(se, np.nan)
    return Coefficients(fit.names, fit.coef, se, t, p, fit.coef - half, fit.coef + half), matrix


def _r2(fit: LinearFit) -> float:
    if fit.tss == 0:  # a constant target has no variance to be explained: 0/0
        return _NAN
    return 1 - fit.rss / fit.tss


def _likelihood(fit: LinearFit) -> tuple[float, float, float]:
    """Gaussian log-likelihood at its maximum over σ², AIC and BIC."""
    n = fit.n_rows
    if fit.rss == 0 or (not fit.df_residual and not fit.penalised):
        loglik = math.inf
    else:
        loglik = -n / 2 * (math.log(2 * math.pi * fit.rss / n) + 1) + fit.log_weight_sum / 2
    if fit.penalised:  # the rank does not count the parameters of a penalised fit
        return loglik, _NAN, _NAN
    k = fit.rank + fit.absorbed
    return loglik, -2 * loglik + 2 * k, -2 * loglik + math.log(n) * k


def _slope_test(fit: LinearFit, cov: CoefficientCovariance) -> tuple[float, tuple[int, float]]:
    """F statistic of all slopes being zero, with its degrees of freedom."""
    if fit.df_model < 1 or not fit.df_residual or fit.penalised or fit.tss == 0:
        return _NAN, (max(fit.df_model, 0), cov.df)
    if cov.kind != "classical":
        return _wald(fit, cov)
    explained = max(fit.tss - fit.rss, 0.0) / fit.df_model
    return (explained / fit.sigma2 if fit.rss else math.inf), (fit.df_model, cov.df)


def _wald(fit: LinearFit, cov: CoefficientCovariance) -> tuple[float, tuple[int, float]]:
    slopes, matrix = fit.coef[fit.slopes], cov.matrix[fit.slopes, fit.slopes]
    scale = np.sqrt(np.abs(np.diag(matrix)))
    if not np.isfinite(scale).all() or not scale.any():
        return _NAN, (fit.df_model, cov.df)
    scale[scale == 0] = 1.0
    # Scaled to a correlation matrix, so that its numerical rank does not depend on units.
    values, vectors = np.linalg.eigh(matrix / np.outer(scale, scale))
    kept = np.argsort(values)[::-1][: fit.df_model]
    kept = kept[values[kept] > len(slopes) * np.finfo(float).eps * values.max()]
    if not len(kept):
        return _NAN, (fit.df_model, cov.df)
    projected = vectors[:, kept].T @ (slopes / scale)
    return float(np.sum(projected**2 / values[kept]) / len(kept)), (len(kept), cov.df)
