"""Tables written in any dialect come back as they were: values, types, names."""

from __future__ import annotations

import csv
import io
from datetime import date, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stylobate import read
from stylobate.exceptions import InvalidDataError

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252")
# In an encoding that must be found from the bytes, letters are those of Western Europe.
LETTERS = st.characters(codec="cp1252", exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"])
WORDS = st.text(LETTERS, min_size=1, max_size=8).map(lambda text: f"w{text}w")
TITLES = st.from_regex("[A-Z][a-z]{2,8} [a-z]{2,8}", fullmatch=True)
LINES = st.lists(WORDS, min_size=1, max_size=3).map("\n".join)
WHOLE = st.integers(-(2**63), 2**63 - 1)
REAL = st.floats(allow_nan=False, allow_infinity=False, width=64)
DAYS = st.dates(date(1000, 1, 1))
MOMENTS = st.datetimes(datetime(1000, 1, 1)).map(lambda t: t.replace(microsecond=0))
KINDS = {"word": WORDS, "line": LINES, "whole": WHOLE, "real": REAL, "day": DAYS, "time": MOMENTS}


@st.composite
def tables(draw):
    """Columns of several types, some values missing, at least one column of numbers or dates."""
    kinds = draw(st.lists(st.sampled_from(sorted(KINDS)), max_size=4))
    kinds = ["whole", *kinds, "real"]
    n_rows = draw(st.integers(1, 12))
    names = [f"{kind} {j}" for j, kind in enumerate(kinds)]
    columns = []
    for j, kind in enumerate(kinds):
        value = KINDS[kind] if j in (0, len(kinds) - 1) else st.none() | KINDS[kind]
        columns.append(draw(st.lists(value, min_size=n_rows, max_size=n_rows)))
    return names, list(zip(*columns, strict=True))


def written(names, rows, delimiter, end, quoting):
    out = io.StringIO()
    if end == "\r":  # Python would leave a line feed within a cell unquoted
        quoting = csv.QUOTE_ALL
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting)
    writer.writerow(names)
    writer.writerows([["" if cell is None else _text(cell) for cell in row] for row in rows])
    return out.getvalue()


def _text(cell):
    return repr(cell) if isinstance(cell, float) else str(cell)


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(
    tables(),
    st.sampled_from(",;\t|"),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(ENCODINGS),
)
def test_what_was_written_comes_back(
    tmp_path_factory: pytest.TempPathFactory, table, delimiter, end, quoting, encoding
):
    names, rows = table
    path = tmp_path_factory.mktemp("rows") / "a.csv"
    path.write_bytes(written(names, rows, delimiter, end, quoting).encode(encoding))
    relation = read(path, encoding=encoding if encoding == "cp1252" else None)
    assert list(relation.columns) == names
    got = [list(row.values()) for row in relation.to_frame("pyarrow").to_pylist()]
    assert got == [list(row) for row in rows]


@settings(max_examples=15)
@given(tables(), st.integers(0, 3), st.lists(TITLES, min_size=0, max_size=2))
def test_titles_above_and_blank_lines_are_skipped(tmp_path_factory, table, blank, titles):
    names, rows = table
    path = tmp_path_factory.mktemp("rows") / "a.csv"
    above = "".join(f"{title}\n" for title in titles) + "\n" * blank
    path.write_text(above + written(names, rows, ",", "\n", csv.QUOTE_MINIMAL), encoding="utf-8")
    relation = read(path)
    assert list(relation.columns) == names
    assert len(relation) == len(rows)


@settings(max_examples=15)
@given(st.lists(st.tuples(WHOLE, REAL, DAYS), min_size=2, max_size=12))
def test_without_header_no_row_is_lost(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("rows") / "a.csv"
    text = written(["x"], rows, ",", "\n", csv.QUOTE_MINIMAL).partition("\n")[2]
    path.write_text(text, encoding="utf-8")
    relation = read(path)
    assert relation.columns == ("column_1", "column_2", "column_3")
    assert [tuple(row.values()) for row in relation.to_frame("pyarrow").to_pylist()] == rows


@settings(max_examples=20)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused_in_a_sentence(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("rows") / "a"
    path.write_bytes(content)
    refused = None
    try:
        relation = read(path)
        assert relation.to_frame("pyarrow").num_columns == relation.shape[1]
        assert relation.schema.names == relation.columns
    except InvalidDataError as error:
        refused = str(error)
    assert refused is None or (refused.startswith("read: ") and "\n" not in refused)
