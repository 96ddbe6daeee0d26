"""Residual and column diagnostics against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
import statsmodels.api as sm
from statsmodels.stats import diagnostic, stattools
from statsmodels.stats.outliers_influence import variance_inflation_factor

from stylobate.exceptions import InvalidDataError
from stylobate.inference import (
    breusch_pagan,
    condition_indices,
    durbin_watson,
    jarque_bera,
    variance_inflation,
    white,
)


@pytest.fixture(params=["stackloss", "engel", "random"])
def residuals_and_columns(request, design):
    if request.param == "random":
        X, y, _ = design(0, 900, 4, False)
    else:
        data = getattr(sm.datasets, request.param).load_pandas()
        X, y = data.exog.to_numpy(float), data.endog.to_numpy(float)
    return sm.OLS(y, sm.add_constant(X)).fit().resid, X


def test_jarque_bera_and_durbin_watson(residuals_and_columns):
    e, _ = residuals_and_columns
    jb, p, skewness, kurtosis = stattools.jarque_bera(e)
    ours = jarque_bera(e)
    assert (ours.statistic, ours.p) == pytest.approx((jb, p), rel=1e-9)
    assert ours.details == pytest.approx({"skewness": skewness, "kurtosis": kurtosis}, rel=1e-9)
    assert durbin_watson(e).statistic == pytest.approx(stattools.durbin_watson(e), rel=1e-12)


@pytest.mark.parametrize("robust", [True, False])
def test_breusch_pagan(robust, residuals_and_columns):
    e, X = residuals_and_columns
    lm, p, f, f_p = diagnostic.het_breuschpagan(e, sm.add_constant(X), robust=robust)
    ours = breusch_pagan(e, scipy.sparse.csr_array(X), robust=robust)
    assert (ours.statistic, ours.p) == pytest.approx((lm, p), rel=1e-9)
    assert (ours.details["f"], ours.details["f_p"]) == pytest.approx((f, f_p), rel=1e-9)


def test_white(residuals_and_columns):
    e, X = residuals_and_columns
    lm, p, f, f_p = diagnostic.het_white(e, sm.add_constant(X))
    ours = white(e, X)
    assert (ours.statistic, ours.p) == pytest.approx((lm, p), rel=1e-9)
    assert (ours.details["f"], ours.details["f_p"]) == pytest.approx((f, f_p), rel=1e-9)


def test_sentences_follow_the_evidence():
    rng = np.random.default_rng(0)
    x = np.linspace(1, 10, 400)
    e = rng.normal(size=400)
    assert "no sign of" in jarque_bera(e).sentence
    assert "are not normal" in jarque_bera(e**3).sentence
    assert "no strong correlation" in durbin_watson(e).sentence
    assert "resemble" in durbin_watson(np.cumsum(e)).sentence
    assert "no sign of" in str(breusch_pagan(e, x[:, None]))
    assert "variance changes" in str(breusch_pagan(e * x, x[:, None]))
    # a variance that is symmetric about the middle is seen by squares only
    assert "no sign of" in breusch_pagan(e * np.abs(x - 5.5), x[:, None]).sentence
    assert "p < 0.001" in white(e * np.abs(x - 5.5), x[:, None]).sentence


@pytest.mark.parametrize("intercept", [True, False])
def test_variance_inflation(intercept, design):
    X, _, w = design(1, 60, 4, True)
    X[:, 3] = X[:, 0] + 2 * X[:, 1] + 0.3 * X[:, 3]
    exog = np.column_stack([np.ones((60, int(intercept))), X])
    factors = [
        1 / (1 - sm.OLS(x, np.delete(exog, j, 1), hasconst=intercept).fit().rsquared)
        for j, x in enumerate(exog.T)
        if j >= intercept
    ]
    ours = variance_inflation(X, intercept=intercept)
    np.testing.assert_allclose(ours.factors, factors, rtol=1e-8)
    if intercept:
        packaged = [variance_inflation_factor(exog, j) for j in range(1, 5)]
        np.testing.assert_allclose(ours.factors, packaged, rtol=1e-8)
        whole = np.round(w * 2)  # integer weights are repeated rows
        repeated = np.repeat(X, whole.astype(int), axis=0)
        expected = variance_inflation(repeated).factors
        np.testing.assert_allclose(variance_inflation(X, whole).factors, expected, rtol=1e-9)


def test_exact_dependencies_have_infinite_factors_and_indices(design):
    X, _, _ = design(2, 60, 3, False)
    X = np.column_stack([X, X[:, 0] - X[:, 2]])
    ours = variance_inflation(X, names=["a", "b", "c", "d"])
    assert np.isinf(ours.factors[[0, 2, 3]]).all()
    assert ours.factors[1] < 10
    assert "above 10 for a (inf), c (inf), d (inf)" in str(ours)
    found = condition_indices(X, names=["a", "b", "c", "d"])
    assert np.isinf(found.indices[-1])
    assert "shared by a, c, d" in str(found)


def test_condition_indices(design):
    X, _, _ = design(3, 60, 3, False)
    exog = np.column_stack([np.ones(60), X])
    scaled = exog / np.linalg.norm(exog, axis=0)
    values, vectors = np.linalg.eigh(scaled.T @ scaled)
    found = condition_indices(X)
    np.testing.assert_allclose(found.indices[::-1], np.sqrt(values[-1] / values), rtol=1e-9)
    share = (vectors**2 / values).T
    np.testing.assert_allclose(found.proportions[::-1], share / share.sum(axis=0), rtol=1e-7)
    assert "harmless" in str(found)


def test_refusals():
    with pytest.raises(InvalidDataError, match="all equal"):
        jarque_bera(np.ones(5))
    with pytest.raises(InvalidDataError, match="all zero"):
        durbin_watson(np.zeros(5))
    with pytest.raises(InvalidDataError, match="no variance to test"):
        breusch_pagan(np.zeros(5), np.ones((5, 1)))
    with pytest.raises(InvalidDataError, match="needs a varying column"):
        breusch_pagan(np.arange(5.0), np.ones((5, 1)))
    with pytest.raises(InvalidDataError, match="4 rows but there are 5 residuals"):
        white(np.arange(5.0), np.ones((4, 1)))
    with pytest.raises(InvalidDataError, match="use breusch_pagan"):
        white(np.arange(5.0), np.ones((5, 200)))
    with pytest.raises(InvalidDataError, match="missing or infinite"):
        jarque_bera([1.0, np.nan])
    with pytest.raises(InvalidDataError, match="missing or infinite"):
        variance_inflation([[1.0], [np.nan]])
