"""Imputers against scikit-learn's, and what they do at the edges."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.impute as theirs
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn.experimental import enable_iterative_imputer  # noqa: F401

import stylobate.impute as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model import Ridge

STRATEGIES = ["mean", "median", "most_frequent", "constant", np.max]


def rows(n=30, share=0.3, empty=True):
    rng = np.random.default_rng(7)
    x = np.round(rng.normal(size=(n, 5)) @ rng.normal(size=(5, 5)), 1)
    x[rng.random(x.shape) < share] = np.nan
    if empty:
        x[:, 2] = np.nan
    return x


def quietly(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call()


@pytest.mark.parametrize("indicator", [False, True])
@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("strategy", STRATEGIES, ids=[*STRATEGIES[:4], "max"])
def test_simple_agrees(strategy, keep, indicator):
    x = rows(empty=strategy is not np.max)
    options = {"strategy": strategy, "keep_empty_features": keep, "add_indicator": indicator}
    mine, other = ours.SimpleImputer(**options), theirs.SimpleImputer(**options)
    found, expected = (
        quietly(lambda each=each: each.fit(x).transform(x[::-1])) for each in (mine, other)
    )
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    np.testing.assert_allclose(mine.statistics_.astype(float), other.statistics_.astype(float))
    assert list(mine.get_feature_names_out()) == list(other.get_feature_names_out())
    if indicator and not keep:  # theirs then runs out of columns
        back, expected = mine.inverse_transform(found), other.inverse_transform(expected)
        np.testing.assert_allclose(back, expected)


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("strategy", STRATEGIES[:4])
def test_simple_agrees_on_sparse(strategy, kind):
    x = rows(empty=False)
    x[np.random.default_rng(0).random(x.shape) < 0.4] = 0.0
    options = {"strategy": strategy, "add_indicator": True}
    found = ours.SimpleImputer(**options).fit(kind(x)).transform(kind(x))
    expected = theirs.SimpleImputer(**options).fit(kind(x)).transform(kind(x))
    assert found.format == kind(x).format
    np.testing.assert_allclose(found.toarray(), expected.toarray())
    dense = ours.SimpleImputer(**options).fit(x).transform(x)
    np.testing.assert_allclose(found.toarray(), dense)


def test_skipped_columns_are_said():
    with pytest.warns(UserWarning, match=r"without any observed values: \[2\]"):
        assert ours.SimpleImputer().fit_transform(rows()).shape == (30, 4)


@pytest.mark.parametrize("strategy", ["mean", "median"])
def test_simple_refuses_infinities(strategy):
    x = np.array([[1.0, np.nan], [2.0, -np.inf], [3.0, 4.0]])
    imputer = ours.SimpleImputer(strategy=strategy)
    with pytest.raises(InvalidDataError, match=r"infinity .* at row 1, column 1"):
        imputer.fit(x)
    assert not imputer.__sklearn_is_fitted__()


def test_simple_other_markers_and_dtypes():
    x = np.array([[1, -1], [3, 4], [-1, 8]])
    for strategy in ("mean", "median", "most_frequent"):
        options = {"missing_values": -1, "strategy": strategy}
        expected = theirs.SimpleImputer(**options).fit_transform(x)
        np.testing.assert_array_equal(ours.SimpleImputer(**options).fit_transform(x), expected)
    single = ours.SimpleImputer().fit_transform(rows(empty=False).astype(np.float32))
    assert single.dtype == np.float32
    with pytest.raises(InvalidDataError, match="missing_values=0"):
        ours.SimpleImputer(missing_values=0).fit(sparse.csr_array(x))
    with pytest.raises(ValueError, match="NaN"):
        ours.SimpleImputer(missing_values=-1).fit([[np.nan]])


@pytest.mark.parametrize("marker", [np.nan, None])
@pytest.mark.parametrize("strategy", ["most_frequent", "constant"])
def test_text(strategy, marker):
    x = np.array([["a", "x"], [marker, "y"], ["b", "y"], ["b", marker], ["a", "y"]], dtype=object)
    options = {"strategy": strategy, "missing_values": marker}
    expected = theirs.SimpleImputer(**options).fit_transform(x)
    assert ours.SimpleImputer(**options).fit_transform(x).tolist() == expected.tolist()
    with pytest.raises(ValueError, match="text"):
        ours.SimpleImputer().fit(x)


def test_frames_of_text():
    frame = pd.DataFrame(
        {"town": ["Rom", None, "Rom"], "size": [1.0, np.nan, 3.0]}, index=[4, 5, 6]
    )
    out = ours.SimpleImputer(strategy="most_frequent").fit_transform(frame)
    assert out["town"].tolist() == ["Rom"] * 3
    assert out["size"].tolist() == [1.0, 1.0, 3.0]
    assert list(out.index) == [4, 5, 6]
    polars = pl.DataFrame({"town": ["Rom", None, "Rom"]})
    assert ours.SimpleImputer(strategy="constant").fit_transform(polars)["town"].to_list() == [
        "Rom",
        "missing_value",
        "Rom",
    ]


@settings(max_examples=30)
@given(
    hnp.arrays(np.float64, (6, 3), elements=st.floats(-1e150, 1e150) | st.just(np.nan)),
    st.sampled_from(["mean", "median", "most_frequent"]),
)
def test_simple_keeps_what_is_there(x, strategy):
    out = ours.SimpleImputer(strategy=strategy, keep_empty_features=True).fit_transform(x)
    assert np.isfinite(out).all()
    np.testing.assert_array_equal(out[~np.isnan(x)], x[~np.isnan(x)])
    low, high = (np.nan_to_num(f.reduce(x, axis=0)) for f in (np.fmin, np.fmax))
    assert ((out >= low) & (out <= high)).all()


@pytest.mark.parametrize(
    "options", [{}, {"features": "all"}, {"sparse": True}, {"missing_values": 0.1}]
)
def test_indicator_agrees(options):
    x = rows() if "missing_values" not in options else np.nan_to_num(rows(), nan=0.1)
    mine, other = ours.MissingIndicator(**options).fit(x), theirs.MissingIndicator(**options).fit(x)
    found, expected = mine.transform(x), other.transform(x)
    assert sparse.issparse(found) == sparse.issparse(expected)
    if sparse.issparse(found):
        found, expected = found.toarray(), expected.toarray()
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == bool
    assert list(mine.get_feature_names_out()) == list(other.get_feature_names_out())


def test_indicator_refuses_new_columns_and_takes_sparse_rows_and_text():
    with pytest.raises(InvalidDataError, match=r"features \[1\] have missing values in transform"):
        ours.MissingIndicator().fit([[np.nan, 1.0]]).transform([[1.0, np.nan]])
    x = sparse.csr_array(np.array([[np.nan, 0.0], [1.0, 0.0]]))
    out = ours.MissingIndicator().fit_transform(x)
    assert sparse.issparse(out)
    assert out.toarray().tolist() == [[True], [False]]
    assert ours.MissingIndicator(missing_values=None).fit_transform(
        np.array([["a"], [None]], dtype=object)
    ).tolist() == [[False], [True]]


@pytest.mark.parametrize("weights", ["uniform", "distance", lambda d: np.exp(-d)])
@pytest.mark.parametrize("k", [1, 3, 100])
def test_neighbours_agree(k, weights):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(40, 5)) + 3
    x[rng.random(x.shape) < 0.25] = np.nan
    x[5] = np.nan
    x[7] = x[9]
    x[:, 4] = np.nan
    options = {"n_neighbors": k, "weights": weights, "add_indicator": True}
    for keep in (False, True):
        mine = ours.KNNImputer(keep_empty_features=keep, **options)
        other = theirs.KNNImputer(keep_empty_features=keep, **options)
        found, expected = mine.fit(x).transform(x), other.fit(x).transform(x)
        np.testing.assert_allclose(found, expected, rtol=1e-7)
        assert len(mine.get_feature_names_out()) == found.shape[1]
        if not keep:  # theirs then forgets the name of the empty column
            assert list(mine.get_feature_names_out()) == list(other.get_feature_names_out())


def test_neighbours_far_from_zero_and_in_blocks(monkeypatch):
    rng = np.random.default_rng(2)
    x = rng.normal(size=(50, 3))
    x[::4, 0] = np.nan
    expected = ours.KNNImputer().fit_transform(x)
    np.testing.assert_allclose(ours.KNNImputer().fit_transform(x + 1e6) - 1e6, expected, atol=1e-8)
    np.testing.assert_allclose(ours.KNNImputer().fit_transform(x * 1e200) / 1e200, expected)
    monkeypatch.setattr("stylobate.impute.neighbours._BLOCK", 100)
    np.testing.assert_array_equal(ours.KNNImputer().fit_transform(x), expected)


def test_neighbours_by_a_metric_of_ones_own():
    from sklearn.metrics.pairwise import nan_euclidean_distances

    def metric(a, b, *, missing_values):
        return nan_euclidean_distances([a], [b])[0, 0]

    x = rows(12, empty=False)
    np.testing.assert_allclose(
        ours.KNNImputer(metric=metric).fit_transform(x), ours.KNNImputer().fit_transform(x)
    )


@pytest.mark.parametrize("order", ["ascending", "descending", "roman", "arabic"])
def test_iterative_agrees(order):
    x = rows(60, 0.2)
    options = {"imputation_order": order, "max_iter": 5, "add_indicator": True, "min_value": -4.0}
    mine, other = ours.IterativeImputer(**options), theirs.IterativeImputer(**options)
    found = quietly(lambda: mine.fit(x).transform(x))
    expected = quietly(lambda: other.fit(x).transform(x))
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)
    assert mine.n_iter_ == other.n_iter_
    assert list(mine.get_feature_names_out()) == list(other.get_feature_names_out())


def test_iterative_with_a_model_of_ones_own_and_draws():
    x = rows(50, 0.15, empty=False)
    own = quietly(lambda: ours.IterativeImputer(Ridge(alpha=2.0), max_iter=3).fit_transform(x))
    from sklearn.linear_model import Ridge as TheirRidge

    expected = quietly(
        lambda: theirs.IterativeImputer(TheirRidge(alpha=2.0), max_iter=3).fit_transform(x)
    )
    np.testing.assert_allclose(own, expected, rtol=1e-8)
    draws = [
        ours.IterativeImputer(
            sample_posterior=True,
            random_state=seed,
            max_iter=2,
            n_nearest_features=3,
            min_value=-5.0,
            max_value=5.0,
            imputation_order="random",
        ).fit_transform(x)
        for seed in (0, 0, 1)
    ]
    np.testing.assert_array_equal(draws[0], draws[1])
    blank = np.isnan(x)
    assert (draws[0][blank] != draws[2][blank]).mean() > 0.9
    assert (np.abs(draws[0][blank]) <= 5).all()
    np.testing.assert_array_equal(draws[0][~blank], x[~blank])


def test_iterative_edges():
    assert ours.IterativeImputer().fit_transform([[1.0], [np.nan], [3.0]])[1, 0] == 2.0
    with pytest.raises(InvalidParameterError, match="min_value >= max_value"):
        ours.IterativeImputer(min_value=3.0, max_value=1.0).fit(rows(empty=False))
    with pytest.raises(InvalidParameterError, match="should be of shape"):
        ours.IterativeImputer(min_value=[3.0, 1.0]).fit(rows(empty=False))
    with pytest.warns(UserWarning, match="not reached after 1"):
        ours.IterativeImputer(max_iter=1, tol=1e-9).fit(rows(empty=False))
