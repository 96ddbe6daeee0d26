"""k-centres: radii against brute force, bounds, factors."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

import stylobate
from stylobate.cluster import KCenter, KMedoids
from stylobate.cluster.medoids import dissimilarities
from stylobate.exceptions import ConvergenceWarning, InvalidDataError


@pytest.fixture(params=[0, 1024], ids=["tiles", "matrix"], scope="module", autouse=True)
def _rows_whose_matrix_is_held(request):
    """Small tables are held as a matrix: here also by tiles, as larger ones are."""
    held = dissimilarities._FEW
    dissimilarities._FEW = request.param
    yield
    dissimilarities._FEW = held


def radius(distances, centres):
    return float(distances[:, list(centres)].min(axis=1).max())


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 10),
    k=st.integers(1, 4),
    whole=st.booleans(),
    metric=st.sampled_from(["euclidean", "manhattan", "sqeuclidean"]),
    starts=st.integers(1, 3),
)
@settings(max_examples=60)
@pytest.mark.filterwarnings("ignore::stylobate.exceptions.ConvergenceWarning")
def test_the_smallest_radius_lies_between_the_bound_and_ours(seed, n, k, whole, metric, starts):
    generator = np.random.default_rng(seed)
    k = min(k, n)
    x = generator.integers(0, 4, (n, 2)).astype(float) if whole else generator.normal(size=(n, 2))
    model = KCenter(k, metric=metric, n_init=starts, random_state=0).fit(x)
    name = "cityblock" if metric == "manhattan" else metric
    distances = cdist(x, x, name)
    best = min(radius(distances, chosen) for chosen in combinations(range(n), k))
    assert_allclose(model.radius_, radius(distances, model.center_indices_), rtol=1e-12)
    assert model.certificate_.dual <= best * (1 + 1e-13)
    assert best <= model.radius_ * (1 + 1e-12)
    if metric != "sqeuclidean":  # the triangle inequality holds
        assert model.radius_ <= 2 * best * (1 + 1e-12)
        assert model.certificate_.factor <= 2 * (1 + 1e-12)
    assert_allclose(model.radii_.max(), model.radius_)


def test_steps_shrink_the_radius_of_the_farthest_first_choice():
    x = np.random.default_rng(0).normal(size=(300, 2))
    greedy = KCenter(6, max_iter=0).fit(x)
    better = KCenter(6).fit(x)
    assert better.trace_[0] == greedy.radius_
    assert better.radius_ < 0.9 * greedy.radius_
    assert (np.diff(better.trace_) < 0).all()
    assert better.n_iter_ == len(better.trace_) - 1
    assert better.certificate_.local
    assert not greedy.certificate_.local
    assert better.certificate_.dual == greedy.certificate_.dual
    distances, centres = cdist(x, x), better.center_indices_.tolist()
    for place in range(6):  # no exchange of one centre is better
        kept = distances[:, centres[:place] + centres[place + 1 :]].min(axis=1)
        assert np.minimum(kept[:, None], distances).max(axis=0).min() >= better.radius_ * (1 - 1e-9)


def test_centers_serve_the_worst_row_better_than_medoids_do():
    x = np.random.default_rng(1).standard_t(3, size=(200, 2))
    medoids = KMedoids(5, random_state=0).fit(x)
    worst = medoids.transform(x).min(axis=1).max()
    assert KCenter(5).fit(x).radius_ < worst


def test_given_distances_sparse_rows_and_threads():
    x = np.random.default_rng(2).normal(size=(120, 3))
    plain = KCenter(4).fit(x)
    given_ = KCenter(4, metric="precomputed").fit(cdist(x, x))
    assert_array_equal(plain.center_indices_, given_.center_indices_)
    assert_allclose(plain.certificate_.dual, given_.certificate_.dual)
    for threads in (1, 2, 7):
        with stylobate.threads(threads):
            assert KCenter(4).fit(x).certificate_ == plain.certificate_
    one_way = np.abs(np.random.default_rng(3).normal(size=(5, 5)))
    with pytest.raises(InvalidDataError, match="symmetric"):
        KCenter(2, metric="precomputed").fit(one_way)


def test_half_the_smallest_distance_where_all_pairs_are_too_many(monkeypatch):
    from stylobate.cluster.medoids import k_center

    x = np.random.default_rng(4).normal(size=(80, 2))
    full = KCenter(4).fit(x).certificate_
    monkeypatch.setattr(k_center, "_MOST", 10)
    half = KCenter(4).fit(x).certificate_
    assert half.primal == full.primal
    assert 0.0 < half.dual <= full.dual
    none = KCenter(4, metric="sqeuclidean").fit(x).certificate_
    assert not none.proved
    assert none.factor == np.inf


def test_ends_of_the_range():
    x = np.random.default_rng(5).normal(size=(6, 2))
    assert KCenter(6).fit(x).radius_ == 0.0
    assert KCenter(6).fit(x).certificate_.optimal
    with pytest.warns(ConvergenceWarning, match="only 1 are not empty"):
        equal = KCenter(2).fit(np.ones((4, 2)))
    assert equal.radius_ == 0.0
    assert equal.certificate_.optimal
    with pytest.raises(InvalidDataError, match="n_clusters=7"):
        KCenter(7).fit(x)
