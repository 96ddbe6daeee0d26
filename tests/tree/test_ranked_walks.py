"""Rows by the thousand walk by ranks: the same bits as a plain walk, whatever the numbers are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stylobate
from stylobate.ensemble import (
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from stylobate.tree import FlatForest, Tree

SPECIAL = np.array([-np.inf, np.inf, 0.0, -0.0, 5e-324, -5e-324, 2.5e-308, 1.7e308, -1.7e308])


def random_tree(rng, pool, n_features, depth, width, categories=0):
    """A tree of random shape with thresholds out of the pool, some splits by categories."""
    nodes = {key: [] for key in ("left", "right", "feature", "threshold", "missing", "start")}
    words = []

    def grow(level):
        at = len(nodes["left"])
        inner = level < depth and rng.random() < 0.85
        by_category = inner and rng.random() < categories
        nodes["left"].append(-1)
        nodes["right"].append(-1)
        nodes["feature"].append(int(rng.integers(n_features)) if inner else -2)
        nodes["threshold"].append(rng.choice(pool) if inner and not by_category else -2.0)
        nodes["missing"].append(int(rng.integers(2)))
        nodes["start"].append(len(words) if by_category else -1)
        if by_category:
            words.extend([1, int(rng.integers(2**32))])
        if inner:
            nodes["left"][at] = len(nodes["left"])
            grow(level + 1)
            nodes["right"][at] = len(nodes["left"])
            grow(level + 1)

    grow(0)
    return Tree.of(
        children_left=nodes["left"], children_right=nodes["right"], feature=nodes["feature"],
        threshold=nodes["threshold"], missing_go_to_left=nodes["missing"],
        value=rng.normal(size=(len(nodes["left"]), 1, width)), category_start=nodes["start"],
        categories=words, n_features=n_features,
    )  # fmt: skip


def leaf(tree, row):
    """One row's way down, split by split."""
    at = 0
    while tree.children_left[at] >= 0:
        x = float(row[tree.feature[at]])
        left = x <= tree.threshold[at]
        if tree.category_start[at] >= 0:
            codes = tree.left_categories(at)
            left = x in codes if 0 <= x < 32 else bool(tree.missing_go_to_left[at])
        elif np.isnan(x):
            left = bool(tree.missing_go_to_left[at])
        at = int((tree.children_left if left else tree.children_right)[at])
    return at


def check_against_single_steps(trees, x, *, ranked):
    forest = FlatForest(trees, x.shape[1])
    sums, found = forest.add(x), forest.apply(x)
    assert forest._core.ranked == ranked
    some = np.linspace(0, len(x) - 1, 60).astype(int)
    expected = np.array([[leaf(tree, x[i]) for tree in trees] for i in some])
    np.testing.assert_array_equal(found[some], expected)
    total = np.zeros((len(some), trees[0].value.shape[2]))
    for t, tree in enumerate(trees):  # in the order of the trees: the same bits
        total += tree.value[expected[:, t], 0]
    np.testing.assert_array_equal(sums[some], total)


@settings(max_examples=25)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_features=st.sampled_from([1, 7, 32, 33, 64, 70]),
    width=st.integers(1, 3),
    dtype=st.sampled_from([np.float64, np.float32]),
    order=st.sampled_from("CF"),
)
def test_nasty_numbers_go_where_single_comparisons_send_them(seed, n_features, width, dtype, order):
    rng = np.random.default_rng(seed)
    pool = np.concatenate([SPECIAL, rng.normal(size=20).astype(np.float32), [1.0, 2.0, 3.0]])
    trees = [random_tree(rng, pool, n_features, 6, width) for _ in range(n_features + 10)]
    numbers = np.concatenate([pool, np.nextafter(pool, np.inf), np.nextafter(pool, -np.inf)])
    with np.errstate(over="ignore"):
        x = rng.choice(np.append(numbers, [np.nan] * 3), (600, n_features)).astype(dtype)
    check_against_single_steps(trees, np.asarray(x, order=order), ranked=True)


def test_no_gaps_in_the_rows_and_trees_of_one_leaf():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(700, 4))
    single = Tree.of(
        children_left=[-1], children_right=[-1], feature=[-2], threshold=[-2.0], value=[[[0.1]]]
    )
    trees = [random_tree(rng, rng.normal(size=50), 4, 8, 1) for _ in range(12)]
    check_against_single_steps([single, *trees, single], x, ranked=True)
    assert FlatForest([single] * 3, 4).add(x).tolist() == [[0.1 + 0.1 + 0.1]] * 700


def test_categories_keep_the_plain_walk():
    rng = np.random.default_rng(1)
    trees = [random_tree(rng, np.arange(8.0), 3, 6, 2, categories=0.4) for _ in range(12)]
    x = rng.choice([*np.arange(34.0), -1.0, np.nan], (500, 3))
    check_against_single_steps(trees, x, ranked=False)


def chain(thresholds):
    """A tree that asks for one threshold after the other, the largest first."""
    n = len(thresholds)
    left, feature = np.full(2 * n + 1, -1), np.full(2 * n + 1, -2)
    right, threshold = left.copy(), np.full(2 * n + 1, -2.0)
    inner = np.arange(n) * 2
    left[inner], right[inner], feature[inner], threshold[inner] = (
        inner + 2,
        inner + 1,
        0,
        thresholds,
    )
    return Tree.of(
        children_left=left, children_right=right, feature=feature, threshold=threshold,
        value=np.arange(2.0 * n + 1)[:, None, None], n_features=1,
    )  # fmt: skip


def balanced(thresholds):
    """A tree of least depth that tells the gaps between ascending thresholds apart."""
    nodes = []

    def grow(low, high):
        at = len(nodes)
        nodes.append([-1, -1, -2, -2.0])
        if low < high:
            middle = (low + high) // 2
            left = grow(low, middle)
            right = grow(middle + 1, high)
            nodes[at] = [left, right, 0, thresholds[middle]]
        return at

    grow(0, len(thresholds))
    left, right, feature, threshold = map(np.array, zip(*nodes, strict=True))
    return Tree.of(
        children_left=left, children_right=right, feature=feature, threshold=threshold,
        value=np.arange(float(len(nodes)))[:, None, None], n_features=1,
    )  # fmt: skip


def test_more_thresholds_than_sixteen_bits_count():
    rng = np.random.default_rng(2)
    trees = [balanced(np.sort(rng.normal(size=30_000))) for _ in range(5)]  # groups of trees
    x = np.concatenate([rng.normal(size=99_000), trees[0].threshold[:500], [np.nan, np.inf]])
    check_against_single_steps(trees, x[:, np.newaxis], ranked=True)
    single = balanced(np.sort(rng.normal(size=70_000)))  # too many in one tree: the plain walk
    forest = FlatForest([single], 1)
    found = forest.apply(np.repeat(x, 3)[:, np.newaxis])[::3, 0]
    assert not forest._core.ranked
    some = np.arange(0, len(x), 5000)
    np.testing.assert_array_equal(found[some], [leaf(single, [x[i]]) for i in some])


def test_a_deep_chain_ends():
    tree = chain(np.arange(300.0)[::-1])
    x = np.arange(-2.0, 305.0, 0.5)[:, np.newaxis]
    check_against_single_steps([tree] * 3, np.repeat(x, 60, axis=0), ranked=True)


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_threads_and_the_number_of_rows_change_no_bit(threads):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(9000, 6))
    x[rng.random(x.shape) < 0.05] = np.nan
    y = np.nan_to_num(x[:, 0]) + np.nan_to_num(x[:, 1]) > 0.3
    model = RandomForestClassifier(15, random_state=0, max_depth=9).fit(x[:800], y[:800])
    few = np.concatenate([model.predict_proba(x[i : i + 50]) for i in range(0, 200, 50)])
    before = stylobate.set_threads(threads)
    try:
        many = model.predict_proba(x)
        leaves = model.apply(x)
    finally:
        stylobate.set_threads(before)
    np.testing.assert_array_equal(many[:200], few)
    paths, offsets = model.decision_path(x[:100])
    ends = leaves[:100] + offsets[:-1]
    assert all(paths[i, end] == 1 for i in range(100) for end in ends[i])


def test_boosting_and_numbers_take_the_same_way():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(6000, 5)).round(1)
    y = np.digitize(x[:, 0] * x[:, 1] + x[:, 2], [-0.5, 0.5])
    boosted = HistGradientBoostingClassifier(max_iter=20, random_state=0).fit(x[:1500], y[:1500])
    several = boosted.decision_function(x)
    few = np.concatenate([boosted.decision_function(x[i : i + 10]) for i in range(0, 100, 10)])
    np.testing.assert_array_equal(several[:100], few)
    staged = list(boosted.staged_decision_function(x[:300]))[-1]
    np.testing.assert_allclose(staged, several[:300], rtol=1e-12)
    extra = ExtraTreesRegressor(20, random_state=0).fit(x[:500], x[:500] @ np.arange(5.0))
    np.testing.assert_array_equal(
        extra.predict(x.astype(np.float32).astype(np.float64)),
        extra.predict(x.astype(np.float32)),
    )


def test_the_ranked_form_is_no_part_of_a_model():
    import pickle

    rng = np.random.default_rng(5)
    x = rng.normal(size=(4000, 4))
    model = RandomForestClassifier(10, random_state=0).fit(x[:400], x[:400, 0] > 0)
    before = pickle.dumps(model)
    answers = model.predict_proba(x)
    assert pickle.dumps(model) == before
    np.testing.assert_array_equal(pickle.loads(before).predict_proba(x), answers)
