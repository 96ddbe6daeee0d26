"""Summaries of logistic regression against statsmodels' Logit and MNLogit."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from stylobate.exceptions import InvalidDataError
from stylobate.linear_model import LogisticRegression


def data(n_classes: int):
    generator = np.random.default_rng(5)
    x = generator.standard_normal((300, 3)) * [1.0, 10.0, 0.1] + [0.0, 50.0, 1.0]
    scaled = (x - x.mean(axis=0)) / x.std(axis=0)
    scores = scaled @ generator.standard_normal((3, n_classes))
    return x, (scores + generator.gumbel(size=scores.shape)).argmax(axis=1)


@pytest.mark.parametrize("solver", ["auto", "lbfgs", "newton-cg", "newton-cholesky"])
def test_two_classes(solver):
    x, y = data(2)
    ours = LogisticRegression(C=np.inf, tol=1e-10, solver=solver).fit(x, y).summary()
    theirs = sm.Logit(y, sm.add_constant(x)).fit(disp=0, tol=1e-12)
    table = ours.coefficients
    np.testing.assert_allclose(table.estimate, theirs.params, rtol=1e-4)
    np.testing.assert_allclose(table.std_error, theirs.bse, rtol=1e-5)
    np.testing.assert_allclose(table.t, theirs.tvalues, rtol=1e-4)
    np.testing.assert_allclose(table.p, theirs.pvalues, rtol=1e-3)
    np.testing.assert_allclose(
        np.column_stack([table.ci_low, table.ci_high]), theirs.conf_int(), rtol=1e-3, atol=1e-6
    )
    pairs = [("log_likelihood", "llf"), ("null_log_likelihood", "llnull"), ("aic", "aic")]
    pairs += [("bic", "bic"), ("pseudo_r2", "prsquared"), ("lr", "llr"), ("lr_p", "llr_pvalue")]
    for own, other in pairs:
        assert getattr(ours, own) == pytest.approx(getattr(theirs, other), rel=1e-6), own


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_several_classes(fit_intercept):
    x, y = data(4)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    model = LogisticRegression(C=np.inf, tol=1e-10, fit_intercept=fit_intercept).fit(x, y)
    ours = model.summary()
    theirs = sm.MNLogit(y, sm.add_constant(x) if fit_intercept else x).fit(disp=0, tol=1e-12)
    for k, table in enumerate(ours.tables):
        np.testing.assert_allclose(table.estimate, theirs.params[:, k], rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(table.std_error, theirs.bse[:, k], rtol=1e-5)
    assert ours.log_likelihood == pytest.approx(theirs.llf)
    assert ours.aic == pytest.approx(theirs.aic)
    if fit_intercept:
        assert ours.null_log_likelihood == pytest.approx(theirs.llnull)
        assert ours.lr_p == pytest.approx(theirs.llr_pvalue)


def test_a_penalty_leaves_no_p_values():
    x, y = data(2)
    model = LogisticRegression().fit(x, y)
    with pytest.warns(UserWarning, match="penalis"):
        summary = model.summary()
    assert np.isnan(summary.coefficients.p).all()
    theirs = -2.0 * model.predict_log_proba(x)[np.arange(len(y)), y].sum()
    assert summary.deviance == pytest.approx(theirs)


def test_separation_is_a_note_in_the_summary():
    with pytest.warns(UserWarning, match="separated"):
        model = LogisticRegression(C=np.inf).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    assert "separated" in str(model.summary())


def test_too_many_parameters_for_standard_errors():
    generator = np.random.default_rng(0)
    x, y = generator.standard_normal((1500, 350)), generator.integers(0, 3, 1500)
    model = LogisticRegression(C=np.inf, tol=1e-2).fit(x, y)
    with pytest.raises(InvalidDataError, match="too many"):
        model.summary()


@pytest.mark.parametrize("kind", ["HC0", "cluster"])
def test_robust_standard_errors_equal_statsmodels(kind):
    rng = np.random.default_rng(5)
    X = rng.standard_normal((300, 3))
    y = np.where(rng.random(300) < 1 / (1 + np.exp(-X[:, 0])), "yes", "no")
    groups = np.repeat(np.arange(30), 10)
    model = LogisticRegression(C=np.inf, tol=1e-10).fit(X, y)
    own = model.summary(X, y, covariance=kind, groups=groups if kind == "cluster" else None)
    options = {"cov_type": kind}
    if kind == "cluster":
        options["cov_kwds"] = {"groups": groups}
    peer = sm.GLM((y == "yes").astype(float), sm.add_constant(X), family=sm.families.Binomial())
    expected = peer.fit(**options, tol=1e-12).bse
    np.testing.assert_allclose(own.coefficients.std_error, expected, rtol=1e-4)


def test_rows_of_other_classes_are_refused():
    X, y = np.arange(8.0)[:, None], [0, 1, 0, 1, 0, 1, 0, 1]
    model = LogisticRegression(C=np.inf).fit(X, y)
    with pytest.raises(InvalidDataError, match="not among the classes"):
        model.summary(X, [0, 1, 0, 1, 0, 1, 0, 7], covariance="HC0")
