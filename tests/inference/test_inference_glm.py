"""Summaries of generalised linear models against statsmodels, and what they say in words."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest
import statsmodels.api as sm
from statsmodels.genmod import families

from stylobate.exceptions import InferenceWarning, InvalidDataError, InvalidParameterError
from stylobate.inference import (
    analysis_of_deviance,
    glm_fit_from_rows,
    likelihood_ratio_test,
    summarize,
    summarize_glm,
)
from stylobate.optimize.glm import BINOMIAL, GAMMA, GAUSSIAN, POISSON, Family

LOG = families.links.Log()
FAMILIES = {
    "gaussian": (GAUSSIAN, families.Gaussian()),
    "binomial": (BINOMIAL, families.Binomial()),
    "poisson": (POISSON, families.Poisson()),
    "gamma": (GAMMA, families.Gamma(LOG)),
    "tweedie": (Family(1.6, "log"), families.Tweedie(LOG, var_power=1.6)),
    "inverse gaussian": (Family(3.0, "log"), families.InverseGaussian(LOG)),
}


def make(name, n=150, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) * [1.0, 20.0, 0.01] + [0.0, 50.0, 1.0]
    z = 0.4 + (X - X.mean(axis=0)) / X.std(axis=0) @ [0.4, -0.3, 0.0]
    mu = np.exp(z)
    y = {
        "gaussian": lambda: z + rng.normal(size=n),
        "binomial": lambda: (rng.random(n) < mu / (1 + mu)).astype(float),
        "poisson": lambda: rng.poisson(mu).astype(float),
        "gamma": lambda: rng.gamma(2.0, mu / 2),
        "tweedie": lambda: rng.poisson(mu) * rng.gamma(2.0, 1.0, n),
        "inverse gaussian": lambda: rng.wald(mu, 2.0),
    }[name]()
    return X, y


def both(name, weights=None, **options):
    """Our fit at statsmodels' coefficients, and statsmodels' results."""
    X, y = make(name)
    ours, theirs = FAMILIES[name]
    model = sm.GLM(y, sm.add_constant(X), theirs, var_weights=weights)
    found = model.fit(tol=1e-13, maxiter=300, **options)
    fit = glm_fit_from_rows(
        ours, X, y, weights, coef=found.params[1:], intercept=found.params[0], names=list("abc")
    )
    return fit, found, (X, y, weights)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("weighted", [False, True])
def test_equals_statsmodels(name, weighted):
    weights = np.random.default_rng(5).uniform(0.5, 2.0, 150) if weighted else None
    fit, theirs, _ = both(name, weights)
    ours = summarize_glm(fit)
    c, interval = ours.coefficients, theirs.conf_int()
    pairs = {
        "estimate": (c.estimate, theirs.params),
        "std_error": (c.std_error, theirs.bse),
        "z": (c.t, theirs.tvalues),
        "p": (c.p, theirs.pvalues),
        "ci_low": (c.ci_low, interval[:, 0]),
        "ci_high": (c.ci_high, interval[:, 1]),
        "covariance": (ours.covariance, theirs.cov_params()),
        "deviance": (ours.deviance, theirs.deviance),
        "null deviance": (ours.null_deviance, theirs.null_deviance),
        "pearson": (ours.pearson, theirs.pearson_chi2),
        "dispersion": (ours.dispersion, theirs.scale),
        "df": ((ours.df_model, ours.df_residual), (theirs.df_model, theirs.df_resid)),
    }
    if not (weighted and name == "binomial"):  # their weighted binomial likelihood is another
        pairs["log-likelihood"] = (ours.log_likelihood, theirs.llf)
        pairs["aic"], pairs["bic"] = (ours.aic, theirs.aic), (ours.bic, theirs.bic_llf)
    if name == "gaussian" and weighted:
        del pairs["log-likelihood"], pairs["aic"], pairs["bic"]
    for what, (mine, other) in pairs.items():
        # statsmodels inverts an uncentred Gram: its last digits are the condition's
        np.testing.assert_allclose(mine, other, rtol=2e-6, atol=1e-12, err_msg=what)


@pytest.mark.parametrize("name", FAMILIES)
def test_robust_covariances_equal_statsmodels(name):
    groups = np.arange(150) % 12
    for kind, options in (("HC0", {}), ("cluster", {"groups": groups})):
        fit, theirs, rows = both(name, cov_type=kind, cov_kwds=options or None)
        ours = summarize_glm(fit, rows=rows, covariance=kind, **options)
        np.testing.assert_allclose(ours.coefficients.std_error, theirs.bse, rtol=1e-5)
    hc0, hc1 = (summarize_glm(fit, rows=rows, covariance=kind) for kind in ("HC0", "HC1"))
    factor = np.sqrt(150 / 146)
    np.testing.assert_allclose(hc1.coefficients.std_error, factor * hc0.coefficients.std_error)


def test_logit_likelihood_ratio_equals_statsmodels():
    fit, _, (X, y, _) = both("binomial")
    theirs = sm.Logit(y, sm.add_constant(X)).fit(disp=0, tol=1e-12)
    ours = summarize_glm(fit)
    assert ours.lr == pytest.approx(theirs.llr, rel=1e-6)
    assert ours.lr_p == pytest.approx(theirs.llr_pvalue, rel=1e-5)
    assert ours.pseudo_r2 == pytest.approx(theirs.prsquared, rel=1e-6)
    assert ours.null_log_likelihood == pytest.approx(theirs.llnull, rel=1e-6)


def test_multinomial_equals_statsmodels():
    X, _ = make("gaussian")
    y = np.random.default_rng(3).integers(0, 3, 150)
    theirs = sm.MNLogit(y, sm.add_constant(X)).fit(disp=0, tol=1e-10, maxiter=100)
    params = np.asarray(theirs.params).T
    shift = np.array([0.3, 1.0, -2.0, 0.5])  # common to all classes, so it changes nothing
    shifted = np.vstack([np.zeros(4), params]) + shift
    fit = glm_fit_from_rows(
        None, X, y, coef=shifted[:, 1:], intercept=shifted[:, 0], classes=["red", "green", "blue"]
    )
    ours = summarize_glm(fit)
    for column, table in enumerate(ours.tables):
        np.testing.assert_allclose(table.estimate, params[column], rtol=1e-9)
        np.testing.assert_allclose(table.std_error, np.asarray(theirs.bse)[:, column], rtol=1e-6)
        np.testing.assert_allclose(table.p, np.asarray(theirs.pvalues)[:, column], rtol=1e-5)
    for mine, other in (
        (ours.log_likelihood, theirs.llf),
        (ours.lr, theirs.llr),
        (ours.lr_p, theirs.llr_pvalue),
        (ours.aic, theirs.aic),
        (ours.bic, theirs.bic),
        (ours.df_residual, theirs.df_resid),
    ):
        assert mine == pytest.approx(other, rel=1e-5)
    assert ours.equations == ("green", "blue")
    assert ours["blue"] is ours.tables[1]
    assert "blue against red" in str(ours)
    assert ours.coefficients.names[0] == "green: (Intercept)"
    robust = summarize_glm(fit, rows=(X, y, None), covariance="HC0")
    again = sm.MNLogit(y, sm.add_constant(X)).fit(disp=0, tol=1e-10, cov_type="HC0")
    expected = np.asarray(again.bse).T.ravel()
    np.testing.assert_allclose(robust.coefficients.std_error, expected, rtol=1e-4)


def test_gaussian_equals_the_linear_summary(fit_rows):
    X, y = make("gaussian")
    linear = summarize(fit_rows(X, y))
    b = linear.coefficients.estimate
    ours = summarize_glm(
        glm_fit_from_rows(GAUSSIAN, X, y, coef=b[1:], intercept=b[0]), distribution="t"
    )
    for field in ("std_error", "t", "p", "ci_low", "ci_high"):
        mine, other = getattr(ours.coefficients, field), getattr(linear.coefficients, field)
        np.testing.assert_allclose(mine, other, rtol=1e-8, err_msg=field)
    assert ours.dispersion == pytest.approx(linear.sigma2)
    assert ours.log_likelihood == pytest.approx(linear.log_likelihood)
    assert ours.aic == pytest.approx(linear.aic)
    assert ours.lr / ours.lr_df == pytest.approx(linear.f)
    assert ours.lr_p == pytest.approx(linear.f_p, rel=1e-6)


def test_quasi_poisson_equals_statsmodels():
    fit, _, (X, y, _) = both("poisson")
    theirs = sm.GLM(y, sm.add_constant(X), families.Poisson()).fit(scale="X2")
    ours = summarize_glm(fit, dispersion="pearson")
    np.testing.assert_allclose(ours.coefficients.std_error, theirs.bse, rtol=1e-6)
    assert ours.dispersion == pytest.approx(theirs.scale, rel=1e-6)
    assert any("Quasi-likelihood" in note for note in ours.notes)


def test_penalised_fit_warns_and_gives_no_p_values():
    fit, _, (X, y, _) = both("poisson")
    shrunk = glm_fit_from_rows(
        POISSON, X, y, coef=fit.coef[0, 1:] / 2, intercept=fit.coef[0, 0], penalised=True
    )
    with pytest.warns(InferenceWarning, match="penalised"):
        ours = summarize_glm(shrunk)
    assert np.isnan(ours.coefficients.p).all()
    assert np.isnan([ours.aic, ours.bic, ours.lr_p]).all()
    with pytest.raises(InvalidDataError, match="penalised fit"):
        likelihood_ratio_test(summarize_glm(fit), ours)


def test_likelihood_ratio_of_nested_fits():
    fit, _, (X, y, _) = both("gamma")
    theirs = sm.GLM(y, sm.add_constant(X[:, :1]), families.Gamma(LOG)).fit(tol=1e-13)
    small = summarize_glm(
        glm_fit_from_rows(GAMMA, X[:, :1], y, coef=theirs.params[1:], intercept=theirs.params[0])
    )
    large = summarize_glm(fit)
    test = likelihood_ratio_test(small, large)
    f = (theirs.deviance - large.deviance) / 2 / large.dispersion
    assert (test.df, test.law) == (2, "F")
    assert test.statistic / 2 == pytest.approx(f)
    assert "model 2" in analysis_of_deviance(small, large)
    with pytest.raises(InvalidDataError, match="smaller fit first"):
        likelihood_ratio_test(large, small)


def test_dependent_columns_have_no_standard_error():
    fit, _, (X, y, _) = both("poisson")
    doubled = np.column_stack([X, 2 * X[:, 0] - 3])
    coef = np.append(fit.coef[0, 1:], 0.0)
    ours = summarize_glm(
        glm_fit_from_rows(POISSON, doubled, y, coef=coef, intercept=fit.coef[0, 0])
    )
    missing = np.isnan(ours.coefficients.std_error)
    assert missing.tolist() == [True, True, False, False, True]
    np.testing.assert_allclose(
        ours.coefficients.std_error[2:4], summarize_glm(fit).coefficients.std_error[2:4]
    )
    assert ours.n_params == 4
    assert any("linearly dependent" in note for note in ours.notes)


def test_wrong_rows_and_kinds_are_refused():
    fit, _, (X, y, _) = both("poisson")
    with pytest.raises(InvalidDataError, match="deviance"):
        summarize_glm(fit, rows=(X, y[::-1], None), covariance="HC0")
    with pytest.raises(InvalidDataError, match="149"):
        summarize_glm(fit, rows=(X[1:], y[1:], None), covariance="HC0")
    with pytest.raises(InvalidParameterError, match="needs the rows"):
        summarize_glm(fit, covariance="HC1")
    with pytest.raises(InvalidParameterError, match="must be one of"):
        summarize_glm(fit, covariance="HC3")
    with pytest.raises(InvalidParameterError, match="dispersion"):
        summarize_glm(fit, dispersion=-1.0)


def test_overdispersed_counts_are_noted():
    rng = np.random.default_rng(0)
    y = rng.negative_binomial(1, 0.2, 200).astype(float)
    fit = glm_fit_from_rows(POISSON, np.zeros((200, 0)), y, coef=[], intercept=np.log(y.mean()))
    assert any("vary more than a Poisson" in note for note in summarize_glm(fit).notes)


def test_text_and_html_and_plain_data():
    fit, _, _ = both("poisson")
    ours = summarize_glm(fit)
    text, html = str(ours), ours._repr_html_()
    for part in (
        "Poisson regression (log link) of y",
        "150 rows",
        "AIC",
        "null deviance",
        "strong",
    ):
        assert part in text
    assert max(map(len, text.split("\n"))) <= 82
    assert "<table>" in html
    assert json.loads(json.dumps(ours.to_dict()))["lr_df"] == 3
    assert ours.coefficients.to_pandas().loc["a", "p"] == ours.coefficients["a"]["p"]


def test_without_intercept_the_null_model_is_nested():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 2))
    y = rng.poisson(np.exp(X @ [0.3, 0.1])).astype(float)
    theirs = sm.GLM(y, X, families.Poisson()).fit(tol=1e-13)
    ours = summarize_glm(glm_fit_from_rows(POISSON, X, y, coef=theirs.params, has_intercept=False))
    np.testing.assert_allclose(ours.coefficients.std_error, theirs.bse, rtol=1e-7)
    null = POISSON.deviance(y, np.ones(80)).sum()
    assert ours.null_deviance == pytest.approx(null)
    assert ours.lr_df == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "Without an intercept" in str(ours)
