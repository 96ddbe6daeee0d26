"""Grown trees against scikit-learn's and against trying every split."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.tree

import stylobate
from stylobate.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)
from stylobate.tree.growing import Growth, drawn_counts, grow_numbers


def rows(n, p, seed, gaps=0.0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p)).astype(np.float32).astype(np.float64)  # scikit-learn rounds X
    clean = x[:, 0] + np.sin(3 * x[:, 1]) + 0.5 * rng.normal(size=n)
    x[rng.random(x.shape) < gaps] = np.nan
    return x, clean, rng.uniform(0.5, 2.0, size=n)


FEW = 40  # rows among which different columns may cut off the same rows


def assert_same_tree(ours, theirs):
    """Node by node; where columns tie on a few rows, the splits must be equally good."""
    waiting, same = [(0, 0)], 0
    while waiting:
        a, b = waiting.pop()
        assert ours.n_node_samples[a] == theirs.n_node_samples[b]
        assert ours.weighted_n_node_samples[a] == pytest.approx(theirs.weighted_n_node_samples[b])
        assert ours.impurity[a] == pytest.approx(theirs.impurity[b], abs=1e-10)
        np.testing.assert_allclose(ours.value[a], theirs.value[b], atol=1e-10)
        if theirs.impurity[b] < 1e-12:  # with weights, theirs splits some pure nodes
            assert ours.children_left[a] < 0
            continue
        assert (ours.children_left[a] < 0) == (theirs.children_left[b] < 0)
        if ours.children_left[a] < 0:
            continue
        asked = ours.feature[a], ours.threshold[a]
        if asked == (theirs.feature[b], pytest.approx(theirs.threshold[b], rel=1e-12)):
            waiting.append((ours.children_left[a], theirs.children_left[b]))
            waiting.append((ours.children_right[a], theirs.children_right[b]))
            same += 1
            continue
        assert ours.n_node_samples[a] < FEW
        assert decrease(ours, a) == pytest.approx(decrease(theirs, b), rel=1e-9, abs=1e-12)
    assert same > 0


def decrease(tree, node):
    held = np.asarray(tree.weighted_n_node_samples) * tree.impurity
    return held[node] - held[tree.children_left[node]] - held[tree.children_right[node]]


LIMITS = [
    {},
    {"max_depth": 4},
    {"min_samples_leaf": 9, "min_samples_split": 30},
    {"min_weight_fraction_leaf": 0.02},
    {"min_impurity_decrease": 0.003},
]


# weights that are no whole numbers leave no two splits equally good
@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_classifier_splits_as_sklearn(criterion, n_classes, limits):
    x, y, w = rows(900, 5, 0)
    y = np.digitize(y, np.quantile(y, np.linspace(0, 1, n_classes + 1)[1:-1]))
    ours = DecisionTreeClassifier(criterion=criterion, **limits).fit(x, y, w)
    theirs = sklearn.tree.DecisionTreeClassifier(criterion=criterion, random_state=0, **limits)
    assert_same_tree(ours.tree_, theirs.fit(x, y, w).tree_)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("criterion", ["squared_error", "poisson"])
def test_regressor_splits_as_sklearn(criterion, limits, weighted):
    x, y, w = rows(900, 5, 1)
    if criterion == "poisson":
        y = np.exp(y / 2)
    w = w if weighted else None
    ours = DecisionTreeRegressor(criterion=criterion, **limits).fit(x, y, w)
    theirs = sklearn.tree.DecisionTreeRegressor(criterion=criterion, random_state=0, **limits)
    assert_same_tree(ours.tree_, theirs.fit(x, y, w).tree_)


def test_absolute_errors_split_as_sklearn():
    x, y, w = rows(300, 4, 2)
    ours = DecisionTreeRegressor(criterion="absolute_error", min_samples_leaf=8).fit(x, y, w)
    theirs = sklearn.tree.DecisionTreeRegressor(
        criterion="absolute_error", min_samples_leaf=8, random_state=0
    ).fit(x, y, w)
    assert_same_tree(ours.tree_, theirs.tree_)


def test_missing_values_split_as_sklearn():
    x, y, w = rows(700, 4, 3, gaps=0.15)
    y = y + np.isnan(x[:, 2])
    for fit_to in (y, None):
        if fit_to is None:
            label = (y > 0.3).astype(int)
            ours = DecisionTreeClassifier(min_samples_leaf=5).fit(x, label, w)
            theirs = sklearn.tree.DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
            theirs.fit(x, label, w)
        else:
            ours = DecisionTreeRegressor(min_samples_leaf=5).fit(x, y, w)
            theirs = sklearn.tree.DecisionTreeRegressor(min_samples_leaf=5, random_state=0)
            theirs.fit(x, y, w)
        assert_same_tree(ours.tree_, theirs.tree_)
        later, _, _ = rows(200, 4, 4, gaps=0.3)
        np.testing.assert_allclose(ours.predict(later), theirs.predict(later))


def test_several_outputs_as_sklearn():
    x, y, w = rows(500, 4, 5)
    targets = np.column_stack([y, x[:, 2] + 0.3 * y])
    ours = DecisionTreeRegressor(min_samples_leaf=4).fit(x, targets, w)
    theirs = sklearn.tree.DecisionTreeRegressor(min_samples_leaf=4, random_state=0)
    assert_same_tree(ours.tree_, theirs.fit(x, targets, w).tree_)
    np.testing.assert_allclose(ours.predict(x), theirs.predict(x))
    labels = np.column_stack([y > 0, np.digitize(targets[:, 1], [-0.5, 0.5])]).astype(int)
    ours = DecisionTreeClassifier(min_samples_leaf=4, class_weight="balanced").fit(x, labels, w)
    theirs = sklearn.tree.DecisionTreeClassifier(
        min_samples_leaf=4, class_weight="balanced", random_state=0
    ).fit(x, labels, w)
    assert_same_tree(ours.tree_, theirs.tree_)
    for a, b in zip(ours.predict_proba(x), theirs.predict_proba(x), strict=True):
        np.testing.assert_allclose(a, b)
    np.testing.assert_array_equal(ours.predict(x), theirs.predict(x))


@pytest.mark.parametrize("leaves", [2, 7, 40])
def test_best_first_is_sklearns(leaves):
    x, y, w = rows(800, 4, 6)
    ours = DecisionTreeRegressor(max_leaf_nodes=leaves).fit(x, y, w)
    theirs = sklearn.tree.DecisionTreeRegressor(max_leaf_nodes=leaves, random_state=0).fit(x, y, w)
    assert ours.get_n_leaves() == leaves
    np.testing.assert_allclose(ours.predict(x), theirs.predict(x))
    assert sorted(ours.tree_.threshold) == pytest.approx(sorted(theirs.tree_.threshold))


def test_class_weights_as_sklearn():
    x, y, w = rows(600, 4, 7)
    labels = np.digitize(y, [-0.5, 1.0])
    for weight in ("balanced", {0: 2.0, 1: 0.7, 2: 1.3}):
        ours = DecisionTreeClassifier(class_weight=weight, min_samples_leaf=3).fit(x, labels, w)
        theirs = sklearn.tree.DecisionTreeClassifier(
            class_weight=weight, min_samples_leaf=3, random_state=0
        ).fit(x, labels, w)
        assert_same_tree(ours.tree_, theirs.tree_)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("kind", ["numbers", "median", "labels"])
def test_monotone_columns_hold_and_match_sklearn(kind, sign):
    x, y, w = rows(500, 3, 8)
    signs = [sign, 0, -sign]
    limits = {"monotonic_cst": signs, "min_samples_leaf": 5}
    if kind == "labels":
        y = (y > 0).astype(int)
        ours = DecisionTreeClassifier(**limits).fit(x, y, w)
        theirs = sklearn.tree.DecisionTreeClassifier(random_state=0, **limits).fit(x, y, w)
    else:
        criterion = "squared_error" if kind == "numbers" else "absolute_error"
        ours = DecisionTreeRegressor(criterion=criterion, **limits).fit(x, y, w)
        theirs = sklearn.tree.DecisionTreeRegressor(criterion=criterion, random_state=0, **limits)
        theirs.fit(x, y, w)
    assert_same_tree(ours.tree_, theirs.tree_)
    score = ours.predict if kind != "labels" else lambda z: ours.predict_proba(z)[:, 1]
    base = x[:60].copy()
    for column, direction in ((0, sign), (2, -sign)):
        curve = []
        for value in np.linspace(-3, 3, 25):
            base[:, column] = value
            curve.append(score(base))
        assert (direction * np.diff(curve, axis=0) >= -1e-12).all()
        base[:, column] = x[:60, column]


def test_many_categories_of_many_classes_beat_numbers():
    rng = np.random.default_rng(0)
    code = rng.integers(0, 300, size=3000)
    label = (code * 7919) % 3  # no order of the codes helps
    ours = DecisionTreeClassifier(categorical_features=[0], max_depth=4)
    assert ours.fit(code[:, None], label).score(code[:, None], label) == 1.0
    numbers = DecisionTreeClassifier(categorical_features=None, max_depth=4)
    assert numbers.fit(code[:, None], label).score(code[:, None], label) < 0.5


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, ExtraTreeClassifier])
def test_weights_are_repeats_and_zeros_are_absent(kind):
    x, y, _ = rows(150, 3, 9)
    y = (y > 0).astype(int)
    w = np.random.default_rng(0).integers(0, 4, size=150)
    weighted = kind(random_state=3).fit(x, y, w).tree_
    repeated = kind(random_state=3).fit(np.repeat(x, w, axis=0), np.repeat(y, w)).tree_
    np.testing.assert_array_equal(weighted.threshold, repeated.threshold)
    np.testing.assert_allclose(weighted.value, repeated.value)
    np.testing.assert_allclose(weighted.weighted_n_node_samples, repeated.n_node_samples)


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(),
        DecisionTreeClassifier(max_features="sqrt", random_state=1),
        DecisionTreeRegressor(max_leaf_nodes=100),
        ExtraTreeRegressor(random_state=1),
    ],
)
def test_same_bits_for_any_number_of_threads(model):
    x, y, _ = rows(30_000, 6, 10, gaps=0.01)
    y = (y > 0).astype(int) if isinstance(model, DecisionTreeClassifier) else y
    many = model.fit(x, y).tree_
    before = stylobate.set_threads(1)
    try:
        one = model.fit(x, y).tree_
    finally:
        stylobate.set_threads(before)
    for name in ("feature", "threshold", "value", "impurity", "missing_go_to_left"):
        np.testing.assert_array_equal(getattr(one, name), getattr(many, name))


def test_large_and_small_problems_grow_the_same_way():
    """Above 4096 rows parts are handed on: their nodes are those a small problem finds."""
    x, y, w = rows(9000, 3, 11)
    ours = DecisionTreeRegressor(min_samples_leaf=3).fit(x, y, w)
    theirs = sklearn.tree.DecisionTreeRegressor(min_samples_leaf=3, random_state=0).fit(x, y, w)
    assert_same_tree(ours.tree_, theirs.tree_)


def test_random_splits_stay_between_the_ends_and_few_columns_are_drawn():
    x, y, _ = rows(400, 6, 12)
    thresholds = [
        ExtraTreeRegressor(max_depth=1, max_features=1, random_state=seed).fit(x, y).tree_
        for seed in range(60)
    ]
    assert len({int(tree.feature[0]) for tree in thresholds}) == 6
    for tree in thresholds:
        column = x[:, tree.feature[0]]
        assert column.min() <= tree.threshold[0] < column.max()
    shares = [tree.n_node_samples[1] / 400 for tree in thresholds]
    assert min(shares) < 0.2
    assert max(shares) > 0.8
    grown = ExtraTreeRegressor(random_state=0).fit(x, y)
    np.testing.assert_allclose(grown.predict(x), y)


def test_a_forest_of_seeds_does_not_depend_on_its_neighbours():
    x, y, w = rows(500, 6, 13)
    growth = Growth("squared_error", max_features=2)
    several = grow_numbers(x, y[:, None], growth=growth, seeds=[5, 6, 7], draws=500, weights=w)
    (alone,) = grow_numbers(x, y[:, None], growth=growth, seeds=[6], draws=500, weights=w)
    np.testing.assert_array_equal(several[1].threshold, alone.threshold)
    counts = drawn_counts(500, 500, 6)
    assert alone.n_node_samples[0] == (counts > 0).sum()
    assert alone.weighted_n_node_samples[0] == pytest.approx((counts * w).sum())
