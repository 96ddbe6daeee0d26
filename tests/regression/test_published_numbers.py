"""Numbers that R and Stata printed (reference data beside the project): models said by formulas."""

import gzip
import json

import numpy as np
import pandas as pd
import pytest

from stylobate import model


@pytest.fixture(scope="module")
def printed(reference_data):
    with gzip.open(reference_data / "statsmodels" / "results.json.gz") as file:
        return json.load(file)


def test_logistic_regression_of_low_birth_weights(reference_data, printed):
    """glm(low ~ age + …, binomial); R stops at changes of 1e-8 of the deviance."""
    d = pd.read_csv(reference_data / "statsmodels" / "testdata" / "stata_lbw_glm.csv")
    fit = model("low ~ age + lwt + relevel(race, ref = 'white') + smoke + ptl + ht + ui", d,
                "binomial")  # fmt: skip
    order = ["age", "lwt", "race[black]", "race[other]", "smoke", "ptl", "ht", "ui", "(Intercept)"]
    found, expected = fit.summary(), printed["genmod/results_glm"]["Lbw"]
    mine = np.array([found.coefficients[name]["estimate"] for name in order])
    assert np.isclose(mine, expected["params"], atol=2e-8).all()
    mine = np.array([found.coefficients[name]["std_error"] for name in order])
    assert np.isclose(mine, expected["bse"], rtol=2e-5).all()
    assert np.isclose(found.log_likelihood, expected["llf"], rtol=1e-12)
    assert np.isclose(found.deviance, expected["deviance"], rtol=1e-12)
    assert np.isclose(found.null_deviance, expected["null_deviance"], rtol=1e-12)
    assert np.isclose(found.pearson, expected["pearson_chi2"], rtol=1e-6)
    assert np.isclose(found.aic, expected["aic_R"], rtol=1e-10)


@pytest.mark.parametrize(("name", "link"), [("CancerLog", "log"), ("CancerIdentity", "identity")])
def test_gamma_regression_of_survival(printed, name, link):
    expected = printed["genmod/results_glm"][name]
    x = np.array(expected["exog"])
    d = {"y": expected["endog"], "age": x[:, 0], "drug2": x[:, 1], "drug3": x[:, 2]}
    fit = model("y ~ age + drug2 + drug3", d, "gamma", link=link)
    found = fit.summary()
    errors = np.roll(found.coefficients.std_error, -1)
    assert (np.abs(np.roll(fit.coef_, -1) - expected["params"]) < 1e-4 * errors).all()
    assert np.isclose(errors, expected["bse"], rtol=1e-4).all()
    assert np.isclose(found.deviance, expected["deviance"], rtol=1e-8)
    assert np.isclose(found.dispersion, expected["scale"], rtol=1e-5)


def test_clustered_errors_of_investments(reference_data, printed):
    """Grunfeld's ten firms; Stata's CRV3 has a factor (G − 1)/G that clubSandwich's CR3 has not."""
    d = pd.read_csv(reference_data / "statsmodels" / "data" / "grunfeld.csv")
    fit = model("invest ~ value + capital", d[d.firm != "American Steel"])
    expected = printed["regression/results_grunfeld_ols_robust_cluster"]
    table = np.array(expected["ols_crv3"])
    assert np.isclose(np.roll(fit.coef_, -1), table[:, 0], rtol=1e-9).all()
    found = fit.estimates(covariance="CR3", groups="firm")
    matrix = np.roll(found.covariance * 0.9, (-1, -1), axis=(0, 1))
    assert np.isclose(matrix, expected["ols_crv3_cov"], rtol=1e-8).all()
    t = np.roll(fit.coef_, -1) / np.sqrt(np.diag(matrix))
    assert np.isclose(t, table[:, 2], rtol=1e-8).all()
    assert found.df == 9  # with which Stata computes p
    from scipy.stats import t as student

    assert np.isclose(2 * student.sf(np.abs(t), found.df), table[:, 3], rtol=1e-7).all()


def test_robust_errors_of_growth(reference_data, printed):
    d = pd.read_csv(reference_data / "statsmodels" / "data" / "macrodata.csv")
    d["g_inv"] = 400 * np.log(d.realinv).diff()
    d["g_gdp"] = 400 * np.log(d.realgdp).diff()
    d["before"] = d.realint.shift(1)
    fit = model("g_inv ~ g_gdp + before", d, missing="drop")
    expected = printed["regression/results_macro_ols_robust"]
    table = np.array(expected["params_table"], dtype=float)
    assert np.isclose(np.roll(fit.coef_, -1), table[:, 0], rtol=1e-11).all()
    found = np.roll(fit.estimates(covariance="HC0").std_error, -1)
    assert np.isclose(found, table[:, 1], rtol=1e-11).all()
