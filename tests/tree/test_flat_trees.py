"""Packed trees against scikit-learn's, and splits by categories against a plain walk."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor

import stylobate
from stylobate.tree import FlatForest, Tree


def of_sklearn(tree, n_features):
    state = tree.__getstate__()["nodes"]
    return Tree.of(
        children_left=tree.children_left, children_right=tree.children_right,
        feature=tree.feature, threshold=tree.threshold, value=tree.value,
        missing_go_to_left=state["missing_go_to_left"], impurity=tree.impurity,
        n_node_samples=tree.n_node_samples,
        weighted_n_node_samples=tree.weighted_n_node_samples, n_features=n_features,
    )  # fmt: skip


def with_gaps(n, p, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p)).astype(np.float32).astype(np.float64)
    x[rng.random((n, p)) < 0.1] = np.nan
    return x, np.nan_to_num(x[:, 0]) + np.isnan(x[:, 1]) + 0.1 * rng.normal(size=n)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F"])
def test_one_tree_predicts_as_sklearns(dtype, order):
    x, y = with_gaps(700, 4, 0)
    theirs = DecisionTreeRegressor(random_state=0).fit(x, y)
    tree = of_sklearn(theirs.tree_, 4)
    given = np.asarray(x, dtype=dtype, order=order)
    np.testing.assert_array_equal(tree.predict(given)[:, 0, 0], theirs.predict(x))
    np.testing.assert_array_equal(tree.apply(given), theirs.apply(x))
    ours, expected = tree.decision_path(given), theirs.decision_path(x)
    assert ours.shape == expected.shape
    assert (ours != expected).nnz == 0
    np.testing.assert_allclose(tree.compute_feature_importances(), theirs.feature_importances_)
    assert tree.max_depth == theirs.get_depth()
    assert tree.n_leaves == theirs.get_n_leaves()


def test_a_forest_is_the_sum_of_its_trees_with_any_threads():
    x, y = with_gaps(3000, 5, 1)
    theirs = RandomForestClassifier(12, random_state=0).fit(x, y > 0.5)
    trees = [of_sklearn(each.tree_, 5) for each in theirs.estimators_]
    forest = FlatForest.of(trees, 5)
    sums = forest.add(np.asfortranarray(x))
    np.testing.assert_allclose(sums / 12, theirs.predict_proba(x))
    np.testing.assert_array_equal(forest.apply(x), theirs.apply(x))
    before = stylobate.set_threads(1)
    try:
        np.testing.assert_array_equal(FlatForest(trees, 5).add(x), sums)
    finally:
        stylobate.set_threads(before)
    part = forest.add(x, first=3, last=7)
    np.testing.assert_allclose(part, sum(t.predict(x)[:, 0] for t in trees[3:7]))
    assert FlatForest.of(trees, 5) is forest


def test_trees_add_to_columns_of_their_own():
    x, y = with_gaps(200, 3, 2)
    theirs = RandomForestRegressor(4, random_state=0, max_depth=3).fit(x, y)
    trees = [of_sklearn(each.tree_, 3) for each in theirs.estimators_]
    columns = np.array([0, 1, 0, 1], dtype=np.int32)
    sums = FlatForest(trees, 3).add(x, columns=columns, n_columns=2)
    expected = [trees[k].predict(x)[:, 0, 0] + trees[k + 2].predict(x)[:, 0, 0] for k in (0, 1)]
    np.testing.assert_array_equal(sums, np.column_stack(expected))


@pytest.mark.parametrize("missing_left", [0, 1])
def test_categories_go_left_by_their_bits(missing_left):
    stump = Tree.of(
        children_left=[1, -1, -1], children_right=[2, -1, -1], feature=[0, -2, -2],
        threshold=[np.nan, -2, -2], value=[[[0.0]], [[1.0]], [[2.0]]],
        missing_go_to_left=[missing_left, 0, 0], category_start=[0, -1, -1],
        categories=[2, 1 << 3, 1 << 1],
    )  # fmt: skip
    codes = np.array([[3.0], [33.0], [1.0], [np.nan], [64.0], [-1.0]])
    unknown = 1.0 if missing_left else 2.0
    assert stump.predict(codes)[:, 0, 0].tolist() == [1, 1, 2, unknown, unknown, unknown]
    assert stump.left_categories(0).tolist() == [3, 33]
    assert stump.left_categories(1) is None


def test_broken_arrays_are_refused():
    good = {"children_left": [1, -1, -1], "children_right": [2, -1, -1], "feature": [0, -2, -2],
            "threshold": [0.5, -2, -2], "value": np.zeros((3, 1, 1))}  # fmt: skip
    rows = np.zeros((1, 1))
    for change, words in (
        ({"children_left": [0, -1, -1]}, "after their parents"),
        ({"children_right": [3, -1, -1]}, "after their parents"),
        ({"children_right": [1, -1, -1]}, "after their parents"),
        ({"feature": [1, -2, -2]}, "not there"),
        ({"category_start": [5, -1, -1]}, "outside"),
        ({"category_start": [0, -1, -1], "categories": [3, 1]}, "end within"),
        ({"value": np.zeros((2, 1, 1))}, "one length"),
    ):
        with pytest.raises(ValueError, match=words):
            Tree.of(**(good | change)).predict(rows)
