"""Standard errors against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from robust_data import make

from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model import LADRegressor, QuantileRegressor

sm = pytest.importorskip("statsmodels.api")


@pytest.mark.parametrize("tau", [0.3, 0.5])
@pytest.mark.parametrize("rule", ["hall-sheather", "chamberlain"])
def test_standard_errors_are_those_of_statsmodels(tau, rule):
    x, y = make(800, 3, heavy=False)
    theirs = sm.QuantReg(y, sm.add_constant(x)).fit(
        q=tau,
        vcov="iid",
        bandwidth={"hall-sheather": "hsheather"}.get(rule, rule),
        p_tol=1e-9,
        max_iter=5000,
    )
    model = QuantileRegressor(quantile=tau, alpha=0.0).fit(x, y)
    summary = model.summary(x, y, covariance="iid", bandwidth=rule)
    table = summary.coefficients
    np.testing.assert_allclose(table.estimate, theirs.params, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(table.std_error, theirs.bse, rtol=2e-3)
    assert summary.sparsity == pytest.approx(theirs.sparsity, rel=1e-3)
    assert summary.pseudo_r2 == pytest.approx(theirs.prsquared, rel=1e-3)
    assert summary.bandwidth == pytest.approx(theirs.bandwidth, rel=1e-3)
    assert summary.df_residual == theirs.df_resid


def test_engel_as_in_r():
    data = sm.datasets.engel.load_pandas().data
    x, y = data[["income"]], data["foodexp"]
    model = LADRegressor().fit(x, y)
    table = model.summary(x, y).coefficients
    # summary(rq(foodexp ~ income, data = engel), se = "nid")
    np.testing.assert_allclose(table.std_error, [19.25066, 0.02828], rtol=1e-3)
    drawn = model.summary(x, y, covariance="bootstrap", random_state=0).coefficients
    assert 0.028 < drawn.std_error[1] < 0.043
    iid = model.summary(x, y, covariance="iid").coefficients
    assert iid.std_error[1] < 0.6 * table.std_error[1]  # errors grow with income


def test_intervals_cover_where_the_spread_grows():
    covered = {"iid": 0, "robust": 0}
    for seed in range(150):
        rng = np.random.default_rng(seed)
        x = rng.uniform(size=(120, 1))
        y = x[:, 0] + (0.2 + 2.0 * x[:, 0]) * rng.standard_normal(120)
        model = QuantileRegressor(quantile=0.1, alpha=0.0).fit(x, y)
        slope = 1.0 - 2.0 * 1.2815515655446004
        for kind in covered:
            table = model.summary(x, y, covariance=kind).coefficients
            covered[kind] += table.ci_low[1] <= slope <= table.ci_high[1]
    assert covered["robust"] / 150 > 0.9  # 0.95 claimed
    assert covered["iid"] < covered["robust"]


def test_summary_of_least_absolute_deviations_is_that_of_the_median(heavy):
    x, y = heavy
    lad, median = LADRegressor().fit(x, y), QuantileRegressor(alpha=0.0).fit(x, y)
    ours, other = lad.summary(x, y), median.summary(x, y)
    np.testing.assert_allclose(ours.coefficients.std_error, other.coefficients.std_error)
    assert "intercept" in str(ours)
    assert ours.to_dict()["tau"] == 0.5


def test_a_penalty_leaves_no_standard_errors_and_says_so(heavy):
    x, y = heavy
    summary = LADRegressor(alpha=0.1).fit(x, y).summary(x, y)
    assert np.isnan(summary.coefficients.std_error).all()
    assert any("penalty" in note for note in summary.notes)


def test_refusals(heavy):
    x, y = heavy
    with pytest.raises(InvalidParameterError, match="one quantile at a time"):
        QuantileRegressor(quantile=[0.2, 0.8]).fit(x, y).summary(x, y)
    with pytest.raises(InvalidParameterError, match="bandwidth must be"):
        LADRegressor().fit(x, y).summary(x, y, bandwidth="wide")
    with pytest.raises(InvalidParameterError, match="covariance must be"):
        LADRegressor().fit(x, y).summary(x, y, covariance="HC3")
    for bad in (0.0, 1.0, [], [0.5, 1.5], "median"):
        with pytest.raises(InvalidParameterError, match="quantile must be"):
            QuantileRegressor(quantile=bad).fit(x, y)
