"""Classifiers of many classes against scikit-learn and their definitions."""

import numpy as np
import pandas as pd
import pytest
import sklearn.multiclass as theirs
from scipy import sparse
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.naive_bayes import GaussianNB as TheirGaussianNB

from stylobate import load
from stylobate.decision import CostSensitiveClassifier
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.linear_model import LogisticRegression, Ridge, SGDClassifier
from stylobate.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from stylobate.naive_bayes import GaussianNB
from stylobate.neighbors import KNeighborsClassifier

RNG = np.random.default_rng(7)
Y = RNG.integers(0, 4, 160)
X = RNG.normal(size=(160, 3)) + np.array([[0, 0, 0], [3, 0, 0], [0, 3, 0], [1, 1, 3]])[Y]
NAMES = np.array(["d", "b", "a", "c"])[Y]
KINDS = (OneVsRestClassifier, OneVsOneClassifier, OutputCodeClassifier)


def pair(kind, mine, other, **options):
    return kind(mine, **options), getattr(theirs, kind.__name__)(other, **options)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [2, 4])
def test_as_scikit_learn(kind, k):
    options = {"random_state": 0, "code_size": 3} if kind is OutputCodeClassifier else {}
    rows = k > Y
    x, y = X[rows], NAMES[rows]
    mine, other = (m.fit(x, y) for m in pair(kind, GaussianNB(), TheirGaussianNB(), **options))
    np.testing.assert_array_equal(mine.predict(X), other.predict(X))
    assert len(mine.estimators_) == len(other.estimators_)
    for method in ("predict_proba", "decision_function"):
        assert hasattr(mine, method) == hasattr(other, method)
        if hasattr(mine, method):
            found, want = getattr(mine, method)(X), getattr(other, method)(X)
            np.testing.assert_allclose(found, want, atol=1e-9)
    if kind is OutputCodeClassifier:
        np.testing.assert_array_equal(mine.code_book_, other.code_book_)


def test_regressors_as_models():
    for kind in (OneVsRestClassifier, OneVsOneClassifier):
        mine, other = (m.fit(X, Y) for m in pair(kind, Ridge(), TheirRidge()))
        np.testing.assert_array_equal(mine.predict(X), other.predict(X))


def test_several_labels_at_once():
    labels = np.column_stack([Y == 0, Y < 2, np.ones_like(Y)]).astype(int)
    mine, other = pair(OneVsRestClassifier, GaussianNB(), TheirGaussianNB())
    with pytest.warns(StylobateWarning, match="present in all"):
        mine.fit(X, labels)
    with pytest.warns(UserWarning, match="present in all"):
        other.fit(X, labels)
    assert mine.multilabel_
    np.testing.assert_array_equal(mine.predict(X), other.predict(X))
    np.testing.assert_allclose(mine.predict_proba(X), other.predict_proba(X), atol=1e-12)
    with pytest.warns(StylobateWarning, match="present in all"):
        thin = OneVsRestClassifier(GaussianNB()).fit(X, sparse.csr_array(labels))
    assert sparse.issparse(thin.predict(X))
    np.testing.assert_array_equal(thin.predict(X).toarray(), mine.predict(X))


@pytest.mark.parametrize("kind", KINDS)
def test_files_frames_sparse_and_jobs(kind, tmp_path):
    options = {"random_state": 1} if kind is OutputCodeClassifier else {}
    want = kind(LogisticRegression(), **options).fit(X, NAMES)
    labels = want.predict(X)
    np.testing.assert_array_equal(load(want.save(tmp_path / "model")).predict(X), labels)
    frame = pd.DataFrame(X, columns=list("abc"))
    named = kind(LogisticRegression(), n_jobs=2, **options).fit(frame, NAMES)
    np.testing.assert_array_equal(named.predict(frame), labels)
    assert named.feature_names_in_.tolist() == list("abc")
    assert named.n_features_in_ == 3
    thin = kind(LogisticRegression(), **options).fit(sparse.csr_array(X), NAMES)
    np.testing.assert_array_equal(thin.predict(sparse.csr_array(X)), labels)
    with pytest.raises(ValueError, match="features"):
        want.predict(X[:, :2])


@pytest.mark.parametrize("kind", KINDS)
def test_weights_reach_the_models(kind):
    options = {"random_state": 1} if kind is OutputCodeClassifier else {}
    w = RNG.integers(1, 4, len(Y))
    light = kind(GaussianNB(), **options).fit(X, Y, sample_weight=w)
    many = kind(GaussianNB(), **options).fit(np.repeat(X, w, axis=0), np.repeat(Y, w))
    np.testing.assert_array_equal(light.predict(X), many.predict(X))
    with pytest.raises(InvalidDataError, match="sample_weight"):
        kind(GaussianNB(), **options).fit(X, Y, sample_weight=(Y == 0).astype(float))


@pytest.mark.parametrize("kind", [OneVsRestClassifier, OneVsOneClassifier])
def test_learning_from_batches(kind):
    model = kind(SGDClassifier(random_state=0))
    for part in np.array_split(np.arange(len(Y)), 4):
        model.partial_fit(X[part], NAMES[part], classes=["a", "b", "c", "d"])
    assert model.score(X, NAMES) > 0.7
    with pytest.raises(InvalidDataError, match="Mini-batch"):
        model.partial_fit(X[:2], ["a", "z"])
    with pytest.raises(InvalidDataError, match="first call"):
        kind(SGDClassifier()).partial_fit(X, NAMES)
    with pytest.raises(InvalidDataError, match="not the same"):
        model.partial_fit(X[:2], ["a", "b"], classes=["a", "b"])
    assert not hasattr(kind(KNeighborsClassifier()), "partial_fit")


def test_votes_decide_and_confidences_break_ties():
    model = OneVsOneClassifier(LogisticRegression()).fit(X, Y)
    scores = model.decision_function(X)
    votes = np.zeros_like(scores)
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    for each, (i, j) in zip(model.estimators_, pairs, strict=True):
        votes[np.arange(len(X)), np.where(each.predict(X) == 1, j, i)] += 1
    assert (np.abs(scores - votes) < 1 / 3).all()


def test_the_rest_wins_by_its_largest_score():
    model = OneVsRestClassifier(LogisticRegression()).fit(X, NAMES)
    margins = model.decision_function(X)
    np.testing.assert_array_equal(model.predict(X), model.classes_[margins.argmax(axis=1)])
    total = np.column_stack([e.predict_proba(X)[:, 1] for e in model.estimators_])
    np.testing.assert_allclose(
        model.predict_proba(X), total / total.sum(axis=1, keepdims=True), atol=1e-15
    )


def test_costs_go_around():
    cost = 1.0 - np.eye(4)
    cost[3] *= 30
    careful = CostSensitiveClassifier(OneVsRestClassifier(GaussianNB()), cost=cost).fit(X, Y)
    plain = OneVsRestClassifier(GaussianNB()).fit(X, Y)
    expected = plain.predict_proba(X) @ cost
    np.testing.assert_array_equal(careful.predict(X), expected.argmin(axis=1))
    assert (careful.predict(X) == 3).sum() > (plain.predict(X) == 3).sum()


def test_refusals():
    with pytest.raises(InvalidDataError, match="only one class"):
        OneVsOneClassifier(GaussianNB()).fit(X, np.zeros(len(X)))
    with pytest.raises(InvalidParameterError, match="no letter"):
        OutputCodeClassifier(GaussianNB(), code_size=0.1).fit(X, Y)
    with pytest.raises(InvalidParameterError, match="estimator"):
        OutputCodeClassifier(Ridge()).fit(X, Y)
    for kind in KINDS:
        with pytest.raises(ValueError, match="y"):
            kind(GaussianNB()).fit(X, Y[:-1])
        with pytest.raises(ValueError, match="not fitted"):
            kind(GaussianNB()).predict(X)
    with pytest.warns(StylobateWarning, match="present in all"):
        one = OneVsRestClassifier(GaussianNB()).fit(X, np.full(len(X), "only"))
    assert set(one.predict(X)) == {"only"}
