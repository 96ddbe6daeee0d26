"""The summary of a generalised linear model: data first, text second.

Definitions are those of statsmodels' GLM, Logit and MNLogit; BIC is the one of the likelihood.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from stylobate.arrays import Array
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InferenceWarning, InvalidDataError, InvalidParameterError
from stylobate.inference.covariance.least_squares import CoefficientCovariance, Rows
from stylobate.inference.distributions import chi2_p, f_p, two_sided_p, two_sided_quantile
from stylobate.inference.glm.covariance import GLMCovarianceKind, glm_covariance
from stylobate.inference.glm.fit import GLMFit
from stylobate.inference.glm.notes import PENALISED, glm_notes
from stylobate.inference.summary.regression import Coefficients

_NAN = float("nan")


@dataclass(frozen=True, eq=False)
class GLMSummary:
    """What a generalised linear model says, as values; `print` it for a table.

    `tables` holds one table of coefficients per equation, `equations` their names: a single one
    named "", or for the multinomial model one for each class but the `reference`. The column `t` of
    a table is Wald's z (Student's t if `distribution` says so). `dispersion` is φ, 1 where the
    distribution knows it. `lr` is the likelihood-ratio statistic against the intercept-only model,
    `(null_deviance − deviance)/φ`, with `lr_df` degrees of freedom; its p-value comes from χ² where
    φ is known and from F where it was estimated. Quantities that do not exist are NaN, and `notes`
    says why.
    """

    target: str
    family: str
    link: str
    equations: tuple[str, ...]
    reference: str | None
    tables: tuple[Coefficients, ...]
    n: int
    weight_sum: float
    has_intercept: bool
    penalised: bool
    n_params: int
    df_model: int
    df_residual: int
    dispersion: float
    dispersion_estimated: bool
    deviance: float
    null_deviance: float
    pearson: float
    log_likelihood: float
    null_log_likelihood: float
    pseudo_r2: float
    lr: float
    lr_df: int
    lr_p: float
    aic: float
    bic: float
    covariance_type: str
    covariance: Array
    df_inference: float
    distribution: str
    level: float
    certificate: str | None
    notes: tuple[str, ...]

    @property
    def coefficients(self) -> Coefficients:
        """All coefficients as one table; those of several equations as "class: term"."""
        if len(self.tables) == 1:
            return self.tables[0]
        pairs = zip(self.equations, self.tables, strict=True)
        names = tuple(f"{equation}: {name}" for equation, table in pairs for name in table.names)
        fields = ("estimate", "std_error", "t", "p", "ci_low", "ci_high")
        columns = (np.concatenate([getattr(t, field) for t in self.tables]) for field in fields)
        return Coefficients(names, *columns)

    def __getitem__(self, equation: str) -> Coefficients:
        """The table of one class."""
        if equation not in self.equations:
            raise InvalidDataError(
                f"There is no equation named {equation!r}; there are "
                f"{', '.join(map(repr, self.equations))}."
            )
        return self.tables[self.equations.index(equation)]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers, strings and lists."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        plain["tables"] = [table.to_dict() for table in self.tables]
        plain["covariance"] = self.covariance.tolist()
        plain["equations"], plain["notes"] = list(self.equations), list(self.notes)
        return plain

    def __str__(self) -> str:
        from stylobate.inference.glm.text import glm_text

        return glm_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from stylobate.inference.glm.text import glm_html

        return glm_html(self)


def summarize_glm(
    fit: GLMFit,
    *,
    rows: Rows | None = None,
    covariance: GLMCovarianceKind = "classical",
    groups: Any = None,
    level: float = 0.95,
    distribution: Literal["normal", "t"] = "normal",
    dispersion: float | Literal["auto", "pearson"] = "auto",
) -> GLMSummary:
    """Standard errors, Wald and likelihood-ratio tests, deviance and criteria of a fit.

    A penalised fit gets no standard errors, tests or criteria, and an `InferenceWarning`.

    Parameters
    ----------
    fit : GLMFit
        From `glm_fit_from_rows` or `fit_from_information`.
    rows : (X, y, weights or None), optional
        The rows of the fit, for the robust and clustered covariances only; read in chunks. Labels
        as the codes 0, 1, ….
    covariance : {"classical", "HC0", "HC1", "cluster"}
        "classical" inverts the expected information.
    groups : (n,) array_like, optional
        Labels for "cluster".
    level : float in (0, 1)
        Level of the confidence intervals.
    distribution : {"normal", "t"}
        Law of the coefficient tests.
    dispersion : float > 0, "auto" or "pearson"
        φ; "pearson" estimates it as Pearson's χ² over the residual degrees of freedom (quasi
        likelihood), "auto" does so where the distribution does not know it.

    Returns
    -------
    GLMSummary

    Examples
    --------
    >>> from stylobate.inference import glm_fit_from_rows
    >>> from stylobate.optimize.glm import BINOMIAL
    >>> x, y = np.array([[0.0], [0.0], [0.0], [1.0], [1.0], [1.0]]), [0, 0, 1, 0, 1, 1]
    >>> fit = glm_fit_from_rows(BINOMIAL, x, y, coef=[2 * np.log(2)], intercept=-np.log(2))
    >>> summary = summarize_glm(fit)
    >>> row = summary.coefficients["x0"]  # the log odds ratio of a 2 × 2 table
    >>> round(row["std_error"] ** 2, 6) == round(1 / 2 + 1 + 1 + 1 / 2, 6)
    True
    >>> round(summary.lr, 4), round(summary.lr_p, 4)
    (0.6796, 0.4097)

    References
    ----------
    McCullagh & Nelder (1989), Generalized Linear Models, chapters 2, 4 and 6.
    """
    if distribution not in ("normal", "t"):
        raise InvalidParameterError(f"distribution must be 'normal' or 't', got {distribution!r}.")
    phi, estimated = _dispersion(fit, dispersion)
    cov = glm_covariance(fit, phi, rows=rows, covariance=covariance, groups=groups)
    tables, matrix = _tables(fit, cov, level, distribution)
    if fit.penalised:
        warnings.warn(
            f"summary of {fit.target}: {PENALISED}", InferenceWarning, stacklevel=user_stacklevel()
        )
    ll, null_ll = _log_likelihoods(fit, phi)
    lr, lr_p = _likelihood_ratio(fit, phi, estimated)
    return GLMSummary(
        target=fit.target,
        family=fit.family_name,
        link=fit.link,
        equations=fit.equations,
        reference=fit.reference,
        tables=tables,
        n=fit.n_rows,
        weight_sum=fit.weight_sum,
        has_intercept=fit.has_intercept,
        penalised=fit.penalised,
        n_params=fit.rank,
        df_model=fit.df_model,
        df_residual=fit.df_residual,
        dispersion=phi,
        dispersion_estimated=estimated,
        deviance=fit.deviance,
        null_deviance=fit.null_deviance,
        pearson=fit.pearson,
        log_likelihood=ll,
        null_log_likelihood=null_ll,
        pseudo_r2=1.0 - ll / null_ll if null_ll else _NAN,
        lr=lr,
        lr_df=fit.df_model,
        lr_p=lr_p,
        aic=_NAN if fit.penalised else -2.0 * ll + 2.0 * fit.rank,
        bic=_NAN if fit.penalised else -2.0 * ll + math.log(fit.n_rows) * fit.rank,
        covariance_type=cov.kind,
        covariance=matrix,
        df_inference=cov.df,
        distribution=distribution,
        level=level,
        certificate=None if fit.certificate is None else fit.certificate.verdict,
        notes=glm_notes(fit, phi, estimated, ll),
    )


def _dispersion(fit: GLMFit, asked: float | str) -> tuple[float, bool]:
    """The dispersion, and whether it was estimated."""
    if asked == "auto" and fit.dispersion_known:
        return 1.0, False
    if asked in ("auto", "pearson"):
        return fit.pearson / fit.df_residual if fit.df_residual else _NAN, True
    if isinstance(asked, str) or not 0.0 < asked < math.inf:
        raise InvalidParameterError(
            f"dispersion must be a positive number, 'auto' or 'pearson', got {asked!r}."
        )
    return float(asked), False


def _tables(
    fit: GLMFit, cov: CoefficientCovariance, level: float, distribution: str
) -> tuple[tuple[Coefficients, ...], Array]:
    known = fit.estimable & (not fit.penalised)
    matrix = np.where(np.outer(known, known), cov.matrix, np.nan)
    c, k = fit.coef.shape
    variance = np.diag(matrix).reshape(c, k)
    se = np.sqrt(np.where(variance >= 0, variance, np.nan))
    with np.errstate(divide="ignore", invalid="ignore"):
        z = fit.coef / se
    df = np.inf if distribution == "normal" else cov.df
    half = two_sided_quantile(level, df) * se if df > 0 else np.full_like(se, np.nan)
    p = two_sided_p(z, df) if df > 0 else np.full_like(se, np.nan)
    low, high = fit.coef - half, fit.coef + half
    columns = zip(fit.coef, se, z, p, low, high, strict=True)
    return tuple(Coefficients(fit.names, *rows) for rows in columns), matrix


def _log_likelihoods(fit: GLMFit, phi: float) -> tuple[float, float]:
    """Log-likelihood of the fit and of the null model."""
    if fit.family is not None and fit.family.power == 0.0:  # at the maximum over σ²
        pair = (fit.deviance, fit.null_deviance)
        ll, null = (fit.log_likelihood(d, d / fit.n_rows) for d in pair)
        return ll, null
    likely = 1.0 if fit.dispersion_known else phi  # quasi-likelihood keeps the likelihood's own
    return (
        fit.log_likelihood(fit.deviance, likely),
        fit.log_likelihood(fit.null_deviance, likely),
    )


def _likelihood_ratio(fit: GLMFit, phi: float, estimated: bool) -> tuple[float, float]:
    if fit.penalised or fit.df_model < 1 or not phi > 0:
        return _NAN, _NAN
    lr = max(fit.null_deviance - fit.deviance, 0.0) / phi
    if not estimated:
        return lr, chi2_p(lr, fit.df_model)
    return lr, f_p(lr / fit.df_model, fit.df_model, fit.df_residual)
