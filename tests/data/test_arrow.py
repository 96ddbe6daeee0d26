"""Columns of every producer of Arrow streams, and of what has none."""

from __future__ import annotations

import datetime as dt
import decimal
import gc

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from stylobate.data.arrow import column_batches, column_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UnsupportedDataError


def cells(source, **options):
    """All cells by name, as Python values, NaN as None."""
    out: dict[str, list] = {}
    for batch in column_batches(source, **options):
        for column in batch.columns:
            out.setdefault(column.name, []).extend(column.take().tolist())
    return {k: [None if v is None or v != v else v for v in vs] for k, vs in out.items()}


NARROW, WIDE = pa.decimal128(9, 2), pa.decimal256(50, 2)
START = dt.datetime(1970, 1, 1)


def odd():
    text = ["short", "a text of more than twelve bytes", None, ""]
    return pa.table(
        {
            "dictionary": pa.array(["a", "b", None, "a"]).dictionary_encode(),
            "u8": pa.array([1, 2, 3, 255], pa.uint8()),
            "i64": pa.array([2**62 + 1, -5, 0, 7]),
            "f16": pa.array(np.array([1, 2.5, np.nan, 4], "f2")),
            "f32": pa.array([1, 2.5, None, 4], pa.float32()),
            "binary": pa.array([b"\xff", b"", None, b"z"]),
            "view": pa.array(text, pa.string_view()),
            "large": pa.array(text, pa.large_string()),
            "text": pa.array(text),
            "fixed": pa.array([b"ab", None, b"cd", b"ab"], pa.binary(2)),
            "date": pa.array([0, 1, None, -1], pa.date32()),
            "stamp": pa.array([0, 1, None, 3], pa.timestamp("ms", "Europe/Riga")),
            "time": pa.array([1, 2, 3, None], pa.time64("us")),
            "span": pa.array([1, 2, 3, None], pa.duration("s")),
            "d128": pa.array(
                [decimal.Decimal(v) for v in ("1.10", "-2.25", "0", "7")], pa.decimal128(9, 2)
            ),
            "d256": pa.array(
                [None, decimal.Decimal("-1.5"), None, decimal.Decimal(2)], pa.decimal256(50, 2)
            ),
            "null": pa.nulls(4),
            "truth": pa.array([True, None, False, True]),
        }
    )


EXPECTED = {
    "binary": [b"\xff", b"", None, b"z"],
    "fixed": [b"ab", None, b"cd", b"ab"],
    "stamp": [
        START,
        START + dt.timedelta(milliseconds=1),
        None,
        START + dt.timedelta(milliseconds=3),
    ],
    "time": [dt.timedelta(microseconds=m) if m else None for m in (1, 2, 3, None)],
    "d128": [1.1, -2.25, 0.0, 7.0],
    "d256": [None, -1.5, None, 2.0],
    "f16": [1.0, 2.5, None, 4.0],
}


@pytest.mark.parametrize("rows", [65_536, 3, 1])
def test_odd_types_whole_sliced_and_chunked(rows):
    table = odd()
    whole = {**{n: table[n].to_pylist() for n in table.column_names}, **EXPECTED}
    assert cells(table, rows=rows) == whole
    assert cells(table.slice(1, 2), rows=rows) == {k: v[1:3] for k, v in whole.items()}
    chunked = pa.concat_tables([table, table.slice(2)])
    assert cells(chunked, rows=rows) == {k: v + v[2:] for k, v in whole.items()}


def test_types_in_words():
    (batch,) = column_batches(odd())
    types = {c.name: c.type for c in batch.columns}
    assert types["stamp"] == "timestamp[ms, Europe/Riga]"
    assert types["dictionary"] == "text"
    assert types["d128"] == "decimal(9, 2)"
    assert types["null"] == "null"
    assert {types[n] for n in ("view", "large", "text")} == {"text"}


def test_views_share_memory_and_outlive_their_table():
    values = np.arange(1000.0)
    column = column_of(values)
    assert np.shares_memory(column.values, values)
    table = pa.table({"x": pa.array([1.5, None, 2.5]), "t": pa.array(["a", None, "bc"])})
    (batch,) = column_batches(table)
    x, t = batch.columns
    shared, (bits, first) = x.values, x.validity
    offsets, letters = t.offsets, t.bytes
    del table, batch, x, t
    gc.collect()
    assert shared[[0, 2]].tolist() == [1.5, 2.5]
    assert bits[0] >> first & 7 == 0b101
    assert offsets.tolist() == [0, 1, 1, 3]
    assert letters.tobytes() == b"abc"


def test_duckdb_streams_what_it_computes():
    query = (
        "select i, i / 4.0 as q, case when i % 3 = 0 then 'x' || i end as t from range(5000) r(i)"
    )
    found = cells(duckdb.sql(query), rows=777)
    assert found["i"] == list(range(5000))
    assert found["q"][3] == 0.75
    assert found["t"][:4] == ["x0", None, None, "x3"]
    starts = [b.start for b in column_batches(duckdb.sql(query), rows=2000)]
    assert starts[0] == 0
    assert starts == sorted(set(starts))


def test_errors_of_a_producer_are_ours():
    bad = duckdb.sql("select cast(t as int) as i from (values ('1'), ('x')) v(t)")
    with pytest.raises(InvalidDataError, match="x"):
        list(column_batches(bad))

    def failing():
        yield pa.record_batch({"a": [1]})
        raise ValueError("the cat ate the file")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"a": pa.int64()}), failing())
    batches = column_batches(reader)
    assert next(batches).n_rows == 1
    with pytest.raises(InvalidDataError, match="cat ate"):
        next(batches)


def test_ctrl_c_between_batches_is_not_swallowed():
    def stopped():
        yield pa.record_batch({"a": [1]})
        yield pa.record_batch({"a": [2]})

    reader = pa.RecordBatchReader.from_batches(pa.schema({"a": pa.int64()}), stopped())
    batches = column_batches(reader)
    assert next(batches).n_rows == 1
    with pytest.raises(KeyboardInterrupt):
        batches.throw(KeyboardInterrupt())


def test_polars_pandas_and_arrays_agree():
    frame = pl.DataFrame({"s": ["a", None, "c"], "i": [1, None, 3], "f": [0.5, 1.5, None]})
    expected = frame.to_dict(as_series=False)
    for source in (frame, frame.lazy(), frame.to_pandas(), frame.to_arrow()):
        assert cells(source) == expected
    categories = pl.DataFrame({"c": pl.Series(["x", "y", None, "x"], dtype=pl.Categorical)})
    assert cells(categories) == {"c": ["x", "y", None, "x"]}
    assert cells(np.arange(6).reshape(3, 2)) == {"x0": [0, 2, 4], "x1": [1, 3, 5]}
    assert cells(np.arange(6.0).reshape(3, 2).T[:, ::-1]) == {
        "x0": [4, 5],
        "x1": [2, 3],
        "x2": [0, 1],
    }


def test_pandas_columns_of_objects_and_repeated_names():
    frame = pd.DataFrame(
        {
            "mixed": ["a", 1, None],
            "numbers": pd.Series([1, 2.5, None], dtype=object),
            "day": pd.to_datetime(["2020-01-01", None, "2021-01-01"]),
            "category": pd.Categorical(["u", "v", None]),
            "integer": pd.array([1, None, 3], dtype="Int64"),
            "string": pd.array(["a", None, "b"], dtype="string"),
        }
    )
    found = cells(frame)
    assert found["mixed"] == ["a", "1", None]
    assert found["numbers"] == [1.0, 2.5, None]
    assert found["day"][0] == dt.datetime(2020, 1, 1)
    assert found["day"][1] is None
    assert found["category"] == ["u", "v", None]
    assert found["integer"] == [1.0, None, 3.0]
    assert found["string"] == ["a", None, "b"]
    twice = pd.DataFrame([[1, 2]], columns=["a", "a"])
    (batch,) = column_batches(twice)
    assert batch.names == ("a", "a")


def test_tables_without_rows_keep_names_and_types():
    for source in (
        pl.DataFrame({"a": [1.5], "b": ["x"]}).clear(),
        odd().slice(0, 0).select(["f32", "text"]),
    ):
        (batch,) = column_batches(source)
        assert batch.n_rows == 0
        assert batch.columns[0].type.startswith("float")
        assert batch.columns[1].type == "text"
    (none,) = column_batches(duckdb.sql("select 1 as i, 'x' as t where false"))
    assert none.names == ("i", "t")
    assert none.n_rows == 0


def test_what_is_no_table_is_refused():
    with pytest.raises(UnsupportedDataError, match="no table"):
        list(column_batches(3))
    with pytest.raises(InvalidDataError, match="differ in length"):
        list(column_batches({"a": [1], "b": [1, 2]}))
    with pytest.raises(InvalidDataError, match="dimensions"):
        list(column_batches(np.zeros((2, 2, 2))))
    with pytest.raises(UnsupportedDataError, match="complex"):
        list(column_batches({"a": np.zeros(2, complex)}))
    with pytest.raises(InvalidParameterError, match="rows"):
        column_batches({}, rows=0)
