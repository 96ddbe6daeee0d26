"""Several targets against scikit-learn and their definitions."""

import numpy as np
import pandas as pd
import pytest
import sklearn.multioutput as theirs
from scipy import sparse
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.naive_bayes import GaussianNB as TheirGaussianNB

from stylobate import load
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model import LogisticRegression, Ridge, SGDClassifier, SGDRegressor
from stylobate.multioutput import (
    ClassifierChain,
    MultiOutputClassifier,
    MultiOutputRegressor,
    RegressorChain,
)
from stylobate.naive_bayes import GaussianNB
from stylobate.neighbors import KNeighborsClassifier, KNeighborsRegressor

RNG = np.random.default_rng(11)
X = RNG.normal(size=(120, 4))
NUMBERS = X @ RNG.normal(size=(4, 3)) + 0.1 * RNG.normal(size=(120, 3))
LABELS = (NUMBERS > 0).astype(int)
W = RNG.integers(1, 4, 120)


def test_side_by_side_is_each_alone():
    model = MultiOutputRegressor(Ridge()).fit(X, NUMBERS, W)
    alone = [Ridge().fit(X, y, W).predict(X) for y in NUMBERS.T]
    np.testing.assert_array_equal(model.predict(X), np.column_stack(alone))
    other = theirs.MultiOutputRegressor(TheirRidge()).fit(X, NUMBERS, W)
    assert model.score(X, NUMBERS) == pytest.approx(other.score(X, NUMBERS))
    words = np.array(["no", "yes"])[LABELS]
    model = MultiOutputClassifier(GaussianNB()).fit(X, words, W)
    other = theirs.MultiOutputClassifier(TheirGaussianNB()).fit(X, words, W)
    np.testing.assert_array_equal(model.predict(X), other.predict(X))
    for mine, their in zip(model.predict_proba(X), other.predict_proba(X), strict=True):
        np.testing.assert_allclose(mine, their, atol=1e-9)
    assert model.score(X, words) == pytest.approx(other.score(X, words))
    assert [each.tolist() for each in model.classes_] == [["no", "yes"]] * 3


@pytest.mark.parametrize("order", [None, [2, 0, 1], "random"])
@pytest.mark.parametrize("cv", [None, 3])
def test_chains_as_scikit_learn(order, cv):
    options = {"order": order, "cv": cv, "random_state": 5}
    mine = RegressorChain(Ridge(), **options).fit(X, NUMBERS)
    other = theirs.RegressorChain(TheirRidge(), **options).fit(X, NUMBERS)
    np.testing.assert_array_equal(mine.order_, other.order_)
    np.testing.assert_allclose(mine.predict(X), other.predict(X), atol=1e-8)
    for method in ("predict", "predict_proba", ["decision_function", "predict_proba"]):
        mine = ClassifierChain(GaussianNB(), chain_method=method, **options).fit(X, LABELS)
        other = theirs.ClassifierChain(TheirGaussianNB(), chain_method=method, **options)
        other.fit(X, LABELS)
        assert mine.chain_method_ == other.chain_method_
        np.testing.assert_array_equal(mine.predict(X), other.predict(X))
        np.testing.assert_allclose(mine.predict_proba(X), other.predict_proba(X), atol=1e-7)


def test_a_chain_sees_what_came_before():
    first = (X[:, 0] + RNG.normal(size=120) > 0).astype(int)
    contrary = np.column_stack([first, 1 - first])
    model = ClassifierChain(LogisticRegression(C=100.0)).fit(X, contrary)
    assert (model.predict(X).sum(axis=1) == 1).all()
    assert [each.n_features_in_ for each in model.estimators_] == [4, 5]


@pytest.mark.parametrize(
    "model",
    [
        MultiOutputRegressor(Ridge(), n_jobs=2),
        RegressorChain(Ridge(), cv=2),
        MultiOutputClassifier(LogisticRegression()),
        ClassifierChain(LogisticRegression(), order=[1, 0, 2]),
    ],
    ids=lambda each: type(each).__name__,
)
def test_files_frames_and_sparse(model, tmp_path):
    y = NUMBERS if "Regressor" in type(model).__name__ else LABELS
    want = model.fit(X, y).predict(X)
    again = load(model.save(tmp_path / "model"))
    np.testing.assert_array_equal(again.predict(X), want)
    frame = pd.DataFrame(X, columns=list("abcd"))
    np.testing.assert_allclose(model.fit(frame, pd.DataFrame(y)).predict(frame), want, atol=1e-12)
    assert model.feature_names_in_.tolist() == list("abcd")
    thin = sparse.csr_array(X)
    np.testing.assert_allclose(model.fit(thin, y).predict(thin), want, atol=1e-6)
    single = model.fit(X.astype(np.float32), y).predict(X.astype(np.float32))
    np.testing.assert_allclose(single, want, atol=1e-3)


def test_learning_from_batches():
    model = MultiOutputRegressor(SGDRegressor(random_state=0))
    classes = MultiOutputClassifier(SGDClassifier(random_state=0))
    for part in np.array_split(np.arange(120), 3):
        model.partial_fit(X[part], NUMBERS[part])
        classes.partial_fit(X[part], LABELS[part], classes=[[0, 1]] * 3)
    assert model.score(X, NUMBERS) > 0.5
    assert classes.score(X, LABELS) > 0.3
    with pytest.raises(InvalidDataError, match="outputs"):
        model.partial_fit(X, NUMBERS[:, :2])
    with pytest.raises(InvalidDataError, match="labels of each"):
        classes.partial_fit(X, LABELS, classes=[[0, 1]])
    assert not hasattr(MultiOutputRegressor(KNeighborsRegressor()), "partial_fit")


def test_refusals():
    for model in (MultiOutputRegressor(Ridge()), RegressorChain(Ridge())):
        with pytest.raises(InvalidDataError, match="two dimensions"):
            model.fit(X, NUMBERS[:, 0])
        with pytest.raises(InvalidDataError, match="y"):
            model.fit(X, NUMBERS[:-1])
    for model in (MultiOutputClassifier(GaussianNB()), ClassifierChain(GaussianNB())):
        with pytest.raises(InvalidDataError, match="Unknown label type: continuous-multi"):
            model.fit(X, NUMBERS)
        with pytest.raises(InvalidDataError, match=r"Unknown label type: continuous\."):
            model.fit(X, NUMBERS[:, 0])
        with pytest.raises(InvalidDataError, match="two dimensions"):
            model.fit(X, LABELS[:, 0])
        with pytest.raises(ValueError, match="not fitted"):
            model.predict(X)
    taken = "'test' is only supported if .*fit of SGDClassifier has it; that takes X, y"
    for ask in (
        ClassifierChain(SGDClassifier()).fit,
        MultiOutputClassifier(SGDClassifier()).fit,
        MultiOutputClassifier(SGDClassifier()).partial_fit,
    ):
        with pytest.raises(InvalidParameterError, match=taken):
            ask(X, LABELS, test=1)
    with pytest.raises(InvalidParameterError, match="invalid order"):
        RegressorChain(Ridge(), order=[0, 0, 1]).fit(X, NUMBERS)
    with pytest.raises(InvalidParameterError, match="encode"):
        ClassifierChain(GaussianNB()).fit(X, np.array(["no", "yes"])[LABELS])
    with pytest.raises(InvalidParameterError, match="support sample weights"):
        MultiOutputClassifier(KNeighborsClassifier()).fit(X, LABELS, W)
