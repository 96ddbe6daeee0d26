"""What is said of an embedding, against loops, closed forms and laws."""

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.distance import cdist, pdist

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.manifold import (
    continuity,
    embedding_quality,
    embedding_stability,
    trustworthiness,
)
from stylobate.parallel import set_threads

_RNG = np.random.default_rng(1)
_ROWS = _RNG.normal(size=(90, 5)) * [4.0, 3.0, 1.0, 0.5, 0.1]
_MAP = _ROWS[:, :2]


def ranks_by_hand(distances):
    """The rank of each row seen from each other one; that of itself is 0."""
    ranks = stats.rankdata(distances + np.diag([np.inf] * len(distances)), "ordinal", axis=1)
    return ranks * ~np.eye(len(distances), dtype=bool)


def test_parts_agree_with_loops_over_all_pairs():
    k, n = 6, len(_ROWS)
    before, after = ranks_by_hand(cdist(_ROWS, _ROWS)), ranks_by_hand(cdist(_MAP, _MAP))
    quality = embedding_quality(_ROWS, _MAP, n_neighbors=k)
    near, shown = (before >= 1) & (before <= k), (after >= 1) & (after <= k)
    np.testing.assert_allclose(quality.neighbors_kept_by_point, (near & shown).sum(axis=1) / k)
    apart = ~np.eye(n, dtype=bool)
    larger = np.maximum(before, after)[apart]
    shares = [np.count_nonzero(larger <= size) / (n * size) for size in range(1, n - 1)]
    sizes = np.arange(1, n - 1)
    above = ((n - 1) * np.array(shares) - sizes) / (n - 1 - sizes)
    curve = quality.curve
    np.testing.assert_allclose(curve.q_nx, np.array(shares)[curve.sizes - 1])
    np.testing.assert_allclose(curve.r_nx, above[curve.sizes - 1], atol=1e-12)
    assert quality.r_nx_area == pytest.approx(np.average(above, weights=1.0 / sizes), abs=1e-12)
    assert curve.sizes[0] == 1
    assert curve.sizes[-1] == n - 2


def test_means_are_trustworthiness_and_continuity():
    quality = embedding_quality(_ROWS, _MAP, n_neighbors=7)
    trust = trustworthiness(_ROWS, _MAP, n_neighbors=7)
    assert quality.trustworthiness == pytest.approx(trust, abs=1e-12)
    assert quality.trustworthiness_by_point.mean() == pytest.approx(trust, abs=1e-12)
    assert quality.continuity == pytest.approx(continuity(_ROWS, _MAP, n_neighbors=7), abs=1e-12)


def test_distances_of_all_pairs_correlate_as_in_scipy():
    quality = embedding_quality(_ROWS, _MAP)
    a, b = pdist(_ROWS), pdist(_MAP)
    assert quality.distance_correlation == pytest.approx(stats.spearmanr(a, b)[0], abs=1e-12)
    assert quality.distance_correlation_pearson == pytest.approx(np.corrcoef(a, b)[0, 1], abs=1e-12)


def test_a_copy_keeps_everything_and_a_random_placement_is_chance():
    rows = _RNG.normal(size=(400, 4))
    copy = embedding_quality(rows, 3.0 * rows)
    assert (copy.neighbors_kept, copy.trustworthiness, copy.continuity) == (1.0, 1.0, 1.0)
    assert copy.r_nx_area == pytest.approx(1.0)
    assert copy.distance_correlation == pytest.approx(1.0)
    placed = embedding_quality(rows, _RNG.normal(size=(400, 2)))
    for name, level in placed.chance.items():
        assert abs(getattr(placed, name) - level.expected) < 0.03, name
        assert abs(level.permuted - level.expected) < 6.0 * level.standard_error + 0.01, name
    assert placed.chance["neighbors_kept"].expected == 15 / 399


def test_a_sample_is_near_to_all():
    rows = _RNG.normal(size=(1500, 4)) * [3.0, 2.0, 1.0, 1.0]
    whole = embedding_quality(rows, rows[:, :2])
    some = embedding_quality(rows, rows[:, :2], sample=400)
    assert len(some.rows) == len(some.embedding) == 400
    assert abs(some.neighbors_kept - whole.neighbors_kept) < 0.02
    assert abs(some.r_nx_area - whole.r_nx_area) < 0.02
    np.testing.assert_array_equal(
        some.neighbors_kept_by_point, whole.neighbors_kept_by_point[some.rows]
    )
    assert "Judged from 400 of 1500 rows." in some.summary()


def test_summary_says_what_there_is():
    text = embedding_quality(_ROWS, _MAP, n_neighbors=5).summary()
    assert "5 nearest neighbours are kept (5.6 % by chance)" in text
    assert "can be read roughly" in text
    apart = embedding_quality(_ROWS, _RNG.normal(size=(90, 2))).summary()
    assert "mean little here" in apart


def test_picture():
    left, right = embedding_quality(_ROWS, _MAP).plot()
    assert "by chance" in left.get_title(loc="left")
    assert right.get_xscale() == "log"
    embedding_quality(_ROWS, _MAP[:, :1]).plot()


def test_few_rows_equal_rows_and_refusals():
    three = embedding_quality([[0.0], [1.0], [3.0]], [[0.0], [1.0], [3.0]])
    assert (three.n_neighbors, three.neighbors_kept) == (1, 1.0)
    same = embedding_quality(np.zeros((10, 2)), np.zeros((10, 2)))
    assert same.neighbors_kept == 1.0
    assert same.distance_correlation == 0.0
    with pytest.raises(InvalidDataError, match="at least 3 rows"):
        embedding_quality([[0.0], [1.0]], [[0.0], [1.0]])
    with pytest.raises(InvalidParameterError, match="sample"):
        embedding_quality(_ROWS, _MAP, sample=0)


def test_any_number_of_threads():
    found = []
    for count in (1, 2, 7):
        before = set_threads(count)
        try:
            found.append(
                repr(embedding_quality(_ROWS, _MAP)) + embedding_quality(_ROWS, _MAP).summary()
            )
        finally:
            set_threads(before)
    assert len(set(found)) == 1


def test_stability_by_hand():
    a, b = _RNG.normal(size=(2, 60, 2))
    near = [np.argsort(cdist(e, e) + np.diag([np.inf] * 60), axis=1)[:, :5] for e in (a, b)]
    by_hand = [len(set(u) & set(v)) / len(set(u) | set(v)) for u, v in zip(*near, strict=True)]
    found = embedding_stability([a, b], n_neighbors=5)
    np.testing.assert_allclose(found.overlap_by_point, by_hand)
    assert found.overlap == pytest.approx(np.mean(by_hand))
    assert set(found.unstable) == set(np.flatnonzero(np.array(by_hand) < 1 / 3))
    assert "between 2 embeddings" in found.summary()


def test_turned_embeddings_are_the_same():
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    found = embedding_stability([_MAP, _MAP @ turn, -2.0 * _MAP])
    assert found.overlap == 1.0
    assert not len(found.unstable)
    with pytest.raises(InvalidDataError, match="two or more"):
        embedding_stability([_MAP])
    with pytest.raises(InvalidDataError, match="same rows"):
        embedding_stability([_MAP, _MAP[:50]])
