"""Partial dependence against scikit-learn's, on every container."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib.figure import Figure
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.inspection import partial_dependence as theirs

from stylobate.datasets import load_diabetes
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inspection import PartialDependenceDisplay, partial_dependence
from stylobate.linear_model import LinearRegression, LogisticRegression
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import TableEncoder

X, Y = load_diabetes(return_X_y=True, as_frame=True)
X, Y = X.iloc[:80], Y.iloc[:80]
THREE = np.digitize(Y, [100, 180])


@pytest.mark.parametrize("kind", ["average", "individual", "both"])
@pytest.mark.parametrize("features", ["bmi", ["bmi"], ["bmi", "sex"], [2, 8]])
@pytest.mark.parametrize(
    ("model", "y"),
    [
        (RandomForestRegressor(2, random_state=0), Y),
        (RandomForestClassifier(2, random_state=0), THREE),
        (LogisticRegression(C=10.0), THREE > 0),
        (LinearRegression(), np.column_stack([Y, Y**2])),
    ],
    ids=["regressor", "classes", "two", "outputs"],
)
def test_same_values_as_scikit_learn(model, y, features, kind):
    model.fit(X, y)
    options = {"kind": kind, "grid_resolution": 7}
    ours = partial_dependence(model, X, features, **options)
    reference = theirs(model, X, features, method="brute", **options)
    assert set(ours) == set(reference)
    for mine, other in zip(ours.grid_values, reference.grid_values, strict=True):
        assert np.allclose(mine, other, rtol=1e-12)
    for key in set(ours) - {"grid_values"}:
        assert ours[key].shape == reference[key].shape
        assert np.allclose(ours[key], reference[key], rtol=1e-10)


def test_options_as_scikit_learn():
    model = LogisticRegression(C=10.0).fit(X, THREE > 0)
    weights = np.random.default_rng(0).uniform(size=len(X))
    for options in (
        {"sample_weight": weights},
        {"percentiles": (0.2, 0.7)},
        {"response_method": "decision_function"},
        {"custom_values": {"bmi": [0.0, 0.01]}},
        {"categorical_features": ["bmi"]},
        {"feature_names": list(X.columns)},
    ):
        options = {"grid_resolution": 8} | options
        ours = partial_dependence(model, X, ["bmi"], **options)
        reference = theirs(model, X, ["bmi"], method="brute", **options)
        assert np.allclose(ours.average, reference.average, rtol=1e-10)
        assert np.allclose(ours.grid_values[0], reference.grid_values[0])
    masked = partial_dependence(model, X, [name == "bmi" for name in X.columns])
    assert np.array_equal(masked.average, partial_dependence(model, X, "bmi").average)


FRAME = pd.DataFrame(
    {
        "sex": ["f", "m", "f", None, "m", "f"] * 20,
        "class": pd.Categorical(["1", "2", "3"] * 40),
        "age": [3.0, np.nan, 30.0, 41.0, 5.0, 60.0] * 20,
        "paid": [True, False, False] * 40,
    }
)
SURVIVED = np.where(
    np.random.default_rng(0).uniform(size=120) + (FRAME["sex"] == "f") > 0.8, "y", "n"
)


@pytest.mark.parametrize(
    "convert", [lambda f: f, pl.from_pandas, lambda f: pl.from_pandas(f).to_arrow()]
)
def test_categories_truths_and_gaps_of_any_frame(convert):
    rows = convert(FRAME)
    model = make_pipeline(TableEncoder(), LogisticRegression()).fit(rows, SURVIVED)
    found = partial_dependence(model, rows, "sex")
    assert found.categorical == (True,)
    assert [str(value) for value in found.grid_values[0]] == ["f", "m"]
    for place, value in enumerate(["f", "m"]):  # by hand
        changed = FRAME.assign(sex=value)
        by_hand = model.predict_proba(convert(changed))[:, 1].mean()
        assert found.average[0, place] == pytest.approx(by_hand)
    both = partial_dependence(model, rows, ["class", "paid"], kind="both")
    assert both.individual.shape == (1, 120, 3, 2)
    numbers = partial_dependence(model, rows, "age", grid_resolution=3)
    assert np.isfinite(numbers.grid_values[0].astype(float)).all()


def test_the_table_is_left_as_it_was():
    before = FRAME.copy(deep=True)
    model = make_pipeline(TableEncoder(), LogisticRegression()).fit(FRAME, SURVIVED)
    partial_dependence(model, FRAME, ["sex", "age"])
    pd.testing.assert_frame_equal(FRAME, before)
    array = X.to_numpy()
    kept = array.copy()
    partial_dependence(LinearRegression().fit(array, Y), array, 2)
    assert np.array_equal(array, kept)


def test_pictures_and_display():
    model = make_pipeline(TableEncoder(), LogisticRegression()).fit(FRAME, SURVIVED)
    display = PartialDependenceDisplay.from_estimator(
        model, FRAME, ["age", "sex", ("age", "class")], kind="both", subsample=50, random_state=0
    )
    assert display.axes_.shape == (1, 3)
    assert "mean probability of y" in display.axes_[0, 0].get_ylabel()
    three = RandomForestClassifier(3, random_state=0).fit(X, THREE)
    ax = Figure().add_subplot()
    shown = PartialDependenceDisplay.from_estimator(three, X, ["bmi"], target=1, ax=ax)
    assert shown.target_idx == 1
    with pytest.raises(InvalidParameterError, match="target must be specified"):
        PartialDependenceDisplay.from_estimator(three, X, ["bmi"])
    assert len(partial_dependence(three, X, "bmi").plot().get_lines()) == 3
    with pytest.raises(InvalidParameterError, match="3 columns have no picture"):
        partial_dependence(three, X, ["bmi", "bp", "s1"], grid_resolution=2).plot()


@pytest.mark.parametrize(
    ("features", "options", "message"),
    [
        ("bmy", {}, "did you mean 'bmi'"),
        (10, {}, r"must be in \[0, 9\]"),
        ([], {}, "features is empty"),
        ("bmi", {"percentiles": (0.9, 0.1)}, "percentiles"),
        ("bmi", {"percentiles": 0.5}, "sequence of 2"),
        ("bmi", {"grid_resolution": 1}, "strictly greater than 1"),
        ("bmi", {"method": "recursion"}, "method must be"),
        ("bmi", {"kind": "all"}, "kind must be"),
        ("bmi", {"response_method": "predict_proba"}, "ignored for regressors"),
        ("bmi", {"custom_values": {"bmi": [[1.0]]}}, "one-dimensional"),
        ("bmi", {"feature_names": ["a"]}, "one name for each"),
        ("bmi", {"categorical_features": [True]}, "boolean array-like"),
    ],
)
def test_refusals(features, options, message):
    with pytest.raises(InvalidParameterError, match=message):
        partial_dependence(LinearRegression().fit(X, Y), X, features, **options)


def test_a_column_of_nothing_is_refused():
    rows = FRAME.assign(age=np.nan)
    model = make_pipeline(TableEncoder(), LogisticRegression()).fit(FRAME, SURVIVED)
    with pytest.raises(InvalidDataError, match="no value that is not missing"):
        partial_dependence(model, rows, "age")
