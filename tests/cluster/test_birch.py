"""Birch: scikit-learn's subclusters and labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sklearn.cluster
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

import stylobate
from stylobate.cluster import Birch
from stylobate.exceptions import ConvergenceWarning


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 300),
    columns=st.integers(1, 5),
    threshold=st.sampled_from([0.1, 0.3, 0.8]),
    branches=st.sampled_from([2, 3, 10, 50]),
)
def test_the_same_as_scikit_learn(
    seed: int, n: int, columns: int, threshold: float, branches: int
) -> None:
    X = np.random.default_rng(seed).normal(size=(n, columns))
    settings_: dict[str, Any] = {
        "threshold": threshold,
        "branching_factor": branches,
        "n_clusters": None,
    }
    ours, theirs = Birch(**settings_).fit(X), sklearn.cluster.Birch(**settings_).fit(X)
    # which half of a split node comes first hangs there on the rounding of a matrix product
    mine, other = (np.lexsort(m.subcluster_centers_.T) for m in (ours, theirs))
    np.testing.assert_allclose(
        ours.subcluster_centers_[mine], theirs.subcluster_centers_[other], rtol=1e-9
    )
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0
    assert np.array_equal(ours.predict(X), ours.labels_)
    np.testing.assert_allclose(ours.transform(X)[:, mine], theirs.transform(X)[:, other], atol=1e-7)


def test_batches_are_the_whole(tmp_path: Any) -> None:
    """Whatever is read in between, a model file included."""
    X = np.random.default_rng(1).normal(size=(400, 3))
    whole = Birch(threshold=0.4, branching_factor=4, n_clusters=None).fit(X)
    parts = Birch(threshold=0.4, branching_factor=4, n_clusters=None)
    for some in np.array_split(X[:300], 7):
        parts.partial_fit(some)
    stylobate.save(parts, tmp_path / "birch")
    loaded = stylobate.load(tmp_path / "birch").partial_fit(X[300:])
    assert np.array_equal(loaded.subcluster_centers_, whole.subcluster_centers_)
    scarce = Birch(threshold=0.4, branching_factor=4, n_clusters=None).fit(sparse.csr_array(X))
    assert np.array_equal(scarce.subcluster_centers_, whole.subcluster_centers_)


def test_clusters_of_the_subclusters() -> None:
    generator = np.random.default_rng(2)
    X = np.concatenate([generator.normal(c, 0.3, (60, 2)) for c in (0.0, 4.0, 9.0)])
    ours, theirs = Birch().fit(X), sklearn.cluster.Birch().fit(X)
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0
    means = Birch(n_clusters=sklearn.cluster.KMeans(3, random_state=0)).fit(X)
    assert len(np.unique(means.labels_)) == 3
    again = Birch(n_clusters=None).fit(X).set_params(n_clusters=3).partial_fit()
    assert np.array_equal(again.predict(X), ours.labels_)
    with pytest.warns(ConvergenceWarning, match="Number of subclusters"):
        Birch(n_clusters=100, threshold=5.0).fit(X)


def test_equal_rows() -> None:
    model = Birch(n_clusters=1, branching_factor=2).fit(np.ones((20, 2)))
    assert model.subcluster_centers_.tolist() == [[1.0, 1.0]]
    assert (model.labels_ == 0).all()
