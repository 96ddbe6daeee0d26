"""Ensembles as sequences of members, and members of sparse rows."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csc_array, csr_array

from stylobate.base import BaseEstimator
from stylobate.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
)
from stylobate.tree import DecisionTreeClassifier

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(60, 4)), RNG.integers(0, 2, 60)


class Witness(BaseEstimator):
    """Remembers what it was fitted to; its `fit` returns nothing."""

    def fit(self, X, y):
        self.kind_, self.rows_ = type(X), X.shape[0]
        self.classes_ = np.unique(y)

    def predict(self, X):
        return np.zeros(X.shape[0], dtype=int)


@pytest.mark.parametrize(
    "model", [BaggingClassifier(n_estimators=3), AdaBoostClassifier(n_estimators=3)], ids=repr
)
def test_a_sequence_of_members(model):
    assert len(model) == 0
    assert list(model) == []
    model.fit(X, Y)
    assert len(model) == len(model.estimators_)
    assert model[0] is model.estimators_[0]
    assert list(model) == model.estimators_


@pytest.mark.parametrize("container", [csr_array, csc_array])
def test_members_get_the_container_given(container):
    model = BaggingClassifier(Witness(), 3, max_samples=0.5, random_state=0).fit(container(X), Y)
    assert {one.kind_ for one in model.estimators_} == {container}
    assert {one.rows_ for one in model.estimators_} == {30}


def test_what_forests_say_of_their_members():
    forest = ExtraTreesRegressor(3, bootstrap=True, random_state=0).fit(X, Y)
    assert type(forest.estimator).__name__ == "ExtraTreeRegressor"
    assert "estimator" not in forest.get_params()
    assert {rows.dtype for rows in forest.estimators_samples_} == {np.dtype(np.int32)}


def test_rows_left_out_are_scored_when_asked_for_later():
    forest = RandomForestClassifier(30, warm_start=True, random_state=0).fit(X, Y)
    with pytest.warns(UserWarning, match="does not fit new trees"):
        forest.set_params(oob_score=True).fit(X, Y)
    whole = RandomForestClassifier(30, oob_score=True, random_state=0).fit(X, Y)
    assert forest.oob_score_ == whole.oob_score_


@pytest.mark.parametrize("container", [csr_array, csc_array])
def test_the_arrays_of_a_tree_take_sparse_rows(container):
    tree = DecisionTreeClassifier(random_state=0).fit(X, Y)
    rows = container(X)
    assert_array_equal(tree.tree_.apply(rows), tree.tree_.apply(X))
    assert_array_equal(tree.tree_.predict(rows), tree.tree_.predict(X))
    assert_array_equal(
        tree.tree_.decision_path(rows).toarray(), tree.tree_.decision_path(X).toarray()
    )
