"""The perceptron and its history."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Perceptron as TheirPerceptron

from stylobate.linear_model import Perceptron

RNG = np.random.default_rng(5)
X = RNG.normal(size=(50, 2))
SIDE = np.where(X @ [1.0, 2.0] + 0.3 > 0, 1, -1)
APART = np.abs(X @ [1.0, 2.0] + 0.3) > 0.3
X, SIDE = X[APART], SIDE[APART]


def by_hand(x, y, epochs):
    """Rosenblatt's rule, row after row."""
    w, b, rows, margins, after = np.zeros(x.shape[1]), 0.0, [], [], []
    mistakes = []
    for _ in range(epochs):
        wrong = 0
        for i, (row, side) in enumerate(zip(x, y, strict=True)):
            margin = side * (row @ w + b)
            if margin <= 0:
                w, b = w + side * row, b + side
                rows.append(i)
                margins.append(margin)
                after.append([*w, b])
                wrong += 1
        mistakes.append(wrong)
    return rows, margins, np.array(after), mistakes


def test_history_is_rosenblatts():
    model = Perceptron(shuffle=False).fit(X, SIDE)
    rows, margins, after, mistakes = by_hand(X, SIDE, model.n_iter_)
    np.testing.assert_array_equal(model.history_.row, rows)
    np.testing.assert_allclose(model.history_.margin, margins, atol=1e-12)
    np.testing.assert_allclose(model.history_.weights, after[:, :2], atol=1e-12)
    np.testing.assert_allclose(model.history_.intercept, after[:, 2], atol=1e-12)
    np.testing.assert_array_equal(model.mistakes_, mistakes)
    assert len(model.history_) == sum(mistakes)
    np.testing.assert_allclose(model.coef_[0], after[-1, :2])


def test_novikoffs_bound_holds_and_the_optimum_is_proved():
    model = Perceptron(random_state=1, tol=None, max_iter=100).fit(X, SIDE)
    assert model.score(X, SIDE) == 1.0
    rows = np.column_stack([X, np.ones(len(X))])
    separator = np.array([1.0, 2.0, 0.3])
    margin = (SIDE * (rows @ separator)).min() / np.linalg.norm(separator)
    assert len(model.history_) <= (np.linalg.norm(rows, axis=1).max() / margin) ** 2
    assert model.certificate_.primal == 0.0
    assert model.certificate_.optimal


def test_equals_scikit_learn_without_shuffling():
    labels = RNG.integers(0, 3, len(X))
    for kw in ({}, {"penalty": "l2", "alpha": 0.001}, {"eta0": 0.5}):
        ours = Perceptron(shuffle=False, tol=None, max_iter=7, **kw).fit(X, labels)
        theirs = TheirPerceptron(shuffle=False, tol=None, max_iter=7, **kw).fit(X, labels)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-9, atol=1e-12)
        assert len(ours.history_) == len(ours.mistakes_) == 3


def test_history_is_bounded():
    class Small(Perceptron):
        _record = (3, 6)

    model = Small(shuffle=False).fit(X, SIDE)
    assert len(model.history_) == 3
    assert model.history_.weights is None
    assert model.history_.intercept is None


def test_sparse_rows_and_partial_fit():
    dense = Perceptron(shuffle=False, max_iter=1, tol=None).fit(X, SIDE)
    other = Perceptron(shuffle=False).partial_fit(sparse.csr_array(X), SIDE, classes=[-1, 1])
    np.testing.assert_allclose(dense.coef_, other.coef_)
    np.testing.assert_array_equal(dense.history_.row, other.history_.row)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="class"):
        Perceptron().fit(X, np.ones(len(X)))


def updates_by_hand(X, y, zero_is_positive, epochs):
    """The updates of the textbook, in the order of the rows, as a list of row numbers."""
    w, b, rows = np.zeros(X.shape[1]), 0.0, []
    for _ in range(epochs):
        for i, (x, sign) in enumerate(zip(X, y, strict=True)):
            score = x @ w + b
            decided = 1.0 if zero_is_positive and score == 0.0 else np.sign(score)
            if decided != sign:
                w, b = w + sign * x, b + sign
                rows.append(i)
    return rows, w, b


@pytest.mark.parametrize("sign_of_zero", [0, 1])
def test_sign_of_zero_is_the_textbooks_choice(sign_of_zero):
    random = np.random.default_rng(3)
    X = random.integers(-3, 4, size=(12, 2)).astype(float)
    y = np.where(X @ [1.0, 2.0] + 0.5 > 0, 1, -1)
    rows, w, b = updates_by_hand(X, y, bool(sign_of_zero), 40)
    model = Perceptron(shuffle=False, sign_of_zero=sign_of_zero, max_iter=40, tol=None).fit(X, y)
    assert model.history_.row.tolist() == rows
    np.testing.assert_array_equal(model.coef_[0], w)
    assert model.intercept_[0] == b


def test_scores_on_held_out_rows_are_kept_epoch_by_epoch():
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 3))
    y = (X[:, 0] + 0.3 * random.normal(size=200) > 0).astype(int)
    model = Perceptron(early_stopping=True, max_iter=30).fit(X, y)
    assert model.validation_scores_.shape == (model.n_iter_,)
    assert ((model.validation_scores_ >= 0) & (model.validation_scores_ <= 1)).all()
    assert not hasattr(Perceptron().fit(X, y), "validation_scores_")
