"""Cells that can be read in two ways: what is taken, and what is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from stylobate import read
from stylobate.data.kinds import infer_schema
from stylobate.data.reading import Relation
from stylobate.exceptions import InvalidDataError

UNCLEAR = "could be 1.613 or 1613; read as"


def rows_of(folder: Path, text: str | bytes) -> Relation:
    path = folder / "a.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(path)


def column(rows: Relation, name: str) -> list[object]:
    return rows.to_frame("pyarrow").column(name).to_pylist()


@pytest.mark.parametrize(
    ("text", "values", "unclear"),
    [
        ("a;b\nx;1.613\ny;379\nz;2.003\nw;12\n", [1613, 379, 2003, 12], True),
        ("a,b\nx,1.613\ny,379\nz,2.003\nw,12\n", [1.613, 379, 2.003, 12], True),
        ("a\tb\nx\t1.613\ny\t379\n", [1.613, 379], True),
        ("a\tb\tc\nx\t1.613\t1,5\ny\t379\t2,5\n", [1613, 379], False),  # decimal commas beside
        ("a;b;c\nx;1.613;1.5\ny;379;2.5\n", [1.613, 379], False),  # decimal points beside
        ("a;b\nx;1.613.000\ny;379\nz;-2.003\n", [1613000, 379, -2003], False),
        ("a,b\nx,1.613.000\ny,379\nz,2.003\n", [1613000, 379, 2003], False),
        ("a;b\nx;1.613\ny;.\nz;12\n", [1613, None, 12], True),
        ("a;b\nx;1.613\ny;2000\n", [1.613, 2000], False),
        ("a;b\nx;0.613\ny;2.000\n", [0.613, 2], False),
        ("a;b\nx;1.613\n" + "z;5\n" * 300 + "z;1.5\n", [1.613] + [5] * 300 + [1.5], False),
        ("a;b\n" + "z;5\n" * 300 + "x;1.613\n", [5] * 300 + [1613], True),
        ("a,b\n" + "z,5\n" * 300 + "x,1.613\n", [5] * 300 + [1.613], True),
        ('a,b\nx,"0,613"\ny,"2,5"\n', [0.613, 2.5], False),
        ('a,b\nx,"0,613"\ny,"2,500"\n', [0.613, 2.5], False),
    ],
)
@pytest.mark.parametrize("stored", [True, False])
def test_dots_that_may_be_thousands(
    tmp_path: Path, monkeypatch, text: str, values: list[float], unclear: bool, stored: bool
) -> None:
    if not stored:
        monkeypatch.setattr("stylobate.data.reading.delimited.STORED", 0)
    rows = rows_of(tmp_path, text)
    assert column(rows, "b") == values
    assert any(UNCLEAR in note for note in rows.notes) == unclear
    thousands = 1613 in values or 1613000 in values
    assert ("dots are thousands in 'b'" in rows.notes) == thousands


def test_a_dot_beside_numbers_is_missing(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "a,b\nx,.\ny,379\nz,2.5\n" + "w,1\n" * 300 + "w,.\n")
    assert column(rows, "b") == [None, 379, 2.5] + [1] * 300 + [None]


@pytest.mark.parametrize(
    ("cells", "missing", "note"),
    [
        (["None", "none", "FR", "-", "null", "DE"], {3, 4}, "'-' (1), 'null' (1)"),
        (["+", "-", "+", "?"], {3}, "'?' (1)"),
        (["1st", "*", "2nd", "None"], {1}, "'*' (1)"),
        (["1.5", "-", "NA", "None", "unknown", "2", "-"], {1, 2, 3, 4, 6},
         "'-' (2), 'NA' (1), 'None' (1), 'unknown' (1)"),
        (["2020-01-31", "-", "2020-02-01"], {1}, "'-' (1)"),
        (["a", " ", "b", " NA"], {1, 3}, "'NA' (1)"),
        (["NA", "None"], {0}, "'NA' (1)"),
        ([*map(str, range(40)), "broken", "--", "--"], {41, 42}, "'--' (2)"),
        (["a", "b", "c"], set(), None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("stored", [True, False])
def test_reader_and_schema_agree_on_what_is_missing(
    tmp_path: Path, monkeypatch, cells: list[str], missing: set[int], note: str, stored: bool
) -> None:
    if not stored:
        monkeypatch.setattr("stylobate.data.reading.delimited.STORED", 0)
    rows = rows_of(tmp_path, "k,c\n" + "".join(f"1,{cell}\n" for cell in cells))
    assert {k for k, value in enumerate(column(rows, "c")) if value is None} == missing
    assert rows.schema["c"].n_missing == len(missing)
    assert infer_schema([[cell] for cell in cells]).columns[0].n_missing == len(missing)
    said = [text for text in rows.notes if text.startswith("missing values written")]
    assert said == ([] if note is None else [f"missing values written {note}"])


def test_missing_values_of_large_files_are_not_counted(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("stylobate.data.reading.absent._COUNTED", 0)
    rows = rows_of(tmp_path, 'k,c\nx,NA\n"y\nz",2\n')
    assert rows.schema["c"].n_missing == 1
    assert "missing values written 'NA'" in rows.notes
    rows = rows_of(tmp_path, "k,c\nx,NA\ny,2\n")  # unless every cell is plain
    assert len(rows) == 2
    assert "missing values written 'NA' (1)" in rows.notes


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["5%", "12.5", "100%"], None),
        (["$5", "€12.5", "$7"], None),
        (["5%", "12.5%", "-"], [0.05, 0.125, None]),
        (["$5", "12.5", "$7"], [5, 12.5, 7]),
    ],
)
def test_different_units_are_never_merged(
    tmp_path: Path, cells: list[str], numbers: list[float] | None
) -> None:
    rows = rows_of(tmp_path, "k,c\n" + "".join(f"1,{cell}\n" for cell in cells))
    assert column(rows, "c") == (cells if numbers is None else numbers)
    assert any("different units" in note for note in rows.notes) == (numbers is None)
    schema = infer_schema([[cell] for cell in cells])
    assert (schema.columns[0].kind == "numeric") == (numbers is not None)
    assert (rows.schema["c"].kind == "numeric") == (numbers is not None)


@pytest.mark.parametrize("more", [[], ["1.5"]])
def test_whole_numbers_beyond_64_bits_stay_apart(tmp_path: Path, more: list[str]) -> None:
    cells = ["12345678901234567890", "12345678901234567891", *more]
    rows = rows_of(tmp_path, "k,c\n" + "".join(f"1,{cell}\n" for cell in cells))
    assert column(rows, "c") == cells
    found = rows.schema["c"]
    assert found.kind != "numeric"
    assert found.n_distinct == len(cells)
    assert "beyond 2^63" in found.reason


def test_large_measurements_stay_numbers(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "k,c\n1,1.5\n1,1e300\n")
    assert column(rows, "c") == [1.5, 1e300]


def test_a_zero_byte_of_a_short_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidDataError, match="line 3 holds a NUL byte"):
        rows_of(tmp_path, b"k,a\nx,1\ny,\x002\n").to_frame()


def test_lines_in_two_encodings(tmp_path: Path) -> None:
    text = "k,a\nKöln,1\n".encode() + "Zürich,2\n".encode("cp1252") + b"Ulm,3\n"
    rows = rows_of(tmp_path, text)
    assert column(rows, "k") == ["Köln", "Zürich", "Ulm"]
    assert "mixed: some lines are UTF-8, others read as cp1252: line 3" in rows.notes[0]
    rows = rows_of(tmp_path, "k,a\nKöln,1\nZürich,2\n".encode("cp1252"))
    assert column(rows, "k") == ["Köln", "Zürich"]
    assert rows.notes[0].startswith("encoding cp1252")
