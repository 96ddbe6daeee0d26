"""RFE, RFECV and SelectFromModel against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.feature_selection as theirs
import sklearn.linear_model as their_models
from sklearn.ensemble import RandomForestClassifier

import stylobate.feature_selection as ours
from stylobate.exceptions import InvalidParameterError, NotFittedError, StylobateWarning
from stylobate.linear_model import LinearRegression, Ridge
from stylobate.splits import KFold


@pytest.fixture
def data():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(100, 9)) * np.linspace(0.5, 2, 9)
    return X, X @ np.r_[3, 0, 0, 1, 0, 0.2, 0, -2, 0] + rng.normal(size=100)


@pytest.mark.parametrize("step", [1, 3, 0.3])
@pytest.mark.parametrize("count", [None, 2, 0.5, 9])
def test_elimination(data, step, count):
    X, y = data
    params = {"step": step, "n_features_to_select": count}
    found = ours.RFE(LinearRegression(), **params).fit(X, y)
    expected = theirs.RFE(their_models.LinearRegression(), **params).fit(X, y)
    np.testing.assert_array_equal(found.ranking_, expected.ranking_)
    np.testing.assert_array_equal(found.support_, expected.support_)
    np.testing.assert_allclose(found.predict(X), expected.predict(X))
    assert found.score(X, y) == pytest.approx(expected.score(X, y))
    assert found.n_features_ == expected.n_features_
    assert [s.n_features for s in found.history_] == list(range(8, found.n_features_ - 1, -1))


@pytest.mark.parametrize("step", [1, 2, 0.3])
@pytest.mark.parametrize("least", [1, 4])
def test_elimination_by_folds(data, step, least):
    X, y = data
    params = {"step": step, "min_features_to_select": least, "cv": 4}
    found = ours.RFECV(Ridge(), **params).fit(X, y)
    expected = theirs.RFECV(their_models.Ridge(), **params).fit(X, y)
    np.testing.assert_array_equal(found.ranking_, expected.ranking_)
    assert found.n_features_ == expected.n_features_
    assert found.cv_results_.keys() == expected.cv_results_.keys()
    for name, value in expected.cv_results_.items():
        np.testing.assert_allclose(found.cv_results_[name], value, err_msg=name)
    assert found.history_[0].n_features == 9
    np.testing.assert_allclose(found.history_.scores[::-1], expected.cv_results_["mean_test_score"])


def test_classifiers_predict_through(data):
    X, y = data
    labels = np.array(["lo", "hi"])[(y > 0).astype(int)]
    forest = RandomForestClassifier(5, max_depth=4, random_state=0)
    found = ours.RFE(forest, n_features_to_select=3).fit(X, labels)
    expected = theirs.RFE(forest, n_features_to_select=3).fit(X, labels)
    np.testing.assert_array_equal(found.support_, expected.support_)
    np.testing.assert_array_equal(found.predict(X), expected.predict(X))
    np.testing.assert_allclose(found.predict_proba(X), expected.predict_proba(X))
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(found.predict_log_proba(X), expected.predict_log_proba(X))
    assert list(found.classes_) == list(expected.classes_)
    assert not hasattr(found, "decision_function")
    splits = list(KFold(3).split(X))
    cv = ours.RFECV(forest, cv=splits, step=3).fit(X, labels)
    assert cv.n_features_ == theirs.RFECV(forest, cv=splits, step=3).fit(X, labels).n_features_


def test_more_wanted_than_there_is(data):
    X, y = data
    with pytest.warns(StylobateWarning, match="no feature selection"):
        assert ours.RFE(Ridge(), n_features_to_select=20).fit(X, y).n_features_ == 9
    with pytest.warns(StylobateWarning, match="no feature selection"):
        assert ours.RFECV(Ridge(), min_features_to_select=20).fit(X, y).n_features_ == 9


THRESHOLDS = [None, "mean", "median", "1.25*mean", "0.5 * median", 0.3, -np.inf]


@pytest.mark.parametrize("threshold", THRESHOLDS)
@pytest.mark.parametrize("limit", [None, 2, lambda X: X.shape[1] // 2])
def test_thresholds(data, threshold, limit):
    X, y = data
    params = {"threshold": threshold, "max_features": limit}
    found = ours.SelectFromModel(Ridge(), **params).fit(X, y)
    expected = theirs.SelectFromModel(their_models.Ridge(), **params).fit(X, y)
    np.testing.assert_array_equal(found.get_support(), expected.get_support())
    assert found.threshold_ == pytest.approx(expected.threshold_)
    np.testing.assert_allclose(found.transform(X), expected.transform(X))


@pytest.mark.parametrize("order", [1, 2, np.inf, -1])
def test_several_outputs(data, order):
    X, y = data
    Y = np.column_stack([y, y**2])
    found = ours.SelectFromModel(Ridge(), norm_order=order).fit(X, Y)
    expected = theirs.SelectFromModel(their_models.Ridge(), norm_order=order).fit(X, Y)
    np.testing.assert_array_equal(found.get_support(), expected.get_support())


def test_sparse_models_have_a_small_threshold(data):
    X, y = data
    found = ours.SelectFromModel(their_models.Lasso(0.3)).fit(X, y)
    assert found.threshold_ == 1e-5
    np.testing.assert_array_equal(found.get_support(), found.estimator_.coef_ != 0)


def test_prefit(data):
    X, y = data
    model = Ridge().fit(X, y)
    ready = ours.SelectFromModel(model, prefit=True, max_features=3)
    np.testing.assert_array_equal(ready.transform(X), ready.fit(X, y).transform(X))
    with pytest.raises(NotFittedError, match="prefit"):
        ours.SelectFromModel(Ridge(), prefit=True).transform(X)
    with pytest.raises(NotFittedError, match="callable"):
        ours.SelectFromModel(model, prefit=True, max_features=len).transform(X)


def test_getters(data):
    X, y = data
    by_name = ours.SelectFromModel(Ridge(), importance_getter="coef_").fit(X, y)
    by_function = ours.SelectFromModel(Ridge(), importance_getter=lambda m: m.coef_).fit(X, y)
    np.testing.assert_array_equal(by_name.support_, by_function.support_)
    from sklearn.neighbors import KNeighborsRegressor

    with pytest.raises(InvalidParameterError, match="importance_getter"):
        ours.RFE(KNeighborsRegressor()).fit(X, y)


def test_learning_in_parts(data):
    X, y = data
    found = ours.SelectFromModel(Ridge())
    found.partial_fit(X[:50], y[:50]).partial_fit(X[50:], y[50:])
    whole = ours.SelectFromModel(Ridge()).fit(X, y)
    np.testing.assert_allclose(found.estimator_.coef_, whole.estimator_.coef_)
    assert not hasattr(ours.SelectFromModel(their_models.Ridge()), "partial_fit")


def test_bad_thresholds(data):
    X, y = data
    for threshold in ("most", "a*mean", "2*"):
        with pytest.raises(InvalidParameterError, match="threshold"):
            ours.SelectFromModel(Ridge(), threshold=threshold).fit(X, y).get_support()
    with pytest.raises(InvalidParameterError, match="max_features"):
        ours.SelectFromModel(Ridge(), max_features=lambda X: -1).fit(X, y)
