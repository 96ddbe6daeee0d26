"""Inference through the estimators against statsmodels' OLS and WLS on real data."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from statsmodels.stats.outliers_influence import OLSInfluence

from stylobate.linear_model import LinearRegression, Ridge

SETS = ("longley", "stackloss", "statecrime", "grunfeld", "engel")
WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["OLS", "WLS"])


def load(name):
    frame = getattr(sm.datasets, name).load_pandas()
    exog = frame.exog.select_dtypes("number").astype(float)
    return exog, np.asarray(frame.endog, dtype=float)


@pytest.fixture(params=SETS)
def rows(request):
    exog, y = load(request.param)
    w = np.random.default_rng(1).uniform(0.3, 2.0, len(y))
    return exog, y, w


def theirs(exog, y, w, weighted, *, intercept=True):
    design = sm.add_constant(exog.to_numpy()) if intercept else exog.to_numpy()
    return (sm.WLS(y, design, weights=w) if weighted else sm.OLS(y, design)).fit()


def ours(exog, y, w, weighted, **settings):
    return LinearRegression(**settings).fit(exog, y, w if weighted else None)


@WEIGHTED
@pytest.mark.parametrize("intercept", [True, False])
def test_classical_summary(rows, weighted, intercept):
    exog, y, w = rows
    expected = theirs(exog, y, w, weighted, intercept=intercept)
    summary = ours(exog, y, w, weighted, fit_intercept=intercept).summary(level=0.9)
    table = summary.coefficients
    assert table.names == (("(Intercept)",) if intercept else ()) + tuple(exog.columns)
    pairs = [
        (table.estimate, expected.params),
        (table.std_error, expected.bse),
        (table.t, expected.tvalues),
        (np.column_stack([table.ci_low, table.ci_high]), expected.conf_int(alpha=0.1)),
        (summary.covariance, expected.cov_params()),
        (summary.r2, expected.rsquared),
        (summary.adjusted_r2, expected.rsquared_adj),
        (summary.f, expected.fvalue),
        (summary.log_likelihood, expected.llf),
        (summary.aic, expected.aic),
        (summary.bic, expected.bic),
        (summary.sigma2, expected.scale),
    ]
    for found, value in pairs:
        assert found == pytest.approx(value, rel=1e-6)
    assert table.p == pytest.approx(expected.pvalues, rel=1e-6, abs=1e-300)
    assert summary.f_p == pytest.approx(expected.f_pvalue, rel=1e-5, abs=1e-300)
    assert (summary.df_model, summary.df_residual) == (expected.df_model, expected.df_resid)
    assert summary.n == expected.nobs


@WEIGHTED
@pytest.mark.parametrize("kind", ["HC0", "HC1", "HC2", "HC3"])
def test_robust_covariance(rows, weighted, kind):
    exog, y, w = rows
    expected = theirs(exog, y, w, weighted).get_robustcov_results(kind)
    model = ours(exog, y, w, weighted)
    summary = model.summary(exog, y, w if weighted else None, covariance=kind)
    assert summary.coefficients.std_error == pytest.approx(expected.bse, rel=1e-6)
    assert summary.coefficients.p == pytest.approx(expected.pvalues, rel=1e-5, abs=1e-300)


@WEIGHTED
def test_clustered_covariance(weighted):
    exog, y = load("grunfeld")
    firm = np.unique(sm.datasets.grunfeld.load_pandas().data["firm"], return_inverse=True)[1]
    w = np.random.default_rng(1).uniform(0.3, 2.0, len(y))
    columns = exog[["value", "capital"]]
    expected = theirs(columns, y, w, weighted).get_robustcov_results("cluster", groups=firm)
    model = ours(columns, y, w, weighted)
    weights = w if weighted else None
    summary = model.summary(columns, y, weights, covariance="cluster", groups=firm)
    assert summary.coefficients.std_error == pytest.approx(expected.bse, rel=1e-8)


@WEIGHTED
@pytest.mark.parametrize("kind", ["confidence", "prediction"])
def test_intervals_for_new_rows(rows, weighted, kind):
    exog, y, w = rows
    new = exog.iloc[::3] * 1.1 + 0.5
    frame = (
        theirs(exog, y, w, weighted)
        .get_prediction(sm.add_constant(new.to_numpy(), has_constant="add"))
        .summary_frame(alpha=0.2)
    )
    found = ours(exog, y, w, weighted).predict_interval(new, level=0.8, kind=kind)
    prefix = "mean_ci" if kind == "confidence" else "obs_ci"
    assert found.mean == pytest.approx(frame["mean"].to_numpy(), rel=1e-7)
    assert found.lower == pytest.approx(frame[f"{prefix}_lower"].to_numpy(), rel=1e-6)
    assert found.upper == pytest.approx(frame[f"{prefix}_upper"].to_numpy(), rel=1e-6)


def test_influence_and_leverages(rows):
    exog, y, _ = rows
    expected = OLSInfluence(theirs(exog, y, None, False))
    model = LinearRegression().fit(exog, y)
    found = model.influence(exog, y)
    leverages = expected.hat_matrix_diag
    assert model.leverages(exog) == pytest.approx(leverages, rel=1e-7)
    assert found.leverage == pytest.approx(leverages, rel=1e-7)
    assert found.cooks_distance == pytest.approx(expected.cooks_distance[0], rel=1e-5)
    assert found.dffits == pytest.approx(expected.dffits[0], rel=1e-5)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("alpha", [0.0, 3.0])
def test_leverages_are_the_diagonal_of_the_hat_matrix(make_data, intercept, alpha):
    X, y, w = make_data(60, 4, weighted=True)
    design = np.column_stack([np.ones(60), X]) if intercept else X
    penalty = alpha * np.eye(design.shape[1])
    penalty[0, 0] *= not intercept
    hat = design @ np.linalg.solve((design.T * w) @ design + penalty, design.T * w)
    model = Ridge(alpha, fit_intercept=intercept).fit(X, y, w)
    assert model.leverages(X, w) == pytest.approx(np.diag(hat), rel=1e-10)
    if alpha == 0.0:
        assert model.leverages(X, w).sum() == pytest.approx(4 + intercept)


def test_ridge_makes_no_claim_of_unbiased_inference(make_data):
    X, y, _ = make_data()
    summary = Ridge(2.0).fit(X, y).summary()
    assert np.isnan(summary.coefficients.std_error).all()
    assert any("penal" in note for note in summary.notes)
