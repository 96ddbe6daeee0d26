"""k-medoids against brute force, other metrics' matrices, and the package `kmedoids`."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.spatial.distance import cdist

import stylobate
from stylobate.cluster import KMedoids
from stylobate.cluster.medoids import dissimilarities
from stylobate.distances import Gower
from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    InvalidParameterError,
    UnsupportedDataError,
)
from stylobate.metrics.pairwise import pairwise_distances


@pytest.fixture(params=[0, 1024], ids=["tiles", "matrix"], scope="module", autouse=True)
def _rows_whose_matrix_is_held(request):
    """Small tables are held as a matrix: here also by tiles, as larger ones are."""
    held = dissimilarities._FEW
    dissimilarities._FEW = request.param
    yield
    dissimilarities._FEW = held


def total(distances, medoids, weights=None):
    weights = np.ones(len(distances)) if weights is None else weights
    return float(weights @ distances[:, list(medoids)].min(axis=1))


def optimum(distances, k, weights=None):
    """The smallest total of all choices."""
    n = distances.shape[1]
    return min(total(distances, chosen, weights) for chosen in combinations(range(n), k))


def blobs(n=200, seed=0, columns=3):
    generator = np.random.default_rng(seed)
    centres = 3.0 * generator.standard_normal((4, columns))
    return centres[generator.integers(4, size=n)] + generator.standard_normal((n, columns))


@given(
    data=st.integers(0, 2**32 - 1),
    n=st.integers(2, 9),
    k=st.integers(1, 4),
    whole=st.booleans(),
    weighted=st.booleans(),
    steps=st.integers(1, 60),
    method=st.sampled_from(["fasterpam", "pam", "alternate", "onebatch"]),
)
@settings(max_examples=60)
@pytest.mark.filterwarnings("ignore::stylobate.exceptions.ConvergenceWarning")
def test_the_optimum_lies_between_the_bound_and_the_inertia(
    data, n, k, whole, weighted, steps, method
):
    generator = np.random.default_rng(data)
    k = min(k, n)
    # whole numbers of a small range: ties and duplicates
    x = generator.integers(0, 4, (n, 2)).astype(float) if whole else generator.normal(size=(n, 2))
    weights = generator.uniform(0.01, 3.0, n) if weighted else None
    model = KMedoids(k, method=method, certificate_steps=steps, random_state=0)
    model.fit(x, sample_weight=weights)
    distances = cdist(x, x)
    best = optimum(distances, k, weights)
    assert_allclose(model.inertia_, total(distances, model.medoid_indices_, weights), rtol=1e-12)
    proof = model.certificate_
    assert proof.proved
    assert proof.dual <= best * (1 + 1e-15)
    assert best <= model.inertia_ * (1 + 1e-12)
    assert proof.primal == model.inertia_
    assert proof.gap >= 0.0
    assert len(set(model.medoid_indices_.tolist())) == k


def test_the_bound_proves_clear_clusters_optimal():
    model = KMedoids(4, random_state=0).fit(blobs(150))
    assert model.certificate_.optimal
    assert model.certificate_.relative_gap < 1e-6
    assert "Optimal" in model.certificate_.verdict
    assert model.certificate_.local
    cloud = KMedoids(4, random_state=0).fit(np.random.default_rng(0).normal(size=(150, 5)))
    assert 0.0 < cloud.certificate_.relative_gap < 0.05
    assert cloud.certificate_.factor == pytest.approx(cloud.inertia_ / cloud.certificate_.dual)


def test_more_steps_never_lower_the_bound():
    x = np.random.default_rng(1).normal(size=(120, 3))
    fits = [KMedoids(5, certificate_steps=s, random_state=0).fit(x) for s in (1, 5, 20, 80)]
    bounds = [model.certificate_.dual for model in fits]
    assert bounds == sorted(bounds)
    assert bounds[0] < bounds[-1] < fits[0].inertia_
    without = KMedoids(5, certificate_steps=0, random_state=0).fit(x).certificate_
    assert not without.proved
    assert without.relative_gap == np.inf
    assert not without.optimal
    assert "no bound was computed" in without.verdict


def test_swaps_start_again_from_the_medoids_of_the_bound():
    x = np.random.default_rng(1).normal(size=(150, 2))
    plain = KMedoids(8, init="random", certificate_steps=0, random_state=1).fit(x)
    again = KMedoids(8, init="random", random_state=1).fit(x)
    assert again.inertia_ < plain.inertia_
    assert again.certificate_.local
    assert again.certificate_.relative_gap < 0.02
    assert again.trace_[-1] == pytest.approx(again.inertia_)


@pytest.mark.parametrize("method", ["fasterpam", "pam"])
def test_no_swap_is_better(method):
    x = np.random.default_rng(2).normal(size=(260, 2))
    model = KMedoids(6, method=method, init="random", random_state=3).fit(x)
    distances = cdist(x, x)
    assert model.converged_
    assert model.trace_[-1] == pytest.approx(model.inertia_)
    assert (np.diff(model.trace_) < 0).all()
    medoids = model.medoid_indices_.tolist()
    for place in range(6):
        kept = distances[:, medoids[:place] + medoids[place + 1 :]].min(axis=1)
        other = np.minimum(kept[:, None], distances).sum(axis=0).min()
        assert other >= model.inertia_ * (1 - 1e-12)
    assert_array_equal(model.labels_, np.argmin(distances[:, medoids], axis=1))


def test_as_good_as_the_package_kmedoids():
    peer = pytest.importorskip("kmedoids")
    x = blobs(300, seed=5, columns=6)
    theirs = peer.fasterpam(cdist(x, x), 4, random_state=0)
    ours = KMedoids(4, init="k-medoids++", random_state=0).fit(x)
    assert ours.inertia_ <= theirs.loss * (1 + 1e-9)
    assert sorted(ours.medoid_indices_) == sorted(theirs.medoids)


@pytest.mark.parametrize(
    "metric",
    ["manhattan", "chebyshev", "cosine", "correlation", "canberra", "braycurtis", "sqeuclidean"],
)
def test_metrics_give_what_their_matrix_gives(metric):
    x = np.abs(np.random.default_rng(6).normal(size=(60, 9)))
    x[7] = 0.0 if metric == "cosine" else x[7]
    given = pairwise_distances(x, metric=metric)
    ours, theirs = (
        KMedoids(3, metric=each, random_state=0).fit(rows)
        for each, rows in ((metric, x), ("precomputed", given))
    )
    assert_array_equal(ours.medoid_indices_, theirs.medoid_indices_)
    assert_array_equal(ours.labels_, theirs.labels_)
    assert_allclose(ours.inertia_, theirs.inertia_, rtol=1e-12)
    assert_allclose(ours.certificate_.dual, theirs.certificate_.dual, rtol=1e-6)
    assert theirs.cluster_centers_ is None
    assert_array_equal(ours.predict(x[:9]), theirs.predict(given[:9]))
    assert_allclose(ours.transform(x[:9]), theirs.transform(given[:9]), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("method", ["fasterpam", "alternate", "onebatch"])
@pytest.mark.parametrize("metric", ["jaccard", "russellrao"])
def test_sets_are_at_0_from_themselves(metric, method):
    x = np.random.default_rng(7).integers(0, 2, (50, 8)).astype(bool)
    x[3] = False
    distances = cdist(x, x, metric)
    np.fill_diagonal(distances, 0.0)
    model = KMedoids(4, metric=metric, method=method, batch_size=20, random_state=0).fit(x)
    assert_allclose(model.inertia_, total(distances, model.medoid_indices_), rtol=1e-12)


def test_functions_minkowski_and_metrics_as_values():
    x = blobs(40)
    plain = KMedoids(3, random_state=0).fit(x)
    power = KMedoids(3, metric="minkowski", metric_params={"p": 3}, random_state=0).fit(x)
    by_hand = KMedoids(
        3, metric=lambda a, b: (np.abs(a - b) ** 3).sum() ** (1 / 3), random_state=0
    ).fit(x)
    assert_array_equal(power.labels_, by_hand.labels_)
    assert_allclose(power.inertia_, by_hand.inertia_)
    assert_array_equal(power.predict(x + 0.1), by_hand.predict(x + 0.1))
    two = KMedoids(3, metric="minkowski", metric_params={"p": 2}, random_state=0).fit(x)
    assert two.inertia_ == plain.inertia_


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine"])
def test_sparse_rows_are_the_dense_ones(metric):
    x = np.random.default_rng(8).normal(size=(70, 12)) * (np.arange(12) % 3 == 0)
    dense = KMedoids(3, metric=metric, random_state=0).fit(x)
    model = KMedoids(3, metric=metric, random_state=0).fit(sparse.csr_array(x))
    assert_array_equal(dense.medoid_indices_, model.medoid_indices_)
    assert_allclose(dense.inertia_, model.inertia_)
    assert sparse.issparse(model.cluster_centers_)
    assert_array_equal(model.predict(sparse.csr_array(x)), model.labels_)
    with pytest.raises(UnsupportedDataError, match="canberra"):
        KMedoids(3, metric="canberra").fit(sparse.csr_array(x))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_mixed_frames_by_gower(library):
    frames = pytest.importorskip(library)
    generator = np.random.default_rng(9)
    columns = {
        "age": generator.integers(20, 60, 40).astype(float),
        "colour": generator.choice(["red", "blue", "green"], 40).tolist(),
        "height": generator.normal(170, 10, 40),
    }
    columns["age"][3] = np.nan
    frame = frames.DataFrame(columns)
    model = KMedoids(3, metric="gower", random_state=0).fit(frame)
    matrix = Gower().between(frame).write()
    given = KMedoids(3, metric="precomputed", random_state=0).fit(matrix)
    assert_array_equal(model.labels_, given.labels_)
    assert_allclose(model.inertia_, total(matrix, model.medoid_indices_))
    assert model.cluster_centers_[0][1] == columns["colour"][model.medoid_indices_[0]]
    assert_array_equal(model.predict(frame), model.labels_)
    rooted = KMedoids(2, metric=Gower(f=np.sqrt), random_state=0).fit(frame)
    assert rooted.certificate_.dual <= rooted.inertia_


def test_one_way_dissimilarities_are_those_of_rows_to_medoids():
    one_way = np.random.default_rng(10).uniform(0, 1, (9, 9))
    np.fill_diagonal(one_way, 0.0)
    model = KMedoids(2, metric="precomputed").fit(one_way)
    assert model.inertia_ == pytest.approx(total(one_way, model.medoid_indices_))
    assert model.certificate_.dual <= optimum(one_way, 2) <= model.inertia_ * (1 + 1e-12)
    single = KMedoids(2, metric="precomputed").fit(one_way.astype(np.float32))
    assert_array_equal(single.medoid_indices_, model.medoid_indices_)


def test_weights_are_repetitions_and_0_is_absence():
    x = np.random.default_rng(11).normal(size=(60, 2))
    counts = np.arange(60) % 4
    weighted = KMedoids(4).fit(x, sample_weight=counts)
    repeated = KMedoids(4).fit(np.repeat(x, counts, axis=0))
    assert weighted.inertia_ == pytest.approx(repeated.inertia_)
    assert_allclose(weighted.cluster_centers_, repeated.cluster_centers_)
    assert (counts[weighted.medoid_indices_] > 0).all()
    assert len(weighted.labels_) == 60
    assert_array_equal(weighted.labels_, weighted.predict(x))


def test_one_batch_is_near_and_says_so():
    x = blobs(600, seed=12)
    exact = KMedoids(4, random_state=0).fit(x)
    rough = KMedoids(4, method="onebatch", batch_size=80, random_state=0).fit(x)
    assert exact.inertia_ <= rough.inertia_ < 1.05 * exact.inertia_
    assert rough.certificate_.approximate
    assert "approximate" in rough.solver_reason_
    assert rough.certificate_.verdict.startswith("By a sample")
    assert rough.certificate_.dual <= exact.inertia_
    assert not rough.certificate_.local
    start = [0, 1, 2, 3]
    whole = KMedoids(4, method="onebatch", batch_size=600, init=start, random_state=0).fit(x)
    assert whole.inertia_ == KMedoids(4, init=start).fit(x).inertia_


@pytest.mark.parametrize("init", ["build", "k-medoids++", "random"])
def test_the_same_bits_with_any_number_of_threads(init):
    x = np.random.default_rng(13).normal(size=(700, 9))
    fits = []
    for threads in (1, 2, 7):
        with stylobate.threads(threads):
            fits.append(KMedoids(5, init=init, certificate_steps=5, random_state=1).fit(x))
    for model in fits[1:]:
        assert_array_equal(model.medoid_indices_, fits[0].medoid_indices_)
        assert_array_equal(model.trace_, fits[0].trace_)
        assert model.certificate_ == fits[0].certificate_


def test_more_starts_are_not_worse():
    x = np.random.default_rng(14).normal(size=(120, 2))
    one, five = (
        KMedoids(9, init="random", n_init=n, random_state=0, certificate_steps=0).fit(x).inertia_
        for n in (1, 5)
    )
    assert five <= one


def test_ends_of_the_range():
    x = np.random.default_rng(15).normal(size=(7, 2))
    every = KMedoids(7).fit(x)
    assert every.inertia_ == 0.0
    assert every.certificate_.optimal
    assert sorted(every.labels_) == list(range(7))
    alone = KMedoids(1, init=[4]).fit(x)
    assert alone.inertia_ == pytest.approx(cdist(x, x).sum(axis=0).min())
    assert alone.certificate_.optimal
    assert "every row" in alone.certificate_.verdict
    single = KMedoids(1).fit([[3.0, 4.0]])
    assert single.inertia_ == 0.0
    assert single.labels_.tolist() == [0]
    with pytest.warns(ConvergenceWarning, match="only 1 are not empty"):
        equal = KMedoids(3).fit(np.ones((5, 2)))
    assert equal.inertia_ == 0.0
    assert len(set(equal.medoid_indices_.tolist())) == 3
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        KMedoids(5, init=[0, 1, 2, 3, 4], max_iter=1, certificate_steps=0).fit(blobs(400))


def test_refusals():
    x = blobs(10)
    with pytest.raises(InvalidDataError, match=r"n_clusters=11 .* n_samples=10"):
        KMedoids(11).fit(x)
    with pytest.raises(InvalidDataError, match="n_samples=2 rows of a weight above 0"):
        KMedoids(3).fit(x, sample_weight=[1, 1] + [0] * 8)
    for init in ([0, 0, 1], [0, 1], [0, 1, 10], [0.5, 1, 2]):
        with pytest.raises(InvalidParameterError, match="init must be 3 different"):
            KMedoids(3, init=init).fit(x)
    with pytest.raises(InvalidDataError, match="square"):
        KMedoids(2, metric="precomputed").fit(x)
    with pytest.raises(InvalidDataError, match="Negative"):
        KMedoids(2, metric="precomputed").fit(-np.ones((3, 3)))
    with pytest.raises(InvalidParameterError, match="similarity"):
        KMedoids(2, metric=stylobate.distances.Inner()).fit(x)
    with pytest.raises(stylobate.exceptions.NumericalError, match="finite"):
        KMedoids(2).fit(np.array([[1e200], [-1e200], [3e200]]))


@pytest.mark.parametrize("metric", ["euclidean", "precomputed", "gower"])
def test_model_files(metric, tmp_path):
    x = blobs(30)
    x = cdist(x, x) if metric == "precomputed" else x
    model = KMedoids(3, metric=metric).fit(x)
    stylobate.save(model, tmp_path / "model")
    again = stylobate.load(tmp_path / "model")
    assert_array_equal(again.predict(x), model.labels_)
    assert again.certificate_ == model.certificate_
