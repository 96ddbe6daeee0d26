"""Standard errors against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from robust_data import make

from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model import LADRegressor, QuantileRegressor

sm = pytest.importorskip("statsmodels.api")


@pytest.mark.parametrize("tau", [0.3, 0.5])
@pytest.mark.parametrize("covariance", ["iid", "robust"])
@pytest.mark.parametrize("rule", ["hall-sheather", "chamberlain"])
def test_standard_errors_are_those_of_statsmodels(tau, covariance, rule):
    x, y = make(800, 3, heavy=False)
    theirs = sm.QuantReg(y, sm.add_constant(x)).fit(
        q=tau,
        vcov=covariance,
        bandwidth={"hall-sheather": "hsheather"}.get(rule, rule),
        p_tol=1e-9,
        max_iter=5000,
    )
    model = QuantileRegressor(quantile=tau, alpha=0.0).fit(x, y)
    summary = model.summary(x, y, covariance=covariance, bandwidth=rule)
    table = summary.coefficients
    np.testing.assert_allclose(table.estimate, theirs.params, rtol=1e-3, atol=1e-4)
    # robust: statsmodels counts the rows the fit goes through by the sign of their rounding
    np.testing.assert_allclose(
        table.std_error, theirs.bse, rtol=2e-3 if covariance == "iid" else 0.02
    )
    assert summary.sparsity == pytest.approx(theirs.sparsity, rel=1e-3)
    assert summary.pseudo_r2 == pytest.approx(theirs.prsquared, rel=1e-3)
    assert summary.bandwidth == pytest.approx(theirs.bandwidth, rel=1e-3)
    assert summary.df_residual == theirs.df_resid


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
