"""HDBSCAN: scikit-learn's answers where no distances are equal, the definition where they are."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import sklearn.cluster
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.spatial.distance import cdist
from sklearn.metrics import adjusted_rand_score

from stylobate.cluster import HDBSCAN
from stylobate.exceptions import StylobateError, StylobateWarning
from stylobate.parallel import threads

SETTINGS: list[dict[str, Any]] = [
    {},
    {"min_cluster_size": 12},
    {"cluster_selection_method": "leaf"},
    {"cluster_selection_epsilon": 0.4},
    {"cluster_selection_method": "leaf", "cluster_selection_epsilon": 0.4},
    {"allow_single_cluster": True},
    {"allow_single_cluster": True, "cluster_selection_epsilon": 0.7},
    {"max_cluster_size": 30},
    {"alpha": 1.5},
    {"metric": "manhattan"},
    {"metric": "canberra", "alpha": 0.7},
    {"algorithm": "brute", "alpha": 0.8},
    {"metric": "cosine"},
]


def blobs(seed: int, n: int = 200, columns: int = 2) -> Any:
    generator = np.random.default_rng(seed)
    centres = generator.uniform(-5, 5, (4, columns))
    width = generator.uniform(0.2, 0.9)
    return centres[generator.integers(4, size=n)] + width * generator.normal(size=(n, columns))


def same_partition(a: Any, b: Any) -> bool:
    return np.array_equal(a < 0, b < 0) and adjusted_rand_score(a, b) == 1.0


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), more=st.sampled_from(SETTINGS))
def test_the_same_as_scikit_learn_without_ties(seed: int, more: dict[str, Any]) -> None:
    """With min_samples=1 core distances are 0, and no two distances of random rows are equal."""
    X = blobs(seed, 60 + seed % 150, 2 + seed % 3)
    ours = HDBSCAN(min_samples=1, **more).fit(X)
    try:
        theirs = sklearn.cluster.HDBSCAN(min_samples=1, copy=True, **more).fit(X)
    except (TypeError, KeyError):  # scikit-learn's search by epsilon fails on some trees
        return
    assert same_partition(ours.labels_, theirs.labels_)
    np.testing.assert_allclose(ours.probabilities_, theirs.probabilities_, rtol=1e-7, atol=1e-12)


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), more=st.sampled_from(SETTINGS))
def test_heights_are_those_of_scikit_learn(seed: int, more: dict[str, Any]) -> None:
    X = blobs(seed, 60 + seed % 150)
    wanted = {"min_samples": 2 + seed % 6} | more
    ours = HDBSCAN(**wanted).fit(X)
    try:
        theirs = sklearn.cluster.HDBSCAN(copy=True, **wanted).fit(X)
    except (TypeError, KeyError):
        return
    np.testing.assert_allclose(
        ours._single_linkage_tree_[:, 2], theirs._single_linkage_tree_["value"], 1e-9, 1e-12
    )


def reachability(X: Any, min_samples: int) -> Any:
    distances = cdist(X, X)
    core = np.sort(distances, axis=1)[:, min_samples - 1]
    return np.maximum(np.maximum(distances, core), core[:, None])


def defined(reach: Any, rows: Any, birth: float, smallest: int) -> tuple[float, list[Any]]:
    """The excess of mass of the best clusters at or below one, and these with their densities."""
    density = np.full(len(reach), 0.0)
    open_, parts = rows, [rows]
    while True:
        inner = reach[np.ix_(open_, open_)]
        height = minimum_spanning_tree(inner + 1e-300).max() if len(open_) > 1 else 0.0
        with np.errstate(divide="ignore"):
            level = np.float64(1.0) / (height if len(open_) > 1 else np.inf)
        _, part = connected_components((inner < height) & ~np.eye(len(open_), dtype=bool))
        parts = [open_[part == k] for k in range(part.max() + 1)]
        large = [each for each in parts if len(each) >= smallest]
        if len(large) == 1 and len(large[0]) < len(open_):
            density[np.setdiff1d(open_, large[0])] = level
            open_ = large[0]
            continue
        density[open_] = level
        break
    own = float((density[rows] - birth).sum())
    below = [defined(reach, each, level, smallest) for each in large] if len(large) > 1 else []
    mass = sum(each[0] for each in below)
    if birth and not mass > own:
        return own, [(rows, density)]
    return max(mass, own) if birth else mass, [found for each in below for found in each[1]]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("min_samples", [2, 5])
def test_labels_are_those_of_the_definition_with_ties(seed: int, min_samples: int) -> None:
    """Mutual reachability is full of equal distances; they come apart all at once."""
    X = blobs(seed, 90, 1 + seed % 3)
    model = HDBSCAN(min_cluster_size=5, min_samples=min_samples).fit(X)
    _, clusters = defined(reachability(X, min_samples), np.arange(90), 0.0, 5)
    labels, strength = np.full(90, -1), np.zeros(90)
    for label, (rows, density) in enumerate(clusters):
        labels[rows] = label
        strength[rows] = density[rows] / density[rows].max()
    assert same_partition(model.labels_, labels)
    np.testing.assert_allclose(model.probabilities_, strength, rtol=1e-9)


def test_ways_to_the_tree_agree() -> None:
    X = blobs(3, 400, 3)
    whole = HDBSCAN().fit(X)
    distances = cdist(X, X)
    graph = sparse.csr_array(distances)
    others = [
        HDBSCAN(algorithm="brute").fit(X),
        HDBSCAN(algorithm="ball_tree").fit(X),
        HDBSCAN().fit(sparse.csr_array(X)),
        HDBSCAN(metric="precomputed").fit(distances),
        HDBSCAN(metric="precomputed").fit(graph + sparse.eye_array(400) * 1e-300),
        HDBSCAN(metric=lambda a, b: float(np.sqrt(((a - b) ** 2).sum()))).fit(X),
    ]
    for other in others:
        assert np.array_equal(other.labels_, whole.labels_)
        np.testing.assert_allclose(other.probabilities_, whole.probabilities_, rtol=1e-6)


def test_rows_that_are_not_finite() -> None:
    X = blobs(4, 120)
    X[3, 0], X[7, 1], X[9] = np.inf, np.nan, [np.nan, np.inf]
    ours = HDBSCAN(min_samples=1).fit(X)
    theirs = sklearn.cluster.HDBSCAN(min_samples=1, copy=True).fit(X)
    assert ours.labels_[[3, 7, 9]].tolist() == [-2, -3, -3]
    assert np.array_equal(np.minimum(ours.labels_, 0), np.minimum(theirs.labels_, 0))
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0
    np.testing.assert_allclose(ours.probabilities_, theirs.probabilities_, rtol=1e-9)
    assert np.isnan(ours.outlier_scores_[[3, 7, 9]]).all()
    tree = ours.condensed_tree_
    assert tree.root == 120
    assert not np.isin([3, 7, 9], tree.child).any()
    assert np.array_equal(ours.predict(X[[0, 3, 7, 20]]), ours.labels_[[0, 3, 7, 20]])
    cut = ours.dbscan_clustering(0.5)
    assert cut[[3, 7, 9]].tolist() == [-2, -3, -3]


@pytest.mark.parametrize("seed", range(4))
def test_predictions(seed: int) -> None:
    """Rows of the fit belong where they are; new rows as the hdbscan package says."""
    X = blobs(seed, 500)
    model = HDBSCAN(min_cluster_size=10).fit(X)
    labels, strength = model.approximate_predict(X)
    assert np.array_equal(labels, model.labels_)
    np.testing.assert_allclose(strength, model.probabilities_, rtol=1e-9)
    far = model.predict(X[:5] + 1e3)
    assert (far == -1).all()
    hdbscan = pytest.importorskip("hdbscan")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = hdbscan.HDBSCAN(
            min_cluster_size=10, min_samples=9, prediction_data=True, approx_min_span_tree=False
        ).fit(X)
        new = blobs(seed, 300) + 0.05
        found, _ = hdbscan.approximate_predict(theirs, new)
    assert adjusted_rand_score(model.predict(new), found) > 0.97


@pytest.mark.parametrize("seed", range(4))
def test_outlier_scores_by_the_formula(seed: int) -> None:
    model = HDBSCAN(min_cluster_size=8).fit(blobs(seed, 150))
    tree = model.condensed_tree_
    below: dict[int, list[int]] = {}
    for parent, child in zip(tree.parent.tolist(), tree.child.tolist(), strict=True):
        below.setdefault(parent, []).append(child)
    density = dict(zip(tree.child.tolist(), tree.lambda_val.tolist(), strict=True))

    def densest(cluster: int) -> float:
        parts = below.get(cluster, [])
        return max(densest(each) if each >= tree.root else density[each] for each in parts)

    for cluster, parts in below.items():
        most = densest(cluster)
        for row in (each for each in parts if each < tree.root):
            assert model.outlier_scores_[row] == pytest.approx(1.0 - density[row] / most)


def test_centres() -> None:
    X = blobs(5, 150)
    ours = HDBSCAN(min_samples=1, store_centers="both").fit(X)
    theirs = sklearn.cluster.HDBSCAN(min_samples=1, store_centers="both", copy=True).fit(X)
    for name in ("centroids_", "medoids_"):
        mine, other = (np.array(sorted(getattr(m, name).tolist())) for m in (ours, theirs))
        np.testing.assert_allclose(mine, other, rtol=1e-9)


def test_one_distance_is_dbscan_without_borders() -> None:
    X = blobs(6, 300)
    model = HDBSCAN(min_samples=5).fit(X)
    reach = reachability(X, 5)
    _, part = connected_components((reach < 0.6) & ~np.eye(300, dtype=bool), directed=False)
    sizes = np.bincount(part)
    expected = np.where(sizes[part] >= 5, part, -1)
    assert same_partition(model.dbscan_clustering(0.6), expected)


def test_same_bits_for_any_number_of_threads() -> None:
    X = blobs(7, 4000, 4)
    found = []
    for count in (1, 2, 7):
        with threads(count):
            found.append(HDBSCAN(min_cluster_size=20).fit(X))
    for other in found[1:]:
        assert np.array_equal(found[0].labels_, other.labels_)
        assert np.array_equal(found[0].probabilities_, other.probabilities_)


def test_odd_rows() -> None:
    equal = HDBSCAN(min_cluster_size=3).fit(np.ones((20, 2)))
    assert (equal.labels_ == -1).all()
    single = HDBSCAN(min_cluster_size=3, allow_single_cluster=True).fit(np.ones((20, 2)))
    assert (single.labels_ == 0).all()
    assert (single.probabilities_ == 1.0).all()
    twice = HDBSCAN(min_cluster_size=3).fit(np.repeat([[0.0], [1.0]], 10, axis=0))
    assert same_partition(twice.labels_, np.repeat([0, 1], 10))
    two = HDBSCAN(min_cluster_size=2, min_samples=1).fit([[0.0], [1.0]])
    assert (two.labels_ == -1).all()


@pytest.mark.parametrize(
    ("X", "settings_", "words"),
    [
        ([[1.0]], {}, "n_samples=1"),
        ([[1.0], [2.0]], {}, "min_samples"),
        ([[0.0, 1.0], [2.0, 0.0]], {"metric": "precomputed", "min_samples": 1}, "asymmetric"),
        ([[0.0, np.nan], [np.nan, 0.0]], {"metric": "precomputed", "min_samples": 1}, "nan"),
        ([[0.0, -1.0], [-1.0, 0.0]], {"metric": "precomputed", "min_samples": 1}, "Negative"),
        (np.eye(6), {"metric": "precomputed", "store_centers": "medoid"}, "Cannot store centers"),
        (np.eye(6), {"metric": "cosine", "algorithm": "kd_tree"}, "not a valid metric"),
        (sparse.eye_array(6).tocsr(), {"algorithm": "kd_tree"}, "Sparse"),
        (sparse.eye_array(6).tocsr(), {"metric": "precomputed"}, "fewer than 5 neighbors"),
    ],
)
def test_what_is_refused(X: Any, settings_: dict[str, Any], words: str) -> None:
    with pytest.raises(StylobateError, match=words):
        HDBSCAN(**settings_).fit(X)


def test_missing_distances_are_said() -> None:
    distances = np.full((12, 12), np.inf)
    for part in (slice(0, 6), slice(6, 12)):
        distances[part, part] = cdist(np.arange(6.0)[:, None], np.arange(6.0)[:, None])
    with pytest.warns(StylobateWarning, match="infinity"):
        model = HDBSCAN(metric="precomputed", min_cluster_size=3).fit(distances)
    assert same_partition(model.labels_, np.repeat([0, 1], 6))


def test_the_picture() -> None:
    tree = HDBSCAN(min_cluster_size=10).fit(blobs(8, 300)).condensed_tree_
    ax = tree.plot()
    assert ax.yaxis_inverted()
    assert len(ax.texts) == len(tree.selected)
