"""Whether a family says what it may say: tests of fits by maximum likelihood, each with advice.

References
----------
Dean (1992), Testing for overdispersion in Poisson and binomial regression models, JASA 87; van den
Broek (1995), A score test for zero inflation in a Poisson distribution, Biometrics 51; Pregibon
(1980), Goodness of link tests, Applied Statistics 29; Hosmer & Lemeshow (1980), Communications in
Statistics 9; Dunn & Smyth (1996), J. Computational and Graphical Statistics 5.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from stylobate.arrays import Array
from stylobate.inference.checks.diagnostics import TestResult, jarque_bera
from stylobate.inference.checks.specification import SpecificationReport
from stylobate.inference.distributions import chi2_p, f_p, two_sided_p
from stylobate.regression.likelihood_fit import RowsOfFit
from stylobate.regression.residuals import residuals

if TYPE_CHECKING:
    from stylobate.regression.formula_model import FormulaModel

_GROUPS = 10
_LEAST_ROWS = 50  # for groups of chances


def likelihood_report(model: FormulaModel, rows: RowsOfFit) -> SpecificationReport:
    """The tests that apply to the family of a fitted model (see `FormulaModel.specification`)."""
    family, tests = model.family_[0], []
    if family.name == "poisson":
        mu = np.exp(model.likelihood_model.predictors(rows).at(model.coef_)[:, 0])
        w = np.ones(len(mu)) if rows.weights is None else rows.weights
        tests.append(dispersion(rows.y, mu, w))
        if model.design_.has_intercept and (rows.y == 0).any():
            tests.append(zeros(rows.y, mu, w))
    if family.name == "binomial" and rows.weights is None:
        chance = _chances(model, rows)
        cuts = np.unique(np.quantile(chance, np.linspace(0, 1, _GROUPS + 1)[1:-1]))
        if np.isin(rows.y, (0.0, 1.0)).all() and len(chance) >= _LEAST_ROWS and len(cuts) > 2:
            tests.append(hosmer_lemeshow(rows.y, chance, cuts))
    bent = _link(model, rows)
    tests += [] if bent is None else [bent]
    if not family.quasi:
        tests.append(_quantile(model, rows))
    return SpecificationReport(tuple(tests))


def _chances(model: FormulaModel, rows: RowsOfFit) -> Array:
    from stylobate.regression.response import mean_and_slope

    return mean_and_slope(model, model.likelihood_model.predictors(rows).at(model.coef_)[:, 0])[0]


def dispersion(y: Array, mu: Array, weights: Array) -> TestResult:
    """Dean's score test of Poisson counts against variances μ + αμ², `Σ((y−μ)²−y)/√(2Σμ²)`.

    Examples
    --------
    >>> dispersion(np.array([0.0, 0.0, 6.0, 6.0]), np.full(4, 3.0), np.ones(4)).statistic > 2
    True
    """
    size = float(np.sqrt(2.0 * (weights @ mu**2)))
    z = float(weights @ ((y - mu) ** 2 - y)) / size
    p = two_sided_p(np.array([z]), np.inf)[0]
    more = "more" if z > 0 else "less"
    found = f"counts vary {more} than Poisson's" if p < 0.05 else "no sign of another variance"
    return TestResult("Dispersion", z, float(p), 1.0, f"{found} (z = {z:.3g}, {_p(p)}).")


def zeros(y: Array, mu: Array, weights: Array) -> TestResult:
    """Van den Broek's score test of more (or fewer) zeros than Poisson's, with an intercept.

    Examples
    --------
    >>> zeros(np.array([0.0, 0.0, 0.0, 4.0]), np.ones(4), np.ones(4)).statistic > 2
    True
    """
    none = np.exp(-mu)
    excess = float(weights @ ((y == 0) / none - 1.0))
    spread = float(weights @ (1.0 / none - 1.0) - weights @ y)
    chi2 = excess**2 / spread if spread > 0 else float("nan")
    p = chi2_p(chi2, 1)
    expected, seen = float(weights @ none), float(weights @ (y == 0))
    found = "too many zeros" if excess > 0 else "too few zeros"
    found = found if p < 0.05 else "as many zeros as expected"
    sentence = f"{found}: {seen:g} where {expected:.4g} are expected (χ² = {chi2:.3g}, {_p(p)})."
    return TestResult("Zeros", chi2, p, 1.0, sentence)


def hosmer_lemeshow(y: Array, chance: Array, cuts: Array) -> TestResult:
    """`Σ (O − E)²/(E (1 − E/n))` over groups of rows of similar chances, χ² with two fewer df."""
    group = np.searchsorted(cuts, chance, side="left")
    size = np.bincount(group, minlength=len(cuts) + 1).astype(np.float64)
    seen = np.bincount(group, y, minlength=len(size))
    expected = np.bincount(group, chance, minlength=len(size))
    used = size > 0
    share = expected[used] / size[used]
    chi2 = float(((seen - expected)[used] ** 2 / (expected[used] * (1.0 - share))).sum())
    df = int(used.sum()) - 2
    p = chi2_p(chi2, df)
    found = "chances differ from what was seen" if p < 0.05 else "chances are as seen"
    sentence = f"{found}, in {df + 2} groups of rows (χ²({df}) = {chi2:.3g}, {_p(p)})."
    return TestResult("Hosmer-Lemeshow", chi2, p, float(df), sentence)


def _link(model: FormulaModel, rows: RowsOfFit) -> TestResult | None:
    """Does the square of the predictor add to it? None where it is one number for all rows."""
    fit, family = model.likelihood_fit_, model.family_[0]
    z = rows.x @ model.coef_[: rows.x.shape[1]]
    spread = float(np.ptp(z))
    if not spread > 0.0 or fit.df_residual < 2:
        return None
    square = (2.0 * (z - z.min()) / spread - 1.0) ** 2
    wider = replace(rows, x=np.column_stack([rows.x, square]))
    k = rows.x.shape[1]
    start = np.insert(model.coef_, k, 0.0)
    found = model.likelihood_model.solve(wider, model.max_iter, start)
    if not found.converged or found.rank <= fit.rank:
        return None
    # the solver's objective, of which the constants of the distribution are the same for both
    statistic = max(2.0 * (found.log_likelihood + fit.certificate.primal), 0.0)
    if family.scale == "estimated":
        statistic /= fit.dispersion
        df = fit.df_residual - 1
        p, law = f_p(statistic, 1, df), f"F(1, {df})"
    else:
        p, law = chi2_p(statistic, 1), "LR"
    words = "the predictor is bent" if p < 0.05 else "no sign of a bent predictor"
    return TestResult("Link", statistic, p, 1.0, f"{words} ({law} = {statistic:.3g}, {_p(p)}).")


def _quantile(model: FormulaModel, rows: RowsOfFit) -> TestResult:
    """Whether quantile residuals are normal; of counts and labels they are drawn, with one seed."""
    found = jarque_bera(residuals(model, "quantile", rows, 0))
    return replace(found, name="Quantile residuals")


def _p(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
