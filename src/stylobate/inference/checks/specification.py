"""Whether least squares says what it may say: one report of tests, each with what to do.

References
----------
Ramsey (1969), J. Royal Statistical Society B 31; Breusch (1978), Australian Economic Papers 17;
Godfrey (1978), Econometrica 46.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.checks.diagnostics import (
    TestResult,
    breusch_pagan,
    durbin_watson,
    jarque_bera,
    white,
)
from stylobate.inference.distributions import chi2_p, f_p
from stylobate.inference.fit import LinearFit, fit_from_factor
from stylobate.inference.rows import as_rows, design_chunks, merged_factor

_ADVICE = {
    "Jarque-Bera": "Estimates stay unbiased; with few rows prefer bootstrap intervals, or model "
    "the target's logarithm or its family.",
    "Breusch-Pagan": "Use covariance='HC3', or weights, or a family whose variance follows the "
    "mean.",
    "White": "Use covariance='HC3', or weights, or a family whose variance follows the mean.",
    "Durbin-Watson": "If rows are in the order of time, use covariance='HAC', or model the "
    "dependence.",
    "Breusch-Godfrey": "If rows are in the order of time, use covariance='HAC', or model the "
    "dependence.",
    "RESET": "The mean bends: add powers, splines (bs, ns) or interactions, or transform a column.",
    "Dispersion": "Standard errors are not right as they are: take family='quasi_poisson' or "
    "covariance='HC1', or 'negative_binomial' where counts vary more.",
    "Zeros": "Compare with family='negative_binomial' and 'zero_inflated_poisson' by AIC.",
    "Link": "The predictor bends: add powers, splines (bs, ns) or interactions, or try another "
    "link.",
    "Hosmer-Lemeshow": "Chances are not those that were seen: add powers, splines (bs, ns) or "
    "interactions, or try another link.",
    "Quantile residuals": "The family does not have the target's distribution: compare others by "
    "AIC, or take covariance='HC1'.",
}
_FINE = "Nothing to do."


@dataclass(frozen=True, eq=False)
class SpecificationReport:
    """Tests of the assumptions of a fit.

    `found` names the tests that object at the 5 % level, `advice` says what to do about each.
    """

    tests: tuple[TestResult, ...]

    def __getitem__(self, name: str) -> TestResult:
        for test in self.tests:
            if test.name == name:
                return test
        raise InvalidParameterError(
            f"There is no test {name!r}; there are {', '.join(t.name for t in self.tests)}."
        )

    @property
    def found(self) -> tuple[str, ...]:
        """Names of the tests that object."""
        return tuple(test.name for test in self.tests if _objects(test))

    @property
    def advice(self) -> dict[str, str]:
        """What to do, by test."""
        return {t.name: _ADVICE[t.name] if _objects(t) else _FINE for t in self.tests}

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            test.name: {
                "statistic": test.statistic,
                "p": test.p,
                "df": test.df,
                "sentence": test.sentence,
                "advice": self.advice[test.name],
            }
            for test in self.tests
        }

    def __str__(self) -> str:
        lines = ["Specification of the model"]
        for test in self.tests:
            lines.append(str(test))
            if _objects(test):
                lines.append(f"  -> {self.advice[test.name]}")
        return "\n".join(lines)

    __repr__ = __str__


def _objects(test: TestResult) -> bool:
    if test.name == "Durbin-Watson":
        return not 1.5 <= test.statistic <= 2.5
    return bool(test.p < 0.05)


def specification_report(
    fit: LinearFit, X: Any, y: ArrayLike, weights: ArrayLike | None = None, *, lags: int = 1
) -> SpecificationReport:
    """All tests of a fit; those that its rows are too few for are left out.

    Parameters
    ----------
    fit : LinearFit
    X : (n, p) array
        Without a column of ones.
    y : (n,) array
    weights : (n,) array, optional
    lags : int >= 1

    Returns
    -------
    SpecificationReport

    Examples
    --------
    >>> from stylobate.linear_model import LinearRegression
    >>> x = np.arange(12.0)[:, None]
    >>> y = x[:, 0] ** 2 + np.tile([0.0, 1.0, -1.0], 4)
    >>> model = LinearRegression().fit(x, y)
    >>> "RESET" in specification_report(model.linear_fit(), x, y).found
    True
    """
    rows = np.asarray(as_rows(X), dtype=np.float64)
    target = np.asarray(y, dtype=np.float64)
    root = np.ones(len(target)) if weights is None else np.sqrt(np.asarray(weights))
    e = root * (target - _design(fit, rows) @ fit.coef)
    if not e.any() or fit.df_residual < 1:
        raise InvalidDataError(
            "The fit passes through every row, so there are no residuals to test; it needs more "
            "rows than coefficients."
        )
    tests = [jarque_bera(e), durbin_watson(e)]
    varying = rows[:, np.ptp(rows, axis=0) > 0] if rows.size else rows
    for test in (breusch_pagan, white):
        try:
            tests.append(test(e, varying))
        except InvalidDataError:
            continue
    if fit.df_residual > lags + 1:
        tests.append(breusch_godfrey(fit, rows, target, weights, lags=lags))
    if fit.df_residual > 3 and rows.shape[1]:
        tests.append(reset(fit, rows, target, weights))
    return SpecificationReport(tuple(tests))


def _design(fit: LinearFit, rows: Array) -> Array:
    return np.concatenate([design for _, design in design_chunks(rows, fit.has_intercept)])


def breusch_godfrey(
    fit: LinearFit, X: Any, y: ArrayLike, weights: ArrayLike | None = None, *, lags: int = 1
) -> TestResult:
    """Breusch and Godfrey's test of autocorrelation: `n R²` of residuals on X and lagged residuals.

    Residuals before the first are 0. Rows are in the order of time.

    Parameters
    ----------
    fit, X, y, weights
        The fit and its rows.
    lags : int >= 1

    Returns
    -------
    TestResult
        `details` holds `f` and `f_p`.

    Examples
    --------
    >>> from stylobate.linear_model import LinearRegression
    >>> x = np.arange(30.0)[:, None]
    >>> y = x[:, 0] + np.repeat([1.0, -1.0, 1.0], 10)
    >>> test = breusch_godfrey(LinearRegression().fit(x, y).linear_fit(), x, y)
    >>> test.p < 0.01
    True
    """
    rows, target = np.asarray(as_rows(X), dtype=np.float64), np.asarray(y, dtype=np.float64)
    n = len(target)
    if not isinstance(lags, int | np.integer) or not 1 <= lags < n - fit.rank:
        raise InvalidParameterError(
            f"lags must be a whole number in [1, {max(n - fit.rank, 1)}), got {lags!r}."
        )
    root = np.ones(n) if weights is None else np.sqrt(np.asarray(weights, dtype=np.float64))
    design = _design(fit, rows) * root[:, None]
    e = root * target - design @ fit.coef
    before = [np.concatenate([np.zeros(lag), e[:-lag]]) for lag in range(1, lags + 1)]
    late = np.column_stack(before)
    rss = _rss(np.column_stack([design, late]), e)
    own = float(e @ e)
    lm = n * (1.0 - rss / own)
    df = fit.n_rows - fit.rank - lags
    f = (own - rss) / lags / (rss / df) if rss > 0 else float("inf")
    p = chi2_p(lm, lags)
    found = "neighbouring residuals are correlated" if p < 0.05 else "no sign of autocorrelation"
    sentence = f"{found} up to lag {lags} (LM = {lm:.3g}, {_p(p)})."
    return TestResult(
        "Breusch-Godfrey", lm, p, float(lags), sentence, {"f": f, "f_p": f_p(f, lags, df)}
    )


def reset(
    fit: LinearFit, X: Any, y: ArrayLike, weights: ArrayLike | None = None, *, power: int = 3
) -> TestResult:
    """Ramsey's RESET: do powers 2 … `power` of the fitted values explain what is left?

    Parameters
    ----------
    fit, X, y, weights
        The fit and its rows.
    power : int >= 2

    Returns
    -------
    TestResult
        An F statistic.

    Examples
    --------
    >>> from stylobate.linear_model import LinearRegression
    >>> x = np.arange(12.0)[:, None]
    >>> y = x[:, 0] ** 2 + np.tile([0.0, 1.0, -1.0], 4)
    >>> reset(LinearRegression().fit(x, y).linear_fit(), x, y).p < 1e-6
    True
    """
    rows, target = np.asarray(as_rows(X), dtype=np.float64), np.asarray(y, dtype=np.float64)
    if not isinstance(power, int | np.integer) or not 2 <= power <= 10:
        raise InvalidParameterError(f"power must be a whole number in [2, 10], got {power!r}.")
    root = np.ones(len(target)) if weights is None else np.sqrt(np.asarray(weights))
    design = _design(fit, rows)
    fitted = design @ fit.coef
    spread = float(np.ptp(fitted))
    if spread == 0:
        raise InvalidDataError("RESET: all fitted values are the same, and so are their powers.")
    scaled = 2.0 * (fitted - fitted.min()) / spread - 1.0  # the same span, with more digits
    powers = np.column_stack([scaled**j for j in range(2, power + 1)])
    e = root * (target - fitted)
    rss = _rss(np.column_stack([design, powers]) * root[:, None], e)
    q = power - 1
    df = fit.n_rows - fit.rank - q
    f = (fit.rss - rss) / q / (rss / df) if rss > 0 else float("inf")
    p = f_p(f, q, df)
    found = "the mean is not linear in the columns" if p < 0.05 else "no sign of a bent mean"
    return TestResult("RESET", f, p, float(q), f"{found} (F({q}, {df}) = {f:.3g}, {_p(p)}).")


def _rss(design: Array, target: Array) -> float:
    factor = merged_factor([np.column_stack([design, target])])
    return fit_from_factor(factor, n_rows=len(target), has_intercept=False).rss


def _p(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
