"""Silhouettes and scores of spread against brute force and scikit-learn."""

from __future__ import annotations

import tracemalloc
import warnings
from typing import Any

import numpy as np
import pytest
import sklearn.metrics as peer
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics import (
    calinski_harabasz_score,
    compare_clusterings,
    davies_bouldin_score,
    dunn_score,
    pairwise_distances,
    silhouette_samples,
    silhouette_score,
    silhouette_scores,
)
from stylobate.parallel import set_threads


def rows(n: int = 150, p: int = 4, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=(n, p))


def brute(D: Any, labels: Any) -> Any:
    """The definition, row by row."""
    out = []
    for i, own in enumerate(labels):
        same = (labels == own) & (np.arange(len(labels)) != i)
        if not same.any():
            out.append(0.0)
            continue
        a = D[i, same].mean()
        b = min(D[i, labels == other].mean() for other in set(labels) - {own})
        out.append((b - a) / max(a, b) if max(a, b) > 0 else 0.0)
    return np.array(out)


@given(st.integers(3, 60), st.integers(2, 6), st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_definition(n: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(n, 2)).astype(float)  # with equal rows
    labels = rng.integers(0, k, n)
    if not 1 < len(set(labels)) < n:
        return
    D = pairwise_distances(X)
    np.testing.assert_allclose(silhouette_samples(X, labels), brute(D, labels), atol=1e-12)


@pytest.mark.parametrize(
    "metric",
    ["euclidean", "manhattan", "cosine", "chebyshev", "canberra", "sqeuclidean", "correlation"],
)
def test_metrics_of_the_core(metric: str) -> None:
    X, labels = rows(), np.random.default_rng(1).integers(0, 5, 150)
    D = peer.pairwise_distances(X, metric=metric)
    np.testing.assert_allclose(
        silhouette_samples(X, labels, metric=metric), brute(D, labels), atol=1e-12
    )
    same = labels[:, None] == labels
    assert dunn_score(X, labels, metric=metric) == pytest.approx(D[~same].min() / D[same].max())


def test_other_ways_to_distances() -> None:
    X, labels = rows(80), np.random.default_rng(1).integers(0, 3, 80)
    want = brute(pairwise_distances(X, metric="l1"), labels)
    D = pairwise_distances(X, metric="l1")
    by_function = silhouette_samples(X, labels, metric=lambda a, b: np.abs(a - b).sum())
    np.testing.assert_allclose(by_function, want, atol=1e-12)
    np.testing.assert_allclose(
        silhouette_samples(D, labels, metric="precomputed"), want, atol=1e-12
    )
    sparse = silhouette_samples(csr_array(D), labels, metric="precomputed")
    np.testing.assert_allclose(sparse, want, atol=1e-12)
    np.testing.assert_allclose(
        silhouette_samples(csr_array(X), labels), silhouette_samples(X, labels), atol=1e-10
    )
    assert dunn_score(D, labels, metric="precomputed") == pytest.approx(
        dunn_score(X, labels, metric="l1")
    )
    uneven = D.copy()
    uneven[0, 1] = 9.0  # the row's own distances count, not the column's
    np.testing.assert_allclose(
        silhouette_samples(uneven, labels, metric="precomputed"), brute(uneven, labels), atol=1e-12
    )


def test_blocks_of_given_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    X, labels = rows(90), np.random.default_rng(1).integers(0, 3, 90)
    D = pairwise_distances(X)
    want = silhouette_samples(D, labels, metric="precomputed")
    dunn = dunn_score(D, labels, metric="precomputed")
    monkeypatch.setattr("stylobate.metrics.cluster.clustered_rows._BLOCK_NUMBERS", 1000)
    np.testing.assert_array_equal(silhouette_samples(D, labels, metric="precomputed"), want)
    assert dunn_score(D, labels, metric="precomputed") == dunn


@pytest.mark.parametrize("kind", ["random", "nested", "many"])
def test_many_clusterings_at_once(kind: str) -> None:
    n = 400
    rng = np.random.default_rng(3)
    X = rows(n, 3, 3)
    order = np.argsort(X[:, 0])
    made = {
        "random": [rng.integers(0, k, n) for k in range(2, 9)],
        "nested": [np.argsort(order) * k // n for k in (2, 4, 8, 16)],
        "many": [rng.integers(0, k, n) for k in (100, 150, 2)],
    }[kind]
    got = silhouette_scores(X, made)
    np.testing.assert_allclose(got, [peer.silhouette_score(X, each) for each in made], atol=1e-12)
    named = silhouette_scores(X, {f"k{i}": each for i, each in enumerate(made)})
    assert list(named.values()) == got.tolist()
    np.testing.assert_allclose(got[1:], silhouette_scores(X, made[1:]), atol=1e-12)


def test_bits_do_not_depend_on_threads() -> None:
    X, rng = rows(1200, 5), np.random.default_rng(0)
    made = [rng.integers(0, k, 1200) for k in (2, 3, 30)]
    before = set_threads(1)
    try:
        found = []
        for threads in (1, 2, 7):
            set_threads(threads)
            found.append((silhouette_scores(X, made).tobytes(), dunn_score(X, made[0])))
    finally:
        set_threads(before)
    assert found[0] == found[1] == found[2]


def test_memory_is_not_that_of_all_pairs() -> None:
    n = 6000
    X, labels = rows(n, 2), np.arange(n) % 7
    tracemalloc.start()
    silhouette_score(X, labels)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < n * n  # an eighth of the distances


def test_precision_and_sample() -> None:
    X, labels = rows().astype(np.float32), np.random.default_rng(1).integers(0, 3, 150)
    assert silhouette_samples(X, labels).dtype == np.float32
    want = peer.silhouette_score(X.astype(float), labels, sample_size=60, random_state=3)
    assert silhouette_score(X.astype(float), labels, sample_size=60, random_state=3) == (
        pytest.approx(want)
    )
    with pytest.raises(InvalidParameterError, match="sample_size"):
        silhouette_score(X, labels, sample_size=0)


@pytest.mark.parametrize(
    "score", [silhouette_score, calinski_harabasz_score, davies_bouldin_score, dunn_score]
)
def test_refusals(score: Any) -> None:
    X = rows(6, 2)
    for labels in ([0] * 6, range(6)):
        with pytest.raises(InvalidDataError, match="Number of labels is"):
            score(X, list(labels))
    with pytest.raises(InvalidDataError, match=r"inconsistent numbers of samples: \[6, 2\]"):
        score(X, [0, 1])
    with pytest.raises(InvalidDataError, match="NaN"):
        score(np.where(X > 0, np.nan, X), [0, 0, 0, 1, 1, 1])
    with pytest.raises(InvalidDataError, match="infinity"):
        score(X, [np.inf] * 6)


def test_self_distances_are_refused() -> None:
    D = pairwise_distances(rows(5, 2))
    D[2, 2] = 0.5
    with pytest.raises(InvalidDataError, match="contains non-zero"):
        silhouette_score(D, [0, 0, 1, 1, 1], metric="precomputed")


@given(st.integers(4, 50), st.integers(0, 10**6), st.sampled_from([1e-6, 1.0, 1e6]))
@settings(max_examples=25, deadline=None)
def test_spread_is_that_of_scikit_learn(n: int, seed: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    X, labels = scale * rng.normal(size=(n, 3)) + scale * 10, rng.integers(0, 3, n)
    if not 1 < len(set(labels)) < n:
        return
    theirs = peer.calinski_harabasz_score(X, labels)
    assert calinski_harabasz_score(X, labels) == pytest.approx(theirs, rel=1e-8)
    groups = [X[labels == k] for k in np.unique(labels)]
    means = [group.mean(axis=0) for group in groups]
    spread = [np.linalg.norm(g - m, axis=1).mean() for g, m in zip(groups, means, strict=True)]
    worst = [
        max(
            (spread[k] + spread[other]) / np.linalg.norm(means[k] - means[other])
            for other in range(len(groups))
            if other != k
        )
        for k in range(len(groups))
    ]
    assert davies_bouldin_score(X, labels) == pytest.approx(np.mean(worst), rel=1e-9)
    # theirs takes distances from inner products, which near rows lose digits of
    assert davies_bouldin_score(X, labels) == pytest.approx(
        peer.davies_bouldin_score(X, labels), rel=1e-5
    )


def test_spread_of_equal_rows() -> None:
    ones, halves = np.ones((10, 2)), [0] * 5 + [1] * 5
    assert calinski_harabasz_score(ones, halves) == 1.0
    assert davies_bouldin_score(ones, halves) == 0.0
    assert dunn_score(ones, halves) == 0.0
    assert dunn_score([[0.0], [0.0], [1.0], [1.0]], [0, 0, 1, 1]) == np.inf
    assert silhouette_score(ones, halves) == 0.0


def test_comparison_finds_the_clusters_there_are() -> None:
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 60)
    X = rng.normal(size=(180, 2)) + 6.0 * np.array([[0, 0], [1, 0], [0, 1]])[truth]
    made = {"two": np.minimum(truth, 1), "three": truth, "six": 2 * truth + (X[:, 0] > X[:, 1])}
    found = compare_clusterings(X, made, truth, random_state=0)
    assert found.best == "three"
    assert "'three' has the highest mean silhouette" in found.sentence
    assert found.lead is not None
    assert found.lead.low > 0
    for name, labels in made.items():
        place = found.names.index(name)
        assert found.scores["silhouette"][place] == pytest.approx(peer.silhouette_score(X, labels))
        assert found.scores["davies_bouldin"][place] == pytest.approx(
            peer.davies_bouldin_score(X, labels)
        )
        assert found.scores["adjusted_rand"][place] == pytest.approx(
            peer.adjusted_rand_score(truth, labels)
        )
        assert found.agreement[1, place] == pytest.approx(peer.adjusted_rand_score(truth, labels))
        assert found.scores["silhouette"][place] in found.intervals["silhouette"][place]
    assert str(found).splitlines()[1].startswith("three")
    for ax in (found.plot(), found.plot_agreement(), found.plot_silhouettes("two")):
        assert ax.figure is not None
    given = compare_clusterings(pairwise_distances(X), made, metric="precomputed")
    np.testing.assert_allclose(given.scores["silhouette"], found.scores["silhouette"])
    assert "davies_bouldin" not in given.scores


def test_silhouettes_without_a_group_are_those_of_the_other_rows() -> None:
    from stylobate.metrics.cluster.clustered_rows import read_clustered
    from stylobate.metrics.cluster.left_out_groups import groups_of, left_out_silhouettes

    X, rng = rows(100, 2), np.random.default_rng(0)
    codes = [rng.integers(0, k, 100) for k in (2, 4)]
    groups = groups_of(100, rng)
    found = left_out_silhouettes(read_clustered(X, "euclidean", {}, "test"), codes, groups)
    for place, labels in enumerate(codes):
        for g in (0, 7):
            kept = groups != g
            want = peer.silhouette_score(X[kept], labels[kept])
            assert found[place, g] == pytest.approx(want)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(3))
def test_intervals_of_silhouettes_hold_the_value_of_many_rows(seed: int) -> None:
    def drawn(n: int, rng: Any) -> tuple[Any, Any]:
        labels = rng.integers(0, 3, n)
        return rng.normal(size=(n, 2)) + 2.5 * np.array([[0, 0], [1, 0], [0, 1]])[labels], labels

    rng = np.random.default_rng(seed)
    value = silhouette_score(*drawn(8000, rng))
    held = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(40):
            X, labels = drawn(150, rng)
            found = compare_clusterings(X, {"a": labels}, random_state=rng)
            held += value in found.intervals["silhouette"][0]
    assert held >= 33  # 95 % of 40 is 38; fewer than 33 happen once in 500
