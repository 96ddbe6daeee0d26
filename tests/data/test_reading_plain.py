"""Files that are plain in every cell are parsed by the core: exactly as DuckDB reads them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate import _core, read
from stylobate.data.arrow import column_batches
from stylobate.data.reading import delimited
from stylobate.data.reading.guess import Guess
from stylobate.data.reading.plain import plain_file_of, read_plain
from stylobate.datasets import list_datasets
from stylobate.exceptions import InvalidDataError, StylobateError

REAL, WHOLE, TEXT = Guess("DOUBLE"), Guess("DOUBLE", whole=True), Guess("VARCHAR")
DAY, MOMENT = Guess("DATE", format="%Y-%m-%d"), Guess("TIMESTAMP", format="%Y-%m-%d %H:%M:%S")


def parsed(folder, text, guesses, missing=()):
    path = Path(folder) / "table.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    file = plain_file_of(path, ",", 1, guesses, missing)
    kept = read_plain(file, keep=True)
    passed = read_plain(file, keep=False)
    assert (kept is None) == (passed is None)
    if kept is not None:
        assert kept[1:] == passed[1:]
        assert pa.table(passed.rows).equals(kept.rows)
        assert passed.rows.num_rows == kept.rows.num_rows
    return kept


def told(path, by_duckdb, keep=True):
    """Everything the reader says of a file, or how it refuses."""
    with pytest.MonkeyPatch.context() as patch:
        if not keep:
            patch.setattr(delimited, "STORED", 0)
        if by_duckdb:
            patch.setattr(delimited, "read_plain", lambda *_, **__: None)
        try:
            rows = read(path)
            table = pa.table(rows)
            assert rows.to_frame("pyarrow").equals(table)
        except StylobateError as error:
            return str(error)
        return rows.columns, rows.types, rows.notes, table.schema, table.to_pydict()


def test_cells_come_in_their_types(tmp_path):
    text = "a,b,c,d,e\n1.5,-3,x y,2024-02-29,1969-12-31 23:59:59\n,NA,,N/A,\n"
    guesses = dict(zip("abcde", (REAL, WHOLE, TEXT, DAY, MOMENT), strict=True))
    found = parsed(tmp_path, text, guesses)
    expected = pa.table(
        {
            "a": pa.array([1.5, None]),
            "b": pa.array([-3, None]),
            "c": pa.array(["x y", None]),
            "d": pa.array([19782, None]).cast("int32").cast("date32"),
            "e": pa.array([-1_000_000, None]).cast("timestamp[us]"),
        }
    )
    assert found.rows.equals(expected)
    assert found.spelled == {"NA": 1, "N/A": 1}


def test_quotes_blanks_and_own_spellings(tmp_path):
    text = 'a,b\n"1.5","say ""no"", é"\n"-99", - \n-99,""\n'
    found = parsed(tmp_path, text, {"a": REAL, "b": TEXT}, missing=["-99"])
    assert found.rows.to_pydict() == {"a": [1.5, None, None], "b": ['say "no", é', " - ", None]}
    assert found.spelled == {"-99": 2}
    assert found.facts["b"] == [2, 1]  # texts, and those that may stand for none


@pytest.mark.parametrize(
    "line",
    [
        "1,2,3",  # another number of cells
        "1",
        "",
        "1, 2",  # a blank
        "1,007",  # a code
        "1,1_000",
        "1,inf",
        "1,0x10",
        "1,1e400",
        "1,9007199254740993",  # more than a double holds
        "1.5,2",  # a fraction among whole numbers
        '1,"2" ',
        '1,"2',
        '1,2"',
        "1,2\r",
        "1,-",
        "1,.",
        "1,2e",
    ],
)
def test_what_is_in_doubt_is_left_to_others(tmp_path, line):
    guesses = {"a": WHOLE, "b": REAL}
    assert parsed(tmp_path, f"a,b\n1,2.5\n{line}\n3,4.5\n", guesses) is None
    assert parsed(tmp_path, "a,b\n1,2.5\n3,4.5\n", guesses) is not None


@pytest.mark.parametrize(
    "text", ["a\x00b", b"caf\xe9", 'in "the" middle', b"\xc3", b"\xed\xa0\x80"]
)
def test_texts_in_doubt(tmp_path, text):
    line = text.encode() if isinstance(text, str) else text
    assert parsed(tmp_path, b"a,b\n1," + line + b"\n", {"a": WHOLE, "b": TEXT}) is None


@pytest.mark.parametrize(
    "day", ["2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "0000-01-01"]
)
def test_days_that_are_none(tmp_path, day):
    assert parsed(tmp_path, f"a,b\n1,{day}\n", {"a": WHOLE, "b": DAY}) is None


@given(st.lists(st.floats(-9e15, 9e15), min_size=1, max_size=30), st.integers(0, 25))
def test_numbers_are_correctly_rounded(tmp_path_factory, numbers, digits):
    texts = [repr(x) for x in numbers] + [f"{x:.{digits}f}" for x in numbers]
    text = "a,b\n" + "".join(f"1,{each}\n" for each in texts)
    found = parsed(tmp_path_factory.mktemp("plain"), text, {"a": WHOLE, "b": REAL})
    assert found.rows["b"].to_pylist() == [float(each) for each in texts]


NASTY = st.sampled_from(
    [
        *("1", "-2", "3.5", "1e3", ".5", "5.", "-0.0", "+1", "007", "1_0", "inf", "nan", "NA", "?"),
        *("", " ", "x", " x", "é", "-", "--", "true", "False", "None", "12%", "1,5", "$3", "a\nb"),
        *("2024-01-31", "2024-1-31", "2023-02-29", "2024-01-31 10:20:30", "2024-01-31T10:20:30.5"),
        *('"', 'a"b', '""', "9007199254740993", "123456789012345678901", "0.1234567890123456789"),
    ]
)
USUAL = st.sampled_from(["1", "22", "-3", "4.25", "word", "2024-01-31", "2024-01-31 10:20:30", ""])


@st.composite
def files(draw):
    """Lines of cells, most of which are alike; some are quoted, rightly or not."""
    width = draw(st.integers(2, 4))
    usual = [draw(USUAL) for _ in range(width)]
    rows = [",".join("abcd"[:width])]
    for _ in range(draw(st.integers(1, 8))):
        cells = [draw(NASTY) if draw(st.integers(0, 9)) == 0 else usual[j] for j in range(width)]
        quoted = [f'"{c}"' if draw(st.integers(0, 9)) == 0 else c for c in cells]
        rows.append(",".join(quoted))
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    return end.join(rows) + draw(st.sampled_from([end, end, ""]))


@settings(max_examples=60)
@given(files())
def test_any_file_reads_as_by_duckdb(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("any") / "table.csv"
    path.write_bytes(text.encode())
    assert told(path, by_duckdb=False) == told(path, by_duckdb=True)


@settings(max_examples=30)
@given(files())
def test_any_file_that_is_not_kept_reads_as_by_duckdb(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("any") / "table.csv"
    path.write_bytes(text.encode())
    assert told(path, by_duckdb=False, keep=False) == told(path, by_duckdb=True)


@pytest.mark.parametrize("name", list_datasets())
def test_shipped_files_read_as_by_duckdb(name):
    assert repr(told(name, by_duckdb=False)) == repr(told(name, by_duckdb=True))


def test_chunks_and_threads_do_not_matter(tmp_path):
    lines = [f"{i},{i / 7},{'word' * (i % 9)},é{i}\r\n" for i in range(500)]
    path = tmp_path / "table.csv"
    path.write_bytes("".join(lines).encode()[:-2])  # the last line has no end
    kinds, size = ["whole", "real", "text", "text"], path.stat().st_size
    seen = []
    for chunk, threads in ((1 << 20, 1), (97, 2), (16, 1), (1000, 3)):
        before = _core.set_threads(threads)
        table = _core.PlainTable(str(path), 0, size, ",", True, kinds, ["NA"], [], chunk)
        chunks = table.read(0, table.n_chunks)
        _core.set_threads(before)
        reals = [x for _, columns, *_ in chunks for x in columns[1][1].tolist()]
        texts = [bytes(b) for _, columns, *_ in chunks for b in [columns[3][2]]]
        seen.append((sum(rows for rows, *_ in chunks), reals, b"".join(texts)))
    assert seen[0] == (
        500,
        [i / 7 for i in range(500)],
        "".join(f"é{i}" for i in range(500)).encode(),
    )
    assert all(each == seen[0] for each in seen)


def test_a_file_that_shrinks_is_in_doubt(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("1,2\n" * 100)
    table = _core.PlainTable(str(path), 0, 400, ",", False, ["whole", "whole"], [], [])
    path.write_text("1,2\n")
    assert table.read(0, 1) is None


def test_a_file_that_changes_between_passes_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "STORED", 0)
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    rows = read(path)
    assert len(rows) == 2
    path.write_text("a,b\n1,2\n3,x\n")
    with pytest.raises(InvalidDataError, match="has changed"):
        list(column_batches(rows))
