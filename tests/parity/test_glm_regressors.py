"""Poisson, Gamma and Tweedie regressors against scikit-learn at tight tolerance and statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import sparse
from sklearn import linear_model as theirs

from stylobate import linear_model as ours


def make(kind, n=200, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)) * [1.0, 10.0, 0.1, 1.0] + [0.0, 5.0, 0.0, 10.0]
    z = 0.3 + (X - X.mean(axis=0)) / X.std(axis=0) @ [0.5, -0.2, 0.0, 0.3]
    mu = np.exp(z)
    y = {
        "normal": lambda: z + rng.normal(size=n),
        "counts": lambda: rng.poisson(mu).astype(float),
        "amounts": lambda: rng.gamma(2.0, mu / 2),
        "zeros": lambda: rng.poisson(mu) * rng.gamma(2.0, 1.0, n),
        "wald": lambda: rng.wald(mu, 2.0),
    }[kind]()
    weights = rng.uniform(0.0, 2.0, n)
    weights[:10] = 0.0
    return X, y, weights


CASES = [
    ("PoissonRegressor", "counts", {}),
    ("GammaRegressor", "amounts", {}),
    ("TweedieRegressor", "normal", {}),
    ("TweedieRegressor", "zeros", {"power": 1.5}),
]
NOT_CONVEX = [  # scikit-learn is slow on these
    ("TweedieRegressor", "wald", {"power": 3.0}),
    ("TweedieRegressor", "counts", {"power": 0.0, "link": "log"}),
    ("TweedieRegressor", "amounts", {"power": 2.0, "link": "identity"}),
]


@pytest.mark.parametrize(("name", "kind", "options"), CASES, ids=str)
@pytest.mark.parametrize("alpha", [0.0, 0.1])
@pytest.mark.parametrize("weighted", [False, True])
def test_equals_scikit_learn(name, kind, options, alpha, weighted):
    X, y, w = make(kind)
    check_equal(name, options, alpha, X, y, w if weighted else None)


@pytest.mark.filterwarnings("ignore:The inner solver of Newton")  # theirs
@pytest.mark.parametrize(("name", "kind", "options"), NOT_CONVEX, ids=str)
def test_equals_scikit_learn_where_not_convex(name, kind, options):
    check_equal(name, options, 0.1, *make(kind), tol=1e-8)


def check_equal(name, options, alpha, X, y, w, tol=1e-10):
    reference = getattr(theirs, name)(
        alpha=alpha, tol=tol, max_iter=5000, solver="newton-cholesky", **options
    ).fit(X, y, sample_weight=w)
    model = getattr(ours, name)(alpha=alpha, tol=1e-8, **options)
    for rows in (X, sparse.csr_array(X)):
        model.fit(rows, y, sample_weight=w)
        np.testing.assert_allclose(model.coef_, reference.coef_, rtol=1e-5, atol=1e-6)
        assert model.intercept_ == pytest.approx(reference.intercept_, rel=1e-5, abs=1e-6)
    assert model.score(X, y, w) == pytest.approx(reference.score(X, y, w), rel=1e-7)
    np.testing.assert_allclose(model.predict(X), reference.predict(X), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("name", "kind", "options"), CASES + NOT_CONVEX, ids=str)
def test_lbfgs_gives_the_same_answer(name, kind, options):
    X, y, w = make(kind)
    cls = getattr(ours, name)
    newton = cls(alpha=0.01, **options).fit(X, y, w)
    lbfgs = cls(alpha=0.01, solver="lbfgs", max_iter=2000, tol=1e-6, **options).fit(X, y, w)
    np.testing.assert_allclose(lbfgs.coef_, newton.coef_, rtol=1e-3, atol=1e-4)
    assert lbfgs.certificate_.primal >= newton.certificate_.dual - 1e-12


def test_without_intercept_equals_scikit_learn():
    X, y, w = make("counts")
    X = X - X.mean(axis=0)
    options = {"alpha": 0.1, "fit_intercept": False, "tol": 1e-9}
    reference = theirs.PoissonRegressor(solver="newton-cholesky", **options).fit(X, y, w)
    model = ours.PoissonRegressor(**options).fit(X, y, w)
    np.testing.assert_allclose(model.coef_, reference.coef_, rtol=1e-6)
    assert model.intercept_ == 0.0


STATSMODELS = [
    ("PoissonRegressor", "counts", {}, sm.families.Poisson()),
    ("GammaRegressor", "amounts", {}, sm.families.Gamma(sm.families.links.Log())),
    (
        "TweedieRegressor",
        "zeros",
        {"power": 1.5},
        sm.families.Tweedie(sm.families.links.Log(), var_power=1.5),
    ),
    ("TweedieRegressor", "normal", {}, sm.families.Gaussian()),
    (
        "TweedieRegressor",
        "wald",
        {"power": 3.0},
        sm.families.InverseGaussian(sm.families.links.Log()),
    ),
]


@pytest.mark.parametrize(
    ("name", "kind", "options", "family"),
    STATSMODELS,
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_summary_equals_statsmodels(name, kind, options, family):
    X, y, _ = make(kind)
    reference = sm.GLM(y, sm.add_constant(X), family).fit(tol=1e-13, maxiter=300)
    model = getattr(ours, name)(alpha=0.0, **options).fit(X, y)
    found = model.summary(X, y) if name == "TweedieRegressor" else model.summary()
    c = found.coefficients
    # defaults are within 1e-5 standard errors of the maximum
    np.testing.assert_allclose(c.estimate, reference.params, atol=2e-5 * reference.bse.max())
    np.testing.assert_allclose(c.std_error, reference.bse, rtol=1e-5)
    np.testing.assert_allclose(c.t, reference.tvalues, rtol=1e-4, atol=1e-4)
    for mine, other in (
        (found.log_likelihood, reference.llf),
        (found.deviance, reference.deviance),
        (found.null_deviance, reference.null_deviance),
        (found.pearson, reference.pearson_chi2),
        (found.dispersion, reference.scale),
        (found.aic, reference.aic),
        (found.bic, reference.bic_llf),
    ):
        assert mine == pytest.approx(other, rel=1e-6)


def test_rates_by_weights_equal_an_offset():
    X, counts, _ = make("counts")
    exposure = np.random.default_rng(3).uniform(0.5, 4.0, len(X))
    reference = sm.GLM(counts, sm.add_constant(X), sm.families.Poisson(), exposure=exposure).fit(
        tol=1e-13
    )
    model = ours.PoissonRegressor(alpha=0.0).fit(X, counts / exposure, sample_weight=exposure)
    np.testing.assert_allclose(model.coef_, reference.params[1:], rtol=1e-6, atol=1e-9)
    errors = model.summary().coefficients.std_error
    np.testing.assert_allclose(errors, reference.bse, rtol=1e-6)
