"""Bagging: the members, draws and sums of scikit-learn's, and what out-of-bag means."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn.ensemble as theirs
import sklearn.linear_model as their_models
from sklearn.datasets import make_classification, make_regression
from sklearn.neighbors import KNeighborsClassifier as TheirNeighbours

from stylobate.ensemble import BaggingClassifier, BaggingRegressor
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.linear_model import LinearRegression, LogisticRegression, Ridge
from stylobate.neighbors import KNeighborsClassifier, KNeighborsRegressor

X_R, Y_R = make_regression(120, 6, noise=5.0, random_state=0)
X_C, Y_C = make_classification(150, 6, n_informative=4, n_classes=3, random_state=0)
WAYS = [
    {},
    {"max_samples": 0.5, "max_features": 0.5},
    {"bootstrap": False, "max_samples": 40},
    {"bootstrap": False, "max_features": 3},
    {"bootstrap_features": True, "max_samples": 100},
]


@pytest.mark.parametrize("way", WAYS)
def test_regressor_is_scikit_learns(way):
    kinds = (BaggingRegressor, theirs.BaggingRegressor)
    ours, other = (k(their_models.Ridge(), 7, random_state=3, **way).fit(X_R, Y_R) for k in kinds)
    np.testing.assert_allclose(ours.predict(X_R), other.predict(X_R), rtol=1e-12)
    for a, b in zip(ours.estimators_samples_, other.estimators_samples_, strict=True):
        np.testing.assert_array_equal(a, b)
    for a, b in zip(ours.estimators_features_, other.estimators_features_, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "model",
    [their_models.LogisticRegression(), TheirNeighbours(3), their_models.Perceptron()],
    ids=["weights", "rows", "votes"],
)
def test_classifier_is_scikit_learns(model, way):
    kinds = (BaggingClassifier, theirs.BaggingClassifier)
    ours, other = (k(model, 6, random_state=1, **way).fit(X_C, Y_C) for k in kinds)
    np.testing.assert_allclose(ours.predict_proba(X_C), other.predict_proba(X_C), atol=1e-13)
    np.testing.assert_array_equal(ours.predict(X_C), other.predict(X_C))
    assert hasattr(ours, "decision_function") == hasattr(other, "decision_function")
    if hasattr(ours, "decision_function"):
        np.testing.assert_allclose(ours.decision_function(X_C), other.decision_function(X_C))
    if hasattr(model, "predict_log_proba") and not isinstance(model, TheirNeighbours):
        expected = other.predict_log_proba(X_C)
        np.testing.assert_allclose(ours.predict_log_proba(X_C), expected, rtol=1e-10)


def test_weights_are_chances_as_in_scikit_learn():
    weights = np.arange(len(X_R), dtype=float)
    kinds = (BaggingRegressor, theirs.BaggingRegressor)
    ours, other = (
        k(their_models.Ridge(), 5, max_samples=0.3, random_state=0).fit(
            X_R, Y_R, sample_weight=weights
        )
        for k in kinds
    )
    np.testing.assert_allclose(ours.predict(X_R), other.predict(X_R), rtol=1e-12)
    assert all(0 not in rows for rows in ours.estimators_samples_)


def test_counts_as_weights_are_the_rows_drawn():
    """A linear model learns the same from counted rows as from the rows themselves."""
    model = BaggingRegressor(LinearRegression(), 4, random_state=0).fit(X_R, Y_R)
    for each, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        plain = LinearRegression().fit(X_R[rows], Y_R[rows])
        np.testing.assert_allclose(each.coef_, plain.coef_, rtol=1e-9)


def test_out_of_bag_predictions_by_hand():
    model = BaggingRegressor(KNeighborsRegressor(3), 20, oob_score=True, random_state=0)
    model.fit(X_R, Y_R)
    total, count = np.zeros(len(X_R)), np.zeros(len(X_R))
    for each, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        for i in set(range(len(X_R))) - set(rows.tolist()):
            total[i] += each.predict(X_R[[i]])[0]
            count[i] += 1
    np.testing.assert_allclose(model.oob_prediction_, total / count)
    residual = np.sum((Y_R - total / count) ** 2) / np.sum((Y_R - Y_R.mean()) ** 2)
    assert model.oob_score_ == pytest.approx(1 - residual)


def test_out_of_bag_of_classes_is_scikit_learns():
    kinds = (BaggingClassifier, theirs.BaggingClassifier)
    ours, other = (
        k(TheirNeighbours(3), 30, oob_score=True, random_state=0).fit(X_C, Y_C) for k in kinds
    )
    np.testing.assert_allclose(ours.oob_decision_function_, other.oob_decision_function_)
    assert ours.oob_score_ == pytest.approx(other.oob_score_)


def test_rows_that_all_members_saw_are_told():
    model = BaggingClassifier(LogisticRegression(), 1, oob_score=True, random_state=0)
    with pytest.warns(StylobateWarning, match="do not have OOB scores"):
        model.fit(X_C, Y_C)
    assert np.isnan(model.oob_decision_function_).any()


@pytest.mark.parametrize("n_jobs", [2, 3, -1])
def test_same_model_for_any_number_of_jobs(n_jobs):
    one, many = (
        BaggingClassifier(KNeighborsClassifier(3), 19, random_state=0, n_jobs=jobs).fit(X_C, Y_C)
        for jobs in (None, n_jobs)
    )
    np.testing.assert_array_equal(one.predict_proba(X_C), many.predict_proba(X_C))


def test_warm_start_adds_what_a_cold_one_has():
    warm = BaggingRegressor(Ridge(), 3, random_state=0, warm_start=True).fit(X_R, Y_R)
    first = warm.estimators_
    warm.set_params(n_estimators=8).fit(X_R, Y_R)
    cold = BaggingRegressor(Ridge(), 8, random_state=0).fit(X_R, Y_R)
    assert warm.estimators_[:3] == first
    np.testing.assert_array_equal(warm.predict(X_R), cold.predict(X_R))
    np.testing.assert_array_equal(warm.estimators_samples_[0], cold.estimators_samples_[0])
    with pytest.warns(StylobateWarning, match="does not fit new"):
        warm.fit(X_R, Y_R)
    with pytest.raises(InvalidParameterError, match="larger or equal"):
        warm.set_params(n_estimators=2).fit(X_R, Y_R)


def test_several_targets():
    y = np.column_stack([Y_R, -Y_R])
    model = BaggingRegressor(Ridge(), 5, random_state=0, oob_score=False).fit(X_R, y)
    assert model.predict(X_R).shape == y.shape
    np.testing.assert_allclose(model.predict(X_R)[:, 0], -model.predict(X_R)[:, 1])


def test_frames_reach_the_members_as_frames():
    frame = pd.DataFrame(X_R, columns=list("abcdef"))
    model = BaggingRegressor(Ridge(), 3, max_features=2, random_state=0).fit(frame, Y_R)
    drawn = model.estimators_features_[0]
    assert list(model.estimators_[0].feature_names_in_) == [frame.columns[i] for i in drawn]
    plain = BaggingRegressor(Ridge(), 3, max_features=2, random_state=0).fit(X_R, Y_R)
    np.testing.assert_allclose(model.predict(frame), plain.predict(X_R), rtol=1e-12)


def test_a_class_that_a_member_has_not_seen_has_probability_zero():
    y = np.zeros(len(X_C), dtype=int)
    y[0] = 1
    model = BaggingClassifier(KNeighborsClassifier(1), 10, random_state=0).fit(X_C, y)
    assert any(len(each.classes_) == 1 for each in model.estimators_)
    assert model.predict_proba(X_C).shape == (len(X_C), 2)
    np.testing.assert_allclose(model.predict_proba(X_C).sum(axis=1), 1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_features": 7}, "max_features must be <= n_features"),
        ({"bootstrap": False, "max_samples": 500}, "without replacement"),
        ({"bootstrap": False, "oob_score": True}, "only available if bootstrap=True"),
        ({"warm_start": True, "oob_score": True}, "only available if warm_start=False"),
        ({"n_estimators": 0}, "n_estimators must be"),
        ({"max_samples": 1.5}, "max_samples must be"),
        ({"estimator": Ridge}, "estimator must be"),
    ],
)
def test_refusals(options, message):
    settings = {"estimator": Ridge(), "n_estimators": 3} | options
    with pytest.raises(InvalidParameterError, match=message):
        BaggingRegressor(**settings).fit(X_R, Y_R)


def test_bad_rows_are_refused_by_name():
    model = BaggingRegressor(Ridge(), 2, random_state=0).fit(X_R, Y_R)
    with pytest.raises(InvalidDataError, match="5 features, but BaggingRegressor is expecting 6"):
        model.predict(X_R[:, :5])
    with pytest.raises(InvalidDataError, match="NaN"):
        BaggingRegressor(Ridge(), 2).fit(np.where(X_R > 2, np.nan, X_R), Y_R)


def test_few_draws_of_a_share_are_told():
    with pytest.warns(StylobateWarning, match="low number"):
        BaggingRegressor(Ridge(), 2, max_samples=0.01, random_state=0).fit(X_R, Y_R)


def test_is_stored():
    model = BaggingClassifier(LogisticRegression(), 3, random_state=0).fit(X_C, Y_C)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X_C), model.predict_proba(X_C))
