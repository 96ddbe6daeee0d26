"""Distances and kernels against scikit-learn and SciPy."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.metrics.pairwise as theirs
from scipy.spatial.distance import cdist
from sklearn.exceptions import DataConversionWarning

from stylobate.metrics import pairwise as ours

RNG = np.random.default_rng(5)
X = RNG.normal(size=(37, 11)) + 2.0
Y = RNG.normal(size=(53, 11)) + 2.0
W = RNG.uniform(0.2, 2.0, size=11)
PLAIN = (
    "braycurtis",
    "canberra",
    "chebyshev",
    "cityblock",
    "correlation",
    "cosine",
    "euclidean",
    "hamming",
    "l1",
    "l2",
    "manhattan",
    "minkowski",
    "sqeuclidean",
)
BOOLEAN = ("dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule")


def whole(x: np.ndarray) -> np.ndarray:
    return np.round(x)


@pytest.mark.parametrize("metric", PLAIN)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("table", [X, whole(X)])
def test_plain_metrics(metric, dtype, table):
    a, b = table.astype(dtype), Y.astype(dtype)
    for args in ((a, b), (a,), (a, a.copy())):
        got = ours.pairwise_distances(*args, metric=metric, n_jobs=2)
        want = theirs.pairwise_distances(*args, metric=metric)
        if metric in ("euclidean", "l2"):  # theirs loses half the digits of equal rows
            want = cdist(args[0], args[-1]).astype(want.dtype)
        tolerance = 1e-6 if dtype == np.float32 else 1e-12
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=10 * tolerance)
        assert got.dtype == want.dtype


@pytest.mark.parametrize("metric", BOOLEAN)
def test_boolean_metrics(metric):
    a, b = X > 2, Y > 2.5
    a[3] = False
    for args in ((a, b), (a,)):
        np.testing.assert_allclose(
            ours.pairwise_distances(*args, metric=metric),
            theirs.pairwise_distances(*args, metric=metric),
            rtol=1e-13,
        )
    with pytest.warns(DataConversionWarning, match="converted to boolean"):
        ours.pairwise_distances(a.astype(float), b.astype(float), metric=metric)


@pytest.mark.parametrize(
    ("metric", "params"),
    [
        ("minkowski", {"p": 1}),
        ("minkowski", {"p": 1.5}),
        ("minkowski", {"p": 3}),
        ("minkowski", {"p": 4.5, "w": W}),
        ("minkowski", {"p": 0.5}),
        ("minkowski", {"p": np.inf}),
        ("minkowski", {"p": 2, "w": W}),
        ("seuclidean", {"V": W}),
        ("mahalanobis", {"VI": np.diag(W) + 0.1}),
        ("canberra", {"w": W}),
        ("hamming", {"w": W}),
        ("braycurtis", {"w": W}),
        ("chebyshev", {"w": W}),
        ("correlation", {"w": W}),
        ("jaccard", {"w": W}),
        ("yule", {"w": W}),
        ("sqeuclidean", {"w": W}),
    ],
)
def test_parameters_as_in_scipy(metric, params):
    a, b = (X > 2, Y > 2) if metric in BOOLEAN else (whole(X), whole(Y))
    got = ours.pairwise_distances(a, b, metric=metric, **params)
    np.testing.assert_allclose(got, cdist(a, b, metric, **params), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("metric", ["seuclidean", "mahalanobis"])
def test_parameters_learnt_from_one_table(metric):
    np.testing.assert_allclose(
        ours.pairwise_distances(X, metric=metric),
        theirs.pairwise_distances(X, metric=metric),
        rtol=1e-9,
        atol=1e-9,
    )
    with pytest.raises(ValueError, match="is required for"):
        ours.pairwise_distances(X, Y, metric=metric)
    blocks = list(ours.pairwise_distances_chunked(X, metric=metric, working_memory=0.001))
    assert len(blocks) > 1
    np.testing.assert_allclose(
        np.vstack(blocks), theirs.pairwise_distances(X, metric=metric), rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "manhattan", "l1", "l2", "cityblock"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sparse_metrics(metric, dtype):
    a = sp.random_array((29, 40), density=0.2, rng=RNG, format="csr", dtype=dtype)
    b = sp.random_array((31, 40), density=0.3, rng=RNG, format="csc", dtype=dtype)
    for args in ((a, b), (a,), (a, b.toarray()), (a.toarray(), b)):
        got = ours.pairwise_distances(*args, metric=metric)
        if metric in ("manhattan", "l1", "cityblock"):
            dense = [t.toarray() if sp.issparse(t) else t for t in args]
            want = theirs.manhattan_distances(*dense)
        else:
            want = theirs.pairwise_distances(*args, metric=metric)
        tolerance = 2e-6 if dtype == np.float32 else 1e-12
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)
    with pytest.raises(TypeError, match="sparse"):
        ours.pairwise_distances(a, b, metric="canberra")


@pytest.mark.parametrize("name", sorted(theirs.kernel_metrics()))
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_kernels(name, dtype):
    a, b = np.abs(X).astype(dtype), np.abs(Y).astype(dtype)
    a[2, 3] = b[4, 3] = 0
    tolerance = 3e-6 if dtype == np.float32 else 1e-12
    for args in ((a, b), (a,)):
        got = ours.pairwise_kernels(*args, metric=name)
        want = theirs.pairwise_kernels(*args, metric=name)
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)
        assert got.dtype == want.dtype
    if "chi2" not in name:
        s = sp.csr_array(a * (a > 2))
        np.testing.assert_allclose(
            ours.pairwise_kernels(s, b, metric=name),
            theirs.pairwise_kernels(s.toarray(), b, metric=name),
            rtol=tolerance,
            atol=tolerance,
        )


def test_kernel_parameters():
    params = {"gamma": 0.3, "coef0": -0.5, "degree": 2}
    for name in ("poly", "sigmoid", "rbf", "laplacian", "linear"):
        np.testing.assert_allclose(
            ours.pairwise_kernels(X, Y, metric=name, filter_params=True, **params),
            theirs.pairwise_kernels(X, Y, metric=name, filter_params=True, **params),
            rtol=1e-12,
        )
    positive = np.abs(X)
    np.testing.assert_allclose(
        ours.polynomial_kernel(positive, degree=2.5), theirs.polynomial_kernel(positive, degree=2.5)
    )
    small = 1e-9 * X
    np.testing.assert_allclose(
        ours.sigmoid_kernel(small, coef0=0), theirs.sigmoid_kernel(small, coef0=0), rtol=1e-12
    )
    sparse = sp.csr_array(X * (X > 2))
    for function in ("linear_kernel", "cosine_similarity"):
        got = getattr(ours, function)(sparse, dense_output=False)
        assert sp.issparse(got)
        np.testing.assert_allclose(
            got.toarray(), getattr(theirs, function)(sparse, dense_output=False).toarray()
        )


def test_nan_euclidean_and_haversine():
    a, b = X.copy(), Y.copy()
    a[RNG.random(a.shape) < 0.4] = np.nan
    b[RNG.random(b.shape) < 0.4] = np.nan
    a[5] = np.nan
    for args in ((a, b), (a,)):
        np.testing.assert_allclose(
            ours.nan_euclidean_distances(*args),
            theirs.nan_euclidean_distances(*args),
            rtol=1e-9,
            atol=1e-7,
        )
    np.testing.assert_allclose(
        ours.nan_euclidean_distances(whole(X), missing_values=2.0, squared=True),
        theirs.nan_euclidean_distances(whole(X), missing_values=2.0, squared=True),
        atol=1e-9,
    )
    places = np.column_stack([RNG.uniform(-1.5, 1.5, 60), RNG.uniform(-6, 6, 60)])
    places[1] = places[0] + 1e-9
    np.testing.assert_allclose(
        ours.haversine_distances(places),
        theirs.haversine_distances(places),
        rtol=1e-9,
        atol=1e-15,
    )
    with pytest.raises(ValueError, match="2 dimensions"):
        ours.haversine_distances(X)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine", "chebyshev", "correlation"])
@pytest.mark.parametrize("axis", [0, 1])
def test_argmin(metric, axis):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = theirs.pairwise_distances_argmin_min(X, Y, metric=metric, axis=axis)
    got = ours.pairwise_distances_argmin_min(X, Y, metric=metric, axis=axis)
    assert (got[0] == want[0]).all()
    np.testing.assert_allclose(got[1], want[1], rtol=1e-12)
    assert (ours.pairwise_distances_argmin(X, Y, metric=metric, axis=axis) == want[0]).all()
    squared = ours.pairwise_distances_argmin_min(X, Y, metric_kwargs={"squared": True})[1]
    np.testing.assert_allclose(squared, cdist(X, Y, "sqeuclidean").min(axis=1), rtol=1e-12)


def test_paired():
    b = Y[: len(X)]
    for metric in ("euclidean", "l2", "manhattan", "cosine", lambda u, v: np.abs(u - v).max()):
        want = theirs.paired_distances(X, b, metric=metric)
        np.testing.assert_allclose(ours.paired_distances(X, b, metric=metric), want, rtol=1e-12)
        if not callable(metric):
            got = ours.paired_distances(sp.csr_array(X), sp.csr_array(b), metric=metric)
            np.testing.assert_allclose(got, want, rtol=1e-12)
    with pytest.raises(ValueError, match="same shape"):
        ours.paired_distances(X, Y)


def test_callables_precomputed_and_names():
    def largest(u, v, scale=1.0):
        return scale * np.abs(u - v).max()

    for args in ((X, Y), (X,)):
        np.testing.assert_allclose(
            ours.pairwise_distances(*args, metric=largest, scale=2.0),
            theirs.pairwise_distances(*args, metric=largest, scale=2.0),
        )
        np.testing.assert_allclose(
            ours.pairwise_kernels(*args, metric=largest),
            theirs.pairwise_kernels(*args, metric=largest),
        )
    words = np.array(["sun", "son", "moon"])
    lengths = ours.pairwise_distances(words, metric=lambda a, b: abs(len(a) - len(b)))
    assert lengths.tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
    square = ours.euclidean_distances(X)
    assert ours.pairwise_distances(square, metric="precomputed") is square
    with pytest.raises(ValueError, match="non-negative"):
        ours.pairwise_distances(-square, metric="precomputed")
    with pytest.raises(ValueError, match="Precomputed metric requires shape"):
        ours.pairwise_distances(X, Y, metric="precomputed")
    assert set(ours.distance_metrics()) == set(theirs.distance_metrics())
    assert set(ours.kernel_metrics()) == set(theirs.kernel_metrics())


def test_chunks():
    blocks = list(ours.pairwise_distances_chunked(X, Y, working_memory=0.001))
    assert len(blocks) > 5
    np.testing.assert_allclose(np.vstack(blocks), cdist(X, Y), rtol=1e-12)

    def near(block, start):
        return [np.flatnonzero(row < 4) + 0 * start for row in block], block.sum(axis=1)

    got = list(ours.pairwise_distances_chunked(X, reduce_func=near, working_memory=0.001))
    want = list(theirs.pairwise_distances_chunked(X, reduce_func=near, working_memory=0.001))
    for (a, b), (c, d) in zip(got, want, strict=True):
        assert all((u == v).all() for u, v in zip(a, c, strict=True))
        np.testing.assert_allclose(b, d, rtol=1e-10)
    with pytest.raises(ValueError, match="Expected same length"):
        list(ours.pairwise_distances_chunked(X, reduce_func=lambda d, s: d[:3]))
    with pytest.raises(TypeError, match="not a sequence"):
        list(ours.pairwise_distances_chunked(X, reduce_func=lambda d, s: 1))


def test_data_frames_and_lists():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    names = [f"c{j}" for j in range(X.shape[1])]
    want = cdist(X, Y)
    for make in (
        lambda t: pandas.DataFrame(t, columns=names),
        lambda t: polars.DataFrame(t, schema=names),
        lambda t: t.tolist(),
        np.asfortranarray,
        lambda t: np.repeat(t, 2, axis=1)[:, ::2],
    ):
        np.testing.assert_allclose(ours.euclidean_distances(make(X), make(Y)), want, rtol=1e-12)


def test_refusals():
    bad = X.copy()
    bad[2, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        ours.euclidean_distances(bad)
    with pytest.raises(ValueError, match="Incompatible dimension"):
        ours.rbf_kernel(X, Y[:, :4])
    with pytest.raises(ValueError, match="metric must be"):
        ours.pairwise_distances(X, metric="nonsense")
    with pytest.raises(ValueError, match="metric must be"):
        ours.pairwise_kernels(X, metric="nonsense")
    with pytest.raises(ValueError, match="negative values"):
        ours.chi2_kernel(-np.abs(X))
    with pytest.raises(ValueError, match="gamma"):
        ours.rbf_kernel(X, gamma=-1.0)
    with pytest.raises(ValueError, match="degree"):
        ours.polynomial_kernel(X, degree=0)
    with pytest.raises(ValueError, match="other parameters"):
        ours.pairwise_distances(X, Y, metric="chebyshev", colour=1)
    with pytest.raises(ValueError, match="positive semidefinite"):
        ours.pairwise_distances(X, Y, metric="mahalanobis", VI=-np.eye(11))
    with pytest.raises(ValueError, match="X_norm_squared"):
        ours.euclidean_distances(X, X_norm_squared=np.ones(3))
    with pytest.raises(ValueError, match="axis"):
        ours.pairwise_distances_argmin(X, Y, axis=2)
