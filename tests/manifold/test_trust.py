"""Trustworthiness and continuity against scikit-learn's and against loops over all pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn import manifold as sklearn_manifold

from stylobate import manifold
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.parallel import set_threads

_RNG = np.random.default_rng(0)
_ROWS = _RNG.normal(size=(120, 6))
_MAP = _ROWS[:, :2] + 0.1 * _RNG.normal(size=(120, 2))


def ranks_by_hand(distances):
    """The rank of each row seen from each other one, equal distances by number; 0 for itself."""
    n = len(distances)
    ranks = np.zeros((n, n), dtype=int)
    for i in range(n):
        others = sorted((j for j in range(n) if j != i), key=lambda j: (distances[i, j], j))
        ranks[i, others] = np.arange(1, n)
    return ranks


def trust_by_hand(data, plane, k):
    n = len(data)
    before, after = ranks_by_hand(cdist(data, data)), ranks_by_hand(cdist(plane, plane))
    near = (after >= 1) & (after <= k)
    excess = np.maximum(before - k, 0)[near].sum()
    return 1.0 - 2.0 * excess / (n * k * (2 * n - 3 * k - 1))


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "manhattan", "chebyshev"])
@pytest.mark.parametrize("k", [1, 5, 59])
def test_is_scikit_learns(metric, k):
    options = {"n_neighbors": k, "metric": metric}
    theirs = sklearn_manifold.trustworthiness(_ROWS, _MAP, **options)
    assert manifold.trustworthiness(_ROWS, _MAP, **options) == pytest.approx(theirs, abs=1e-12)


def test_continuity_is_trustworthiness_the_other_way():
    theirs = sklearn_manifold.trustworthiness(_MAP, _ROWS, n_neighbors=7)
    assert manifold.continuity(_ROWS, _MAP, n_neighbors=7) == pytest.approx(theirs, abs=1e-12)


def test_given_distances_sparse_rows_and_functions():
    wanted = manifold.trustworthiness(_ROWS, _MAP)
    distances = cdist(_ROWS, _ROWS)
    distances.setflags(write=False)
    assert manifold.trustworthiness(distances, _MAP, metric="precomputed") == wanted
    assert manifold.trustworthiness(distances**2, _MAP, metric="precomputed") == wanted
    assert manifold.trustworthiness(sparse.csr_array(_ROWS), _MAP) == wanted
    few, plane = _ROWS[:20], _MAP[:20]
    called = manifold.trustworthiness(few, plane, metric=lambda a, b: np.linalg.norm(a - b))
    assert called == manifold.trustworthiness(few, plane)
    assert manifold.continuity(distances, _MAP, metric="precomputed") == pytest.approx(
        manifold.continuity(_ROWS, _MAP), abs=1e-12
    )


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_equal_distances_rank_by_number(data):
    n = data.draw(st.integers(3, 24))
    k = data.draw(st.integers(1, (n - 1) // 2))
    cells = st.integers(-2, 2)
    rows = np.array(data.draw(st.lists(st.tuples(cells, cells), min_size=n, max_size=n)), float)
    plane = np.array(data.draw(st.lists(st.tuples(cells), min_size=n, max_size=n)), float)
    wanted = trust_by_hand(rows, plane, k)
    assert manifold.trustworthiness(rows, plane, n_neighbors=k) == pytest.approx(wanted, abs=1e-12)


def test_blocks_of_rows_change_nothing(monkeypatch):
    wanted = manifold.trustworthiness(_ROWS, _MAP)
    monkeypatch.setattr(manifold.row_distances, "_BLOCK_NUMBERS", 700)
    assert manifold.trustworthiness(_ROWS, _MAP) == wanted


def test_any_number_of_threads():
    found = set()
    for count in (1, 2, 7):
        before = set_threads(count)
        try:
            found.add((manifold.trustworthiness(_ROWS, _MAP), manifold.continuity(_ROWS, _MAP)))
        finally:
            set_threads(before)
    assert len(found) == 1


def test_refusals():
    with pytest.raises(
        InvalidParameterError, match=r"n_neighbors .+ should be less than n_samples / 2"
    ):
        manifold.trustworthiness(_ROWS, _MAP, n_neighbors=60)
    with pytest.raises(InvalidParameterError, match="at least 1"):
        manifold.trustworthiness(_ROWS, _MAP, n_neighbors=0)
    with pytest.raises(InvalidDataError, match="120 rows and the map has 100"):
        manifold.trustworthiness(_ROWS, _MAP[:100])
    with pytest.raises(InvalidDataError, match="NaN"):
        manifold.trustworthiness(_ROWS, np.full((120, 2), np.nan))
