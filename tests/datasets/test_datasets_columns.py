"""The small CSV reader: what it makes of good files, and its refusals of bad ones."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stylobate.datasets.columns import MAX_LINE, read_columns
from stylobate.exceptions import InvalidDataError


def read(text):
    return read_columns(io.StringIO(text), "file.csv")


def test_numbers_text_and_missing_values():
    columns = read('a, b ,c\n1,"x, y",NA\n,z,2e3\n\n-3.5,null,4\n')
    assert list(columns) == ["a", "b", "c"]
    np.testing.assert_array_equal(columns["a"], [1.0, np.nan, -3.5])
    assert columns["b"].tolist() == ["x, y", "z", None]
    np.testing.assert_array_equal(columns["c"], [np.nan, 2000.0, 4.0])


def test_a_column_without_a_name_keeps_the_empty_name():
    assert list(read(",x\n0,1\n")) == ["", "x"]


def test_digits_with_underscores_are_text():
    assert read("a\n1_000\n")["a"].tolist() == ["1_000"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty or starts with an empty line"),
        ("\n\n", "is empty or starts with an empty line"),
        ("a,b\n", "has a header and no rows"),
        ("a,b,a\n1,2,3\n", "the header has 'a' more than once"),
        ("a,b\n1,2\n3\n", r"line 3 has 1 cell\(s\) and the header 2"),
        ("a;b\n1;2\n", "seems to be separated by semicolons"),
        ("a\tb\n1\t2\n", "seems to be separated by tabs"),
        ("a,b\n1,\0\n", "line 2 holds a zero byte"),
        ('a,b\n1,"2\n', "line 2 cannot be read as comma-separated cells"),
        ('a,b\n1,"' + "x\n" * 100_000, "cannot be read as comma-separated cells"),
        ("a\x1b[2J,b\n1,2\n", "holds a control character"),
    ],
)
def test_refusals_are_sentences(text, words):
    with pytest.raises(InvalidDataError, match=words):
        read(text)


def test_an_endless_line_is_not_read_to_its_end():
    class Endless(io.TextIOBase):
        given = 0

        def readline(self, size=-1, /):
            self.given += size
            return "1" * size

    file = Endless()
    with pytest.raises(InvalidDataError, match="more than 1,048,576 characters"):
        read_columns(file, "file.csv")
    assert file.given == MAX_LINE + 1


@given(
    st.lists(
        st.tuples(st.floats(allow_nan=False), st.text(st.characters(codec="ascii"), max_size=5)),
        min_size=1,
        max_size=8,
    )
)
def test_what_the_csv_module_writes_is_read_back(rows):
    rows = [(number, text.replace("\0", "").replace("\r", "")) for number, text in rows]
    file = io.StringIO()
    csv.writer(file).writerows([("number", "text"), *((n, f"t{t}t") for n, t in rows)])
    columns = read(file.getvalue())
    np.testing.assert_array_equal(columns["number"], [number for number, _ in rows])
    assert columns["text"].tolist() == [f"t{text}t" for _, text in rows]


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        columns = read(text)
    except InvalidDataError:
        return
    assert len({len(column) for column in columns.values()}) == 1
