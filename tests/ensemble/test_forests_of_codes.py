"""Forests of columns of few values: every first split against scikit-learn's, with gaps."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier as TheirTree

from stylobate.ensemble import RandomForestClassifier
from stylobate.parallel import threads


def codes_and_classes(seed, n_classes=2):
    """Columns of 2 to 300 values, some with gaps, one of all different values."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.choice([12, 60, 300, 2500]))
    n_values = rng.choice([2, 3, 9, 16, 42, 120, 255, 256, 257, 300], size=5)
    x = np.column_stack([rng.integers(0, k, n_rows) for k in n_values] + [np.arange(n_rows)])
    x = rng.permuted(x.astype(float), axis=0)
    gaps = rng.random(x.shape) < rng.choice([0.0, 0.05, 0.5], size=6)
    score = (x / (1.0 + x.max(axis=0)))[:, :2].sum(axis=1) + rng.normal(0.0, 0.4, n_rows)
    x[gaps] = np.nan
    y = np.digitize(score, np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1]))
    return x, y


def left_over(tree):
    """What is left of the impurity after the first split."""
    return tree.impurity[1:] @ tree.weighted_n_node_samples[1:]


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("least", [1, 5])
def test_first_split_is_as_good_as_scikit_learns(seed, n_classes, least):
    x, y = codes_and_classes(seed, n_classes)
    limits = {"max_depth": 1, "min_samples_leaf": least}
    forest = RandomForestClassifier(1, bootstrap=False, max_features=None, **limits).fit(x, y)
    found, theirs = forest.estimators_[0].tree_, TheirTree(**limits).fit(x, y).tree_
    # scikit-learn sends gaps to one side of each threshold that is in the rows: never less
    assert left_over(found) <= left_over(theirs) * (1 + 1e-12) + 1e-9
    if not np.isnan(x).any():
        assert left_over(found) == pytest.approx(left_over(theirs), rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("max_features", [1, 3, None])
def test_rows_told_apart_whatever_is_drawn(max_features):
    x, y = codes_and_classes(3)  # of 2500 rows
    x[:, -1] = np.arange(len(y))  # so that all can be told apart
    options = {"bootstrap": False, "max_features": max_features, "random_state": 0}
    with threads(1):
        one = RandomForestClassifier(3, **options).fit(x, y)
    assert (one.predict(x) == y).all()
    leaves = one.estimators_[0].tree_
    assert (leaves.impurity[leaves.children_left < 0] == 0.0).all()
    with threads(3):
        many = RandomForestClassifier(3, **options).fit(x, y)
    for a, b in zip(one.estimators_, many.estimators_, strict=True):
        assert np.array_equal(a.tree_.threshold, b.tree_.threshold)
        assert np.array_equal(a.tree_.feature, b.tree_.feature)


def test_rows_drawn_twice_are_rows_that_are_there_twice():
    x, y = codes_and_classes(1)
    counts = np.random.default_rng(0).integers(1, 4, len(y))
    options = {"bootstrap": False, "max_features": None, "max_depth": 4, "random_state": 0}
    twice = RandomForestClassifier(1, **options)
    twice.fit(np.repeat(x, counts, axis=0), np.repeat(y, counts))
    weighted = RandomForestClassifier(1, **options).fit(x, y, sample_weight=counts)
    a, b = twice.estimators_[0].tree_, weighted.estimators_[0].tree_
    assert left_over_of_leaves(a) == pytest.approx(left_over_of_leaves(b))


def left_over_of_leaves(tree):
    leaf = tree.children_left < 0
    return tree.impurity[leaf] @ tree.weighted_n_node_samples[leaf]
