"""Shapley values of trees: against all subsets, the shap package, and their own axioms."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb, factorial

import numpy as np
import pytest

from stylobate.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from stylobate.exceptions import UnsupportedDataError
from stylobate.tree import Tree, shap_values
from stylobate.tree.shap import TreeSum, tree_shap


def goes_left(tree, node, value):
    start = tree.category_start[node]
    if start >= 0:
        words = tree.categories[start + 1 : start + 1 + tree.categories[start]]
        if not 0 <= value < 32 * len(words):
            return bool(tree.missing_go_to_left[node])
        return bool(words[int(value) // 32] >> (int(value) % 32) & 1)
    if np.isnan(value):
        return bool(tree.missing_go_to_left[node])
    return value <= tree.threshold[node]


def conditional(tree, row, known, node=0):
    """The mean of the leaves a row may reach if only the columns in `known` are known."""
    if tree.children_left[node] < 0:
        return tree.value[node].ravel()
    left, right = tree.children_left[node], tree.children_right[node]
    f = tree.feature[node]
    if f in known:
        return conditional(tree, row, known, left if goes_left(tree, node, row[f]) else right)
    cover = tree.weighted_n_node_samples
    return (
        cover[left] * conditional(tree, row, known, left)
        + cover[right] * conditional(tree, row, known, right)
    ) / cover[node]


def by_subsets(worth, p):
    """Shapley's formula over all coalitions."""
    values = []
    for i in range(p):
        others = [j for j in range(p) if j != i]
        total = 0.0
        for size in range(p):
            weight = factorial(size) * factorial(p - size - 1) / factorial(p)
            for group in combinations(others, size):
                total = total + weight * (worth({*group, i}) - worth(set(group)))
        values.append(total)
    return np.array(values)


def table(n=300, p=5, seed=0):
    draw = np.random.default_rng(seed)
    x = draw.standard_normal((n, p))
    x[:, 1] = draw.integers(0, 8, n)
    x[draw.random((n, p)) < 0.05] = np.nan
    full = np.nan_to_num(x)
    y = full[:, 0] * full[:, 2] + (full[:, 1] % 3) + full[:, 3] + 0.1 * draw.standard_normal(n)
    return x, y


@pytest.fixture(scope="module")
def fitted():
    x, y = table()
    model = HistGradientBoostingRegressor(
        max_iter=4, min_samples_leaf=5, categorical_features=[1]
    ).fit(x, y)
    return model, x


def sum_of(trees):
    return TreeSum(trees, None, 1, 1.0, np.zeros(1))


def test_path_dependent_values_are_those_of_all_subsets(fitted):
    model, x = fitted
    for (tree,) in model.trees_:
        rows = model._tree_rows(x[:6])
        found = tree_shap(sum_of([tree]), rows)
        for row, values in zip(rows, found.values, strict=True):
            expected = by_subsets(lambda s, row=row, tree=tree: conditional(tree, row, s)[0], 5)
            np.testing.assert_allclose(values, expected, atol=1e-12)
        assert found.base_values == pytest.approx(conditional(tree, rows[0], set())[0])


def test_interventional_values_are_those_of_all_subsets(fitted):
    model, x = fitted
    rows, others = model._tree_rows(x[:4]), model._tree_rows(x[50:57])
    found = model.shap_values(x[:4], background=x[50:57])

    def worth(row, known):
        mixed = others.copy()
        mixed[:, list(known)] = row[list(known)]
        return np.mean([sum(conditional(t, r, set(range(5)))[0] for (t,) in model.trees_)
                        for r in mixed])  # fmt: skip

    for row, values in zip(rows, found.values, strict=True):
        np.testing.assert_allclose(
            values, by_subsets(lambda s, row=row: worth(row, s), 5), atol=1e-12
        )
    np.testing.assert_allclose(found.values.sum(axis=1) + found.base_values, model.predict(x[:4]))
    assert found.base_values == pytest.approx(model.predict(x[50:57]).mean())


def test_values_sum_to_the_score_for_every_output():
    x, y = table(400)
    labels = np.digitize(y, [0.0, 1.5])
    model = HistGradientBoostingClassifier(max_iter=5).fit(x, labels)
    found = shap_values(model, x)
    assert found.values.shape == (400, 5, 3)
    np.testing.assert_allclose(
        found.values.sum(axis=1) + found.base_values, model.decision_function(x), atol=1e-10
    )
    background = shap_values(model, x[:20], x[100:130])
    np.testing.assert_allclose(
        background.values.sum(axis=1) + background.base_values,
        model.decision_function(x[:20]),
        atol=1e-10,
    )


def test_deep_trees_keep_their_digits():
    """Twenty columns on one way down: the sum over coalitions has a million terms."""
    depth = 20
    nodes = 2 * depth + 1
    left, right, feature = np.full(nodes, -1), np.full(nodes, -1), np.full(nodes, -2)
    threshold, value, cover = np.full(nodes, -2.0), np.zeros(nodes), np.zeros(nodes)
    cover[0] = 1.0
    at = 0
    for j in range(depth):
        feature[at], threshold[at] = j, 0.5
        left[at], right[at] = at + 1, at + 2
        cover[at + 1], cover[at + 2] = 0.4 * cover[at], 0.6 * cover[at]
        value[at + 1] = j + 1.0
        at += 2
    value[at] = 100.0
    tree = Tree.of(
        children_left=left, children_right=right, feature=feature, threshold=threshold,
        value=value[:, np.newaxis, np.newaxis], weighted_n_node_samples=cover, n_features=depth,
    )  # fmt: skip
    row = np.ones((1, depth))
    found = tree_shap(sum_of([tree]), row)
    assert found.values.sum() + found.base_values == pytest.approx(100.0, rel=1e-13)
    # the last column, in exact fractions: with s of the other conditions known, the row earns
    # 100 less the mean of the two last leaves, with probability 0.6 to the power of those unknown
    others, gain = depth - 1, Fraction(2, 5) * (100 - depth)
    expected = sum(
        Fraction(factorial(s) * factorial(others - s), factorial(depth))
        * comb(others, s)
        * Fraction(3, 5) ** (others - s)
        for s in range(depth)
    )
    assert found.values[0, -1] == pytest.approx(float(gain * expected), rel=1e-13)


def test_columns_never_split_get_nothing_and_equal_columns_the_same():
    draw = np.random.default_rng(0)
    x = draw.integers(0, 2, (400, 3)).astype(float)
    y = x[:, 0] + x[:, 1]
    model = HistGradientBoostingRegressor(max_iter=20, min_samples_leaf=5).fit(x, y)
    found = model.shap_values(np.array([[1.0, 1.0, 0.0]]), background=np.zeros((1, 3)))
    assert found.values[0, 2] == 0.0
    assert found.values[0, 0] == pytest.approx(found.values[0, 1], abs=1e-9)
    assert [name for name, _ in found.ranking()][-1] == "x2"


def test_same_as_the_shap_package():
    shap = pytest.importorskip("shap")
    from sklearn.ensemble import HistGradientBoostingRegressor as Theirs

    x, y = table(seed=3)
    x = np.nan_to_num(x).round(1)
    ours = HistGradientBoostingRegressor(max_iter=10).fit(x, y)
    theirs = Theirs(max_iter=10).fit(x, y)
    np.testing.assert_allclose(ours.predict(x), theirs.predict(x), rtol=1e-8)
    expected = shap.TreeExplainer(theirs).shap_values(x)
    np.testing.assert_allclose(ours.shap_values(x).values, expected, atol=1e-6)


def test_other_models_are_refused():
    from stylobate.linear_model import Ridge

    with pytest.raises(UnsupportedDataError, match="Ridge is no sum of trees"):
        shap_values(Ridge(), [[1.0]])
