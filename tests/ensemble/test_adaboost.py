"""AdaBoost: scikit-learn's members, weights and stages."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.ensemble as theirs
from sklearn.datasets import make_classification, make_regression
from sklearn.tree import DecisionTreeClassifier as TheirTree
from sklearn.tree import DecisionTreeRegressor as TheirRegressionTree

from stylobate.ensemble import AdaBoostClassifier, AdaBoostRegressor
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.linear_model import LogisticRegression, Ridge
from stylobate.neighbors import KNeighborsClassifier

X_R, Y_R = make_regression(150, 5, noise=10.0, random_state=0)


def classes(k):
    return make_classification(200, 6, n_informative=4, n_classes=k, flip_y=0.2, random_state=1)


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("rate", [1.0, 0.3])
def test_classifier_is_scikit_learns(k, rate):
    X, y = classes(k)
    y = np.array(list("wxyz"))[y]
    kinds = (AdaBoostClassifier, theirs.AdaBoostClassifier)
    ours, other = (
        kind(TheirTree(max_depth=2), n_estimators=12, learning_rate=rate, random_state=0).fit(X, y)
        for kind in kinds
    )
    np.testing.assert_allclose(ours.estimator_weights_, other.estimator_weights_, rtol=1e-9)
    np.testing.assert_allclose(ours.estimator_errors_, other.estimator_errors_, rtol=1e-9)
    for method in ("decision_function", "predict_proba", "predict_log_proba"):
        np.testing.assert_allclose(getattr(ours, method)(X), getattr(other, method)(X), atol=1e-9)
    np.testing.assert_array_equal(ours.predict(X), other.predict(X))
    members = [tree.feature_importances_ for tree in ours.estimators_]
    importances = np.average(members, axis=0, weights=ours.estimator_weights_)
    np.testing.assert_allclose(ours.feature_importances_, importances, atol=1e-9)
    if k == 2:  # beyond, two splits of a member may be equally good
        importances = other.feature_importances_
        np.testing.assert_allclose(ours.feature_importances_, importances, atol=1e-9)
    for method in ("staged_decision_function", "staged_predict_proba"):
        pairs = list(zip(getattr(ours, method)(X), getattr(other, method)(X), strict=True))
        assert len(pairs) == 12
        for a, b in pairs:
            np.testing.assert_allclose(a, b, atol=1e-9)
    for a, b in zip(ours.staged_predict(X), other.staged_predict(X), strict=True):
        np.testing.assert_array_equal(a, b)
    scores = list(ours.staged_score(X, y))
    assert scores == pytest.approx(list(other.staged_score(X, y)))
    assert scores[-1] == ours.score(X, y)


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
def test_regressor_is_scikit_learns(loss):
    kinds = (AdaBoostRegressor, theirs.AdaBoostRegressor)
    ours, other = (
        kind(TheirRegressionTree(max_depth=3), n_estimators=15, loss=loss, random_state=0).fit(
            X_R, Y_R
        )
        for kind in kinds
    )
    np.testing.assert_allclose(ours.estimator_weights_, other.estimator_weights_, rtol=1e-9)
    np.testing.assert_allclose(ours.predict(X_R), other.predict(X_R), rtol=1e-12)
    for a, b in zip(ours.staged_predict(X_R), other.staged_predict(X_R), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)
    assert list(ours.staged_score(X_R, Y_R)) == pytest.approx(list(other.staged_score(X_R, Y_R)))


@pytest.mark.filterwarnings("ignore:divide by zero encountered in log")  # scikit-learn's
def test_weights_of_rows_are_scikit_learns():
    X, y = classes(3)
    weights = np.random.default_rng(0).random(len(X))
    weights[:20] = 0.0
    kinds = (AdaBoostClassifier, theirs.AdaBoostClassifier)
    ours, other = (
        kind(TheirTree(max_depth=2), n_estimators=8, random_state=0).fit(X, y, weights)
        for kind in kinds
    )
    np.testing.assert_allclose(ours.decision_function(X), other.decision_function(X), atol=1e-9)


def test_ends_with_a_member_that_makes_no_mistake():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 0, 1, 1]
    model = AdaBoostClassifier(TheirTree(), n_estimators=10).fit(X, y)
    assert len(model.estimators_) == 1
    np.testing.assert_array_equal(model.estimator_weights_, [1.0] + [0.0] * 9)
    np.testing.assert_array_equal(model.predict(X), y)


def test_first_member_no_better_than_guessing_is_refused():
    X, y = np.ones((4, 1)), [0, 1, 0, 1]
    with pytest.raises(InvalidDataError, match="worse than random"):
        AdaBoostClassifier(TheirTree()).fit(X, y)


def test_a_useless_first_regression_is_kept():
    y = np.tile([0.0, 100.0], 20)
    X = np.random.default_rng(0).normal(size=(40, 1))
    kinds = (AdaBoostRegressor, theirs.AdaBoostRegressor)
    ours, other = (
        kind(TheirRegressionTree(max_depth=1), random_state=0).fit(X, y) for kind in kinds
    )
    assert len(ours.estimators_) == len(other.estimators_)
    np.testing.assert_allclose(ours.predict(X), other.predict(X))


def test_overflow_is_told():
    X, y = classes(2)
    model = AdaBoostClassifier(TheirTree(max_depth=1), n_estimators=20, learning_rate=500.0)
    with pytest.warns(StylobateWarning, match="lowering the learning rate"):
        model.fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()


def test_refusals():
    X, y = classes(2)
    with pytest.raises(InvalidParameterError, match="doesn't support sample_weight"):
        AdaBoostClassifier(KNeighborsClassifier()).fit(X, y)
    with pytest.raises(InvalidParameterError, match="learning_rate must be"):
        AdaBoostRegressor(Ridge(), learning_rate=0.0).fit(X_R, Y_R)
    with pytest.raises(AttributeError, match="feature_importances_"):
        _ = AdaBoostClassifier(LogisticRegression(), n_estimators=2).fit(X, y).feature_importances_
