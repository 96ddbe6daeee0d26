"""Polynomial, spline and radial bases against scikit-learn and against their formulas."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
import sklearn.preprocessing as theirs
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.kernels import RBF
from stylobate.preprocessing import PolynomialFeatures, RBFFeatures, SplineTransformer

X = np.random.default_rng(0).standard_normal((40, 4))
EXPANSIONS = [
    {"degree": degree, "interaction_only": only, "include_bias": bias}
    for degree in (0, 1, 2, 3, 4, (2, 3), (0, 2), (3, 3))
    for only in (False, True)
    for bias in (False, True)
    if degree != 0 or bias
]


@pytest.mark.parametrize("options", EXPANSIONS)
class TestPolynomial:
    def test_same_columns_as_scikit_learn(self, options):
        ours, peer = PolynomialFeatures(**options).fit(X), theirs.PolynomialFeatures(**options)
        np.testing.assert_allclose(ours.transform(X), peer.fit_transform(X), rtol=1e-12)
        np.testing.assert_array_equal(ours.powers_, peer.powers_)
        assert list(ours.get_feature_names_out()) == list(peer.get_feature_names_out())
        assert ours.n_output_features_ == peer.n_output_features_

    @pytest.mark.parametrize("form", ["csr", "csc"])
    def test_sparse_equals_dense(self, options, form):
        x = np.where(np.abs(X) < 1.0, 0.0, X)
        given = sparse.coo_array(x).asformat(form)
        found = PolynomialFeatures(**options).fit_transform(given)
        assert found.format == form
        expected = PolynomialFeatures(**options).fit_transform(x)
        np.testing.assert_allclose(found.toarray(), expected, rtol=1e-12)


def test_polynomial_of_many_rows_is_made_in_pieces():
    x = np.random.default_rng(1).standard_normal((5000, 3)).astype(np.float32)
    found = PolynomialFeatures(3, order="F").fit_transform(x)
    assert found.dtype == np.float32
    assert found.flags.f_contiguous
    np.testing.assert_allclose(found, theirs.PolynomialFeatures(3).fit_transform(x), rtol=1e-5)


def test_polynomial_names_of_a_frame():
    frame = pl.DataFrame({"age": [1.0, 2.0], "fare": [3.0, 5.0]})
    found = PolynomialFeatures(2, include_bias=False).fit_transform(frame)
    assert isinstance(found, pl.DataFrame)
    assert found.columns == ["age", "fare", "age^2", "age fare", "fare^2"]
    assert found["age fare"].to_list() == [3.0, 10.0]


@pytest.mark.parametrize(
    ("degree", "message"),
    [((3, 2), "exceeds"), ((1.5, 2.0), "pair of ints"), ((1, 2, 3), "pair of ints")],
)
def test_polynomial_degrees_that_make_no_sense(degree, message):
    with pytest.raises(InvalidParameterError, match=message):
        PolynomialFeatures(degree).fit(X)


def test_polynomial_refuses_what_no_memory_could_hold():
    with pytest.raises(InvalidDataError, match=r"degree 30 of 50 columns gives .*e\+"):
        PolynomialFeatures(30).fit(np.zeros((2, 50)))
    with pytest.raises(InvalidParameterError, match="no column at all"):
        PolynomialFeatures(0, include_bias=False).fit(X)


SPLINES = [
    {"knots": knots, "extrapolation": how, "degree": degree, "include_bias": bias}
    for knots in ("uniform", "quantile")
    for how in ("constant", "linear", "continue", "periodic")
    for degree in (0, 1, 2, 3)
    for bias in (True, False)
    if degree > 0 or how == "continue"  # scikit-learn's own fails at steps outside the knots
]


@pytest.mark.parametrize("options", SPLINES)
def test_splines_equal_scikit_learns(options):
    ours, peer = SplineTransformer(**options).fit(X), theirs.SplineTransformer(**options).fit(X)
    beyond = np.concatenate([X, X * 1.7 + 0.1])
    # column by column: scikit-learn's tangents of degree 1 spoil the columns after the first
    expected = [
        theirs.SplineTransformer(**options).fit(X[:, [j]]).transform(beyond[:, [j]])
        for j in range(4)
    ]
    np.testing.assert_allclose(ours.transform(beyond), np.hstack(expected), atol=1e-10)
    assert list(ours.get_feature_names_out()) == list(peer.get_feature_names_out())
    assert ours.n_features_out_ == peer.n_features_out_


@pytest.mark.parametrize("how", ["constant", "linear"])
def test_steps_stay_what_they_are_outside_the_knots(how):
    x = np.linspace(0.0, 1.0, 9)[:, None]
    spline = SplineTransformer(n_knots=3, degree=0, extrapolation=how).fit(x)
    found = spline.transform([[-5.0], [0.2], [0.7], [5.0]])
    np.testing.assert_array_equal(found, [[1, 0], [1, 0], [0, 1], [0, 1]])


def test_splines_sum_to_one_and_are_sparse_where_asked():
    spline = SplineTransformer(n_knots=6, sparse_output=True).fit(X)
    found = spline.transform(X)
    assert sparse.issparse(found)
    np.testing.assert_allclose(found.sum(axis=1), 4.0, rtol=1e-12)
    assert found.nnz <= 4 * 4 * len(X)


def test_splines_of_given_knots_and_missing_values():
    knots = [[-4.0], [0.0], [1.0], [4.0]]
    x = np.array([[-1.0], [np.nan], [0.5]])
    options = {"knots": knots, "degree": 2, "handle_missing": "zeros"}
    found = SplineTransformer(**options).fit_transform(x)
    np.testing.assert_allclose(found, theirs.SplineTransformer(**options).fit_transform(x))
    assert not found[1].any()


def test_quantile_knots_of_weights_are_those_of_repeated_rows():
    counts = np.arange(40) % 4
    weighted = SplineTransformer(knots="quantile").fit(X, sample_weight=counts.astype(float))
    peer = theirs.SplineTransformer(knots="quantile").fit(X, sample_weight=counts.astype(float))
    np.testing.assert_allclose(weighted.transform(X), peer.transform(X), atol=1e-10)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"knots": [[0.0], [0.0]]}, "without duplicates"),
        ({"knots": [[0.0]]}, "must be >= 2"),
        ({"knots": [[0.0], [1.0]]}, "n_features is violated"),
        ({"extrapolation": "periodic", "n_knots": 3, "degree": 3}, "degree < n_knots"),
    ],
)
def test_knots_that_make_no_sense(options, message):
    columns = X[:, :1] if "violated" not in message else X
    with pytest.raises(InvalidParameterError, match=message):
        SplineTransformer(**options).fit(columns)


def test_values_beyond_the_knots_are_refused_when_asked():
    spline = SplineTransformer(extrapolation="error").fit(X)
    with pytest.raises(InvalidDataError, match="beyond the limits of the knots in column 2"):
        spline.transform(np.array([[0.0, 0.0, 99.0, 0.0]]))


@pytest.mark.parametrize("centers", ["kmeans", "points", "all", [[0.0] * 4, [1.0] * 4]])
def test_radial_features_are_gaussian_bumps(centers):
    bumps = RBFFeatures(centers=centers, n_centers=6, width=1.3, random_state=0).fit(X)
    expected = np.exp(-cdist(X, bumps.centers_, "sqeuclidean") / (2 * 1.3**2))
    np.testing.assert_allclose(bumps.transform(X), expected, rtol=1e-12)
    rows = {"kmeans": 6, "points": 6, "all": 40}.get(centers if isinstance(centers, str) else "", 2)
    assert bumps.centers_.shape == (rows, 4)
    if centers == "points":
        assert (cdist(bumps.centers_, X).min(axis=1) == 0).all()


def test_radial_centres_of_clusters_are_in_them():
    x = np.concatenate([X[:20] * 0.01, X[20:] * 0.01 + 5.0])
    bumps = RBFFeatures(n_centers=2, random_state=1).fit(x)
    np.testing.assert_allclose(np.sort(bumps.centers_[:, 0]), [0, 5], atol=0.1)
    assert bumps.width_ == pytest.approx(10.0, abs=0.1)


def test_radial_features_far_from_the_origin_keep_their_digits():
    near, far = (RBFFeatures(X[:3] + shift, width=1.0).fit(X) for shift in (0.0, 1e6))
    np.testing.assert_allclose(far.transform(X + 1e6), near.transform(X), rtol=1e-8)


@given(count=st.integers(1, 12), repeats=st.integers(1, 3))
def test_radial_centres_never_exceed_the_distinct_rows(count, repeats):
    x = np.repeat(np.arange(4.0)[:, None], repeats, axis=0)
    for centers in ("kmeans", "points"):
        found = RBFFeatures(centers, n_centers=count, random_state=0).fit(x)
        assert len(found.centers_) == min(count, 4)
        assert np.isfinite(found.transform(x)).all()


def test_radial_centres_of_another_width_are_refused():
    with pytest.raises(InvalidDataError, match=r"pass an array of shape \(n_centers, 4\)"):
        RBFFeatures([[0.0, 1.0]]).fit(X)


def test_gamma_is_another_name_of_the_width():
    X = np.linspace(0, 1, 7)[:, None]
    by_gamma = RBFFeatures(centers=[[0.2], [0.8]], gamma=3.0).fit_transform(X)
    np.testing.assert_allclose(by_gamma, RBF(gamma=3.0)(X, [[0.2], [0.8]]), rtol=1e-14)
    np.testing.assert_allclose(
        by_gamma, RBFFeatures(centers=[[0.2], [0.8]], width=6**-0.5).fit_transform(X), rtol=1e-14
    )
    with pytest.raises(InvalidParameterError, match="one of them"):
        RBFFeatures(width=1.0, gamma=1.0).fit(X)


def test_sigma_is_another_name_of_the_kernels_width():
    assert RBF(sigma=0.5) == RBF(gamma=2.0)
    assert RBF(gamma=0.0).sigma == np.inf
    assert RBF().sigma is None
    for wrong in ({"sigma": 0.0}, {"sigma": 1.0, "gamma": 1.0}):
        with pytest.raises(InvalidParameterError, match="sigma"):
            RBF(**wrong)
