"""Shapes, lengths and kinds of input that are refused, and the words used."""

from __future__ import annotations

import re

import numpy as np
import pytest

from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError, UnsupportedDataError


@pytest.mark.parametrize(
    ("x", "words"),
    [
        (np.arange(3.0), "Expected 2D array, got 1D array instead.*Reshape your data"),
        ([1, 2, 3], "Reshape your data"),
        (np.float64(3.0), "got scalar array instead.*Reshape your data"),
        (7, "got scalar array instead.*Reshape your data"),
        (np.zeros((2, 2, 2)), r"Found array with dim 3, while dim <= 2 is required by Ridge"),
        (np.zeros((3, 0)), r"0 feature\(s\) \(shape=\(3, 0\)\) while a minimum of 1 is required"),
        (np.zeros((0, 3)), r"Found array with 0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of"),
        ([], "Reshape your data"),
        ([[]], r"0 feature\(s\)"),
    ],
)
def test_shape_is_refused(x, words):
    with pytest.raises(InvalidDataError, match=re.compile(words, re.DOTALL)):
        read_table(x, owner="Ridge")


def test_one_sample_where_two_are_needed():
    with pytest.raises(InvalidDataError, match=r"1 sample\(s\) .* minimum of 2 is required by PCA"):
        read_table(np.ones((1, 3)), owner="PCA", min_rows=2)


@pytest.mark.parametrize(
    ("x", "words"),
    [
        (np.ones((2, 2)) * 1j, "Complex data not supported"),
        (
            np.array([[1.0, 2j]], dtype=object),
            r"2j at row 0, column 1\. Complex data not supported",
        ),
        (np.array([["a", "b"]]), r"text \(.*'a'.* at row 0, column 0\).*one-hot"),
        ([[1, 2], [3, "red"]], r"text 'red' at row 1, column 1.*one-hot"),
        ([[1, "2"]], r"text '2' at row 0, column 1.*astype\(float\)"),
        (np.array([["2001-01-01"]], dtype="M8[D]"), r"dtype datetime64\[D\].*days since"),
        (np.zeros(3, dtype=[("a", "f8"), ("b", "f8")]), "structured array with fields"),
        ({"a": [1, 2]}, r"dict.*pandas\.DataFrame"),
        (None, "X is None"),
        ("text", "X is 'text'"),
        (object(), "not a table of numbers"),
        ({1, 2}, "not a table of numbers"),
        ((i for i in range(3)), "not a table of numbers"),
    ],
)
def test_kind_is_refused(x, words):
    with pytest.raises(UnsupportedDataError, match="Ridge") as caught:
        read_table(x, owner="Ridge")
    assert re.search(words, str(caught.value), re.DOTALL), str(caught.value)


def test_other_objects_get_python_s_own_words():
    x = np.ones((3, 2), dtype=object)
    x[0, 0] = {"foo": "bar"}
    with pytest.raises(TypeError, match=r"row 0, column 0.*argument must be .* string.* number"):
        read_table(x, owner="Ridge")


def test_long_values_are_cut():
    with pytest.raises(UnsupportedDataError) as caught:
        read_table([[1, "x" * 10_000]], owner="Ridge")
    assert len(str(caught.value)) < 400


def test_numbers_too_large_for_a_double():
    with pytest.raises(UnsupportedDataError, match="do not convert to float64"):
        read_table([[10**400, 1]], owner="Ridge")


def test_matrix_is_read_as_an_array():
    with pytest.warns(PendingDeprecationWarning):
        x = np.matrix([[1.0, 2.0]])
    table = read_table(x, owner="Ridge")
    assert type(table.x) is np.ndarray


def test_lengths_must_agree():
    with pytest.raises(InvalidDataError, match=r"inconsistent numbers of samples: \[3, 2\]"):
        read_table(np.ones((3, 1)), [1, 2], owner="Ridge")


def test_refusals_are_caught_as_value_errors():
    for x in (np.arange(3.0), np.array([["a"]]), np.full((1, 1), np.nan)):
        with pytest.raises(ValueError, match="Ridge"):
            read_table(x, owner="Ridge")
