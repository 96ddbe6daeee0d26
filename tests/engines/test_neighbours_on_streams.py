"""Neighbours and densities of rows that are read in batches are those of memory."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import pairwise

import numpy as np
import pandas as pd
import polars
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from scipy.stats import gaussian_kde
from sklearn.neighbors import KernelDensity as TheirDensity

import stylobate
from stylobate.data import read_table
from stylobate.data.streams import Batch, Stream
from stylobate.distances import Inner, Mahalanobis, Minkowski, metric_of
from stylobate.engines import windows
from stylobate.exceptions import InvalidDataError, InvalidParameterError, NumericalError
from stylobate.neighbors import (
    HistogramDensity,
    KernelDensity,
    KNeighborsClassifier,
    KNeighborsRegressor,
    LocalOutlierFactor,
    NearestNeighbors,
    RadiusNeighborsClassifier,
    RadiusNeighborsRegressor,
    kernel_log_density,
    kneighbors,
)
from stylobate.neighbors.density.kernel_density import KERNELS
from stylobate.neighbors.density.sums import DensityAt
from stylobate.neighbors.indexes.nearest_rows import NearestRows, NearestTo

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 3))
Q = RNG.normal(size=(37, 3))
NAMES = ["a", "b", "c"]


def batches(rows, *cuts, weights=None):
    places = [0, *(cuts or (1, 1, 20, 21, 333)), rows.shape[0]]
    spans = [slice(a, b) for a, b in pairwise(places)]
    parts = [Batch(rows[s], None, None if weights is None else weights[s]) for s in spans]
    return Stream(lambda: iter(parts), "batches")


@pytest.fixture(autouse=True, params=["one window", "many windows"])
def small_windows(request, monkeypatch):
    if request.param == "many windows":
        monkeypatch.setattr(windows, "MOST_ROWS", 16)
        monkeypatch.setattr(windows, "UNIT_ROWS", 16)


def same(found, expected):
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype
        assert np.array_equal(a, b)


# --- rows on a stream ---------------------------------------------------------------------------

METRICS = [
    "euclidean", "manhattan", "chebyshev", "canberra", "braycurtis", "cosine", "correlation",
    "hamming", "jaccard", "sqeuclidean", Minkowski(3, [1.0, 2.0, 0.5]), Mahalanobis(VI=np.eye(3)),
]  # fmt: skip


@pytest.mark.parametrize("metric", METRICS, ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_nearest_rows_of_a_stream_are_those_of_memory(metric, dtype):
    rows, queries = np.round(X, 1).astype(dtype), np.round(Q, 1).astype(dtype)  # with ties
    rows[[7, 250]] = 0.0
    expected = NearestNeighbors(metric=metric, algorithm="brute").fit(rows).kneighbors(queries, 9)
    same(kneighbors(batches(rows), queries, 9, metric=metric), expected)
    same(kneighbors(rows, queries, 9, metric=metric), expected)


def test_they_are_the_nearest():
    distances, rows = kneighbors(batches(X), Q, 6, metric="cityblock")
    truth = cdist(Q, X, "cityblock")
    assert np.array_equal(rows, np.argsort(truth, axis=1, kind="stable")[:, :6])
    assert np.allclose(distances, np.sort(truth, axis=1)[:, :6], rtol=1e-14)


def test_a_tree_in_memory_gives_the_same():
    many = RNG.normal(size=(3000, 3))
    model = NearestNeighbors(n_neighbors=4).fit(many)
    assert model.algorithm_ == "kd_tree"
    same(kneighbors(batches(many, 1000, 2999), Q, 4), model.kneighbors(Q))


def test_functions_of_two_rows():
    def far(a, b, scale=1.0):
        return scale * float(np.abs(a - b).max())

    options = {"metric": far, "metric_params": {"scale": 2.0}}
    expected = NearestNeighbors(**options).fit(X[:60]).kneighbors(Q, 3)
    same(kneighbors(batches(X[:60], 7, 31), Q, 3, **options), expected)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine"])
def test_sparse_rows(metric):
    rows = sparse.random_array((300, 40), density=0.1, format="csr", rng=1)
    queries = sparse.random_array((20, 40), density=0.1, format="csr", rng=2)
    expected = NearestNeighbors(metric=metric).fit(rows).kneighbors(queries, 5)
    same(kneighbors(batches(rows, 100, 101), queries, 5, metric=metric), expected)


def test_squares_with_one_root_keep_their_order():
    """√1 and √(1 + 2⁻⁵²) are one double; the smaller square is the nearer row all the same."""
    rows = np.zeros((40, 2))
    rows[:, 0] = 3.0
    rows[3] = [1.0, 2.0**-26]  # square 1 + 2⁻⁵²
    rows[30] = [1.0, 0.0]
    distances, found = kneighbors(batches(rows), np.zeros((1, 2)), 2)
    assert distances.tolist() == [[1.0, 1.0]]
    assert found.tolist() == [[30, 3]]
    same((distances, found), NearestNeighbors(algorithm="brute").fit(rows).kneighbors([[0, 0]], 2))


def test_files_are_read_once(tmp_path):
    path = tmp_path / "rows.parquet"
    frame = polars.DataFrame(X, schema=NAMES).with_columns(extra=polars.lit("text"))
    frame.write_parquet(path, row_group_size=64)
    asked = pd.DataFrame(Q, columns=NAMES)
    found = kneighbors(stylobate.read(path), asked, 5, features=NAMES)
    same(found, NearestNeighbors(algorithm="brute").fit(X).kneighbors(Q, 5))
    reader = frame.select(NAMES).to_arrow().to_reader(max_chunksize=33)
    assert np.array_equal(kneighbors(reader, asked, 5, return_distance=False), found[1])
    stream = batches(X)
    kneighbors(stream, Q)
    assert stream.passes == 1


def test_nearest_rows_merge():
    spans = [slice(0, 90), slice(90, 95), slice(95, 400)]
    parts = [replace(read_table(X[s], owner="laws"), first_row=s.start) for s in spans]
    recipe = NearestTo(Q, 7, metric_of("euclidean"))
    found = [recipe.of(part) for part in parts]
    found.append(recipe.of(parts[0].take(slice(0, 0))))
    whole = recipe.of(read_table(X, owner="laws"))
    for order in ([0, 1, 2, 3], [3, 2, 0, 1], [1, 2, 3, 0]):
        merged = reduce(lambda a, b: a.merge(b), [found[i] for i in order])
        assert np.array_equal(merged.measures, whole.measures)
        assert np.array_equal(merged.rows, whole.rows)
    again = NearestRows.from_arrays(whole.to_arrays())
    assert again.k == 7
    assert np.array_equal(again.rows, whole.rows)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"metric": "gower"}, "all rows at once"),
        ({"metric": "precomputed"}, "all rows at once"),
        ({"metric": Inner()}, "similarity"),
        ({"metric": "seuclidean"}, "give V"),
        ({"metric": "mahalanobis"}, "give V"),
        ({"n_neighbors": 401}, "n_samples_fit = 400"),
        ({"n_neighbors": 0}, "n_neighbors"),
    ],
)
def test_what_cannot_be_found_in_a_pass(options, words):
    with pytest.raises((InvalidParameterError, InvalidDataError), match=words):
        kneighbors(batches(X), Q, **options)


def test_rows_that_are_none():
    bad = X.copy()
    bad[350, 1] = np.nan
    with pytest.raises(InvalidDataError, match="NaN"):
        kneighbors(batches(bad), Q)
    with pytest.raises(InvalidDataError):
        kneighbors(batches(X), Q[:, :2])
    with pytest.raises(InvalidDataError, match="no batch"):
        kneighbors(Stream(lambda: iter([])), Q)
    with pytest.raises(NumericalError, match="scale the columns"):
        kneighbors(batches(X * 1e200), Q)


def test_missing_values_where_the_metric_takes_them():
    bad = X.copy()
    bad[[3, 350], 1] = np.nan
    expected = NearestNeighbors(metric="nan_euclidean").fit(bad).kneighbors(Q, 4)
    same(kneighbors(batches(bad), Q, 4, metric="nan_euclidean"), expected)


# --- densities ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_densities_of_a_stream_are_those_of_memory(kernel, metric):
    weights = RNG.integers(0, 3, len(X)).astype(float)
    model = KernelDensity(bandwidth=0.7, kernel=kernel, metric=metric)
    for given in (None, weights):
        expected = model.fit(X, sample_weight=given).score_samples(Q)
        options = {"kernel": kernel, "metric": metric}
        found = kernel_log_density(batches(X, weights=given), Q, 0.7, **options)
        finite = np.isfinite(expected)
        assert np.array_equal(finite, np.isfinite(found))
        assert np.allclose(found[finite], expected[finite], rtol=1e-10, atol=1e-10)


def test_densities_against_others():
    found = kernel_log_density(batches(X), Q, 0.4)
    theirs = TheirDensity(bandwidth=0.4).fit(X).score_samples(Q)
    assert np.allclose(found, theirs, rtol=1e-10)
    line, asked = X[:, :1], Q[:, :1]
    estimate = gaussian_kde(line[:, 0], bw_method=0.3 / line[:, 0].std(ddof=1))
    assert np.allclose(
        kernel_log_density(batches(line), asked, 0.3), estimate.logpdf(asked[:, 0]), rtol=1e-9
    )


def test_memory_and_stream_have_the_same_bits():
    many = RNG.normal(size=(3000, 2))
    found = kernel_log_density(batches(many, 5, 700, 2999), Q[:, :2], 0.2)
    assert np.array_equal(found, kernel_log_density(many, Q[:, :2], 0.2))


def test_weights_in_a_column(tmp_path):
    weights = RNG.uniform(size=len(X))
    path = tmp_path / "rows.parquet"
    polars.DataFrame(X, schema=NAMES).with_columns(w=weights).write_parquet(path)
    asked = pd.DataFrame(Q, columns=NAMES)
    found = kernel_log_density(stylobate.read(path), asked, 0.5, weight="w")
    expected = KernelDensity(bandwidth=0.5).fit(X, sample_weight=weights).score_samples(Q)
    assert np.allclose(found, expected, rtol=1e-10)


def test_far_away_densities_do_not_vanish():
    found = kernel_log_density(batches(X), Q + 1000.0, 0.1)
    expected = KernelDensity(bandwidth=0.1).fit(X).score_samples(Q + 1000.0)
    assert np.allclose(found, expected, rtol=1e-10)
    assert (found < -1e7).all()


def test_densities_merge():
    parts = [read_table(X[s], owner="laws") for s in (slice(0, 9), slice(9, 100), slice(100, 400))]
    recipe = DensityAt(Q, "gaussian", metric_of("euclidean"), 0.5)
    found = [recipe.of(part) for part in parts]
    whole = recipe.of(read_table(X, owner="laws"))
    for order in ([0, 1, 2], [2, 1, 0]):
        merged = reduce(lambda a, b: a.merge(b), [found[i] for i in order])
        assert np.allclose(merged.logs, whole.logs, rtol=1e-12)
        assert merged.total == whole.total == 400.0


def test_densities_that_are_none():
    with pytest.raises(InvalidDataError, match="zero everywhere"):
        kernel_log_density(batches(X, weights=np.zeros(len(X))), Q, 1.0)
    with pytest.raises(InvalidParameterError, match="bandwidth"):
        kernel_log_density(batches(X), Q, 0.0)
    with pytest.raises(InvalidParameterError, match="kernel"):
        kernel_log_density(batches(X), Q, 1.0, kernel="bump")


# --- histograms ---------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
def test_histograms_of_a_stream_are_those_of_memory(weighted):
    weights = RNG.integers(0, 4, len(X)) / 2.0 if weighted else None
    stream = batches(X, weights=weights)
    found, whole = HistogramDensity(6).fit(stream), HistogramDensity(6).fit(X, None, weights)
    assert stream.passes == 2
    same(found.bin_edges_, whole.bin_edges_)
    same((found.cells_, found.heights_), (whole.cells_, whole.heights_))
    grid, _ = np.histogramdd(X, found.bin_edges_, density=True, weights=weights)
    assert np.allclose(found.heights_, grid[tuple(found.cells_.T)], rtol=1e-12)
    assert found._tags().tier == "several passes"


def test_histograms_whose_rule_looks_at_values_collect_rows():
    for bins in ("auto", "scott", "sturges"):
        found, whole = HistogramDensity(bins).fit(batches(X)), HistogramDensity(bins).fit(X)
        assert found._tags().tier == "all rows"
        same((found.cells_, found.heights_), (whole.cells_, whole.heights_))


def test_histograms_of_awkward_rows():
    bad = X.copy()
    bad[350, 1] = np.nan
    with pytest.raises(InvalidDataError, match="NaN"):
        HistogramDensity(5).fit(batches(bad))
    with pytest.raises(InvalidDataError, match="farther than doubles"):
        HistogramDensity(5).fit(batches(np.sign(X) * 1.7e308))
    constant = np.full((50, 1), 7.0)
    same(
        HistogramDensity(5).fit(batches(constant, 3, 40)).bin_edges_,
        HistogramDensity(5).fit(constant).bin_edges_,
    )


@pytest.mark.parametrize("model", [KernelDensity(), HistogramDensity(5)], ids=repr)
def test_likelihoods_of_a_stream(model):
    model.fit(X)
    assert np.isclose(model.score(batches(X)), model.score(X), rtol=1e-14)


# --- queries on a stream ------------------------------------------------------------------------

Y = (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize(
    ("model", "method", "options"),
    [
        (NearestNeighbors(), "kneighbors", {}),
        (NearestNeighbors(), "kneighbors", {"return_distance": False}),
        (NearestNeighbors(), "kneighbors", {"n_neighbors": 3}),
        (KNeighborsClassifier(), "kneighbors", {}),
        (KNeighborsClassifier(), "predict", {}),
        (KNeighborsClassifier(), "predict_proba", {}),
        (KNeighborsRegressor(), "predict", {}),
        (RadiusNeighborsClassifier(3.0), "predict_proba", {}),
        (RadiusNeighborsRegressor(radius=3.0), "predict", {}),
        (LocalOutlierFactor(novelty=True), "predict", {}),
        (LocalOutlierFactor(novelty=True), "score_samples", {}),
        (KernelDensity(), "score_samples", {}),
    ],
)  # fmt: skip
def test_answers_batch_by_batch(model, method, options):
    model.fit(X, Y)
    ask = getattr(model, method)
    found, expected = ask(batches(Q, 1, 1, 30), **options), ask(Q, **options)
    if not isinstance(expected, tuple):
        found, expected = (found,), (expected,)
    if isinstance(model, KernelDensity):  # queries near each other are summed about one exponent
        np.testing.assert_allclose(found, expected, rtol=1e-14)
    else:
        same(found, expected)
    assert isinstance(found, tuple)


def test_lists_and_graphs_batch_by_batch():
    model = NearestNeighbors(radius=0.8).fit(X)
    found, expected = model.radius_neighbors(X=batches(Q, 3, 30)), model.radius_neighbors(Q)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.shape == theirs.shape == (len(Q),)
        assert all(np.array_equal(a, b) for a, b in zip(ours, theirs, strict=True))
    for name in ("kneighbors_graph", "radius_neighbors_graph"):
        graph, whole = (getattr(model, name)(each) for each in (batches(Q, 3, 30), Q))
        assert (graph != whole).nnz == 0
        assert graph.format == whole.format


def test_several_outputs_batch_by_batch():
    model = KNeighborsClassifier().fit(X, np.column_stack([Y, X[:, 1] > 0]).astype(int))
    found, expected = model.predict_proba(batches(Q, 3, 30)), model.predict_proba(Q)
    assert isinstance(found, list)
    same(found, expected)
