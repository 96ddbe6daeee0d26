"""Every data-frame library: same values as the array they were made of, names, no copies."""

from __future__ import annotations

import re
import warnings
from decimal import Decimal

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_array_equal

from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError

FRAMES = {
    "pandas": pd.DataFrame,
    "pandas-nullable": lambda d: pd.DataFrame(d).convert_dtypes(),
    "pandas-pyarrow": lambda d: pd.DataFrame(d).convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.DataFrame,
    "polars-lazy": lambda d: pl.DataFrame(d).lazy(),
    "pyarrow": pa.table,
    "pyarrow-batch": pa.RecordBatch.from_pydict,
    "narwhals": lambda d: nw.from_native(pl.DataFrame(d)),
    "narwhals-pandas": lambda d: nw.from_native(pd.DataFrame(d)),
}
SERIES = {
    "pandas": pd.Series,
    "pandas-nullable": lambda v: pd.Series(v).convert_dtypes(),
    "pandas-pyarrow": lambda v: pd.Series(v).convert_dtypes(dtype_backend="pyarrow"),
    "pandas-index": pd.Index,
    "polars": pl.Series,
    "pyarrow": pa.array,
    "pyarrow-chunked": lambda v: pa.chunked_array([v[:1], v[1:]]),
    "narwhals": lambda v: nw.from_native(pl.Series(v), series_only=True),
}
COLUMN = st.sampled_from(["f4", "f8", "f2", "i1", "i8", "u4", "?"])


@st.composite
def columns(draw):
    n = draw(st.integers(1, 6))
    out = {}
    for name in draw(st.lists(st.sampled_from("abcde"), min_size=1, unique=True)):
        dtype = np.dtype(draw(COLUMN))
        limits = {"allow_nan": False, "allow_infinity": False} if dtype.kind == "f" else {}
        out[name] = draw(hnp.arrays(dtype, n, elements=hnp.from_dtype(dtype, **limits)))
    return out


@given(columns(), st.sampled_from(sorted(FRAMES)))
@settings(max_examples=150, deadline=None)
def test_values_and_names_equal_the_arrays(data, container):
    table = read_table(FRAMES[container](data), owner="Ridge")
    assert_array_equal(table.x, np.column_stack([v.astype(float) for v in data.values()]))
    assert table.names == tuple(data)
    if not container.startswith(("pandas-", "narwhals-")):  # convert_dtypes may choose integers
        singles = all(v.dtype == np.float32 for v in data.values())
        assert table.x.dtype == (np.float32 if singles else np.float64)


@pytest.mark.parametrize("container", sorted(SERIES))
@pytest.mark.parametrize("dtype", ["f4", "f8", "i2", "?"])
def test_series_as_target_and_weights(container, dtype):
    values = np.array([1, 0, 1, 1], dtype=dtype)
    series = SERIES[container](values)
    table = read_table(np.ones((4, 1)), series, series, owner="Ridge")
    assert_array_equal(table.y, values.astype(float).reshape(-1, 1))
    assert_array_equal(table.weights, values.astype(float))
    assert table.y_is_vector


@pytest.mark.parametrize("container", sorted(FRAMES))
def test_frame_as_target_of_several_columns(container):
    frame = FRAMES[container]({"a": np.array([1.0, 2.0]), "b": np.array([3, 4])})
    table = read_table(np.ones((2, 1)), frame, owner="Ridge")
    assert_array_equal(table.y, [[1, 3], [2, 4]])
    assert not table.y_is_vector


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_pandas_frame_in_one_block_is_a_view(dtype):
    x = np.arange(12, dtype=dtype).reshape(4, 3)
    frame = pd.DataFrame(x, columns=list("abc"))
    assert np.shares_memory(read_table(frame, owner="Ridge").x, frame.to_numpy())
    y = pd.Series(np.arange(4.0))
    assert np.shares_memory(read_table(frame, y, owner="Ridge").y, y.to_numpy())


def test_polars_frame_of_contiguous_columns_is_a_view():
    frame = pl.from_numpy(np.asfortranarray(np.random.default_rng(0).normal(size=(50, 3))))
    got = read_table(frame, owner="Ridge").x
    assert np.shares_memory(got, frame.get_column(frame.columns[1]).to_numpy())


MISSING = {
    "pandas-nullable": pd.DataFrame({"a": [1.0, 2.0], "b": pd.array([1, None], dtype="Int64")}),
    "pandas-boolean": pd.DataFrame({"a": [1.0, 2.0], "b": pd.array([True, None], dtype="boolean")}),
    "pandas-pyarrow": pd.DataFrame({"a": [1, 2], "b": pd.array([1, None], dtype="int8[pyarrow]")}),
    "pandas-object": pd.DataFrame({"a": [1, 2], "b": pd.Series([1, None], dtype=object)}),
    "pandas-na-object": pd.DataFrame({"a": [1, 2], "b": pd.Series([1, pd.NA], dtype=object)}),
    "polars": pl.DataFrame({"a": [1, 2], "b": [1, None]}),
    "polars-boolean": pl.DataFrame({"a": [1, 2], "b": [True, None]}),
    "pyarrow": pa.table({"a": [1, 2], "b": [1, None]}),
    "pyarrow-boolean": pa.table({"a": [1, 2], "b": [True, None]}),
}


@pytest.mark.parametrize("case", sorted(MISSING))
def test_missing_values_become_nan_and_are_named(case):
    with pytest.raises(InvalidDataError, match="NaN at row 1, column 'b'"):
        read_table(MISSING[case], owner="Ridge")
    x = read_table(MISSING[case], owner="Ridge", check_finite="allow-nan").x
    assert_array_equal(x, [[1, 1], [2, np.nan]])


@pytest.mark.parametrize(
    "frame",
    [pl.DataFrame({"a": [None, None]}), pa.table({"a": pa.nulls(2)})],
    ids=["polars", "pyarrow"],
)
def test_columns_of_nothing_are_missing(frame):
    with pytest.raises(InvalidDataError, match="NaN at row 0, column 'a'"):
        read_table(frame, owner="Ridge")


@pytest.mark.parametrize("container", sorted(FRAMES))
@pytest.mark.parametrize("big", [2**53 + 1, -(2**62) - 1])
def test_integers_beyond_double_precision_are_rounded_as_numpy_does(container, big):
    values = np.array([big, 1])
    frame = FRAMES[container]({"a": values, "b": np.array([0.5, 1.5])})
    assert_array_equal(read_table(frame, owner="Ridge").x[:, 0], values.astype(float))
    series = SERIES.get(container, np.asarray)(values)
    assert_array_equal(
        read_table(np.ones((2, 1)), series, owner="Ridge").y[:, 0], values.astype(float)
    )


def test_big_integers_beside_missing_ones():
    for frame in (
        pd.DataFrame({"a": pd.array([2**53 + 1, None], dtype="int64[pyarrow]")}),
        pd.DataFrame({"a": pd.array([2**53 + 1, None], dtype="Int64")}),
        pa.table({"a": pa.array([2**53 + 1, None])}),
        pl.DataFrame({"a": [2**53 + 1, None]}),
    ):
        x = read_table(frame, owner="Ridge", check_finite="allow-nan").x
        assert_array_equal(x, [[float(2**53 + 1)], [np.nan]])


def test_decimals_and_wide_integers():
    for frame in (
        pa.table({"a": pa.array([Decimal("1.25"), Decimal("-3.50")])}),
        pl.DataFrame({"a": [Decimal("1.25"), Decimal("-3.50")]}),
        pd.DataFrame({"a": [Decimal("1.25"), Decimal("-3.50")]}),
        pd.DataFrame(
            {
                "a": pd.array(
                    [Decimal("1.25"), Decimal("-3.50")], dtype=pd.ArrowDtype(pa.decimal128(5, 2))
                )
            }
        ),
    ):
        assert_array_equal(read_table(frame, owner="Ridge").x, [[1.25], [-3.5]])
    wide = pl.DataFrame({"a": pl.Series([2**80], dtype=pl.Int128)})
    assert read_table(wide, owner="Ridge").x[0, 0] == float(2**80)


def test_a_series_is_no_table():
    for x in (
        pd.Series([1.0, 2.0]),
        pl.Series([1.0, 2.0]),
        pa.chunked_array([[1.0]]),
        pa.array([1.0]),
    ):
        with pytest.raises(InvalidDataError, match="Reshape your data") as caught:
            read_table(x, owner="Ridge")
        assert "DataFrame" in str(caught.value)


def test_names_that_are_not_text():
    assert read_table(pd.DataFrame([[1, 2]]), owner="Ridge").names is None
    levels = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]))
    assert read_table(levels, owner="Ridge").names is None
    with pytest.raises(TypeError, match=re.escape("['int', 'str'] as feature name")):
        read_table(pd.DataFrame([[1, 2]], columns=["a", 1]), owner="Ridge")
    assert read_table(np.ones((2, 2)), owner="Ridge").names is None


def test_repeated_names_are_kept():
    frames = (
        pd.DataFrame([[1.0, 2.0]], columns=["a", "a"]),
        pd.DataFrame({0: [1], 1: pd.Series([2], dtype=object)}).set_axis(["a", "a"], axis=1),
        pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]),
    )
    for frame in frames:
        table = read_table(frame, owner="Ridge")
        assert table.names == ("a", "a")
        assert_array_equal(table.x, [[1, 2]])


def test_frames_without_columns_or_rows():
    with pytest.raises(InvalidDataError, match=r"0 feature\(s\) \(shape=\(3, 0\)\)"):
        read_table(pd.DataFrame(index=range(3)), owner="Ridge")
    for frame in (
        pd.DataFrame({"a": []}),
        pl.DataFrame({"a": [0.0]}).clear(),
        pa.table({"a": [1.0]})[:0],
    ):
        with pytest.raises(InvalidDataError, match=r"0 sample\(s\) \(shape=\(0, 1\)\)"):
            read_table(frame, owner="Ridge")
    with pytest.raises(InvalidDataError, match="while a minimum of 1 is required"):
        read_table(pl.DataFrame(), owner="Ridge")


def test_pandas_sparse_columns_become_a_sparse_table():
    dense = np.array([[0.0, 2.0], [1.0, 0.0], [0.0, 0.0]])
    frame = pd.DataFrame(dense, columns=["a", "b"]).astype(pd.SparseDtype(float, 0.0))
    table = read_table(frame, owner="Ridge")
    assert table.is_sparse
    assert_array_equal(table.x.toarray(), dense)
    assert not read_table(frame, owner="KMeans", accept_sparse=False).is_sparse
    mixed = frame.assign(c=[1, 2, 3])
    assert_array_equal(read_table(mixed, owner="Ridge").x, np.column_stack([dense, [1, 2, 3]]))
    nan_filled = pd.DataFrame({"a": pd.arrays.SparseArray([1.0, 2.0])})
    assert_array_equal(read_table(nan_filled, owner="Ridge").x, [[1], [2]])


def test_other_frame_libraries():
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql("select 1 as a, 2.5 as b union all select 3, 4.5 order by a")
    table = read_table(relation, owner="Ridge")
    assert table.names == ("a", "b")
    assert_array_equal(table.x, [[1, 2.5], [3, 4.5]])


class OnlyArrowStream:
    """A foreign table that offers nothing but Arrow's stream interface."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def test_arrow_stream_interface():
    table = read_table(OnlyArrowStream(pa.table({"a": [1, 2]})), owner="Ridge")
    assert table.names == ("a",)
    assert_array_equal(table.x, [[1], [2]])


def test_reading_frames_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for make in FRAMES.values():
            read_table(make({"a": np.array([1, 2]), "b": np.array([True, False])}), owner="Ridge")
