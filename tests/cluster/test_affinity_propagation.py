"""Affinity propagation: scikit-learn's exemplars, with the same noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sklearn.cluster
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist

from stylobate.cluster import AffinityPropagation, affinity_propagation
from stylobate.exceptions import ConvergenceWarning, StylobateError, StylobateWarning


@settings(max_examples=10, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(3, 60),
    more=st.sampled_from(
        [{}, {"damping": 0.8}, {"preference": -3.0}, {"convergence_iter": 5}, {"max_iter": 3}]
    ),
)
@pytest.mark.filterwarnings("ignore:Affinity propagation did not")
def test_the_same_as_scikit_learn(seed: int, n: int, more: dict[str, Any]) -> None:
    X = np.random.default_rng(seed).normal(size=(n, 2))
    similarities = -cdist(X, X, "sqeuclidean")
    settings_ = {"affinity": "precomputed", "random_state": 7} | more
    ours = AffinityPropagation(**settings_).fit(similarities)
    theirs = sklearn.cluster.AffinityPropagation(**settings_).fit(similarities)
    assert np.array_equal(ours.cluster_centers_indices_, theirs.cluster_centers_indices_)
    assert np.array_equal(ours.labels_, theirs.labels_)
    assert ours.n_iter_ == theirs.n_iter_


def test_rows_and_predictions() -> None:
    X = np.random.default_rng(1).normal(size=(80, 3))
    ours = AffinityPropagation(random_state=0).fit(X)
    theirs = sklearn.cluster.AffinityPropagation(random_state=0).fit(X)
    assert np.array_equal(ours.labels_, theirs.labels_)
    assert np.array_equal(ours.predict(X + 0.1), theirs.predict(X + 0.1))
    scarce = AffinityPropagation(random_state=0).fit(sparse.csr_array(X))
    assert np.array_equal(scarce.labels_, ours.labels_)


def test_what_is_passed_is_left_alone() -> None:
    similarities = -cdist(np.arange(9.0)[:, None], np.arange(9.0)[:, None])
    before = similarities.copy()
    affinity_propagation(similarities, random_state=0)
    assert np.array_equal(similarities, before)


def test_odd_similarities_and_refusals() -> None:
    with pytest.warns(StylobateWarning, match="equal similarities"):
        centres, labels = affinity_propagation(np.full((4, 4), -1.0), preference=-5.0)
    assert centres.tolist() == [0]
    assert labels.tolist() == [0] * 4
    with pytest.warns(StylobateWarning, match="equal similarities"):
        assert affinity_propagation(np.full((3, 3), -1.0), preference=0.0)[1].tolist() == [0, 1, 2]
    with pytest.raises(StylobateError, match="square"):
        affinity_propagation([[0.0, 1.0]])
    with pytest.raises(StylobateError, match="preference"):
        AffinityPropagation(preference=[1.0]).fit([[0.0], [1.0], [5.0]])
    X = np.random.default_rng(2).normal(size=(30, 2))
    with pytest.warns(ConvergenceWarning):
        lost = AffinityPropagation(preference=-10.0, max_iter=1, random_state=0).fit(X)
    assert (lost.labels_ == -1).all()
    with pytest.warns(ConvergenceWarning, match="does not have any"):
        assert (lost.predict(X) == -1).all()
