"""Ridge classification against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model as theirs
from sklearn.metrics import get_scorer

from stylobate.exceptions import ConvergenceWarning, InvalidDataError, InvalidParameterError
from stylobate.linear_model import RidgeClassifier, RidgeClassifierCV

RNG = np.random.default_rng(9)
X = RNG.normal(size=(150, 6)) + 1.0
SCORE = X @ RNG.normal(size=6) + RNG.normal(size=150)
TWO = np.array(["no", "yes"])[(np.median(SCORE) < SCORE).astype(int)]
THREE = np.array(["low", "middle", "top"])[np.digitize(SCORE, np.quantile(SCORE, [0.2, 0.7]))]
WEIGHTS = RNG.uniform(0.0, 2.0, 150)


@pytest.mark.parametrize("labels", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize(
    "options",
    [{}, {"alpha": 0.0}, {"fit_intercept": False}, {"class_weight": "balanced"}],
    ids=str,
)
def test_equals_scikit_learn(labels, kind, options):
    x = kind(X)
    ours = RidgeClassifier(**options).fit(x, labels, sample_weight=WEIGHTS)
    exact = theirs.RidgeClassifier(solver="cholesky", **options)
    exact.fit(X, labels, sample_weight=WEIGHTS)
    assert ours.coef_.shape == exact.coef_.shape
    np.testing.assert_allclose(ours.coef_, exact.coef_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(ours.intercept_, exact.intercept_, rtol=1e-8, atol=1e-10)
    np.testing.assert_array_equal(ours.predict(x), exact.predict(X))
    np.testing.assert_allclose(ours.decision_function(x), exact.decision_function(X), rtol=1e-7)
    assert ours.score(x, labels) == exact.score(X, labels)
    assert ours.certificate_.optimal


def test_class_weights_by_name():
    weight = {"low": 3.0, "top": 0.5}
    ours = RidgeClassifier(class_weight=weight).fit(X, THREE)
    factors = np.array([weight.get(label, 1.0) for label in THREE])
    np.testing.assert_allclose(ours.coef_, RidgeClassifier().fit(X, THREE, factors).coef_)
    with pytest.raises(InvalidParameterError, match="class_weight"):
        RidgeClassifier(class_weight={"none": 1.0}).fit(X, THREE)


@pytest.mark.parametrize("solver", ["qr", "svd", "lsqr", "sparse_cg", "sag", "saga"])
def test_every_solver_gives_the_same_labels(solver):
    exact = RidgeClassifier().fit(X, THREE)
    other = RidgeClassifier(solver=solver, tol=1e-10, random_state=0).fit(X, THREE)
    np.testing.assert_allclose(other.coef_, exact.coef_, atol=1e-4)
    assert other.solver_ == solver


def test_not_converged_is_said():
    with pytest.warns(ConvergenceWarning, match="RidgeClassifier"):
        RidgeClassifier(solver="saga", tol=1e-12, max_iter=1, random_state=0).fit(X, TWO)


def test_positive_weights():
    assert (RidgeClassifier(positive=True).fit(X, TWO).coef_ >= 0).all()


@pytest.mark.parametrize("labels", [TWO, THREE], ids=["two", "three"])
def test_leave_one_out_as_in_scikit_learn(labels):
    alphas = np.logspace(-2, 3, 12)
    ours = RidgeClassifierCV(alphas, store_cv_results=True).fit(X, labels)
    exact = theirs.RidgeClassifierCV(alphas, store_cv_results=True).fit(X, labels)
    assert ours.alpha_ == exact.alpha_
    np.testing.assert_allclose(ours.best_score_, exact.best_score_)
    np.testing.assert_allclose(ours.cv_results_, exact.cv_results_.reshape(ours.cv_results_.shape))
    assert ours.coef_.shape == exact.coef_.shape
    assert np.shape(ours.intercept_) == np.shape(exact.intercept_)
    np.testing.assert_allclose(ours.coef_, exact.coef_, rtol=1e-8)
    np.testing.assert_array_equal(ours.predict(X), exact.predict(X))


def test_leave_one_out_by_accuracy_is_that_of_refits():
    alphas = [0.1, 10.0, 300.0]
    ours = RidgeClassifierCV(alphas, scoring="accuracy").fit(X, THREE)
    ranked = RidgeClassifierCV(alphas, scoring="roc_auc").fit(X, TWO)
    assert 0.5 < ranked.best_score_ <= 1.0
    by_scorer = RidgeClassifierCV(alphas, scoring=get_scorer("accuracy")).fit(X, THREE)
    expected = []
    for alpha in alphas:
        right = [
            RidgeClassifier(alpha).fit(np.delete(X, i, 0), np.delete(THREE, i)).predict(X[[i]])[0]
            == THREE[i]
            for i in range(0, 150)
        ]
        expected.append(np.mean(right))
    np.testing.assert_allclose(ours.cv_scores_, expected)
    np.testing.assert_allclose(by_scorer.cv_scores_, expected)


@pytest.mark.parametrize("labels", [TWO, THREE], ids=["two", "three"])
def test_folds_are_stratified_and_scored_by_accuracy(labels):
    model = RidgeClassifierCV([0.1, 10.0], cv=5).fit(X, labels)
    assert model.cv_scores_.shape == (2, 5)
    splits = model._splits(X, np.unique(labels, return_inverse=True)[1])
    for f, (train, test) in enumerate(splits):
        counts = np.unique(labels[test], return_counts=True)[1] * 5
        assert np.abs(counts - np.unique(labels, return_counts=True)[1]).max() < 5
        fit = RidgeClassifier(0.1).fit(X[train], labels[train])
        assert model.cv_scores_[0, f] == pytest.approx(fit.score(X[test], labels[test]))
    exact = theirs.RidgeClassifierCV([0.1, 10.0], cv=5).fit(X, labels)
    assert model.alpha_ == exact.alpha_
    assert model.best_score_ == pytest.approx(exact.best_score_)
    with pytest.raises(InvalidParameterError, match="cannot make 200"):
        RidgeClassifierCV(cv=200).fit(X, labels)


def test_own_splits_and_one_class():
    rows = np.arange(150)
    model = RidgeClassifierCV(cv=[(rows[75:], rows[:75])]).fit(X, TWO)
    assert model.cv_scores_.shape == (3, 1)
    with pytest.raises(InvalidDataError, match="class"):
        RidgeClassifierCV().fit(X, np.ones(150))


def test_the_classifier_signs_the_refusals_of_the_regression_inside():
    x, y = np.eye(6), [0, 1, 0, 1, 0, 1]
    with pytest.raises(InvalidParameterError, match=r"^RidgeClassifierCV: store_cv"):
        RidgeClassifierCV(cv=3, store_cv_results=True).fit(x, y)
