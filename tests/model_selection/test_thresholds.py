"""Classifiers with thresholds and costs: scikit-learn's answers, and more."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import linear_model as their_models
from sklearn import model_selection as theirs
from sklearn.metrics import fbeta_score, make_scorer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from stylobate.decision import CostMatrix, CostSensitiveClassifier, choose_threshold, mean_cost
from stylobate.exceptions import InvalidDataError, InvalidParameterError, NotFittedError
from stylobate.linear_model import LogisticRegression, RidgeClassifier
from stylobate.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV
from stylobate.splits import StratifiedGroupKFold


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = (rng.random(300) < 0.2).astype(int)
    return rng.normal(size=(300, 3)) + 0.9 * y[:, None], y


LOGISTIC = their_models.LogisticRegression()


@pytest.mark.parametrize("scoring", ["balanced_accuracy", "f1", "accuracy", "precision", "recall",
                                     make_scorer(fbeta_score, beta=2)])  # fmt: skip
@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
def test_tuned_as_in_scikit_learn(data, scoring, method):
    options = {"scoring": scoring, "response_method": method, "store_cv_results": True,
               "thresholds": 9}  # fmt: skip
    mine = TunedThresholdClassifierCV(LOGISTIC, **options).fit(*data)
    other = theirs.TunedThresholdClassifierCV(LOGISTIC, **options).fit(*data)
    assert mine.best_threshold_ == pytest.approx(other.best_threshold_)
    assert mine.best_score_ == pytest.approx(other.best_score_)
    for name in ("thresholds", "scores"):
        np.testing.assert_allclose(mine.cv_results_[name], other.cv_results_[name])
    np.testing.assert_array_equal(mine.predict(data[0]), other.predict(data[0]))


@pytest.mark.parametrize(
    "options",
    [
        {"cv": 0.3, "random_state": 1},
        {"cv": 0.3, "random_state": 1, "refit": False},
        {"cv": theirs.KFold(3, shuffle=True, random_state=0)},
        {"thresholds": [0.1, 0.2, 0.3, 0.4]},
    ],
)
def test_ways_to_split_as_in_scikit_learn(data, options):
    mine = TunedThresholdClassifierCV(LOGISTIC, **options).fit(*data)
    other = theirs.TunedThresholdClassifierCV(LOGISTIC, **options).fit(*data)
    assert mine.best_threshold_ == pytest.approx(other.best_threshold_)
    np.testing.assert_array_equal(mine.predict(data[0]), other.predict(data[0]))
    np.testing.assert_allclose(mine.predict_proba(data[0]), other.predict_proba(data[0]))
    assert not hasattr(mine, "cv_results_")


def test_prefit(data):
    x, y = data
    fitted = LogisticRegression().fit(x[:150], y[:150])
    mine = TunedThresholdClassifierCV(fitted, cv="prefit", refit=False).fit(x[150:], y[150:])
    other = theirs.TunedThresholdClassifierCV(
        their_models.LogisticRegression(tol=1e-10, max_iter=1000).fit(x[:150], y[:150]),
        cv="prefit",
        refit=False,
    ).fit(x[150:], y[150:])
    assert mine.estimator_ is fitted
    assert mine.best_threshold_ == pytest.approx(other.best_threshold_, rel=1e-4)


def test_tuned_by_cost(data):
    x, y = data
    cost = CostMatrix.binary(false_negative=6)
    tuned = TunedThresholdClassifierCV(LogisticRegression(), cost=cost, store_cv_results=True)
    tuned.fit(x, y)
    best = -tuned.best_score_
    assert best == pytest.approx(-tuned.cv_results_["scores"].max())
    assert abs(tuned.best_threshold_ - cost.threshold) < 0.1  # a calibrated model needs no other
    plain = LogisticRegression().fit(x, y)
    assert mean_cost(y, tuned.predict(x), cost) < mean_cost(y, plain.predict(x), cost)
    by_scorer = TunedThresholdClassifierCV(
        LogisticRegression(),
        scoring=lambda model, x, y: -mean_cost(y, model.predict(x), cost),
    ).fit(x, y)
    assert by_scorer.best_threshold_ == pytest.approx(tuned.best_threshold_)


def test_groups_and_weights_are_split(data):
    x, y = data
    groups = np.arange(300) // 4
    tuned = TunedThresholdClassifierCV(LogisticRegression(), cv=StratifiedGroupKFold(3))
    weights = np.linspace(0.5, 2, 300)
    tuned.fit(x, y, groups=groups, sample_weight=weights)
    direct = LogisticRegression().fit(x, y, sample_weight=weights)
    np.testing.assert_allclose(tuned.predict_proba(x), direct.predict_proba(x))


@pytest.mark.parametrize("threshold", ["auto", 0.2, -1.0])
@pytest.mark.parametrize("method", ["auto", "predict_proba", "decision_function"])
@pytest.mark.parametrize("pos_label", [None, "no", "yes"])
def test_fixed_as_in_scikit_learn(data, threshold, method, pos_label):
    x, y = data[0], np.array(["no", "yes"])[data[1]]
    options = {"threshold": threshold, "response_method": method, "pos_label": pos_label}
    mine = FixedThresholdClassifier(LOGISTIC, **options).fit(x, y)
    other = theirs.FixedThresholdClassifier(LOGISTIC, **options).fit(x, y)
    np.testing.assert_array_equal(mine.predict(x), other.predict(x))
    np.testing.assert_array_equal(mine.classes_, other.classes_)
    assert mine.score(x, y) == pytest.approx(other.score(x, y))


def test_fixed_around_what_is_fitted_or_has_margins_only(data):
    x, y = data
    model = LogisticRegression().fit(x, y)
    low = FixedThresholdClassifier(model, threshold=0.05)
    np.testing.assert_array_equal(
        low.predict(x), (model.predict_proba(x)[:, 1] >= 0.05).astype(int)
    )
    margins = FixedThresholdClassifier(RidgeClassifier()).fit(x, y)
    np.testing.assert_array_equal(margins.predict(x), RidgeClassifier().fit(x, y).predict(x))
    assert not hasattr(margins, "predict_proba")


def test_inside_pipelines_and_searches_of_scikit_learn(data):
    x, y = data
    frame = pd.DataFrame(x, columns=list("abc"))
    inner = make_pipeline(StandardScaler(), LogisticRegression())
    tuned = TunedThresholdClassifierCV(inner, cv=3).fit(frame, y)
    assert tuned.feature_names_in_.tolist() == ["a", "b", "c"]
    search = theirs.GridSearchCV(
        FixedThresholdClassifier(LogisticRegression()), {"threshold": [0.1, 0.5]}, scoring="recall"
    ).fit(x, y)
    assert search.best_params_ == {"threshold": 0.1}


def test_cost_sensitive_of_several_classes():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 400)
    x = rng.normal(size=(400, 2)) + 1.5 * np.column_stack([y == 1, y == 2])
    labels = np.array(["cat", "dog", "owl"])[y]
    cost = pd.DataFrame([[0, 1, 1], [1, 0, 1], [9, 9, 0]], ["owl", "dog", "cat"],
                        ["owl", "dog", "cat"])  # fmt: skip
    model = CostSensitiveClassifier(LogisticRegression(), CostMatrix(cost)).fit(x, labels)
    plain = LogisticRegression().fit(x, labels)
    np.testing.assert_array_equal(
        CostSensitiveClassifier(LogisticRegression()).fit(x, labels).predict(x), plain.predict(x)
    )
    # every other decision would cost more in expectation
    table = cost.loc[plain.classes_].to_numpy()
    expected = plain.predict_proba(x) @ table
    chosen = np.array([list(cost.columns).index(each) for each in model.predict(x)])
    np.testing.assert_array_equal(expected.argmin(axis=1), chosen)
    assert model.mean_cost(x, labels) < mean_cost(labels, plain.predict(x), CostMatrix(cost))


def test_two_classes_cost_as_the_threshold_says(data):
    x, y = data
    cost = CostMatrix.binary(false_negative=4)
    model = CostSensitiveClassifier(LogisticRegression(), cost).fit(x, y)
    fixed = FixedThresholdClassifier(LogisticRegression(), threshold=cost.threshold).fit(x, y)
    np.testing.assert_array_equal(model.predict(x), fixed.predict(x))
    curve = choose_threshold(y, fixed.predict_proba(x)[:, 1], cost)
    assert curve.value <= model.mean_cost(x, y) == pytest.approx(curve.at(cost.threshold))


THREE = np.arange(30) % 3
X = np.arange(60.0).reshape(30, 2) % 7


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: FixedThresholdClassifier(LOGISTIC).fit(X, THREE), "Only binary .* 3 classes"),
        (lambda: FixedThresholdClassifier(LOGISTIC, pos_label="x").fit(X, THREE > 0), "'x' is not"),
        (lambda: TunedThresholdClassifierCV(LOGISTIC).fit(X, THREE), "Only binary"),
        (lambda: TunedThresholdClassifierCV(LOGISTIC, cv="prefit").fit(X, THREE > 0), "refit"),
        (lambda: TunedThresholdClassifierCV(LOGISTIC, refit=False).fit(X, THREE > 0), "several"),
        (lambda: TunedThresholdClassifierCV(LOGISTIC).fit(np.ones((30, 2)), THREE > 0), "constant"),
        (lambda: TunedThresholdClassifierCV(LOGISTIC, cost=np.eye(3)).fit(X, THREE > 0), "2 class"),
        (lambda: TunedThresholdClassifierCV(LOGISTIC, cost=[[0, np.nan], [1, 0]]).fit(X, THREE > 0),
         "cost must be"),
        (lambda: CostSensitiveClassifier(LOGISTIC, np.eye(2)).fit(X, THREE), "there are 3 classes"),
        (lambda: CostSensitiveClassifier(RidgeClassifier()).fit(X, THREE), "predict_proba"),
        (lambda: CostSensitiveClassifier(LOGISTIC).fit(X, THREE * 0), "one class"),
    ],
)  # fmt: skip
def test_refused(make, words):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        make()


def test_not_fitted():
    with pytest.raises(NotFittedError, match="must be fitted"):
        TunedThresholdClassifierCV(LOGISTIC, cv="prefit", refit=False).fit(X, THREE > 0)
    for kind in (FixedThresholdClassifier, TunedThresholdClassifierCV, CostSensitiveClassifier):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            kind(LogisticRegression()).predict(X)
