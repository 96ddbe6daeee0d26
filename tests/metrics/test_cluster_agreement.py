"""Scores of agreement of two clusterings against scikit-learn, brute force and their intervals."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest
import sklearn.metrics as peer
import sklearn.metrics.cluster as peer_cluster
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics import cluster, confidence_interval, difference_interval, get_scorer

SCORES = (
    "rand_score",
    "adjusted_rand_score",
    "mutual_info_score",
    "adjusted_mutual_info_score",
    "normalized_mutual_info_score",
    "homogeneity_score",
    "completeness_score",
    "v_measure_score",
    "fowlkes_mallows_score",
)
labelings = st.integers(1, 40).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(-1, 6), min_size=n, max_size=n),
        st.lists(st.integers(-1, 6), min_size=n, max_size=n),
    )
)


@given(labelings)
@settings(max_examples=60, deadline=None)
def test_scores_are_those_of_scikit_learn(both: tuple[list[int], list[int]]) -> None:
    for name in SCORES:
        got, want = getattr(cluster, name)(*both), getattr(peer_cluster, name)(*both)
        assert type(got) is float
        if np.isnan(want):
            continue
        assert got == pytest.approx(want, rel=1e-9, abs=1e-12), name
    got, want = cluster.pair_confusion_matrix(*both), peer_cluster.pair_confusion_matrix(*both)
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(
        cluster.contingency_matrix(*both), peer_cluster.contingency_matrix(*both)
    )


@given(labelings)
@settings(max_examples=30, deadline=None)
def test_pairs_are_counted(both: tuple[list[int], list[int]]) -> None:
    counts = np.zeros((2, 2), dtype=int)
    for i, j in itertools.permutations(range(len(both[0])), 2):
        counts[int(both[0][i] == both[0][j]), int(both[1][i] == both[1][j])] += 1
    np.testing.assert_array_equal(cluster.pair_confusion_matrix(*both), counts)


def test_expected_information_is_the_mean_over_permutations() -> None:
    a, b = np.array([0, 0, 1, 1, 1, 2]), np.array([0, 1, 0, 1, 1, 0])
    every = [
        cluster.mutual_info_score(a, b[list(order)]) for order in itertools.permutations(range(6))
    ]
    table = cluster.contingency_matrix(a, b)
    assert cluster.expected_mutual_information(table, 6) == pytest.approx(np.mean(every), abs=1e-13)


@pytest.mark.parametrize("sizes", [([5000, 1], [2500, 2501]), ([900, 50, 50], [1] * 1000)])
def test_expected_information_of_uneven_sizes(sizes: Any) -> None:
    a, b = (np.repeat(np.arange(len(each)), each) for each in sizes)
    table = peer_cluster.contingency_matrix(a, b, sparse=True)
    want = peer_cluster.expected_mutual_information(table, len(a))
    assert cluster.expected_mutual_information(table, len(a)) == pytest.approx(want, rel=1e-9)


@pytest.mark.parametrize("name", SCORES)
def test_edges(name: str) -> None:
    score, theirs = getattr(cluster, name), getattr(peer_cluster, name)
    n = 12
    alone, one, half = np.arange(n), np.zeros(n, int), np.arange(n) % 2
    for a, b in itertools.product((alone, one, half), repeat=2):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert score(a, b) == pytest.approx(theirs(a, b), abs=1e-12)
    if name not in ("mutual_info_score", "fowlkes_mallows_score"):
        assert score([], []) == 1.0
        assert score(half, np.array(["x", "y"])[half]) == 1.0
    with pytest.raises(InvalidDataError, match=r"inconsistent numbers of samples: \[2, 3\]"):
        score([0, 1], [1, 1, 1])
    with pytest.raises(InvalidDataError, match="labels_pred must be 1D"):
        score([0, 1], [[1, 1], [0, 0]])
    with pytest.raises(InvalidDataError, match="contains NaN"):
        score([0, 1], [np.nan, 1.0])
    with pytest.raises(InvalidDataError, match="None"):
        score(["a", None], ["a", "b"])
    with pytest.warns(UserWarning, match="expects discrete values"):
        score([0.5, 1.0], [0, 1])


def test_options() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 4, 80), rng.integers(0, 3, 80)
    for mean in ("min", "max", "geometric", "arithmetic"):
        for name in ("adjusted_mutual_info_score", "normalized_mutual_info_score"):
            want = getattr(peer, name)(a, b, average_method=mean)
            assert getattr(cluster, name)(a, b, average_method=mean) == pytest.approx(want)
    want = peer.homogeneity_completeness_v_measure(a, b, beta=0.3)
    assert cluster.homogeneity_completeness_v_measure(a, b, beta=0.3) == pytest.approx(want)
    table = cluster.contingency_matrix(a, b, sparse=True)
    assert cluster.mutual_info_score(None, None, contingency=table) == pytest.approx(
        peer.mutual_info_score(a, b)
    )
    assert cluster.entropy(a) == pytest.approx(-sum(p * np.log(p) for p in np.bincount(a) / len(a)))
    with pytest.raises(InvalidParameterError, match="average_method"):
        cluster.normalized_mutual_info_score(a, b, average_method="median")
    with pytest.raises(InvalidParameterError, match="eps"):
        cluster.contingency_matrix(a, b, eps=0.1, sparse=True)


@pytest.mark.parametrize("name", SCORES)
def test_scorers_have_the_names_of_scikit_learn(name: str) -> None:
    class Halves:
        def predict(self, X: Any) -> Any:
            return (np.asarray(X)[:, 0] > 0).astype(int)

    X, y = np.array([[-1.0], [-2.0], [3.0], [0.5]]), [0, 1, 1, 1]
    want = getattr(peer, name)(y, Halves().predict(X))
    assert get_scorer(name)(Halves(), X, y) == pytest.approx(want)


def test_intervals_by_counts_are_those_by_rows() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 300)
    found = np.where(rng.random(300) < 0.8, truth, rng.integers(0, 3, 300))
    by_counts = confidence_interval("adjusted_rand_score", truth, found, random_state=0)
    by_rows = confidence_interval(
        lambda a, b: peer.adjusted_rand_score(a, b), truth, found, random_state=0, n_resamples=500
    )
    assert by_counts.estimate == by_rows.estimate
    assert by_counts.low == pytest.approx(by_rows.low, abs=0.03)
    assert by_counts.high == pytest.approx(by_rows.high, abs=0.03)
    worse = np.where(rng.random(300) < 0.5, truth, rng.integers(0, 3, 300))
    lead = difference_interval("adjusted_rand_score", truth, worse, found, random_state=0)
    assert lead.low > 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_consensus_of_biclusters(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a = rng.random((3, 8)) < 0.5, rng.random((3, 5)) < 0.5
    b = rng.random((4, 8)) < 0.5, rng.random((4, 5)) < 0.5
    for each in (*a, *b):
        each[:, 0] = True
    assert cluster.consensus_score(a, b) == pytest.approx(peer.consensus_score(a, b))
    with pytest.raises(InvalidParameterError, match="tuple"):
        cluster.consensus_score([1], b)  # type: ignore[arg-type]
