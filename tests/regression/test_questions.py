"""Tests, tables, effects and means against statsmodels, R's published tables, brute force."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf
from statsmodels.stats import diagnostic, multitest
from statsmodels.stats import power as peer_power
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.multicomp import pairwise_tukeyhsd

from stylobate import model
from stylobate.inference import (
    adjusted_p,
    power_f_test,
    power_proportions,
    power_t_test,
    simulated_power,
)

# R: warpbreaks, summary(aov(breaks ~ wool * tension)) and TukeyHSD of tension
WARPBREAKS = {
    ("A", "L"): [26, 30, 54, 25, 70, 52, 51, 26, 67],
    ("A", "M"): [18, 21, 29, 17, 12, 18, 35, 30, 36],
    ("A", "H"): [36, 21, 24, 18, 10, 43, 28, 15, 26],
    ("B", "L"): [27, 14, 29, 19, 29, 31, 41, 20, 44],
    ("B", "M"): [42, 26, 19, 16, 39, 28, 21, 39, 29],
    ("B", "H"): [20, 21, 24, 17, 13, 15, 15, 16, 28],
}


@pytest.fixture(scope="module")
def warpbreaks():
    rows = [(b, w, t) for (w, t), values in WARPBREAKS.items() for b in values]
    return pd.DataFrame(rows, columns=["breaks", "wool", "tension"])


def test_published_analysis_of_variance(warpbreaks):
    fit = model("breaks ~ wool * C(tension, levels=['L', 'M', 'H'])", warpbreaks)
    found = fit.anova(1)
    assert np.isclose(found.sum_sq, [450.7, 2034.3, 1002.8, 5745.1], atol=0.05).all()
    assert np.isclose(found.statistic[:3], [3.765, 8.498, 4.189], atol=5e-4).all()
    assert np.isclose(found.p[:3], [0.058213, 0.000693, 0.021044], atol=1e-6).all()
    additive = model("breaks ~ wool + tension", warpbreaks)
    tukey = additive.pairwise("tension")
    assert tukey.names == ("H - L", "H - M", "L - M")
    assert np.isclose(tukey.estimate, [-14.722222, -4.722222, 10.0], atol=1e-6).all()
    # TukeyHSD: M-L p = 0.0336262, H-L p = 0.0011218, H-M p = 0.4474210
    assert np.isclose(tukey.p_adjusted, [0.0011218, 0.4474210, 0.0336262], atol=1e-6).all()
    assert np.isclose(tukey["L - M"]["ci_high"], 19.35342, atol=1e-5)


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_tables_of_variance(table, kind):
    # patsy orders terms by their numbers first, R and we by degree: alike without numbers only
    coded = "C(a, Sum) * C(b, Sum)" + ("" if kind == 1 else " + x + C(a, Sum):x")
    ours = model(f"y ~ {coded}", table).anova(kind)
    theirs = anova_lm(smf.ols(f"y ~ {coded}", table).fit(), typ=kind)
    rename = {"Intercept": "(Intercept)", "Residual": "Residuals"}
    theirs = theirs.rename(index=rename)
    for name in theirs.index:
        row = ours[name]
        assert np.isclose(row["sum_sq"], theirs.loc[name, "sum_sq"], rtol=1e-8, atol=1e-10)
        assert row["df"] == theirs.loc[name, "df"]
        if name != "Residuals":
            assert np.isclose(row["p"], theirs.loc[name, "PR(>F)"], rtol=1e-7)


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_tables_of_deviance_are_refits(table, kind):
    fit = model("label ~ C(a, Sum) * x + b", table, "binomial")
    found = fit.anova(kind)
    full = sm.GLM(table.label, fit.design_.matrix(table), family=sm.families.Binomial()).fit(
        tol=1e-14
    )
    names = fit.design_.terms.names
    x = pd.DataFrame(fit.design_.matrix(table), columns=fit.design_.names)

    def deviance(terms):
        kept = ["(Intercept)"]
        for i in terms:
            start, end = fit.design_.slices[i]
            kept += list(fit.design_.names[start:end])
        glm = sm.GLM(table.label, x[kept].to_numpy(), family=sm.families.Binomial())
        return glm.fit(tol=1e-14).deviance

    places = {name: i for i, name in enumerate(names)}
    if kind == 3:
        expected = deviance([i for i in places.values() if names[i] != "x"]) - full.deviance
    elif kind == 2:
        mains = [places["C(a, Sum)"], places["b"]]
        expected = deviance(mains) - deviance([*mains, places["x"]])
    else:
        expected = deviance([places["C(a, Sum)"]]) - deviance([places["C(a, Sum)"], places["x"]])
    assert np.isclose(found["x"]["statistic"], expected, rtol=1e-7)
    assert found.law == "chi2"


def test_nested_models(table):
    small, large = (model(f"y ~ {f}", table) for f in ("x", "x * a"))
    row = small.compare(large)["y ~ x * a"]
    peer = smf.ols("y ~ x * a", table).fit().compare_f_test(smf.ols("y ~ x", table).fit())
    assert np.isclose([row["statistic"], row["p"], row["df"]], peer, rtol=1e-9).all()
    small, large = (model(f"spread ~ {f}", table, "negative_binomial") for f in ("x", "x + a"))
    row = small.compare(large)["spread ~ x + a"]
    change = 2 * (large.likelihood_fit_.log_likelihood - small.likelihood_fit_.log_likelihood)
    assert np.isclose(row["statistic"], change, rtol=1e-9)


def test_wald_tests_and_contrasts(table):
    fit, peer = model("y ~ a + x + z", table), smf.ols("y ~ a + x + z", table).fit()
    for ours, theirs in (
        ("a[q] = a[r]", "a[T.q] = a[T.r]"),
        ("a[q] = 0, x - 2*z = 0.1", "a[T.q] = 0, x - 2*z = 0.1"),
    ):
        found, expected = fit.test(ours), peer.f_test(theirs)
        assert np.isclose(found.statistic, expected.fvalue, rtol=1e-9)
        assert np.isclose(found.p, expected.pvalue, rtol=1e-9)
    term = fit.test("a", covariance="HC1")
    robust = smf.ols("y ~ a + x + z", table).fit(cov_type="HC1", use_t=True)
    assert np.isclose(
        term.statistic, robust.wald_test_terms(scalar=True).table.loc["a", "statistic"]
    )
    rows = fit.contrasts(["x", "z", "a[q] - a[r]"], adjust="holm")
    single = peer.t_test("x = 0, z = 0, a[T.q] - a[T.r] = 0")
    assert np.isclose(rows.p, single.pvalue, rtol=1e-9).all()
    expected = multitest.multipletests(single.pvalue, method="holm")[1]
    assert np.isclose(rows.p_adjusted, expected, rtol=1e-9).all()
    with pytest.raises(ValueError, match="there is no coefficient 'aq'; did you mean"):
        fit.test("aq = 0")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("bonferroni", "bonferroni"), ("sidak", "sidak"), ("holm", "holm"),
     ("hochberg", "simes-hochberg"), ("fdr", "fdr_bh")],
)  # fmt: skip
def test_adjustments(ours, theirs):
    p = np.random.default_rng(0).uniform(size=12) ** 3
    assert np.isclose(adjusted_p(p, ours), multitest.multipletests(p, method=theirs)[1]).all()


def test_tukey_of_one_factor(table):
    fit = model("y ~ a", table)
    found, peer = fit.pairwise("a"), pairwise_tukeyhsd(table.y, table.a)
    assert np.isclose(np.abs(found.estimate), np.abs(peer.meandiffs), rtol=1e-9).all()
    assert np.isclose(found.p_adjusted, peer.pvalues, atol=1e-6).all()


@pytest.mark.parametrize("family", ["binomial", "poisson"])
@pytest.mark.parametrize("at", ["overall", "mean"])
def test_marginal_effects(table, family, at):
    target = {"binomial": "label", "poisson": "count"}[family]
    fit = model(f"{target} ~ x + z", table, family)
    peer = (smf.logit if family == "binomial" else smf.poisson)(f"{target} ~ x + z", table)
    expected = peer.fit(disp=0, method="newton", tol=1e-14).get_margeff(at=at)
    found = fit.effects(at=at)
    assert np.isclose(found.estimate, expected.margeff, rtol=1e-8).all()
    assert np.isclose(found.std_error, expected.margeff_se, rtol=1e-7).all()


def test_effects_of_curves_and_factors(table):
    fit = model("label ~ a + bs(x, df=4) + I(z^2)", table, "binomial")
    found = fit.effects()
    p = {v: fit.predict_proba(table.assign(a=v))[:, 1].mean() for v in "pqr"}
    assert np.isclose(found["a[q]"]["estimate"], p["q"] - p["p"], atol=1e-14)
    up, down = (fit.predict_proba(table.assign(z=table.z + h))[:, 1] for h in (1e-5, -1e-5))
    assert np.isclose(found["z"]["estimate"], ((up - down) / 2e-5).mean(), atol=1e-8)
    beta, h = fit.coef_.copy(), 1e-6  # the delta method, by differences in the coefficients
    slopes = []
    for j in range(len(beta)):
        ends = []
        for sign in (1, -1):
            fit.coef_ = beta + sign * h * np.eye(len(beta))[j]
            ends.append(fit.effects("z").estimate[0])
        slopes.append((ends[0] - ends[1]) / (2 * h))
    fit.coef_ = beta
    error = np.sqrt(np.array(slopes) @ fit.likelihood_fit_.inverse @ np.array(slopes))
    assert np.isclose(found["z"]["std_error"], error, rtol=1e-6)


def test_estimated_means(table):
    fit = model("y ~ a * b + x", table)
    found = fit.means("a")
    grid = [
        np.mean([fit.predict({"a": [v], "b": [w], "x": [table.x.mean()]})[0] for w in "uv"])
        for v in "pqr"
    ]
    assert np.isclose(found.estimate, grid, atol=1e-12).all()
    cell = fit.means(["a", "b"])
    new = {"a": ["p"], "b": ["v"], "x": [table.x.mean()]}
    interval = fit.predict_interval(new)
    assert np.isclose(cell["p, v"]["std_error"], interval.std_error[0], rtol=1e-9)
    chance = model("label ~ a + x", table, "binomial").means("a")
    assert ((chance.ci_low > 0) & (chance.ci_high < 1)).all()


def test_specification(table):
    fit, peer = model("y ~ x + z", table), smf.ols("y ~ x + z", table).fit()
    report = fit.specification(lags=2)
    lm, p, f, f_p = diagnostic.acorr_breusch_godfrey(peer, nlags=2, result_object=False)
    bg = report["Breusch-Godfrey"]
    expected = [bg.statistic, bg.p, bg.details["f"], bg.details["f_p"]]
    assert np.isclose([lm, p, f, f_p], expected, rtol=1e-8).all()
    reset = diagnostic.linear_reset(peer, power=3, use_f=True)
    assert np.isclose(report["RESET"].statistic, reset.fvalue, rtol=1e-7)
    assert np.isclose(report["RESET"].p, reset.pvalue, rtol=1e-7)
    bent = table.assign(y=table.x**2 + 0.1 * table.y)
    found = model("y ~ x", bent).specification()
    assert "RESET" in found.found
    assert "splines" in found.advice["RESET"]
    assert "splines" in str(found)


def test_power():
    found = power_t_test(effect=0.4, power=0.85)
    peer = peer_power.TTestIndPower().solve_power(0.4, power=0.85, alpha=0.05)
    assert np.isclose(found.n, peer, rtol=1e-6)
    assert np.isclose(power_t_test(n=peer, power=0.85).effect, 0.4, rtol=1e-6)
    one = power_t_test(effect=0.4, n=30, kind="one-sample").power
    assert np.isclose(one, peer_power.TTestPower().power(0.4, 30, 0.05), rtol=1e-8)
    anova = power_f_test(df=3, effect=0.25**2, power=0.8)
    assert np.isclose(
        anova.n, peer_power.FTestAnovaPower().solve_power(0.25, power=0.8, alpha=0.05, k_groups=4),
        rtol=1e-6,
    )  # fmt: skip
    shares = power_proportions(p1=0.5, p2=0.4, power=0.9)
    effect = sm.stats.proportion_effectsize(0.5, 0.4)
    expected = peer_power.NormalIndPower().solve_power(effect, power=0.9, alpha=0.05)
    assert np.isclose(shares.n, expected, rtol=1e-6)


def test_simulated_power_is_the_power():
    from scipy.stats import ttest_ind

    def study(rng):
        return ttest_ind(rng.normal(0.8, 1, 20), rng.normal(size=20)).pvalue

    exact = power_t_test(effect=0.8, n=20).power
    found = simulated_power(study, n_simulations=400, level=0.999, random_state=0)
    assert found.ci_low < exact < found.ci_high
    assert found == simulated_power(study, n_simulations=400, level=0.999, random_state=0)
