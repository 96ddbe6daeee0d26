"""Discretiser, power and quantile transforms: scikit-learn's answers, exactness, round trips."""

from __future__ import annotations

import warnings
from contextlib import suppress
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import sklearn.preprocessing as theirs
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

import stylobate.preprocessing as ours
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    NumericalError,
    StylobateWarning,
)
from stylobate.preprocessing.bins.discretizer import _METHODS
from stylobate.preprocessing.bins.edges import best_line_partition

RNG = np.random.default_rng(8)
X = np.column_stack([RNG.normal(size=60), RNG.exponential(size=60) * 100, RNG.integers(0, 4, 60)])


def quietly(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call()


def dense(x):
    return x.toarray() if sparse.issparse(x) else x


@pytest.mark.parametrize("encode", ["onehot", "onehot-dense", "ordinal"])
@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_bins_agree(strategy, encode):
    options = {"strategy": strategy, "encode": encode, "n_bins": [3, 5, 8]}
    mine, other = ours.KBinsDiscretizer(**options), theirs.KBinsDiscretizer(**options)
    found, expected = (
        quietly(lambda each=each: each.fit(X).transform(X + 0.3)) for each in (mine, other)
    )
    assert sparse.issparse(found) == sparse.issparse(expected)
    np.testing.assert_array_equal(dense(found), dense(expected))
    for a, b in zip(mine.bin_edges_, other.bin_edges_, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-14)
    np.testing.assert_array_equal(mine.n_bins_, other.n_bins_)
    assert list(mine.get_feature_names_out()) == list(other.get_feature_names_out())
    np.testing.assert_allclose(mine.inverse_transform(found), other.inverse_transform(expected))


@pytest.mark.parametrize("method", _METHODS)
def test_quantile_methods_agree(method):
    options = {"quantile_method": method, "encode": "ordinal"}
    found = quietly(lambda: ours.KBinsDiscretizer(**options).fit_transform(X))
    expected = quietly(lambda: theirs.KBinsDiscretizer(**options).fit_transform(X))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("method", ["inverted_cdf", "averaged_inverted_cdf"])
def test_weighted_quantiles_agree(method):
    w = np.random.default_rng(0).integers(0, 4, 60).astype(float)
    options = {"quantile_method": method, "encode": "ordinal"}
    mine = quietly(lambda: ours.KBinsDiscretizer(**options).fit(X, sample_weight=w))
    other = quietly(lambda: theirs.KBinsDiscretizer(**options).fit(X, sample_weight=w))
    for a, b in zip(mine.bin_edges_, other.bin_edges_, strict=True):
        np.testing.assert_allclose(a, b)
    with pytest.raises(InvalidParameterError, match="sample weights"):
        ours.KBinsDiscretizer(quantile_method="linear").fit(X, sample_weight=w)


def inertia(x, centres, w=None):
    return float(np.average(np.abs(x[:, None] - centres).min(axis=1) ** 2, weights=w))


@settings(max_examples=40)
@given(
    hnp.arrays(np.int64, st.integers(1, 9), elements=st.integers(-20, 20)),
    st.integers(1, 5),
    st.booleans(),
)
def test_line_partition_is_the_best_of_all(x, k, weighted):
    x = x.astype(float)
    w = np.arange(1.0, len(x) + 1) if weighted else np.ones(len(x))
    found = best_line_partition(x, w, k)
    order = np.argsort(x)
    xs, ws = x[order], w[order]
    best = min(
        sum(
            float((ws[a:b] * (xs[a:b] - np.average(xs[a:b], weights=ws[a:b])) ** 2).sum())
            for a, b in zip((0, *cuts), (*cuts, len(x)), strict=True)
        )
        for cuts in combinations(range(1, len(x)), min(k, len(x)) - 1)
    )
    assert inertia(x, found, w) * w.sum() <= best + 1e-9 * (1 + best)
    assert (np.diff(found) > 0).all()


def test_kmeans_is_no_worse_than_scikit_learns():
    x = np.concatenate(
        [RNG.normal(size=300), RNG.normal(size=20) * 0.1 + 30, RNG.exponential(size=100) * 5]
    )
    for k in (2, 3, 6):
        other = theirs.KBinsDiscretizer(k, strategy="kmeans", encode="ordinal").fit(x[:, None])
        mine = ours.KBinsDiscretizer(k, strategy="kmeans", encode="ordinal").fit(x[:, None])
        costs = []
        for each in (mine, other):
            codes = each.transform(x[:, None])[:, 0]
            costs.append(
                sum(((x[codes == c] - x[codes == c].mean()) ** 2).sum() for c in set(codes))
            )
        assert costs[0] <= costs[1] * (1 + 1e-12)


def test_given_edges():
    frame = pd.DataFrame({"age": [0.0, 4.9, 5.0, 50.0, 90.0, -1.0]})
    edges = [0, 5, 10, 50, np.inf]
    bins = ours.KBinsDiscretizer(strategy="edges", edges=edges, encode="onehot-dense").fit(frame)
    names = ["age_[0, 5)", "age_[5, 10)", "age_[10, 50)", "age_[50, inf)"]
    out = bins.transform(frame)
    assert list(out.columns) == names
    assert out.to_numpy().argmax(axis=1).tolist() == [0, 0, 1, 3, 3, 0]
    assert bins.inverse_transform(out).ravel().tolist() == [2.5, 2.5, 7.5, 50.0, 50.0, 2.5]
    two = ours.KBinsDiscretizer(strategy="edges", edges=[[0, 1, 2], [0, 9]], encode="ordinal")
    assert two.fit_transform([[1.5, 3.0]]).tolist() == [[1.0, 0.0]]
    for wrong in (
        {"edges": [3, 1]},
        {"edges": None},
        {"edges": [[0, 1]] * 3},
        {"edges": ["a", "b"]},
    ):
        with pytest.raises(InvalidParameterError, match="edges"):
            ours.KBinsDiscretizer(strategy="edges", **wrong).fit(np.ones((2, 2)))
    with pytest.raises(InvalidParameterError, match="need each other"):
        ours.KBinsDiscretizer(edges=[0, 1]).fit(X)


def test_bins_at_the_edges():
    with pytest.warns(UserWarning, match="Feature 0 is constant"):
        bins = ours.KBinsDiscretizer(encode="ordinal").fit(np.full((4, 1), 3.0))
    assert bins.inverse_transform(bins.transform([[7.0]])).tolist() == [[3.0]]
    with pytest.warns(UserWarning, match="too small"):
        ours.KBinsDiscretizer(5).fit(np.array([[0.0], [0], [0], [0], [1]]))
    tiny = ours.KBinsDiscretizer(4, encode="ordinal").fit_transform(X[:, :1] * 1e-150)
    np.testing.assert_array_equal(
        tiny, ours.KBinsDiscretizer(4, encode="ordinal").fit_transform(X[:, :1])
    )
    drawn = ours.KBinsDiscretizer(3, subsample=20, random_state=0, encode="ordinal")
    np.testing.assert_array_equal(drawn.fit_transform(X[:, :1]), drawn.fit_transform(X[:, :1]))
    assert (
        ours.KBinsDiscretizer(3, dtype=np.float32).fit(X[:, :2]).transform(X[:, :2]).dtype
        == np.float32
    )
    with pytest.raises(InvalidParameterError, match="n_features"):
        ours.KBinsDiscretizer([2, 3]).fit(X)


@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize("method", ["yeo-johnson", "box-cox"])
def test_powers_agree(method, standardize):
    x = np.column_stack(
        [RNG.exponential(size=80), RNG.normal(size=80) ** 2 + 5, RNG.lognormal(size=80)]
    )
    x = x - 1.0 if method == "yeo-johnson" else x
    x[::7, 1] = np.nan
    mine = ours.PowerTransformer(method, standardize=standardize).fit(x)
    other = theirs.PowerTransformer(method, standardize=standardize).fit(x)
    np.testing.assert_allclose(mine.lambdas_, other.lambdas_, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(mine.transform(x), other.transform(x), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(mine.inverse_transform(mine.transform(x)), x, rtol=1e-9, atol=1e-9)


@settings(max_examples=40)
@given(
    hnp.arrays(np.float64, (8, 1), elements=st.floats(-1e3, 1e3)),
    st.sampled_from([1.0, 1e-12, 1e60]),
)
def test_power_round_trip(x, unit):
    x = np.where(np.abs(x) < 1e-3, 0.0, x) * unit
    with warnings.catch_warnings():  # "far from zero for their spread": true of [5, 4, 4, 4 …]
        warnings.simplefilter("ignore", StylobateWarning)
        power = ours.PowerTransformer(standardize=False).fit(x)
    if abs(power.lambdas_[0]) > 100:  # rows that are nearly alike
        with suppress(NumericalError):  # "exceeds what double precision can hold"
            power.transform(x)
        return
    bent = power.transform(x)
    assert np.isfinite(bent).all()
    assert (np.diff(bent[np.argsort(x[:, 0]), 0]) >= 0).all()


def test_power_is_where_the_likelihood_is_largest():
    from scipy.stats import boxcox_llf, yeojohnson_llf

    x = RNG.gamma(2.0, size=200)
    found = ours.PowerTransformer().fit(x[:, None]).lambdas_[0]
    assert (
        yeojohnson_llf(found, x)
        >= max(yeojohnson_llf(p, x) for p in found + np.linspace(-1, 1, 41)) - 1e-9
    )
    found = ours.PowerTransformer("box-cox").fit(x[:, None]).lambdas_[0]
    assert (
        boxcox_llf(found, x) >= max(boxcox_llf(p, x) for p in found + np.linspace(-1, 1, 41)) - 1e-9
    )


def test_powers_at_the_edges():
    with pytest.raises(InvalidDataError, match=r"strictly positive.*row 1, column 0"):
        ours.PowerTransformer("box-cox").fit([[1.0], [0.0]])
    with pytest.raises(InvalidDataError, match="all nan"):
        ours.PowerTransformer("box-cox").fit([[np.nan], [np.nan]])
    constant = ours.PowerTransformer().fit([[2.0], [2.0]])
    assert constant.lambdas_.tolist() == [1.0]
    # large values close together, on which powers overflow
    x = np.array([[2003.0, 1950.0, 1997.0, 2000.0, 2009.0]]).T
    with pytest.warns(StylobateWarning, match="cannot hold or tell apart"):
        out = ours.PowerTransformer("box-cox", standardize=False).fit(x)
    assert np.isfinite(out.lambdas_).all()
    np.testing.assert_allclose(
        ours.power_transform(X[:, :1]), theirs.power_transform(X[:, :1]), atol=1e-5
    )


@pytest.mark.parametrize("distribution", ["uniform", "normal"])
def test_quantiles_agree(distribution):
    x = X.copy()
    x[::9, 0] = np.nan
    options = {"n_quantiles": 25, "output_distribution": distribution}
    mine, other = (
        ours.QuantileTransformer(**options).fit(x),
        theirs.QuantileTransformer(**options).fit(x),
    )
    np.testing.assert_allclose(mine.quantiles_, other.quantiles_)
    new = 1.5 * x - 0.3
    np.testing.assert_allclose(mine.transform(new), other.transform(new), atol=1e-6)
    np.testing.assert_allclose(
        mine.inverse_transform(mine.transform(x)),
        other.inverse_transform(other.transform(x)),
        atol=1e-6,
    )


def test_quantiles_of_sparse_rows_agree():
    x = np.abs(X) * (RNG.random(X.shape) < 0.5)
    for ignore in (False, True):
        options = {"n_quantiles": 10, "ignore_implicit_zeros": ignore}
        mine = ours.QuantileTransformer(**options).fit_transform(sparse.csr_array(x))
        other = theirs.QuantileTransformer(**options).fit_transform(sparse.csc_array(x))
        np.testing.assert_allclose(mine.toarray(), other.toarray(), atol=1e-12)
        assert mine.format == "csr"
    with pytest.raises(InvalidDataError, match="non-negative sparse"):
        ours.QuantileTransformer(n_quantiles=5).fit(sparse.csr_array(-x))


def test_quantiles_at_the_edges():
    with pytest.warns(UserWarning, match="greater than the total number"):
        ours.QuantileTransformer(n_quantiles=100).fit(X)
    assert ours.QuantileTransformer().fit(X).n_quantiles_ == len(X)
    with pytest.raises(InvalidParameterError, match="greater than the number of samples used"):
        ours.QuantileTransformer(n_quantiles=50, subsample=20).fit(X)
    for unit in (1e-150, 1e150):
        normal = {"n_quantiles": 20, "output_distribution": "normal"}
        expected = ours.QuantileTransformer(**normal).fit_transform(X[:, :1])
        np.testing.assert_allclose(
            ours.QuantileTransformer(**normal).fit_transform(X[:, :1] * unit), expected, rtol=1e-9
        )
    drawn = ours.quantile_transform(X, n_quantiles=10, subsample=30, random_state=1)
    np.testing.assert_array_equal(
        drawn, ours.quantile_transform(X, n_quantiles=10, subsample=30, random_state=1)
    )


@pytest.mark.parametrize("strategy", ["uniform", "quantile", "kmeans"])
def test_weights_are_repeats(strategy):
    counts = np.arange(60) % 4
    bins = ours.KBinsDiscretizer(4, strategy=strategy, encode="ordinal")
    weighted = quietly(lambda: bins.fit(X, sample_weight=counts).transform(X))
    repeated = quietly(lambda: bins.fit(np.repeat(X, counts, axis=0)).transform(X))
    np.testing.assert_array_equal(weighted, repeated)
