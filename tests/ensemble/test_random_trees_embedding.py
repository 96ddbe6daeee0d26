"""RandomTreesEmbedding: what any random trees must do, and scikit-learn's where chance averages."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn.ensemble as theirs
from scipy import sparse

from stylobate.ensemble import RandomTreesEmbedding
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.parallel import threads

X = np.random.default_rng(0).standard_normal((80, 3)) * [1.0, 5.0, 0.1]


def test_rows_are_indicators_of_leaves():
    model = RandomTreesEmbedding(12, max_depth=4, random_state=1)
    found = model.fit_transform(X)
    assert isinstance(found, sparse.csr_matrix)  # what scikit-learn returns
    assert found.dtype == np.float64
    assert found.shape == (80, sum(tree.get_n_leaves() for tree in model))
    leaves = model.apply(X)
    np.testing.assert_array_equal(
        found.toarray(), model.one_hot_encoder_.transform(leaves).todense()
    )
    np.testing.assert_array_equal(found.toarray(), model.transform(X).toarray())
    dense = RandomTreesEmbedding(12, max_depth=4, random_state=1, sparse_output=False)
    np.testing.assert_array_equal(dense.fit_transform(X), found.toarray())
    assert (found.sum(axis=0) >= 1).all()  # every leaf holds a row it was grown from


def test_names_say_tree_and_node():
    model = RandomTreesEmbedding(3, max_depth=2, random_state=0, sparse_output=False)
    frame = model.set_output(transform="pandas").fit_transform(X)
    leaves = model.apply(X)
    for name in frame.columns:
        prefix, number, leaf = name.split("_")
        assert prefix == "randomtreesembedding"
        np.testing.assert_array_equal(frame[name], leaves[:, int(number)] == int(leaf))


@pytest.mark.parametrize(
    "options",
    [
        {"max_depth": 1},
        {"max_depth": None, "max_leaf_nodes": 7},
        {"max_depth": None},
        {"max_depth": None, "min_samples_leaf": 40},
    ],
)
def test_leaf_counts_that_chance_cannot_change(options):
    ours = RandomTreesEmbedding(5, random_state=0, **options).fit(X)
    other = theirs.RandomTreesEmbedding(5, random_state=0, **options).fit(X)
    counts = [tree.get_n_leaves() for tree in other.estimators_]
    if "min_samples_leaf" in options:  # one split at most, and only at the median
        assert max(counts) <= 2 >= max(tree.get_n_leaves() for tree in ours)
    else:
        assert [tree.get_n_leaves() for tree in ours] == counts


def test_rows_meet_as_often_as_scikit_learns():
    """The share of trees in which two rows share a leaf estimates one number for both."""
    count = 400
    ours = RandomTreesEmbedding(count, max_depth=3, random_state=0).fit_transform(X)
    other = theirs.RandomTreesEmbedding(count, max_depth=3, random_state=0).fit_transform(X)
    a, b = ((each @ each.T).toarray() / count for each in (ours, other))
    pairs = np.triu_indices(len(X), 1)
    p = 0.5 * (a + b)[pairs]
    error = np.sqrt(2.0 * p * (1.0 - p) / count) + 1e-3
    z = (a - b)[pairs] / error
    assert abs(z).max() < 5.5  # of 3160 pairs
    assert 0.8 < z.std() < 1.2
    assert abs((ours.shape[1] - other.shape[1]) / other.shape[1]) < 0.05


def test_the_same_for_any_number_of_threads_and_other_seeds_differ():
    found = []
    for count in (1, 2, 3):
        with threads(count):
            found.append(RandomTreesEmbedding(9, random_state=4).fit_transform(X))
    for each in found[1:]:
        np.testing.assert_array_equal(found[0].indices, each.indices)
    other = RandomTreesEmbedding(9, random_state=5).fit_transform(X)
    assert other.shape != found[0].shape or (other != found[0]).nnz
    model = RandomTreesEmbedding(9, random_state=4).fit(X)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.transform(X).indices, found[0].indices)


def test_warm_start_keeps_the_trees():
    whole = RandomTreesEmbedding(8, random_state=2).fit(X)
    grown = RandomTreesEmbedding(3, random_state=2, warm_start=True).fit(X)
    first = grown.estimators_[0].tree_
    grown.set_params(n_estimators=8).fit(X)
    assert grown.estimators_[0].tree_ is first
    np.testing.assert_array_equal(grown.transform(X).indices, whole.transform(X).indices)


def test_tables_with_words_gaps_and_sparse_rows():
    frame = pd.DataFrame({"size": [1.0, 2.0, np.nan, 4.0], "kind": ["a", "b", "a", None]})
    found = RandomTreesEmbedding(20, random_state=0).fit(frame).transform(frame)
    assert (found.sum(axis=1) == 20).all()
    rows = sparse.random_array((60, 5), density=0.3, rng=np.random.default_rng(0), format="csr")
    kept = RandomTreesEmbedding(6, random_state=0).fit(rows)
    same = RandomTreesEmbedding(6, random_state=0).fit(rows.toarray())
    assert isinstance(kept.transform(rows), sparse.sparray)
    np.testing.assert_array_equal(
        kept.transform(rows).indices, same.transform(rows.toarray()).indices
    )


def test_what_has_no_answer_is_refused():
    with pytest.raises(InvalidParameterError, match="max_depth"):
        RandomTreesEmbedding(max_depth=0).fit(X)
    model = RandomTreesEmbedding(2, random_state=0).fit(X)
    with pytest.raises(InvalidDataError, match="2 features"):
        model.transform(X[:, :2])
    with pytest.raises(InvalidParameterError, match="bootstrap"):
        model.importances(X, X[:, 0])
    assert not hasattr(model, "shap_values")  # there is no prediction to explain
    one = RandomTreesEmbedding(3, random_state=0).fit_transform(np.ones((4, 2)))
    np.testing.assert_array_equal(one.toarray(), np.ones((4, 3)))  # constant columns: one leaf
