"""The impurity of a given split, against the root of scikit-learn's trees and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.tree import split_impurity

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 1))
CLASSES = np.where(X[:, 0] + 0.8 * RNG.normal(size=80) > 0, "yes", "no")
NUMBERS = X[:, 0] ** 2 + RNG.normal(size=80)


@pytest.mark.parametrize(
    ("criterion", "kind", "y"),
    [
        ("gini", DecisionTreeClassifier, CLASSES),
        ("entropy", DecisionTreeClassifier, CLASSES),
        ("squared_error", DecisionTreeRegressor, NUMBERS),
        ("absolute_error", DecisionTreeRegressor, NUMBERS),
    ],
)
def test_the_root_of_a_tree_is_the_split_of_most_gain(criterion, kind, y):
    tree = kind(max_depth=1, criterion=criterion).fit(X, y).tree_
    found = split_impurity(y, X[:, 0] <= tree.threshold[0], criterion)
    assert [found.parent, found.left, found.right] == pytest.approx(tree.impurity.tolist())
    assert [found.n_left, found.n_right] == tree.n_node_samples[1:].tolist()
    gains = [split_impurity(y, X[:, 0] <= at, criterion).gain for at in np.sort(X[:, 0])[:-1]]
    assert found.gain == pytest.approx(max(gains))


def test_by_hand():
    found = split_impurity([0, 0, 1, 1], np.array([True, True, True, False]), "misclassification")
    assert found.parent == 0.5
    assert (found.left, found.right) == (pytest.approx(1 / 3), 0.0)
    assert found.after == pytest.approx(0.25)
    assert found.gain == pytest.approx(0.25)


def test_what_is_no_split_is_refused():
    with pytest.raises(InvalidDataError, match="some of both"):
        split_impurity([0, 1], [True, True])
    with pytest.raises(InvalidDataError, match="True or False"):
        split_impurity([0, 1], [1, 0])
    with pytest.raises(InvalidParameterError, match="criterion"):
        split_impurity([0, 1], [True, False], "purity")
