"""Tests between nested fits: likelihood ratio, and the analysis of deviance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from stylobate.exceptions import InvalidDataError
from stylobate.inference.distributions import chi2_p, f_p
from stylobate.inference.glm.summary import GLMSummary
from stylobate.inference.summary.text import number, p_value, table


@dataclass(frozen=True)
class LikelihoodRatio:
    """A test of the smaller of two nested fits against the larger.

    `statistic` is twice the difference of the log-likelihoods, or the difference of deviances over
    the larger fit's dispersion; `law` is "chi2", or "F" where the dispersion was estimated.
    """

    statistic: float
    df: int
    p: float
    law: str = "chi2"

    def __str__(self) -> str:
        plural, p = "" if self.df == 1 else "s", p_value(self.p)
        return (
            f"Likelihood ratio {number(self.statistic)} on {self.df} degree{plural} of freedom, "
            f"p {'' if p.startswith('<') else '= '}{p} ({'χ²' if self.law == 'chi2' else 'F'})"
        )


def likelihood_ratio_test(small: Any, large: Any) -> LikelihoodRatio:
    """Test whether the terms that `large` has and `small` has not are all zero.

    Parameters
    ----------
    small, large : GLMSummary, or objects with `summary()` or with `log_likelihood` and `n_params`
        Two unpenalised fits to the same rows, the first a special case of the second.

    Returns
    -------
    LikelihoodRatio

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.inference import glm_fit_from_rows, summarize_glm
    >>> from stylobate.optimize.glm import POISSON
    >>> y = np.array([2.0, 2.0, 8.0, 8.0])
    >>> x = np.array([[0.0], [0.0], [1.0], [1.0]])
    >>> small = glm_fit_from_rows(POISSON, x[:, :0], y, coef=np.zeros(0), intercept=np.log(5))
    >>> large = glm_fit_from_rows(POISSON, x, y, coef=[np.log(4)], intercept=np.log(2))
    >>> print(likelihood_ratio_test(summarize_glm(small), summarize_glm(large)))
    Likelihood ratio 7.710 on 1 degree of freedom, p = 0.005 (χ²)
    """
    one, two = _summary(small), _summary(large)
    _refuse_incomparable(one, two)
    df = two.n_params - one.n_params
    if not isinstance(two, GLMSummary):
        ratio = 2.0 * (two.log_likelihood - one.log_likelihood)
        return _tested(ratio, df, two.log_likelihood, math.inf)
    ratio = (one.deviance - two.deviance) / two.dispersion
    residual = two.df_residual if two.dispersion_estimated else math.inf
    return _tested(ratio, df, two.deviance / two.dispersion, residual)


def analysis_of_deviance(*fits: Any, labels: Any = None) -> str:
    """A table of nested fits: degrees of freedom, deviance, and the test against the one before.

    Parameters
    ----------
    *fits : GLMSummary, or estimators with `summary()`
        From the smallest to the largest.
    labels : sequence of str, optional
        What to call them.
    """
    found = [_summary(fit) for fit in fits]
    names = list(labels) if labels is not None else [f"model {i + 1}" for i in range(len(found))]
    tests = [likelihood_ratio_test(a, b) for a, b in pairwise(found)]
    blank = [""]
    columns = [
        ("residual df", [str(s.df_residual) for s in found]),
        ("deviance", [number(s.deviance) for s in found]),
        ("df", blank + [str(t.df) for t in tests]),
        ("LR", blank + [number(t.statistic) for t in tests]),
        ("p", blank + [p_value(t.p) for t in tests]),
    ]
    return table(names, columns, "")


def _tested(statistic: float, df: int, scale: float, df_residual: float) -> LikelihoodRatio:
    if df < 1:
        raise InvalidDataError(
            f"likelihood_ratio_test: the second fit must have more parameters than the first, but "
            f"it has {df} more; give the smaller fit first."
        )
    if statistic < -1e-6 * abs(scale):
        raise InvalidDataError(
            f"likelihood_ratio_test: the larger fit is worse than the smaller by {-statistic:.3g}; "
            f"the fits are not nested, not of the same rows, or one is not at its optimum."
        )
    statistic = max(statistic, 0.0)
    if math.isinf(df_residual):
        return LikelihoodRatio(statistic, df, chi2_p(statistic, df))
    return LikelihoodRatio(statistic, df, f_p(statistic / df, df, df_residual), "F")


def _summary(fit: Any) -> Any:
    if isinstance(fit, GLMSummary) or (hasattr(fit, "log_likelihood") and hasattr(fit, "n_params")):
        return fit
    if not hasattr(fit, "summary") or hasattr(fit, "coefficients"):
        raise InvalidDataError(
            f"likelihood_ratio_test: expected a summary or a fitted model that has one, got "
            f"{type(fit).__name__}."
        )
    return _summary(fit.summary())


def _refuse_incomparable(one: Any, two: Any) -> None:
    for field in ("n", "weight_sum", "family", "link", "target", "reference"):
        a, b = getattr(one, field, None), getattr(two, field, None)
        if a != b:
            raise InvalidDataError(
                f"likelihood_ratio_test: the fits differ in {field} ({a!r} and {b!r}); they must "
                f"be models of the same rows."
            )
    if getattr(one, "penalised", False) or getattr(two, "penalised", False):
        raise InvalidDataError(
            "likelihood_ratio_test: a penalised fit does not maximise the likelihood, so there is "
            "no likelihood-ratio test; refit without the penalty."
        )
