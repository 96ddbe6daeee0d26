"""Intervals of coefficients and predictions against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference import confidence_interval, prediction


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_against_statsmodels(weighted, intercept, level, fit_rows, design, reference):
    X, y, w = design(0, 40, 3, weighted)
    fit = fit_rows(X, y, w, intercept=intercept)
    theirs = reference(X, y, w, intercept=intercept).fit()
    expected = theirs.conf_int(1 - level)
    np.testing.assert_allclose(confidence_interval(fit, level), expected, rtol=1e-8)
    new = design(1, 700, 3, False)[0]
    exog = np.column_stack([np.ones((700, int(intercept))), new])
    new_weights = np.linspace(0.5, 2.0, 700)
    frame = theirs.get_prediction(exog, weights=new_weights).summary_frame(1 - level)
    mean = prediction(fit, new, level)
    np.testing.assert_allclose(mean.mean, frame["mean"], rtol=1e-8)
    np.testing.assert_allclose(mean.std_error, frame["mean_se"], rtol=1e-8)
    np.testing.assert_allclose(mean.lower, frame["mean_ci_lower"], rtol=1e-7)
    np.testing.assert_allclose(mean.upper, frame["mean_ci_upper"], rtol=1e-7)
    single = prediction(fit, scipy.sparse.csr_array(new), level, "prediction", weights=new_weights)
    np.testing.assert_allclose(single.lower, frame["obs_ci_lower"], rtol=1e-7)
    np.testing.assert_allclose(single.upper, frame["obs_ci_upper"], rtol=1e-7)


def test_intervals_cover_as_often_as_they_say(fit_rows):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(12, 2))
    hits = []
    for _ in range(1500):
        fit = fit_rows(x, x @ [1.0, -2.0] + rng.normal(size=12))
        low, high = confidence_interval(fit, 0.8)[1]
        hits.append(low <= 1.0 <= high)
    assert np.mean(hits) == pytest.approx(0.8, abs=0.035)


def test_refusals(fit_rows, design):
    X, y, _ = design(2, 20, 2, False)
    fit = fit_rows(X, y)
    with pytest.raises(InvalidParameterError, match="kind must be 'confidence' or 'prediction'"):
        prediction(fit, X, kind="mean")
    with pytest.raises(InvalidParameterError, match="kind='prediction' only"):
        prediction(fit, X, weights=np.ones(20))
    with pytest.raises(InvalidParameterError, match="level"):
        prediction(fit, X, level=95)
    with pytest.raises(InvalidDataError, match="3 columns but the fit has 2 features"):
        prediction(fit, np.ones((4, 3)))
    with pytest.raises(InvalidDataError, match="two-dimensional"):
        prediction(fit, np.ones(2))
    with pytest.raises(InvalidDataError, match="row 1 holds a missing"):
        prediction(fit, [[0.0, 1.0], [np.nan, 1.0]])
    with pytest.raises(InvalidDataError, match="20 positive numbers"):
        prediction(fit, X, kind="prediction", weights=np.zeros(20))


def test_plug_in_intervals_take_the_likeliest_values_for_the_truth():
    """ŷ ± z √(RSS / n), beside the t form that knows what estimation costs."""
    from scipy import stats

    from stylobate.linear_model import LinearRegression

    random = np.random.default_rng(0)
    X = random.normal(size=(12, 2))
    y = X @ [1.0, -2.0] + 3 + random.normal(size=12)
    model = LinearRegression().fit(X, y)
    at = random.normal(size=(5, 2))
    found = model.predict_interval(at, kind="plug-in", level=0.9)
    sigma = np.sqrt(np.mean((y - model.predict(X)) ** 2))
    half = stats.norm.ppf(0.95) * sigma
    np.testing.assert_allclose(found.lower, model.predict(at) - half, rtol=1e-10)
    np.testing.assert_allclose(found.upper, model.predict(at) + half, rtol=1e-10)
    honest = model.predict_interval(at, level=0.9)
    assert (honest.upper - honest.lower > found.upper - found.lower).all()


def test_plug_in_intervals_cover_too_little_of_few_rows():
    from stylobate.linear_model import LinearRegression

    random = np.random.default_rng(1)
    hits = {"plug-in": 0, "prediction": 0}
    for _ in range(400):
        X = random.normal(size=(8, 3))
        y = X.sum(axis=1) + random.normal(size=8)
        at = random.normal(size=(1, 3))
        truth = at.sum() + random.normal()
        model = LinearRegression().fit(X, y)
        for kind in hits:
            span = model.predict_interval(at, kind=kind)
            hits[kind] += bool(span.lower[0] <= truth <= span.upper[0])
    assert hits["prediction"] >= 365
    assert hits["plug-in"] < 300
