"""Sources that cannot be read are refused in a sentence; nothing is written or lost."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

from stylobate import read
from stylobate.data.reading import SourceNotFoundError
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UnsupportedDataError

WIDE = ",".join(f"c{i}" for i in range(100_000)) + "\n" + ",".join("1" * 100_000) + "\n"


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (b"\n\n  \n", "the file is empty"),
        (np.random.default_rng(0).bytes(5000), "not a text file"),
        (b"a,b\n1,2\n3,\x004\n" + b"5,6\n" * 500, "line 3 holds a NUL byte"),
        (WIDE.encode(), "100000 columns"),
        (b"PK\x03\x04" + bytes(100), "zip archive"),
        (b"PAR1xxxxxx", "cannot be read"),
        (gzip.compress(np.random.default_rng(0).bytes(4000))[:1000], "cannot be opened"),
        (b'a,b\n"x,2\n3,4\n', "quote"),
        (b'[{"a":1},{"a":', "cannot be read"),
    ],
)
def test_a_bad_file_is_refused_in_a_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    path = write(tmp_path / "file", content)
    with pytest.raises(InvalidDataError, match=words) as caught:
        read(path).to_frame()
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("before", [b"", b"a,b\n1,2\n"])
def test_a_line_without_end_is_refused(tmp_path: Path, before: bytes) -> None:
    path = tmp_path / "long.csv"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(before)
        for _ in range(40):  # a gigabyte would be refused after as many bytes
            file.write(b"x" * (1 << 20))
    with pytest.raises(InvalidDataError, match="longer than 16 MiB"):
        len(read(path))


def test_a_path_that_is_not_there_names_its_neighbours(tmp_path: Path) -> None:
    write(tmp_path / "penguins.csv", b"a\n1\n")
    with pytest.raises(FileNotFoundError, match=r"Did you mean 'penguins\.csv'\?"):
        read(tmp_path / "pengiuns.csv")
    with pytest.raises(SourceNotFoundError, match="no folder"):
        read(tmp_path / "none" / "a.csv")
    with pytest.raises(InvalidDataError, match=r"this is a folder; pass .*\*\.csv"):
        read(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidDataError, match="a folder without files; pass the path of a file"):
        read(tmp_path / "empty")
    with pytest.raises(InvalidDataError, match="no file matches"):
        read(str(tmp_path / "*.txt"))


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("s3://bucket/a.csv", "s3://"),
        ("file:///etc/passwd", "file://"),
        ("select 1; drop table x", "one SELECT"),
        ("with x as (select 1) insert into t select * from x", "one SELECT"),
        ("select from from", "not SQL"),
        ("select * from nowhere", "cannot be read"),
    ],
)
def test_addresses_and_queries(source: str, words: str) -> None:
    with pytest.raises(InvalidDataError, match=words):
        read(source).to_frame()


@pytest.mark.parametrize("source", [[1, 2], None, 3.0, pd.Series([1])])
def test_what_is_no_source(source: object) -> None:
    with pytest.raises(UnsupportedDataError, match="pass a path"):
        read(source)


def databases(folder: Path) -> tuple[Path, Path]:
    lite, duck = folder / "a.sqlite", folder / "a.duckdb"
    with sqlite3.connect(lite) as connection:
        connection.execute("CREATE TABLE t (a, b)")
        connection.execute("INSERT INTO t VALUES (1, 'x'), (NULL, 'y,z')")
    connection.close()
    with duckdb.connect(str(duck)) as writer:
        writer.execute("CREATE TABLE t AS SELECT 1 AS a, 'x' AS b")
    return lite, duck


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize(
    "query", ["DELETE FROM t", "DROP TABLE t", "COPY t TO 'out.csv'", "SELECT 1; DELETE FROM t"]
)
def test_a_query_that_writes_is_refused(tmp_path: Path, which: int, query: str) -> None:
    path = databases(tmp_path)[which]
    before = path.read_bytes()
    with pytest.raises(InvalidDataError, match="never written"):
        read(path, query=query)
    assert path.read_bytes() == before


def test_a_query_against_a_database_reads_no_other_file(tmp_path: Path) -> None:
    _, duck = databases(tmp_path)
    other = write(tmp_path / "other.csv", b"a\n1\n")
    with pytest.raises(InvalidDataError, match="disabled"):
        read(duck, query=f"SELECT * FROM '{other}'").to_frame()


def test_tables_are_named(tmp_path: Path) -> None:
    for path in databases(tmp_path):
        with pytest.raises(InvalidDataError, match=r"no table 'u'\. There are: t"):
            read(path, table="u")
        with pytest.raises(InvalidDataError, match="not both"):
            read(path, table="t", query="SELECT 1")


def test_parameters(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", b"a,b\n1,2\n")
    with pytest.raises(InvalidParameterError, match="one character"):
        read(path, delimiter="ab")
    with pytest.raises(InvalidParameterError, match="list of texts"):
        read(path, missing="-200")
    with pytest.raises(InvalidDataError, match="no encoding 'klingon'"):
        read(path, encoding="klingon")
    with pytest.raises(InvalidDataError, match="no column 'c'; there are a, b"):
        read(path).batches(target="c")
    with pytest.raises(InvalidParameterError, match="library='x'"):
        read(path).to_frame("x")
    with pytest.raises(InvalidParameterError, match="rows=0"):
        read(path).batches(0)
    assert "one column only" in str(read(path, delimiter=";"))


def test_no_extension_is_fetched() -> None:
    settings = read(
        "SELECT name, value FROM duckdb_settings() WHERE name LIKE 'auto%extensions'"
    ).to_frame("numpy")
    assert set(settings["value"]) == {"false"}


def test_zeros_far_from_the_beginning_are_found(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", b"a,b\n" + b"1,2\n" * 400_000 + b"3,\x00\n")
    with pytest.raises(InvalidDataError, match="line 400002 holds a NUL byte"):
        len(read(path))


def test_a_bomb_is_refused_before_it_fills_the_disk(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("stylobate.data.reading.packed._ALWAYS_ALLOWED", 1 << 20)
    path = write(tmp_path / "a.csv.gz", gzip.compress(b"a,b\n" + b"0,0\n" * 3_000_000))
    with pytest.raises(InvalidDataError, match="out of proportion"):
        len(read(path))


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1"] * 1000 + ["007"], "VARCHAR"),  # a code far below
        (["1"] * 1000 + ["1.5"], "DOUBLE"),
        (["1"] * 1000 + ["1_000"], "VARCHAR"),
        (["1"] * 1000 + ["0x1F"], "VARCHAR"),
        (["1"] * 1000 + ["9007199254740993"], "BIGINT"),  # no double
        (["1"] * 1000 + ["92233720368547758070"], "VARCHAR"),
        (["1.5"] * 1000 + ["1e999"], "VARCHAR"),
        (["1.5"] * 1000 + ["inf"], "DOUBLE"),
        (["1"] * 1000 + ["-"], "BIGINT"),
        (["2020-01-01"] * 1000 + ["2020-01-01 12:00:00"], "VARCHAR"),
        (["2020-01-01"] * 1000 + ["2020-02-30"], "VARCHAR"),
        (["=1+1", "<b>x</b>", "@SUM(A1)", "-2+3"], "VARCHAR"),
    ],
)
@pytest.mark.parametrize("stored", [True, False])
def test_no_value_is_changed_by_its_type(
    tmp_path: Path, monkeypatch, cells: list[str], kind: str, stored: bool
) -> None:
    if not stored:  # the road of files that are larger than memory
        monkeypatch.setattr("stylobate.data.reading.delimited.STORED", 0)
    lines = "".join(f"k,{cell}\n" for cell in cells)
    rows = read(write(tmp_path / "a.csv", f"w,v\n{lines}".encode()))
    assert rows.types["v"] == kind
    got = rows.to_frame("pyarrow").column("v").to_pylist()
    if kind == "VARCHAR":
        assert got == cells
    else:
        number = int if kind == "BIGINT" else float
        assert got == [None if cell == "-" else number(cell) for cell in cells]


def test_files_of_a_pattern_must_agree(tmp_path: Path) -> None:
    write(tmp_path / "1.csv", b"a,b\n1,2\n")
    write(tmp_path / "2.csv", b"b,a\n3,4\n")
    assert read(str(tmp_path / "*.csv")).to_frame("pyarrow").column("a").to_pylist() == [1, 4]
    write(tmp_path / "3.csv", b"a,c\n3,4\n")
    with pytest.raises(InvalidDataError, match=r"its columns differ .*'b', 'c'"):
        read(str(tmp_path / "*.csv"))
    for name, column in (("1", "a"), ("2", "b")):
        pd.DataFrame({column: [1]}).to_parquet(tmp_path / f"{name}.parquet")
    with pytest.raises(InvalidDataError, match="its columns differ"):
        read(str(tmp_path / "*.parquet"))


def test_a_wildcard_in_a_name_is_a_name(tmp_path: Path) -> None:
    write(tmp_path / "1.csv", b"a,b\n1,2\n")
    path = write(tmp_path / "[1].csv", b"a,b\n3,4\n")
    assert read(path).to_frame("pyarrow").column("a").to_pylist() == [3]


def test_mixed_line_ends_and_quotes(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", b'k,n\r\n"a\r\nb",1\nc,2\r\n5"",3\n')
    rows = read(path).to_frame("pyarrow").to_pylist()
    assert [row["n"] for row in rows] == [1, 2, 3]
    assert rows[0]["k"] == "a\r\nb"


def test_images_are_sent_to_the_networks(tmp_path: Path) -> None:
    (tmp_path / "cats").mkdir()
    one = tmp_path / "cats" / "one.PNG"
    one.write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(InvalidDataError, match=r"this is an image; .*ConvNetClassifier"):
        read(one)
    for folder in (tmp_path, tmp_path / "cats"):
        with pytest.raises(InvalidDataError, match=r"this is a folder of images; .*Classifier"):
            read(folder)
