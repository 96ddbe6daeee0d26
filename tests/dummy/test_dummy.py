"""Baselines give what scikit-learn's give."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.dummy as theirs

from stylobate.dummy import DummyClassifier, DummyRegressor

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 2))
LABELS = {
    "two": rng.integers(0, 2, 40),
    "text": rng.choice(["a", "b", "c"], 40),
    "outputs": rng.integers(0, 3, (40, 2)),
}
WEIGHTS = [None, rng.uniform(0, 2, 40)]


@pytest.mark.parametrize("strategy", ["most_frequent", "prior", "stratified", "uniform"])
@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("weights", WEIGHTS, ids=["plain", "weighted"])
def test_classifier_is_scikit_learns(strategy, kind, weights):
    y = LABELS[kind]
    if strategy == "stratified" and kind == "outputs":
        pytest.skip("the draws of several outputs come in another order")
    ours, other = (
        kind_of(strategy=strategy, random_state=3).fit(X, y, weights)
        for kind_of in (DummyClassifier, theirs.DummyClassifier)
    )
    np.testing.assert_array_equal(ours.predict(X), other.predict(X))
    np.testing.assert_allclose(ours.predict_proba(X), other.predict_proba(X), rtol=1e-12)
    assert ours.score(X, y, weights) == pytest.approx(
        np.average((other.predict(X) == y).reshape(40, -1).all(axis=1), weights=weights)
    )
    assert ours.n_outputs_ == other.n_outputs_
    np.testing.assert_array_equal(ours.n_classes_, other.n_classes_)


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"strategy": "median"},
        {"strategy": "quantile", "quantile": 0.3},
        {"strategy": "constant", "constant": 2.5},
    ],
)
@pytest.mark.parametrize("weights", WEIGHTS, ids=["plain", "weighted"])
def test_regressor_is_scikit_learns(params, weights):
    y = rng.normal(size=40)
    ours, other = (
        kind(**params).fit(X, y, weights) for kind in (DummyRegressor, theirs.DummyRegressor)
    )
    np.testing.assert_allclose(ours.predict(X), other.predict(X), rtol=1e-12)
    np.testing.assert_allclose(ours.constant_, other.constant_, rtol=1e-12)
    assert ours.score(None, y) == pytest.approx(other.score(None, y))


def test_constant_class_and_refusals():
    y = np.array(["a", "b"] * 20)
    model = DummyClassifier(strategy="constant", constant="b").fit(X, y)
    assert set(model.predict(X)) == {"b"}
    assert model.predict_proba(X[:1]).tolist() == [[0.0, 1.0]]
    with pytest.raises(ValueError, match="no class of the training data"):
        DummyClassifier(strategy="constant", constant="z").fit(X, y)
    with pytest.raises(ValueError, match="give constant"):
        DummyClassifier(strategy="constant").fit(X, y)
    with pytest.raises(ValueError, match="give quantile"):
        DummyRegressor(strategy="quantile").fit(X, np.arange(40.0))
    with pytest.raises(ValueError, match="inconsistent numbers"):
        DummyRegressor().fit(X, np.arange(3.0))


def test_sparse_labels_go_out_sparse():
    from scipy.sparse import csc_matrix, issparse

    y = csc_matrix(LABELS["outputs"])
    ours, other = (k().fit(X, y) for k in (DummyClassifier, theirs.DummyClassifier))
    assert issparse(ours.predict(X))
    assert (ours.predict(X) != other.predict(X)).nnz == 0
