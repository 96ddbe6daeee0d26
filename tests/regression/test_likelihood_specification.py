"""Tests of what families assume, against statsmodels and refits."""

import numpy as np
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf
from statsmodels.discrete._diagnostics_count import (
    test_poisson_dispersion as peer_dispersion,
)
from statsmodels.discrete._diagnostics_count import (
    test_poisson_zeroinflation_broek as peer_zeros,
)

from stylobate import model


def test_poisson_counts(table):
    fit = model("visits ~ x + z", table, "poisson")
    peer = smf.poisson("visits ~ x + z", table).fit(disp=0, method="newton", tol=1e-14)
    report = fit.specification()
    theirs = peer_dispersion(peer)  # Dean A is the first
    assert np.isclose(report["Dispersion"].statistic, theirs.statistic[0], rtol=1e-8)
    assert np.isclose(report["Dispersion"].p, theirs.pvalue[0], rtol=1e-6)
    assert np.isclose(report["Zeros"].statistic, peer_zeros(peer).chi2, rtol=1e-8)
    assert report.found[:2] == ("Dispersion", "Zeros")
    assert "zero_inflated_poisson" in report.advice["Zeros"]
    right = model("count ~ a + x + log(z)", table, "poisson", exposure="t").specification()
    assert right.found == ()


def test_hosmer_and_lemeshow(table):
    fit = model("label ~ x", table, "binomial")
    chance = np.asarray(fit.mean(table))
    cuts = np.quantile(chance, np.linspace(0, 1, 11))
    total = 0.0
    for j in range(10):
        low, high = cuts[j] if j else -1, cuts[j + 1]
        rows = (chance > low) & (chance <= high)
        n, seen, expected = rows.sum(), table.label[rows].sum(), chance[rows].sum()
        total += (seen - expected) ** 2 / expected
        total += (n - seen - (n - expected)) ** 2 / (n - expected)
    found = fit.specification()["Hosmer-Lemeshow"]
    assert np.isclose(found.statistic, total, rtol=1e-10)
    assert found.df == 8


@pytest.mark.parametrize(
    ("target", "family", "peer"),
    [("label", "binomial", sm.families.Binomial()), ("count", "poisson", sm.families.Poisson()),
     ("amount", "gamma", sm.families.Gamma(sm.families.links.Log()))],
)  # fmt: skip
def test_the_link_is_asked_by_a_refit(table, target, family, peer):
    fit = model(f"{target} ~ x + z", table, family)
    x = fit.design_.matrix(table)
    small = sm.GLM(table[target], x, family=peer).fit(tol=1e-14, maxiter=300)
    wide = np.column_stack([x, (x @ fit.coef_) ** 2])
    large = sm.GLM(table[target], wide, family=peer).fit(tol=1e-14, maxiter=300)
    expected = small.deviance - large.deviance
    if family == "gamma":
        expected /= small.scale
    assert np.isclose(fit.specification()["Link"].statistic, expected, rtol=1e-6)


def test_bent_means_and_wrong_families_are_found(table):
    rng = np.random.default_rng(0)
    bent = table.assign(count=rng.poisson(np.exp(0.5 * table.x**2)))
    report = model("count ~ x + I(x + z)", bent, "poisson").specification()
    assert "Dispersion" in report.found
    curved = table.assign(label=rng.uniform(size=len(table)) < 1 / (1 + np.exp(2 - table.x**2)))
    curved["shifted"] = curved.x + 2
    found = model("label ~ shifted", curved, "binomial").specification()
    assert "Link" in found.found
    assert "splines" in str(found)
    wrong = model("amount ~ x", table, "inverse_gaussian").specification()
    assert "Quantile residuals" in wrong.found
    for family, target in (("ordinal", "grade"), ("negative_binomial", "spread"),
                           ("zero_inflated_poisson", "visits")):  # fmt: skip
        right = model(f"{target} ~ a + x + log(z)", table, family).specification()
        assert all(test.p > 0.01 for test in right.tests)


def test_right_models_are_objected_to_as_often_as_promised():
    rng = np.random.default_rng(1)
    objections, n = {}, 120
    for _ in range(n):
        x = rng.normal(size=150)
        d = {"x": x, "y": rng.poisson(np.exp(1 + 0.4 * x))}
        d["label"] = rng.uniform(size=150) < 1 / (1 + np.exp(-x))
        for formula, family in (("y ~ x", "poisson"), ("label ~ x", "binomial")):
            for test in model(formula, d, family).specification().tests:
                key = (family, test.name)
                objections[key] = objections.get(key, 0) + (test.p < 0.05)
    assert len(objections) == 7
    assert all(count <= 0.05 * n + 3 * np.sqrt(0.05 * 0.95 * n) for count in objections.values())


def test_overdispersion_is_tested_at_the_end_of_its_range(table):
    from scipy.stats import chi2

    small, large = (model("spread ~ x", table, f) for f in ("poisson", "negative_binomial"))
    row = small.compare(large)["spread ~ x (negative_binomial)"]
    change = 2 * (large.summary().log_likelihood - small.summary().log_likelihood)
    assert np.isclose(row["statistic"], change, rtol=1e-9)
    assert np.isclose(row["p"], chi2.sf(change, 1) / 2, rtol=1e-9)
    assert "Self & Liang" in " ".join(str(small.compare(large)).split())
    wider = model("spread ~ x + a", table, "negative_binomial")
    row = small.compare(wider)["spread ~ x + a (negative_binomial)"]
    expected = 0.5 * (chi2.sf(row["statistic"], 2) + chi2.sf(row["statistic"], 3))
    assert np.isclose(row["p"], expected, rtol=1e-9)
    with pytest.raises(ValueError, match=r"special case of the other .*compare summary\(\).aic"):
        large.compare(model("visits ~ x", table, "zero_inflated_negative_binomial"))


def test_counts_share_their_gamma_functions():
    """The likelihood of one α for all rows is the one of an α for each."""
    from stylobate.optimize.vector_glm import NegativeBinomial

    rng = np.random.default_rng(0)
    y, z = rng.poisson(3.0, 50).astype(float), np.column_stack([rng.normal(size=50), np.ones(50)])
    whole = NegativeBinomial().at(y, z)
    for j in range(50):
        one = NegativeBinomial().at(y[[j, j]], z[[j, j]] + [[0, 0], [0, 1e-9]])
        assert np.isclose(whole.value[j], one.value[0], rtol=1e-14)
        assert np.allclose(whole.curvature[j], one.curvature[0], rtol=1e-12)
