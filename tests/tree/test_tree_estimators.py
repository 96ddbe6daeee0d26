"""The estimators' surface: bad input, pruning, words, scikit-learn's tools on our trees."""

from __future__ import annotations

import pickle

import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
import sklearn.tree
from sklearn.datasets import load_diabetes, load_iris

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.plot import plot_tree_partition
from stylobate.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
    export_graphviz,
    export_text,
    impurity,
    plot_tree,
)

mpl.use("Agg")
IRIS, SPECIES = load_iris(return_X_y=True)
SUGAR, PROGRESS = load_diabetes(return_X_y=True)


def in_their_shell(model, x, y):
    """scikit-learn's estimator around our tree_: its tools take its own classes only."""
    shell = getattr(sklearn.tree, type(model).__name__)(criterion=model.criterion).fit(x, y)
    shell.tree_ = model.tree_
    return shell


@pytest.mark.parametrize("scaled", [1.0, 1e-9])
def test_pruning_path_is_sklearns(scaled):
    w = np.random.default_rng(0).uniform(0.5, 2.0, size=len(SUGAR))
    limits = {"min_samples_leaf": 8}
    ours = DecisionTreeRegressor(**limits)
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **limits)
    mine = ours.cost_complexity_pruning_path(SUGAR, scaled * PROGRESS, w)
    expected = theirs.cost_complexity_pruning_path(SUGAR, PROGRESS, w)
    np.testing.assert_allclose(mine.ccp_alphas, scaled**2 * expected.ccp_alphas, rtol=1e-6)
    np.testing.assert_allclose(mine["impurities"], scaled**2 * expected["impurities"], rtol=1e-6)
    assert mine.n_leaves[-1] == 1
    for k in (0, len(mine.ccp_alphas) // 2, len(mine.ccp_alphas) - 2):
        alpha = 0.5 * (mine.ccp_alphas[k] + mine.ccp_alphas[k + 1])
        pruned = DecisionTreeRegressor(ccp_alpha=alpha, **limits)
        pruned.fit(SUGAR, scaled * PROGRESS, w)
        assert pruned.get_n_leaves() == mine.n_leaves[k]
        theirs.set_params(ccp_alpha=alpha / scaled**2).fit(SUGAR, PROGRESS, w)
        np.testing.assert_allclose(pruned.predict(SUGAR), scaled * theirs.predict(SUGAR))


def test_pruned_classifier_is_sklearns():
    theirs = sklearn.tree.DecisionTreeClassifier(ccp_alpha=0.02, random_state=0)
    theirs.fit(IRIS, SPECIES)
    ours = DecisionTreeClassifier(ccp_alpha=0.02).fit(IRIS, SPECIES)
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    np.testing.assert_allclose(ours.predict_proba(IRIS), theirs.predict_proba(IRIS))


def test_sklearns_tools_read_our_arrays():
    ours = DecisionTreeClassifier(max_depth=3, criterion="entropy").fit(IRIS, SPECIES)
    shell = in_their_shell(ours, IRIS, SPECIES)
    drawn = sklearn.tree.plot_tree(shell, filled=True)
    assert len(drawn) >= ours.tree_.node_count
    np.testing.assert_allclose(shell.feature_importances_, ours.feature_importances_)


@pytest.mark.parametrize("options", [{}, {"max_depth": 1}, {"decimals": 4, "spacing": 2}])
def test_export_text_is_sklearns(options):
    for model, x, y in (
        (DecisionTreeClassifier(max_depth=4), IRIS, SPECIES),
        (DecisionTreeRegressor(max_depth=3), SUGAR, PROGRESS),
        (DecisionTreeClassifier(), IRIS[:20], SPECIES[:20]),  # a root alone
    ):
        expected = sklearn.tree.export_text(in_their_shell(model.fit(x, y), x, y), **options)
        assert export_text(model, **options) == expected
    names = load_iris().feature_names
    model = DecisionTreeClassifier(max_depth=2).fit(IRIS, SPECIES)
    shown = {"feature_names": names, "show_weights": True}
    expected = sklearn.tree.export_text(in_their_shell(model, IRIS, SPECIES), **shown)
    assert export_text(model, **shown) == expected


def test_export_graphviz_is_sklearns_graph(tmp_path):
    model = DecisionTreeClassifier(max_depth=2).fit(IRIS, SPECIES)
    options = {"rounded": True, "node_ids": True, "leaves_parallel": True, "rotate": True}
    expected = sklearn.tree.export_graphviz(in_their_shell(model, IRIS, SPECIES), **options)
    assert export_graphviz(model, **options).splitlines() == expected.splitlines()
    path = tmp_path / "tree.dot"
    assert export_graphviz(model, path) is None
    assert path.read_text().startswith("digraph Tree")


def test_words_of_a_tree_with_categories_and_gaps():
    frame = pd.DataFrame({
        "city": ["Oslo", "Rome", "Lima", "Oslo", "Rome", "Lima", None, "Oslo"],
        "age": [31.0, 25.0, None, 44.0, 38.0, 52.0, 29.0, None],
    })  # fmt: skip
    tree = DecisionTreeClassifier().fit(frame, [1, 0, 1, 1, 0, 1, 0, 1])
    assert tree.rules() == [
        "if city in {Rome} or missing then 0 (100 % of 3 rows)",
        "if city in {Lima, Oslo} then 1 (100 % of 5 rows)",
    ]
    assert "city is missing, which goes with city in {Rome}" in tree.explain_row(frame.iloc[[6]])
    assert "city in {Rome}" in export_text(tree)
    assert "city in {Rome}" in export_graphviz(tree)
    assert "city in {Rome}" in plot_tree(tree).texts[0].get_text()
    same = tree.predict(pl.from_pandas(frame))
    np.testing.assert_array_equal(same, tree.predict(frame))
    unseen = pd.DataFrame({"city": ["Paris"], "age": [3.0]})
    assert tree.predict(unseen).tolist() == [0]  # as missing values
    with pytest.raises(InvalidDataError, match="one row"):
        tree.explain_row(frame)


def test_unseen_categories_go_with_the_many():
    frame = pd.DataFrame({"city": ["a"] * 5 + ["b"] * 2})
    tree = DecisionTreeRegressor().fit(frame, [1.0] * 5 + [9.0] * 2)
    assert tree.predict(pd.DataFrame({"city": ["c", None]})).tolist() == [1.0, 1.0]


def test_a_missing_column_of_its_own_is_told():
    x = np.array([[1.0], [2.0], [np.nan], [np.nan]])
    tree = DecisionTreeRegressor().fit(x, [1.0, 1.0, 5.0, 5.0])
    assert tree.rules() == ["if x0 is known then 1 (2 rows)", "if x0 is missing then 5 (2 rows)"]
    assert tree.predict([[1e9], [np.nan]]).tolist() == [1.0, 5.0]


class TestBadInput:
    def test_all_missing_and_constant_columns_are_never_split(self):
        x = np.column_stack([np.full(20, np.nan), np.ones(20), np.arange(20.0)])
        for kind in (DecisionTreeClassifier, ExtraTreeClassifier):
            tree = kind(random_state=0).fit(x, np.arange(20) > 7)
            assert set(tree.tree_.feature) <= {-2, 2}
            assert tree.score(x, np.arange(20) > 7) == 1.0
        nothing = DecisionTreeRegressor().fit(x[:, :2], np.arange(20.0))
        assert nothing.get_n_leaves() == 1
        assert nothing.rules() == ["always 9.5 (20 rows)"]
        assert nothing.feature_importances_.tolist() == [0.0, 0.0]

    def test_one_class_one_row(self):
        assert DecisionTreeClassifier().fit([[1.0], [2.0]], ["a", "a"]).predict([[9.0]]) == ["a"]
        one = DecisionTreeClassifier().fit([[1.0]], ["a"])
        assert one.predict_proba([[3.0]]).tolist() == [[1.0]]
        assert DecisionTreeRegressor().fit([[1.0]], [4.0]).predict([[3.0]]).tolist() == [4.0]

    @pytest.mark.parametrize("kind", [DecisionTreeClassifier, ExtraTreeRegressor])
    def test_infinities_and_negative_weights_are_refused(self, kind):
        with pytest.raises(ValueError, match="infinity"):
            kind().fit([[np.inf], [1.0]], [0, 1])
        with pytest.raises(ValueError, match="negative"):
            kind().fit([[0.0], [1.0]], [0, 1], [1.0, -1.0])
        with pytest.raises(ValueError, match="y"):
            kind().fit([[0.0], [1.0]], [0, np.nan])

    def test_parameters_are_refused_in_a_sentence(self):
        for wrong in (
            {"max_depth": 0}, {"min_samples_split": 1}, {"min_samples_leaf": 0},
            {"max_leaf_nodes": 1}, {"ccp_alpha": -1.0}, {"criterion": "gain"},
            {"max_features": 0}, {"min_samples_leaf": 1.5}, {"categorical_features": "all"},
        ):  # fmt: skip
            with pytest.raises(InvalidParameterError, match=next(iter(wrong))):
                DecisionTreeClassifier(**wrong).fit(IRIS, SPECIES)

    def test_monotone_signs_are_checked(self):
        for signs, words in (([1], "features"), ([1, 0, 2, 0], "monotonic_cst"),
                             ([1, 0, 0, 0], "multiclass")):  # fmt: skip
            with pytest.raises(ValueError, match=words):
                DecisionTreeClassifier(monotonic_cst=signs).fit(IRIS, SPECIES)
        with pytest.raises(ValueError, match="multiple outputs"):
            DecisionTreeRegressor(monotonic_cst=[1, 0]).fit(IRIS[:, :2], IRIS[:, 2:])

    def test_poisson_needs_counts(self):
        with pytest.raises(ValueError, match="negative"):
            DecisionTreeRegressor(criterion="poisson").fit([[0.0], [1.0]], [1, -1])
        with pytest.raises(ValueError, match="Sum of y"):
            DecisionTreeRegressor(criterion="poisson").fit([[0.0], [1.0]], [0, 0])

    def test_class_weights_are_checked(self):
        two = np.column_stack([SPECIES, SPECIES > 0])
        for weight, y in (([{0: 1.0}], two), ({0: 1.0}, two), ({"x": 1.0}, SPECIES)):
            with pytest.raises(InvalidParameterError, match="class_weight"):
                DecisionTreeClassifier(class_weight=weight).fit(IRIS, y)


def test_tiny_and_huge_targets_are_split_alike():
    x = np.arange(40.0)[:, None]
    y = np.sin(x[:, 0])
    base = DecisionTreeRegressor(min_samples_leaf=2).fit(x, y).tree_
    for scale in (1e-12, 1e12):
        tree = DecisionTreeRegressor(min_samples_leaf=2).fit(x, scale * y).tree_
        np.testing.assert_array_equal(tree.threshold, base.threshold)


def test_neighbouring_floats_are_told_apart():
    low = 1.0
    high = np.nextafter(low, 2.0)
    tree = DecisionTreeRegressor().fit([[low], [high]], [0.0, 1.0])
    assert tree.predict([[low], [high]]).tolist() == [0.0, 1.0]


def test_sparse_rows_are_dense_ones():
    x = scipy.sparse.random_array((9000, 5), density=0.3, rng=np.random.default_rng(0))
    y = x.toarray()[:, 0] > 0.2
    sparse, dense = (DecisionTreeClassifier().fit(z, y) for z in (x.tocsc(), x.toarray()))
    np.testing.assert_array_equal(sparse.tree_.threshold, dense.tree_.threshold)
    np.testing.assert_array_equal(sparse.apply(x.tocsr()), dense.apply(x.toarray()))
    paths = sparse.decision_path(x.tocsr()) - dense.decision_path(x.toarray())
    assert paths.nnz == 0


def test_state_is_plain_and_pickles():
    frame = pd.DataFrame({"a": ["x", "y", "x"], "b": [1.0, 2.0, 3.0]})
    tree = ExtraTreeClassifier(random_state=0).fit(frame, [0, 1, 1])
    again = pickle.loads(pickle.dumps(tree))
    np.testing.assert_array_equal(again.predict(frame), tree.predict(frame))


def test_pictures_show_a_summary():
    tree = DecisionTreeClassifier().fit(IRIS, SPECIES)
    assert plot_tree(tree).texts
    rng = np.random.default_rng(0)
    big = DecisionTreeRegressor().fit(rng.normal(size=(2000, 3)), rng.normal(size=2000))
    texts = [each.get_text() for each in big.plot().texts]
    assert len(texts) < 60
    assert any("leaves" in text for text in texts)
    two = DecisionTreeClassifier(max_depth=3).fit(IRIS[:, 2:], SPECIES)
    assert len(plot_tree_partition(two, IRIS[:, 2:], SPECIES).patches) == two.get_n_leaves()
    path = tree.cost_complexity_pruning_path(IRIS, SPECIES)
    assert path.plot().get_ylabel() == "impurity of the leaves"


def test_friedman_is_an_old_name():
    with pytest.warns(FutureWarning, match="squared_error"):
        old = DecisionTreeRegressor(criterion="friedman_mse").fit(SUGAR, PROGRESS)
    new = DecisionTreeRegressor().fit(SUGAR, PROGRESS)
    np.testing.assert_array_equal(old.tree_.threshold, new.tree_.threshold)


def test_impurities_refuse_nonsense():
    for counts in ([], [0, 0], [-1, 2], [[1, 2]]):
        with pytest.raises(InvalidDataError):
            impurity(counts)
    with pytest.raises(InvalidParameterError):
        impurity([1, 2], "gain")
