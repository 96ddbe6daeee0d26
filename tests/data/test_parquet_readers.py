"""Parquet through polars, pyarrow and DuckDB: the same cells in the same types, whoever reads."""

from __future__ import annotations

import datetime
import threading
from decimal import Decimal

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import stylobate
from stylobate.data.reading import parquet
from stylobate.data.streams.columns import ColumnRoles
from stylobate.exceptions import InvalidDataError
from stylobate.linear_model import Ridge

READERS = ["polars", "pyarrow"]
ROLES = ColumnRoles("test")
ROWS = 23


def every_kind():
    """A column of every common type, with and without missing cells."""
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=ROWS)
    numbers[3], numbers[4], numbers[5] = np.nan, np.inf, -0.0
    gaps = [None if k % 5 == 2 else k for k in range(ROWS)]
    day = datetime.date(1969, 12, 28)
    days = [None if k is None else day + datetime.timedelta(days=k) for k in gaps]
    moment = datetime.datetime(1969, 12, 31, 23, 59, 59, 999999)
    moments = [None if k is None else moment + datetime.timedelta(seconds=k) for k in gaps]
    words = [None if k is None else "é" * (k % 4) + str(k) for k in gaps]
    columns = {
        "double": pa.array(numbers),
        "double with gaps": pa.array(gaps, pa.float64()),
        "single": pa.array(numbers.astype(np.float32)),
        "truth": pa.array([k % 2 == 0 for k in range(ROWS)]),
        "truth with gaps": pa.array([None if k is None else k % 2 == 0 for k in gaps]),
        "decimal": pa.array(
            [None if k is None else Decimal(k) / 8 for k in gaps], pa.decimal128(9, 3)
        ),
        "date": pa.array(days),
        "moment": pa.array(moments, pa.timestamp("us")),
        "word": pa.array(words),
        "long word": pa.array(words, pa.large_string()),
        "nothing": pa.array([None] * ROWS, pa.float64()),
    }
    for bits in (8, 16, 32, 64):
        columns[f"int{bits}"] = pa.array(range(ROWS), f"int{bits}")
        columns[f"uint{bits}"] = pa.array(range(ROWS), f"uint{bits}")
        columns[f"int{bits} with gaps"] = pa.array(gaps, f"int{bits}")
    columns["largest"] = pa.array([2**63 - 1] * ROWS, "int64")
    return pa.table(columns)


def written(table, path, **options):
    pq.write_table(table, path, row_group_size=5, **options)
    return path


def cells(relation, roles=ROLES):
    """All columns of a pass, as arrays of the estimators' door."""
    batches = list(relation.__stylobate_stream__(roles))
    names = batches[0].x.columns
    return {name: np.concatenate([batch.x[name] for batch in batches]) for name in names}


def only(monkeypatch, *names):
    chosen = {name: parquet._READERS[name] for name in names}
    monkeypatch.setattr(parquet, "_READERS", chosen)


def assert_alike(found, expected):
    assert list(found) == list(expected)
    for name, column in expected.items():
        assert found[name].dtype == column.dtype, name
        np.testing.assert_array_equal(found[name], column, err_msg=name, strict=True)
        if column.dtype.kind == "f":
            assert (np.signbit(found[name]) == np.signbit(column)).all()


@pytest.mark.parametrize("reader", READERS)
def test_cells_are_those_of_duckdb(reader, tmp_path, monkeypatch):
    path = written(every_kind(), tmp_path / "rows.parquet")
    with monkeypatch.context() as without:
        only(without)
        assert stylobate.read(path)._quick_reader is None
        expected = cells(stylobate.read(path))
    only(monkeypatch, reader)
    relation = stylobate.read(path)
    assert relation._quick_reader is parquet._READERS[reader][0]
    assert_alike(cells(relation), expected)


CATEGORICAL = pa.table({"word": pa.array(["a", None, "b"] * 4).dictionary_encode()})
UNUSUAL = {
    "categorical": CATEGORICAL,
    "nested": pa.table({"list": pa.array([[1.0], None, [2.0, 3.0]])}),
    "bytes": pa.table({"bytes": pa.array([b"\x00\xff", None, b"a"])}),
    "time": pa.table({"time": pa.array([datetime.time(1, 2, 3), None])}),
    "zone": pa.table({"m": pa.array([0, 1, None], pa.timestamp("us", "Europe/Riga"))}),
    "nanoseconds": pa.table({"m": pa.array([1, None, 2001], pa.timestamp("ns"))}),
    "milliseconds": pa.table({"m": pa.array([1, None, 2001], pa.timestamp("ms"))}),
    "half": pa.table({"h": pa.array(np.array([0.5, 2.0], np.float16))}),
    "no rows": pa.table({"a": pa.array([], pa.float64())}),
    "names that differ by case": pa.table({"a": [1.0, 2.0], "A": [3.0, 4.0], "A_1": [5.0, 6.0]}),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", UNUSUAL)
def test_what_is_read_otherwise_is_left_to_duckdb(reader, kind, tmp_path, monkeypatch):
    path = written(UNUSUAL[kind], tmp_path / "rows.parquet")
    with monkeypatch.context() as without:
        only(without)
        expected = list(stylobate.read(path).__stylobate_stream__(ROLES))
    only(monkeypatch, reader)
    found = list(stylobate.read(path).__stylobate_stream__(ROLES))
    assert sum(batch.n_rows for batch in found) == sum(batch.n_rows for batch in expected)
    if expected:
        assert_alike(cells(stylobate.read(path)), _joined(expected))


def _joined(batches):
    return {n: np.concatenate([b.x[n] for b in batches]) for n in batches[0].x.columns}


@pytest.mark.parametrize("reader", READERS)
def test_several_files(reader, tmp_path, monkeypatch):
    table = every_kind()
    written(table.slice(0, 9), tmp_path / "a.parquet")
    written(table.slice(9).select(list(reversed(table.column_names))), tmp_path / "b.parquet")
    with monkeypatch.context() as without:
        only(without)
        expected = cells(stylobate.read(tmp_path / "*.parquet"))
    only(monkeypatch, reader)
    relation = stylobate.read(tmp_path / "*.parquet")
    assert relation._quick_reader is not None
    assert_alike(cells(relation), expected)
    wider = pa.table({"a": pa.array([1, 2], "int64")})
    narrow = pa.table({"a": pa.array([1, 2], "int16")})
    (tmp_path / "types").mkdir()
    written(narrow, tmp_path / "types" / "a.parquet")
    written(wider, tmp_path / "types" / "b.parquet")
    mixed = stylobate.read(tmp_path / "types" / "*.parquet")
    assert mixed._quick_reader is None
    assert cells(mixed)["a"].tolist() == [1, 2, 1, 2]


def test_a_column_that_is_a_folder(tmp_path):
    """DuckDB sees one, so it reads."""
    folder = tmp_path / "year=2024"
    folder.mkdir()
    path = written(pa.table({"a": [1.0, 2.0], "y": [1.0, 3.0]}), folder / "rows.parquet")
    relation = stylobate.read(path)
    names = relation.columns
    assert (relation._quick_reader is None) == ("year" in names)
    assert tuple(cells(relation)) == names


@pytest.mark.parametrize("reader", READERS)
def test_columns_and_wildcards(reader, tmp_path, monkeypatch):
    only(monkeypatch, reader)
    path = written(every_kind(), tmp_path / "rows[1]*.parquet")
    written(every_kind(), tmp_path / "rows1.parquet")
    relation = stylobate.read(path)
    found = cells(relation, ColumnRoles.of("test", None, ["int8", "double with gaps"], None))
    assert list(found) == ["int8", "double with gaps"]
    assert len(found["int8"]) == ROWS


def test_the_reader_follows_the_row_groups(tmp_path, monkeypatch):
    path = written(every_kind(), tmp_path / "rows.parquet")
    assert stylobate.read(path)._quick_reader is parquet._polars_frames
    monkeypatch.setattr(parquet, "_GROUP_BYTES", 100)
    assert stylobate.read(path)._quick_reader is parquet._pyarrow_frames


def test_an_older_polars(tmp_path, monkeypatch):
    monkeypatch.delattr(pl.LazyFrame, "collect_batches")
    only(monkeypatch, "polars")
    path = written(every_kind(), tmp_path / "rows.parquet")
    assert stylobate.read(path)._quick_reader is None


def test_a_forked_process_leaves_polars_alone(tmp_path, monkeypatch):
    """Its threads are those of the parent, and would be waited for without end."""
    path = written(every_kind(), tmp_path / "rows.parquet")
    assert stylobate.read(path)._quick_reader is not None
    monkeypatch.setattr(parquet, "_process", -1)
    assert stylobate.read(path)._quick_reader is None


@pytest.mark.parametrize("reader", [*READERS, "duckdb"])
def test_a_damaged_page_is_one_sentence(reader, tmp_path, monkeypatch):
    only(monkeypatch, *({reader} & {*READERS}))
    rng = np.random.default_rng(0)
    table = pa.table({"a": rng.normal(size=20_000), "y": rng.normal(size=20_000)})
    path = tmp_path / "rows.parquet"
    pq.write_table(table, path, row_group_size=5000, compression="zstd")
    raw = bytearray(path.read_bytes())
    raw[4:3000] = bytes(2996)  # the header of the first page and what follows
    path.write_bytes(raw)
    before = threading.active_count()
    with pytest.raises(InvalidDataError, match=r"rows.parquet: this Parquet file is damaged"):
        Ridge().fit(stylobate.read(path), target="y")
    assert threading.active_count() == before
