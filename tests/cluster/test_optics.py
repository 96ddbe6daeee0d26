"""OPTICS: scikit-learn's order, reachabilities and clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sklearn.cluster
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist

from stylobate.cluster import (
    OPTICS,
    cluster_optics_dbscan,
    cluster_optics_xi,
    compute_optics_graph,
)
from stylobate.exceptions import StylobateError, StylobateWarning
from stylobate.parallel import threads

pytestmark = pytest.mark.filterwarnings(
    "ignore:All reachability values are inf", "ignore:invalid value", "ignore:divide by zero"
)


def same(ours: Any, theirs: Any) -> None:
    for name in ("ordering_", "predecessor_", "labels_"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name
    for name in ("reachability_", "core_distances_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-12)
    if hasattr(theirs, "cluster_hierarchy_"):
        assert np.array_equal(ours.cluster_hierarchy_, theirs.cluster_hierarchy_)


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(5, 150),
    columns=st.integers(1, 4),
    grid=st.booleans(),
    more=st.sampled_from(
        [
            {},
            {"max_eps": 0.5},
            {"metric": "manhattan"},
            {"cluster_method": "dbscan", "eps": 0.3},
            {"xi": 0.2, "min_cluster_size": 0.1},
            {"predecessor_correction": False},
            {"min_samples": 0.1},
            {"metric": "canberra"},
        ]
    ),
)
def test_the_same_as_scikit_learn(
    seed: int, n: int, columns: int, grid: bool, more: dict[str, Any]
) -> None:
    X = np.random.default_rng(seed).normal(size=(n, columns))
    X = np.round(X, 1) if grid else X
    settings_ = {"min_samples": 4} | more
    # its brute force rounds the distances of two rows differently from either side
    tree = "ball_tree" if more.get("metric") == "canberra" else "kd_tree"
    theirs = sklearn.cluster.OPTICS(**settings_, algorithm=tree).fit(X)
    same(OPTICS(**settings_).fit(X), theirs)


def test_given_distances() -> None:
    X = np.random.default_rng(1).normal(size=(80, 2))
    distances = cdist(X, X)
    settings_ = {"min_samples": 4, "metric": "precomputed"}
    same(OPTICS(**settings_).fit(distances), sklearn.cluster.OPTICS(**settings_).fit(distances))
    graph = sparse.csr_array(np.where(distances < 3.0, distances, 0.0))
    settings_ |= {"max_eps": 1.0}
    same(OPTICS(**settings_).fit(graph), sklearn.cluster.OPTICS(**settings_).fit(graph))


def test_same_bits_for_any_number_of_threads() -> None:
    X = np.random.default_rng(2).normal(size=(3000, 3))
    found = []
    for count in (1, 2, 7):
        with threads(count):
            found.append(OPTICS(min_samples=6).fit(X))
    for other in found[1:]:
        assert np.array_equal(found[0].ordering_, other.ordering_)
        assert np.array_equal(found[0].reachability_, other.reachability_)


def test_parts_give_the_whole() -> None:
    X = np.random.default_rng(3).normal(size=(200, 2))
    model = OPTICS(min_samples=5).fit(X)
    order, core, reach, predecessor = compute_optics_graph(
        X,
        min_samples=5,
        max_eps=np.inf,
        metric="minkowski",
        p=2,
        metric_params=None,
        algorithm="auto",
        leaf_size=30,
        n_jobs=None,
    )
    assert np.array_equal(order, model.ordering_)
    labels, _ = cluster_optics_xi(
        reachability=reach, predecessor=predecessor, ordering=order, min_samples=5
    )
    assert np.array_equal(labels, model.labels_)
    cut = cluster_optics_dbscan(reachability=reach, core_distances=core, ordering=order, eps=0.4)
    theirs = sklearn.cluster.cluster_optics_dbscan(
        reachability=reach, core_distances=core, ordering=order, eps=0.4
    )
    assert np.array_equal(cut, theirs)


def test_odd_rows_and_refusals() -> None:
    equal = OPTICS(min_samples=3).fit(np.ones((20, 2)))
    assert equal.ordering_.tolist() == list(range(20))
    assert np.array_equal(equal.reachability_, [np.inf, *[0.0] * 19])
    with pytest.warns(StylobateWarning, match="All reachability values are inf"):
        OPTICS(min_samples=3, max_eps=1e-9).fit(np.arange(9.0)[:, None])
    for settings_ in ({"min_samples": 9}, {"cluster_method": "dbscan", "max_eps": 1.0, "eps": 2.0}):
        with pytest.raises(StylobateError):
            OPTICS(**settings_).fit(np.arange(6.0)[:, None])


def test_the_picture() -> None:
    model = OPTICS(min_samples=5).fit(np.random.default_rng(4).normal(size=(100, 2)))
    ax = model.plot()
    assert ax.get_ylabel() == "reachability distance"
    assert ax.get_xlim() == (-0.5, 99.5)
