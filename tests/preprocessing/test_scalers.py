"""Scalers, normaliser, binariser, functions: scikit-learn's answers, laws, round trips."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.preprocessing as theirs
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

import stylobate.preprocessing as ours
from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError, InvalidParameterError, NumericalError
from stylobate.statistics import ColumnMoments, ColumnRange
from stylobate.testing import check_merge_laws

SCALERS = {
    "standard": ("StandardScaler", {}),
    "uncentred": ("StandardScaler", {"with_mean": False}),
    "only centred": ("StandardScaler", {"with_std": False}),
    "neither": ("StandardScaler", {"with_std": False, "with_mean": False}),
    "min-max": ("MinMaxScaler", {}),
    "to an interval": ("MinMaxScaler", {"feature_range": (-3, 5), "clip": True}),
    "max-abs": ("MaxAbsScaler", {}),
    "clipped": ("MaxAbsScaler", {"clip": True}),
    "robust": ("RobustScaler", {}),
    "robust, uncentred": ("RobustScaler", {"with_centering": False}),
    "robust, unscaled": ("RobustScaler", {"with_scaling": False}),
    "robust, normal": ("RobustScaler", {"unit_variance": True, "quantile_range": (10, 80)}),
}
SPARSE = ["uncentred", "neither", "max-abs", "clipped", "robust, uncentred"]
ATTRIBUTES = ("mean_", "var_", "scale_", "min_", "data_min_", "data_max_", "max_abs_", "center_")


def pair(name):
    kind, options = SCALERS[name]
    return getattr(ours, kind)(**options), getattr(theirs, kind)(**options)


def rows(missing=0.2, n=40):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(n, 6)) * [1, 1e150, 1e-6, 100, 1, 1] + [0, 1e150, 0, 1e6, 3, 0]
    x[:, 4] = 2.5
    x[rng.random(x.shape) < missing] = np.nan
    x[:, 5] = np.nan if missing else 0.0
    return x


def assert_agree(mine, other, x, new):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = other.fit(x).transform(new)
    found = mine.fit(x).transform(new)
    if sparse.issparse(expected):
        assert sparse.issparse(found)
        found, expected = found.toarray(), expected.toarray()
    assert found.dtype == expected.dtype
    tolerance = 1e-5 if found.dtype == np.float32 else 1e-10
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
    for name in ATTRIBUTES:
        value = getattr(other, name, None)
        if value is not None:
            np.testing.assert_allclose(
                getattr(mine, name),
                value,
                rtol=1e-5 if x.dtype == np.float32 else 1e-10,
                err_msg=name,
            )
        else:
            assert getattr(mine, name, None) is None
    if hasattr(other, "n_samples_seen_"):
        np.testing.assert_array_equal(mine.n_samples_seen_, other.n_samples_seen_)


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("name", SCALERS)
def test_agrees(name, missing):
    x = rows(missing)
    assert_agree(*pair(name), x, 2.0 * x[:7])


@pytest.mark.parametrize("name", SCALERS)
def test_agrees_on_other_dtypes_and_one_row(name):
    x = np.random.default_rng(0).integers(-5, 9, (30, 3))
    assert_agree(*pair(name), x, x[:4])
    assert_agree(*pair(name), x.astype(np.float32), x[:4].astype(np.float32))
    assert_agree(*pair(name), x[:1].astype(float), x[:4].astype(float))


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("name", SPARSE)
def test_sparse_agrees_and_stays_sparse(name, kind):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(30, 5)) * (rng.random((30, 5)) < 0.4)
    x[3, 1] = np.nan
    x[:, 4] = 0.0
    assert_agree(*pair(name), kind(x), kind(x))
    mine = pair(name)[0].fit(kind(x))
    dense = pair(name)[0].fit(x)
    np.testing.assert_allclose(mine.transform(kind(x)).toarray(), dense.transform(x), atol=1e-12)
    back = mine.inverse_transform(mine.transform(kind(x)))
    np.testing.assert_allclose(back.toarray(), x, atol=1e-12)


@pytest.mark.parametrize(
    ("kind", "word"), [("StandardScaler", "with_mean"), ("RobustScaler", "with_centering")]
)
def test_centring_sparse_rows_is_refused(kind, word):
    x = sparse.csr_array(np.eye(3))
    with pytest.raises(InvalidDataError, match=f"Cannot center sparse.*{word}=False"):
        getattr(ours, kind)().fit(x)
    with pytest.raises(InvalidDataError, match="Cannot center sparse"):
        getattr(ours, kind)().fit(np.eye(3)).transform(x)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_weights_agree(missing):
    x = rows(missing)[:, :5]
    w = np.random.default_rng(5).integers(0, 4, len(x)).astype(float)
    mine, other = ours.StandardScaler().fit(x, sample_weight=w), theirs.StandardScaler()
    other.fit(x, sample_weight=w)
    np.testing.assert_allclose(mine.mean_, other.mean_, rtol=1e-12)
    np.testing.assert_allclose(mine.var_, other.var_, rtol=1e-9, atol=1e-20)
    np.testing.assert_allclose(mine.n_samples_seen_, other.n_samples_seen_)
    uncentred = ours.StandardScaler(with_mean=False).fit(
        sparse.csr_array(np.nan_to_num(x)), None, w
    )
    dense = ours.StandardScaler(with_mean=False).fit(np.nan_to_num(x), None, w)
    np.testing.assert_allclose(uncentred.scale_, dense.scale_, rtol=1e-12)


@pytest.mark.parametrize("name", ["standard", "uncentred", "min-max", "max-abs"])
def test_parts_give_the_whole(name):
    x = rows()
    whole, parts = pair(name)[0].fit(x), pair(name)[0]
    for part in np.split(x, [1, 9, 30]):
        parts.partial_fit(part)
    batches = pair(name)[0].fit_batches(lambda: iter([x[:13], (x[13:], None)]))
    for other in (parts, batches):
        np.testing.assert_allclose(other.transform(x), whole.transform(x), rtol=1e-11, atol=1e-11)
        np.testing.assert_array_equal(other.n_samples_seen_, whole.n_samples_seen_)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_column_moments_obey_the_laws(kind, weighted):
    x = np.nan_to_num(rows(0.0)) if kind is not np.asarray else rows()[:, :5]
    w = np.arange(40) % 3.0 + (np.arange(40) % 10 == 0) if weighted else np.ones(40)
    tables = [
        read_table(kind(x[a:b]), None, w[a:b], owner="test", check_finite="allow-nan")
        for a, b in ((0, 10), (10, 20), (20, 40))
    ]
    check_merge_laws(ColumnMoments, tables)
    check_merge_laws(ColumnRange, tables)


@settings(max_examples=40)
@given(
    hnp.arrays(
        np.float64,
        st.tuples(st.integers(1, 9), st.integers(1, 3)),
        elements=st.floats(-1e6, 1e6) | st.just(np.nan),
    ),
    st.sampled_from([1e-250, 1e-150, 1.0, 1e145]),
)
def test_any_column_moments(x, unit):
    x = np.where(np.abs(x) < 1e-6, 0.0, x)
    found = ColumnMoments.of(read_table(x * unit, owner="test", check_finite="allow-nan"))
    for j, column in enumerate(x.T):
        values = column[~np.isnan(column)].astype(np.longdouble)
        assert found.count[j] == len(values)
        if len(values):
            size = float(np.abs(values).max()) or 1.0
            assert abs(found.mean[j] / unit - float(values.mean())) <= 1e-14 * size
            length = float(np.sqrt(((values - values.mean()) ** 2).sum()))
            assert abs(found.length[j] / unit - length) <= 1e-13 * size * len(values)
            assert (found.low[j], found.high[j]) == (
                float(values.min()) * unit,
                float(values.max()) * unit,
            )


@settings(max_examples=30)
@given(
    hnp.arrays(np.float64, (6, 2), elements=st.floats(-1e9, 1e9) | st.just(np.nan)),
    st.sampled_from(list(SCALERS)),
    st.sampled_from([1e-200, 1e-20, 1.0, 1e140]),
)
def test_round_trip(x, name, unit):
    x = np.where(np.abs(x) < 1e-3, 0.0, x) * unit
    scaler = pair(name)[0].fit(x)
    back = scaler.inverse_transform(scaler.transform(x))
    size = np.fmax.reduce(np.abs(x), axis=0, initial=0.0)
    np.testing.assert_array_equal(np.isnan(back), np.isnan(x))
    assert (np.abs(np.nan_to_num(back - x)) <= 1e-14 * size).all()


def test_tiny_and_huge_units_do_not_matter():
    """scikit-learn takes a column of order 1e-20 for a constant one."""
    x = np.random.default_rng(2).normal(size=(20, 1))
    for kind in ("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler"):
        expected = getattr(ours, kind)().fit_transform(x)
        for unit in (1e-200, 1e-20, 1e140):
            np.testing.assert_allclose(
                getattr(ours, kind)().fit_transform(x * unit), expected, rtol=1e-12, atol=1e-14
            )
    far = ours.StandardScaler().fit(x + 1e9)
    np.testing.assert_allclose(far.scale_, ((x + 1e9) - 1e9).std(axis=0), rtol=1e-12)
    with pytest.raises(NumericalError, match="variance of column 0"):
        ours.StandardScaler().fit(x * 1e200)


@pytest.mark.parametrize("name", ["standard", "min-max", "max-abs"])
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinities_are_refused(name, value):
    """The pass over the columns finds them; NaN before them is no offence."""
    x = rows()
    x[7, 3], x[2, 1] = value, np.nan
    for fit in ("fit", "partial_fit"):
        scaler = pair(name)[0]
        with pytest.raises(InvalidDataError, match=r"infinity .* at row 7, column 3 \(1 of 40"):
            getattr(scaler, fit)(x)
        assert not hasattr(scaler, "scale_")
    with pytest.raises(InvalidDataError, match="infinity"):
        pair(name)[0].fit_batches([x[:5], x[5:]])


def test_infinities_of_rows_without_weight_are_refused_too():
    x = rows(0.0)
    x[7, 3] = np.inf
    with pytest.raises(InvalidDataError, match="infinity"):
        ours.StandardScaler().fit(x, sample_weight=np.arange(40) != 7)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_of_weight_zero_are_no_rows(order, dtype):
    x = np.asarray(np.random.default_rng(5).normal(1e4, size=(500, 3)), dtype=dtype, order=order)
    w = np.random.default_rng(6).integers(0, 3, 500).astype(float)
    x[w == 0] = 1e7
    table = read_table(x, None, w, owner="test")
    kept = read_table(x[w > 0], None, w[w > 0], owner="test")
    for kind in (ColumnMoments, ColumnRange):
        found, expected = kind.of(table).to_arrays(), kind.of(kept).to_arrays()
        for name, value in expected.items():
            np.testing.assert_allclose(found[name], value, rtol=1e-13, err_msg=name)


def test_copy_false_scales_in_place():
    for name in ("standard", "min-max", "max-abs", "robust"):
        x = np.random.default_rng(0).normal(size=(9, 2))
        scaler = pair(name)[0].set_params(copy=False)
        assert scaler.fit(x).transform(x) is x
        scaler.inverse_transform(x)
    x.setflags(write=False)
    assert scaler.transform(x) is not x


def test_frames():
    frame = pd.DataFrame({"a": [1.0, 2.0, 6.0], "b": [0, 5, 1]}, index=[3, 5, 8])
    scaler = ours.StandardScaler().fit(frame)
    out = scaler.transform(frame)
    assert list(out.columns) == ["a", "b"]
    assert list(out.index) == [3, 5, 8]
    back = scaler.inverse_transform(out)
    np.testing.assert_allclose(back, frame)
    assert list(back.columns) == ["a", "b"]
    polars = ours.MinMaxScaler().fit_transform(pl.DataFrame({"a": [1, 3]}))
    assert polars["a"].to_list() == [0.0, 1.0]
    arrays = ours.RobustScaler().set_output(transform="polars").fit_transform(np.eye(2))
    assert arrays.columns == ["x0", "x1"]


FUNCTIONS = {
    "scale": [{}, {"with_mean": False}, {"axis": 1}],
    "minmax_scale": [{}, {"feature_range": (-1, 1)}, {"axis": 1}],
    "maxabs_scale": [{}, {"axis": 1}],
    "robust_scale": [{}, {"quantile_range": (5, 60)}, {"axis": 1}],
    "normalize": [{}, {"norm": "l1"}, {"norm": "max"}, {"axis": 0}, {"norm": "l1", "axis": 0}],
    "binarize": [{}, {"threshold": 0.4}],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_agree(name):
    x = np.random.default_rng(4).normal(size=(7, 3))
    for options in FUNCTIONS[name]:
        mine, other = getattr(ours, name)(x, **options), getattr(theirs, name)(x, **options)
        np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-12)
        if name not in ("normalize", "binarize") and "axis" not in options:
            mine, other = (
                getattr(ours, name)(x[:, 0], **options),
                getattr(theirs, name)(x[:, 0], **options),
            )
            np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-12)
    with pytest.raises((InvalidDataError, InvalidParameterError)):
        getattr(ours, name)(x, **({"axis": 2} if name != "binarize" else {"threshold": "a"}))


@pytest.mark.parametrize("norm", ["l1", "l2", "max"])
def test_normalizer(norm):
    x = np.random.default_rng(4).normal(size=(7, 3)) * (np.arange(7)[:, None] > 0)
    expected = theirs.normalize(x, norm)
    np.testing.assert_allclose(ours.Normalizer(norm).transform(x), expected, rtol=1e-14)
    np.testing.assert_allclose(
        ours.Normalizer(norm).transform(sparse.csc_array(x)).toarray(), expected, rtol=1e-14
    )
    for unit in (1e-290, 1e290):
        np.testing.assert_allclose(ours.normalize(x * unit, norm), expected, rtol=1e-13)
        np.testing.assert_allclose(
            ours.normalize(sparse.csr_array(x * unit), norm).toarray(), expected, rtol=1e-13
        )
    _, norms = ours.normalize(x, norm, return_norm=True)
    np.testing.assert_allclose(norms, theirs.normalize(x, norm, return_norm=True)[1])


def test_binarizer():
    x = np.array([[0.0, 1.0, -1.0], [2.0, 0.5, 0.0]])
    np.testing.assert_array_equal(ours.Binarizer().transform(x), theirs.binarize(x))
    out = ours.Binarizer(threshold=0.7).fit_transform(sparse.csr_array(x))
    assert out.nnz == 2
    with pytest.raises(InvalidParameterError, match="threshold < 0"):
        ours.Binarizer(threshold=-1.0).fit_transform(sparse.csr_array(x))


def test_function_transformer():
    x = np.random.default_rng(0).random((5, 2))
    log = ours.FunctionTransformer(np.log1p, np.expm1, feature_names_out="one-to-one")
    np.testing.assert_allclose(log.fit_transform(x), np.log1p(x))
    np.testing.assert_allclose(log.inverse_transform(log.transform(x)), x)
    frame = pd.DataFrame(x, columns=["a", "b"])
    assert list(log.fit(frame).get_feature_names_out()) == ["a", "b"]
    assert list(log.transform(frame).columns) == ["a", "b"]
    assert not hasattr(ours.FunctionTransformer(np.log1p), "get_feature_names_out")
    named = ours.FunctionTransformer(
        lambda z: z.sum(axis=1, keepdims=True),
        feature_names_out=lambda self, names: ["+".join(names)],
    ).set_output(transform="pandas")
    assert list(named.fit_transform(x).columns) == ["x0+x1"]
    power = ours.FunctionTransformer(lambda z, k: z**k, kw_args={"k": 2}, validate=True)
    np.testing.assert_allclose(power.fit_transform(frame), x**2)
    with pytest.warns(UserWarning, match="not strictly inverse"):
        ours.FunctionTransformer(np.log1p, np.exp).fit(x)
    assert ours.FunctionTransformer(lambda words: [w.upper() for w in words]).transform(["a"]) == [
        "A"
    ]


def test_bad_parameters_are_refused():
    with pytest.raises(InvalidParameterError, match="Minimum of desired feature range"):
        ours.MinMaxScaler((1, 0)).fit([[1.0]])
    with pytest.raises(InvalidParameterError, match="Invalid quantile range"):
        ours.RobustScaler(quantile_range=(75, 25)).fit([[1.0]])


def test_no_batch_and_too_large_sums_are_refused():
    with pytest.raises(InvalidDataError, match="no batch"):
        ours.StandardScaler().fit_batches([])
    with pytest.raises(NumericalError, match="added up"):
        ours.StandardScaler().fit([[1.7e308], [1.6e308], [1.5e308]])
    assert ours.StandardScaler().fit(np.full((3, 1), 1.7e308)).mean_ == 1.7e308
    scaler = ours.StandardScaler().fit([[1.0], [2.0]])
    with pytest.raises(InvalidDataError, match="2 features"):
        scaler.partial_fit([[1.0, 2.0]])


@pytest.mark.parametrize("mean", [1.0, 1e10])
def test_columns_within_rounding_of_constant_are_only_centred(mean):
    """As in scikit-learn: what n sums may have lost is no deviation to be blown up to one."""
    eps = np.finfo(float).eps
    x = np.full((100, 1), mean)
    x[::2] += 20 * eps * mean
    assert ours.StandardScaler().fit(x).scale_ == 1.0
    x[::2] += 1000 * eps * mean
    found = ours.StandardScaler().fit(x)
    np.testing.assert_allclose(found.scale_, x.std(), rtol=1e-3)
    np.testing.assert_allclose(found.transform(x).std(), 1.0)


def test_degrees_that_no_product_has_give_no_columns():
    x = np.ones((3, 1))
    maker = ours.PolynomialFeatures((2, 2), interaction_only=True, include_bias=False)
    assert maker.fit_transform(x).shape == (3, 0)
    assert maker.fit_transform(sparse.csr_array(x)).shape == (3, 0)
    with pytest.raises(InvalidParameterError, match="no column"):
        ours.PolynomialFeatures(0, include_bias=False).fit(x)
