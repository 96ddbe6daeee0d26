"""Conformal prediction: order statistics written out, promises kept in simulations, edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate.conformal import (
    ConformalClassifier,
    ConformalQuantileRegressor,
    ConformalRegressor,
)
from stylobate.conformal.ranks import lower_end, upper_end
from stylobate.datasets import load_iris
from stylobate.ensemble import HistGradientBoostingRegressor
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.frozen import FrozenEstimator
from stylobate.linear_model import LinearRegression, LogisticRegression, Ridge
from stylobate.model_selection import KFold
from stylobate.naive_bayes import GaussianNB
from stylobate.neighbors import KNeighborsRegressor


def line(n, seed, noise=1.0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, (n, 2))
    return x, x @ [1.0, -2.0] + noise * rng.standard_t(3, n)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40),
    st.sampled_from([0.5, 0.8, 0.9, 0.95, 1 / 3]),
)
def test_ends_are_order_statistics(scores, level):
    values = np.array(scores)
    ordered, n = np.sort(values), len(values)
    # the smallest score that at least (n + 1)·level of the n and one infinite score do not exceed
    padded = np.append(ordered, np.inf)
    wanted = next(each for k, each in enumerate(padded) if k + 1 >= (n + 1) * level - 1e-9)
    assert upper_end(values, level) == wanted
    assert lower_end(values, level) == -upper_end(-values, level)


def test_split_is_the_formula():
    x, y = line(200, 0)
    model = ConformalRegressor(method="split", random_state=3).fit(x, y)
    held = len(model.conformity_scores_)
    assert held == 50
    reach = np.sort(model.conformity_scores_)[int(np.ceil(51 * 0.8)) - 1]
    told = model.predict_interval(x, level=0.8)
    np.testing.assert_allclose(told.upper - told.mean, reach)
    np.testing.assert_allclose(told.mean - told.lower, reach)
    np.testing.assert_array_equal(told.mean, model.estimator_.predict(x))


@pytest.mark.parametrize("method", ["cv+", "jackknife+"])
def test_folds_are_the_formula(method):
    x, y = line(40, 1)
    new = line(7, 2)[0]
    model = ConformalRegressor(Ridge(), method=method, cv=KFold(4)).fit(x, y)
    k = 4 if method == "cv+" else 40
    folds = np.repeat(np.arange(k), 40 // k)
    low, high = [], []
    for i in range(40):
        own = Ridge().fit(x[folds != folds[i]], y[folds != folds[i]])
        error = abs(y[i] - own.predict(x[i : i + 1])[0])
        low.append(own.predict(new) - error)
        high.append(own.predict(new) + error)
    told = model.predict_interval(new, level=0.9)
    np.testing.assert_allclose(told.lower, np.sort(low, axis=0)[int(np.floor(41 * 0.1)) - 1])
    np.testing.assert_allclose(told.upper, np.sort(high, axis=0)[int(np.ceil(41 * 0.9)) - 1])
    np.testing.assert_allclose(told.mean, Ridge().fit(x, y).predict(new))


@pytest.mark.parametrize(
    "model",
    [
        ConformalRegressor(LinearRegression(), method="split", random_state=0),
        ConformalRegressor(KNeighborsRegressor(1), method="cv+"),
        ConformalRegressor(LinearRegression(), method="jackknife+"),
        ConformalQuantileRegressor(random_state=0),
    ],
    ids=lambda model: f"{type(model).__name__} {getattr(model, 'method', '')}",
)
def test_intervals_hold_the_truth_as_often_as_promised(model):
    held = []
    for seed in range(60):
        x, y = line(60, seed)
        new, truth = line(50, 1000 + seed)
        told = model.fit(x, y).predict_interval(new)
        held.append(np.mean((told.lower <= truth) & (truth <= told.upper)))
    # 0.9 promised; the mean of 60 coverages has a standard error of about 0.008
    assert 0.875 < np.mean(held) < 0.965


@pytest.mark.parametrize("options", [{"method": "split"}, {"method": "cv+"}], ids=str)
@pytest.mark.parametrize("score", ["lac", "aps"])
@pytest.mark.parametrize("conditional", [False, True])
def test_sets_hold_the_label_as_often_as_promised(options, score, conditional):
    held, small = [], []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        y = rng.choice(3, 400, p=[0.6, 0.3, 0.1])
        x = rng.normal(size=(400, 2)) + 1.5 * np.eye(3)[y][:, :2]
        model = ConformalClassifier(
            GaussianNB(),
            conformity_score=score,
            class_conditional=conditional,
            random_state=seed,
            **options,
        ).fit(x[:200], y[:200])
        sets = model.predict_set(x[200:], level=0.8)
        held.append(sets.coverage(y[200:]))
        rare = y[200:] == 2
        small.append(sets.contains[rare, 2].mean() if rare.any() else np.nan)
    # sets by added probabilities are not drawn at random at their edge, and so hold more
    assert 0.775 < np.mean(held) < (0.88 if score == "lac" else 0.97)
    if conditional:
        assert np.nanmean(small) > 0.75


def test_sets_of_a_split_are_the_formula():
    X, y = load_iris(return_X_y=True)
    inner = LogisticRegression(max_iter=500).fit(X[::3], y[::3])
    model = ConformalClassifier(FrozenEstimator(inner)).fit(X[1::3], y[1::3])
    new = X[2::3]
    scores = 1 - inner.predict_proba(X[1::3])[np.arange(50), y[1::3]]
    reach = np.sort(scores)[int(np.ceil(51 * 0.9)) - 1]
    sets = model.predict_set(new, level=0.9)
    np.testing.assert_array_equal(sets.contains, 1 - inner.predict_proba(new) <= reach)
    np.testing.assert_array_equal(model.predict(new), inner.predict(new))
    assert sets.labels()[0] == sets.classes[sets.contains[0]].tolist()
    assert "sets of labels, level 0.9" in repr(sets)


def test_widths_follow_the_noise_of_the_rows():
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 1, (1200, 1))
    y = x[:, 0] * rng.normal(size=1200)
    boosted = HistGradientBoostingRegressor(loss="quantile", quantile=0.5, max_iter=40)
    model = ConformalQuantileRegressor(boosted, level=0.8, random_state=0).fit(x[:800], y[:800])
    told = model.predict_interval(x[800:])
    assert 0.74 < np.mean((told.lower <= y[800:]) & (y[800:] <= told.upper)) < 0.86
    width, near = told.upper - told.lower, x[800:, 0] < 0.3
    assert width[near].mean() < 0.5 * width[x[800:, 0] > 0.7].mean()


def test_too_few_rows_are_told():
    x, y = line(12, 0)
    told = ConformalRegressor(method="split", random_state=0).fit(x, y).predict_interval(x)
    assert np.isinf(told.upper).all()
    assert np.isinf(told.lower).all()
    assert "3 errors are too few for level 0.9: ends are infinite; it takes 9." in repr(told)
    rows = np.random.default_rng(0).normal(size=(12, 2))
    sets = ConformalClassifier(cv=3).fit(rows, np.arange(12) % 2).predict_set(rows, level=0.99)
    assert sets.contains.all()
    assert "Too few rows for level 0.99" in repr(sets)


def test_weights_reach_the_model_and_frames_keep_their_names():
    import pandas as pd

    x, y = line(60, 0)
    frame = pd.DataFrame(x, columns=["a", "b"])
    weights = np.arange(60) % 3 + 1.0
    model = ConformalRegressor(cv=3).fit(frame, y, sample_weight=weights)
    assert list(model.feature_names_in_) == ["a", "b"]
    expected = LinearRegression().fit(frame, y, sample_weight=weights)
    np.testing.assert_allclose(model.predict(frame), expected.predict(frame))
    with pytest.raises(InvalidParameterError, match="KNeighborsRegressor takes no sample_weight"):
        ConformalRegressor(KNeighborsRegressor()).fit(x, y, sample_weight=weights)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda m, x, y: m.fit(x, y).predict_interval(x, level=1.5), r"level must be .* \(0, 1\)"),
        (lambda m, x, y: m.fit(x, None), "the target y is None"),
        (lambda m, x, y: m.fit(x, np.where(y > 0, np.nan, y)), "y contains NaN"),
        (lambda m, x, y: m.fit(x, y[:-1]), "inconsistent"),
        (lambda m, x, y: m.set_params(method="bootstrap").fit(x, y), "method must be"),
        (
            lambda m, x, y: ConformalQuantileRegressor(Ridge()).fit(x, y),
            "Ridge has no parameter 'quantile'",
        ),
    ],
)
def test_refusals(call, told):
    x, y = line(30, 0)
    with pytest.raises((InvalidParameterError, InvalidDataError), match=told):
        call(ConformalRegressor(), x, y)


@pytest.mark.parametrize("wrap", [lambda model: model, FrozenEstimator])
def test_labels_have_no_interval(wrap):
    X, y = load_iris(return_X_y=True)
    classifier = wrap(LogisticRegression().fit(X, y == 1))
    with pytest.raises(InvalidParameterError, match="ConformalClassifier gives the set of labels"):
        ConformalRegressor(classifier).fit(X, y)
