"""Targets, labels and weights: what is read, what is warned of, what is refused."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_array_equal

from stylobate.data import read_labels, read_table, read_weights
from stylobate.exceptions import DataConversionWarning, InvalidDataError, UnsupportedDataError

X = np.ones((3, 2))


def test_vector_target_is_shared_and_two_dimensional():
    y = np.array([1.0, 2.0, 3.0])
    table = read_table(X, y, owner="Ridge")
    assert table.y.shape == (3, 1)
    assert np.shares_memory(table.y, y)


@pytest.mark.parametrize("order", ["C", "F"])
def test_matrix_target_is_made_contiguous(order):
    y = np.asarray(np.arange(6).reshape(3, 2), order=order, dtype=np.float32)
    table = read_table(X, y, owner="Ridge")
    assert table.y.flags.c_contiguous
    assert table.y.dtype == np.float64
    assert not table.y_is_vector
    assert_array_equal(table.y, y)


def test_column_vector_warns_where_one_target_is_taken():
    with pytest.warns(DataConversionWarning, match="^A column-vector y was passed") as record:
        table = read_table(X, [[1], [2], [3]], owner="Ridge", multi_output=False)
    assert table.y_is_vector
    assert record[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not read_table(X, [[1], [2], [3]], owner="Ridge").y_is_vector


def test_warning_is_scikit_learn_s_own_too():
    theirs = pytest.importorskip("sklearn.exceptions").DataConversionWarning
    with pytest.warns(theirs):
        read_table(X, [[1], [2], [3]], owner="Ridge", multi_output=False)


@pytest.mark.parametrize(
    ("y", "options", "words"),
    [
        (None, {"y_required": True}, "Ridge.* requires y to be passed, but the target y is None"),
        (np.ones((3, 2)), {"multi_output": False}, r"y should be a 1d array, got .* \(3, 2\)"),
        (np.ones((3, 1, 1)), {}, r"y should be a 1d array, got .* \(3, 1, 1\)"),
        (5.0, {}, r"y should be a 1d array, got an array of shape \(\)"),
        (np.ones((3, 0)), {}, "y has no columns"),
        ([1, 2], {}, r"inconsistent numbers of samples: \[3, 2\]"),
        ([1, 2, 1j], {}, "Complex data not supported"),
        ({"a": 1}, {}, "y is .*dict"),
    ],
)
def test_targets_refused(y, options, words):
    with pytest.raises(ValueError, match=words):
        read_table(X, y, owner="Ridge", **options)


def test_no_target_is_no_target():
    table = read_table(X, owner="Ridge")
    assert table.y is None
    assert table.weights is None


LABELS = st.one_of(
    hnp.arrays(st.sampled_from([np.int64, np.uint8, np.bool_]), st.integers(1, 30)),
    hnp.arrays("U3", st.integers(1, 30)),
    st.lists(st.text(max_size=4).filter(lambda t: "\0" not in t), min_size=1, max_size=20),
    st.lists(st.integers(-3, 3), min_size=1, max_size=20),
    hnp.arrays(np.float32, st.integers(1, 20), elements=st.integers(-3, 3).map(float)),
)


@given(LABELS)
@settings(max_examples=120, deadline=None)
def test_classes_and_codes_give_the_labels_back(y):
    classes, codes = read_labels(y, owner="LogisticRegression")
    assert classes.tolist() == sorted(set(np.asarray(y).tolist()))
    assert_array_equal(classes[codes], np.asarray(y))
    assert codes.dtype == np.int64


@pytest.mark.parametrize(
    "y",
    [
        np.array(["b", "a", "b"], dtype=object),
        pd.Series(["b", "a", "b"]),
        pd.Series(["b", "a", "b"], dtype="string"),
        pd.Series(["b", "a", "b"], dtype="category"),
        pl.Series(["b", "a", "b"]),
        pa.array(["b", "a", "b"]),
        pa.chunked_array([["b"], ["a", "b"]]),
    ],
)
def test_text_labels_of_every_container(y):
    classes, codes = read_labels(y, owner="LogisticRegression")
    assert classes.tolist() == ["a", "b"]
    assert codes.tolist() == [1, 0, 1]


def test_objects_that_are_integers_and_nullable_integers():
    for y in (np.array([3, 1, 3], dtype=object), pd.Series([3, 1, 3], dtype="Int64")):
        classes, codes = read_labels(y, owner="LogisticRegression")
        assert classes.tolist() == [1, 3]
        assert classes.dtype.kind == "i"
        assert codes.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([0.5, 1.0], r"Unknown label type: continuous.* 0\.5 at row 0.*regressor"),
        ([1.0, np.nan], "contains NaN at row 1"),
        (np.array([np.inf, 1]), "contains infinity at row 0"),
        (["a", None], "missing value .*None.* at row 1"),
        (pd.Series([1, None], dtype="Int64"), "contains NaN.* at row 1"),
        (["a", 1], "Unknown label type: .*int, str"),
        ([b"a", b"b"], "Unknown label type"),
        ([[1, 2], [3, 4]], r"y should be a 1d array, got an array of shape \(2, 2\)"),
        ([[1], [2, 3]], "Unknown label type"),
        ([], "0 sample"),
        (None, "requires y to be passed, but the target y is None"),
        (np.array([1j, 2]), "Complex data not supported"),
        (3, "y should be a 1d array|not a sequence"),
        (object(), "not a sequence of labels"),
    ],
)
def test_labels_refused(y, words):
    with pytest.raises(ValueError, match=words):
        read_labels(y, owner="LogisticRegression")


def test_labels_of_another_length_and_shape():
    with pytest.raises(InvalidDataError, match=r"inconsistent numbers of samples: \[3, 2\]"):
        read_labels([0, 1], owner="LogisticRegression", n_rows=3)
    with pytest.warns(DataConversionWarning, match="column-vector"):
        classes, _ = read_labels([[0], [1]], owner="LogisticRegression")
    assert classes.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (None, None),
        (1, None),
        (1.0, None),
        (np.float32(1), None),
        (2, [2, 2, 2]),
        ([1, 0, 2], [1, 0, 2]),
        ((True, False, True), [1, 0, 1]),
        (np.array([1, 2, 3], dtype=">i2"), [1, 2, 3]),
        (pd.Series([1, 2, 3], index=[9, 8, 7]), [1, 2, 3]),
        (pl.Series([1.5, 2, 3]), [1.5, 2, 3]),
        (np.arange(6.0)[::2] + 1, [1, 3, 5]),
    ],
)
def test_weights_read(weights, expected):
    got = read_table(X, None, weights, owner="Ridge").weights
    if expected is None:
        assert got is None
    else:
        assert_array_equal(got, np.array(expected, dtype=float))
        assert got.flags.c_contiguous


def test_weights_are_not_copied_when_usable():
    weights = np.array([1.0, 2.0, 3.0])
    assert np.shares_memory(read_weights(weights, 3, owner="Ridge"), weights)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1, -2, 1], r"contains -2\.0 at row 1 \(1 of 3 weights"),
        (-1, r"contains -1\.0 at row 0"),
        ([1, np.nan, np.nan], r"NaN at row 1 \(2 of 3"),
        ([np.inf, 1, 1], "infinity at row 0"),
        (np.nan, "NaN at row 0"),
        ([0, 0, 0], "zero everywhere.*weights"),
        (0, "zero everywhere.*weights"),
        ([1, 2], r"sample_weight\.shape == \(2,\), expected \(3,\)"),
        ([[1, 2, 3]], r"must be 1D array or scalar, got 2D array"),
        (["a", "b", "c"], "text 'a' at row 0"),
        ([1, None, 1], "NaN at row 1"),
        ([1j, 1, 1], "Complex data not supported"),
    ],
)
def test_weights_refused(weights, words):
    with pytest.raises(ValueError, match=words):
        read_table(X, None, weights, owner="Ridge")


def test_refusal_of_text_weights_is_a_type_error_too():
    with pytest.raises(UnsupportedDataError):
        read_weights(["a"], 1, owner="Ridge")
