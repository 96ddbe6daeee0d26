"""`stylobate.read`: values against what was written, on every kind of source."""

from __future__ import annotations

import csv
import gzip
import io
import sqlite3
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate import read
from stylobate.linear_model import LinearRegression


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def rows_of(path: Path, **options: object) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = read(path, **options).to_frame("pyarrow").to_pylist()
    return rows


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_dialects(tmp_path: Path, delimiter: str, end: str, encoding: str) -> None:
    lines = ["name|größe|n", "Zoë|1.5|1", '"a\n|b"|2.5|2', "é|-|3"]
    text = end.join(line.replace("|", delimiter) for line in lines) + end
    path = write(tmp_path / "a.csv", text, encoding)
    rows = rows_of(path)
    assert [row["name"] for row in rows] == ["Zoë", f"a\n{delimiter}b", "é"]
    assert [row["größe"] for row in rows] == [1.5, 2.5, None]
    assert [row["n"] for row in rows] == [1, 2, 3]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["$1,234.50", "($3.00)", "-$2"], [1234.5, -3.0, -2.0]),
        (["10%", "2.5%", "-1%"], [0.1, 0.025, -0.01]),
        (["6,718", "8", "1,234,567"], [6718.0, 8.0, 1234567.0]),
        (["1e3", "-.5", "2"], [1000.0, -0.5, 2.0]),
        (["007", "012", "100"], ["007", "012", "100"]),
        (["1", "n.a.", "?"], [1, None, None]),
        (["x", "?", "-", "unknown"], ["x", None, None, "unknown"]),
        (["TRUE", "false", ""], [True, False, None]),
        (["9223372036854775807", "1", "2"], [9223372036854775807, 1, 2]),
    ],
)
def test_notations(tmp_path: Path, cells: list[str], expected: list[object]) -> None:
    text = "k,v\n" + "".join(f'w,"{cell}"\n' for cell in cells)
    found = [row["v"] for row in rows_of(write(tmp_path / "a.csv", text))]
    if isinstance(expected[0], float):
        assert found == pytest.approx(expected)
    else:
        assert found == expected


def test_dates_are_read_in_the_one_format_that_fits_all_rows(tmp_path: Path) -> None:
    days = ["01/02/2020"] * 400 + ["25/12/2020"]  # only the last tells day from month
    rows = read(write(tmp_path / "a.csv", "d,k\n" + "".join(f"{d},x\n" for d in days)))
    assert rows.types["d"] == "DATE"
    assert str(rows.to_frame("pyarrow").to_pylist()[0]["d"]) == "2020-02-01"


def test_a_late_word_among_numbers_is_reported_and_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "a,b\n" + "1,2\n" * 5000 + "1,oops\n")
    rows = read(path)
    assert rows.types == {"a": "BIGINT", "b": "VARCHAR"}
    assert any("1 of 5001 values" in note for note in rows.notes)
    assert rows.to_frame("pyarrow").column("b")[-1].as_py() == "oops"


def test_ragged_rows_are_kept_and_their_lines_named(tmp_path: Path) -> None:
    rows = read(write(tmp_path / "a.csv", "a,b\n1,2\n3\n4,5,6\n7,8\n"))
    table = rows.to_frame("pyarrow").to_pylist()
    assert [tuple(row.values()) for row in table] == [
        (1, 2, None),
        (3, None, None),
        (4, 5, 6),
        (7, 8, None),
    ]
    assert any("lines 3, 4" in note and "beyond_1" in note for note in rows.notes)


def test_names_are_made_unique_and_said(tmp_path: Path) -> None:
    rows = read(write(tmp_path / "a.csv", " a ,A,,a\nx,2,3,4\n"))
    assert rows.columns == ("a", "A_2", "column_3", "a_3")
    assert "became column_3" in str(rows)
    assert "repeated name 'A' became A_2" in str(rows)


def test_stray_bytes_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"k,n\n" + "é,1\n".encode() * 20 + b"x\xe9,2\n")
    rows = read(path)
    assert rows.to_frame("pyarrow").column("k").to_pylist() == ["é"] * 20 + ["xé"]
    assert "1 bytes that are not utf-8 read as cp1252" in rows.notes


def test_header_only_and_no_header(tmp_path: Path) -> None:
    empty = read(write(tmp_path / "a.csv", "a,b\n"))
    assert empty.shape == (0, 2)
    assert empty.columns == ("a", "b")
    numbers = read(write(tmp_path / "b.csv", "1,2\n3,4\n"))
    assert numbers.columns == ("column_1", "column_2")
    assert len(numbers) == 2


def test_further_spellings_of_missing(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "a,b\n-200,x\n3,y\n")
    assert [row["a"] for row in rows_of(path, missing=["-200"])] == [None, 3]
    assert [row["a"] for row in rows_of(path, typed=False)] == ["-200", "3"]


@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=8),
            st.integers(-(10**9), 10**9),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_what_was_written_comes_back(tmp_path_factory: pytest.TempPathFactory, cells: list) -> None:
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(["word", "number"])
    writer.writerows([(f"w{word}w", number) for word, number in cells])
    path = write(tmp_path_factory.mktemp("rows") / "a.csv", out.getvalue())
    rows = rows_of(path, delimiter=",", encoding="utf-8")
    assert [(row["word"], row["number"]) for row in rows] == [(f"w{w}w", n) for w, n in cells]


def test_the_same_rows_from_every_source(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", None]})
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_json(tmp_path / "a.json", orient="records")
    frame.to_csv(tmp_path / "a.csv", index=False)
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress((tmp_path / "a.csv").read_bytes()))
    with sqlite3.connect(tmp_path / "a.sqlite") as connection:
        connection.execute("CREATE TABLE t (a, b)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [(1, "x"), (2, "y"), (3, None)])
    connection.close()
    with duckdb.connect(str(tmp_path / "a.duckdb")) as writer:
        writer.execute(f"CREATE TABLE t AS SELECT * FROM '{tmp_path / 'a.parquet'}'")
    sources = [tmp_path / f"a.{end}" for end in ("parquet", "json", "csv", "csv.gz")]
    sources += [tmp_path / "a.sqlite", tmp_path / "a.duckdb", f"FROM '{tmp_path / 'a.csv'}'"]
    sources += [frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)]
    for source in sources:
        rows = read(source)
        assert rows.columns == ("a", "b"), source
        assert rows.shape == (3, 2)
        assert rows.to_frame("pyarrow").to_pylist() == [
            {"a": 1, "b": "x"},
            {"a": 2, "b": "y"},
            {"a": 3, "b": None},
        ]


def test_patterns_and_queries(tmp_path: Path) -> None:
    write(tmp_path / "1.csv", "a,b\n1,x\n")
    write(tmp_path / "2.csv", "a,b\n2,y\n")
    assert rows_of(str(tmp_path / "*.csv")) == [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
    with duckdb.connect(str(tmp_path / "a.duckdb")) as writer:
        writer.execute("CREATE TABLE t AS SELECT range AS a FROM range(10)")
    rows = read(tmp_path / "a.duckdb", query="SELECT sum(a) AS s FROM t;")
    assert rows.to_frame("pyarrow").to_pylist() == [{"s": 45}]


def test_frames_of_every_library(tmp_path: Path) -> None:
    rows = read(write(tmp_path / "a.csv", "a,b\n1,x\n2,y\n"))
    assert isinstance(rows.to_frame("pandas"), pd.DataFrame)
    assert isinstance(rows.to_frame("polars"), pl.DataFrame)
    assert isinstance(rows.to_frame("pyarrow"), pa.Table)
    np.testing.assert_array_equal(rows.to_frame("numpy")["a"], [1, 2])
    assert len(rows.head(1, "polars")) == 1


def test_nothing_is_read_until_asked(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "a,b\n1,x\n")
    rows = read(path)
    assert "_plan" not in vars(rows)
    assert "2 columns" in repr(rows)
    assert "_plan" not in vars(rows)
    assert len(rows) == 1


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_batches_fit_a_model(tmp_path: Path, library: str) -> None:
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(5000, 3)), columns=list("abc"))
    frame["y"] = frame @ [1.0, -2.0, 0.5] + 3 + random.normal(size=5000)
    frame["w"] = random.uniform(1, 2, size=5000)
    frame.to_csv(tmp_path / "a.csv", index=False)
    rows = read(tmp_path / "a.csv")
    batches = rows.batches(700, target="y", sample_weight="w", library=library)
    sizes = [len(y) for _, y, _ in batches]
    assert sum(sizes) == 5000
    assert max(sizes) <= 700
    model = LinearRegression().fit_batches(batches)
    whole = LinearRegression().fit(frame[list("abc")], frame["y"], frame["w"])
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-9)
    assert list(model.feature_names_in_) == ["a", "b", "c"]


def test_schema_is_the_door_to_kinds(tmp_path: Path) -> None:
    pytest.importorskip("stylobate.data.kinds")
    rows = read(write(tmp_path / "a.csv", "a,b\n" + "".join(f"{i}.5,x\n" for i in range(30))))
    assert [column.kind for column in rows.schema] == ["numeric", "constant"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_ragged_rows_are_named_by_the_line_they_begin_in(tmp_path: Path, end: str) -> None:
    """Lines, not rows: a quoted cell spans two, one line is empty, two stand above the header."""
    rows = [f"{k},{2 * k},t{k}" for k in range(60)]
    rows[10], rows[20], rows[30] = '10,20,"two\nlines"', "20", '30,60,"two\nlines",more'
    text = "\n".join(["Report of 2024", "", "a,b,c", *rows[:15], "", *rows[15:40], "40,80"]) + "\n"
    path = tmp_path / "t.csv"
    path.write_bytes(text.replace("\n", end).encode())
    read_rows = read(path)
    assert len(read_rows) == 41
    lines = text.split("\n")
    expected = [1 + lines.index(each) for each in ("20", '30,60,"two', "40,80")]
    assert any(f"(lines {', '.join(map(str, expected))})" in note for note in read_rows.notes)
    assert list(read_rows.lines([20, 30, 40]).values()) == expected
