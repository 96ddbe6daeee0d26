"""Bands of lines and views of residuals against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from statsmodels.nonparametric.smoothers_lowess import lowess

from stylobate.datasets import load_diabetes
from stylobate.exceptions import InvalidDataError
from stylobate.inference import regression_band, residual_view, residual_view_of
from stylobate.inference.local_line import local_line
from stylobate.linear_model import LinearRegression


@pytest.fixture(scope="module")
def data():
    return load_diabetes(return_X_y=True)


def test_bands(data):
    x, y = data[0][:, 2], data[1]
    band = regression_band(x, y, level=0.9, points=7)
    fit = sm.OLS(y, sm.add_constant(x)).fit()
    theirs = fit.get_prediction(sm.add_constant(band.x)).summary_frame(alpha=0.1)
    np.testing.assert_allclose(band.mean, theirs["mean"])
    np.testing.assert_allclose(band.confidence, theirs[["mean_ci_lower", "mean_ci_upper"]].T)
    np.testing.assert_allclose(band.prediction, theirs[["obs_ci_lower", "obs_ci_upper"]].T)
    assert f"slope {fit.params[1]:.3g} (90 %" in band.text
    assert f"R² {fit.rsquared:.3f}" in band.text


def test_short_bands():
    line = regression_band([1.0, 0.0], [3.0, 1.0], points=3)
    np.testing.assert_allclose(line.mean, [1.0, 2.0, 3.0])
    assert line.confidence is None
    with pytest.raises(InvalidDataError, match="two different values of x"):
        regression_band([1.0, 1.0], [1.0, 2.0])


def test_views_of_least_squares(data):
    X, y = data
    view = residual_view(LinearRegression().fit(X, y).influence(X, y))
    theirs = sm.OLS(y, sm.add_constant(X)).fit()
    told = theirs.get_influence()
    np.testing.assert_allclose(view.fitted, theirs.fittedvalues)
    np.testing.assert_allclose(view.standardized, told.resid_studentized_internal)
    np.testing.assert_allclose(view.cooks_distance, told.cooks_distance[0])
    assert view.worst(3) == np.argsort(-told.cooks_distance[0])[:3].tolist()
    np.testing.assert_array_equal(np.argsort(view.quantiles), np.argsort(view.standardized))
    assert abs(view.quantiles.mean()) < 1e-12


def test_views_of_any_predictions():
    view = residual_view_of([1.0, 2.0, 4.0], [1.0, 2.0, 2.0])
    np.testing.assert_allclose(view.residuals, [0.0, 0.0, 2.0])
    assert view.leverage is None
    assert view.worst(3) == [2]
    perfect = residual_view_of([1.0, 2.0], [1.0, 2.0])
    assert np.isnan(perfect.standardized).all()
    with pytest.raises(InvalidDataError, match=r"shape \(2,\) and predictions of shape \(1,\)"):
        residual_view_of([1.0, 2.0], [1.0])


def test_smooth_lines():
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 6, 150))
    y = np.sin(x) + 0.1 * rng.normal(size=150)
    grid, line = local_line(x, y, share=0.3)
    theirs = lowess(y, x, frac=0.3, it=0, xvals=grid)
    np.testing.assert_allclose(line, theirs, atol=0.02)
    assert local_line(np.ones(20), np.arange(20.0)) is None
