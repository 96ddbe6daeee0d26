"""Encoders of categories against scikit-learn's, on ordinary and nasty columns."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn.preprocessing as theirs
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import stylobate
import stylobate.preprocessing as ours
from stylobate.exceptions import StylobateError

NAN = float("nan")
TABLES = {
    "text and numbers": np.array([["a", 1], ["b", 2], ["a", 1], ["c", 3]], dtype=object),
    "None and NaN": np.array([["a"], [None], [NAN], ["a"], [float("nan")]], dtype=object),
    "numbers with NaN": np.array([[1.0], [NAN], [2.0], [2.0]]),
    "one category": np.array([["x", 0], ["x", 0]], dtype=object),
    "booleans": np.array([[True], [False], [True]]),
    "NumPy text": np.array([["b"], ["a"], ["b"]]),
}
ONE_HOT = [
    {},
    {"drop": "first"},
    {"drop": "if_binary"},
    {"min_frequency": 2},
    {"min_frequency": 0.4, "drop": "first"},
    {"max_categories": 2, "handle_unknown": "infrequent_if_exist"},
    {"max_categories": 1},
    {"dtype": np.int8, "sparse_output": False, "handle_unknown": "ignore"},
]


def same(ours, theirs):
    assert ours.shape == theirs.shape
    assert [str(v) for v in ours.ravel()] == [str(v) for v in theirs.ravel()]


@pytest.mark.parametrize("options", ONE_HOT)
@pytest.mark.parametrize("name", TABLES)
def test_one_hot_is_scikit_learns(name, options):
    X = TABLES[name]
    a, b = theirs.OneHotEncoder(**options).fit(X), ours.OneHotEncoder(**options).fit(X)
    expected, found = a.transform(X), b.transform(X)
    assert found.dtype == expected.dtype
    if hasattr(expected, "toarray"):
        assert found.has_sorted_indices
        expected, found = expected.toarray(), found.toarray()
    np.testing.assert_array_equal(found, expected)
    assert b.get_feature_names_out().tolist() == a.get_feature_names_out().tolist()
    dropped = [None if e.drop_idx_ is None else e.drop_idx_.tolist() for e in (a, b)]
    assert dropped[0] == dropped[1]
    for mine, other in zip(b.categories_, a.categories_, strict=True):
        same(mine, other)
        assert mine.dtype == other.dtype
    if found.shape[1]:  # scikit-learn inverts no matrix without columns
        same(b.inverse_transform(found), a.inverse_transform(expected))


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    "options", [{}, {"encoded_missing_value": -1}, {"min_frequency": 2}, {"max_categories": 2}]
)
def test_ordinal_is_scikit_learns(name, options):
    X = TABLES[name]
    a, b = theirs.OrdinalEncoder(**options).fit(X), ours.OrdinalEncoder(**options).fit(X)
    expected = a.transform(X)
    np.testing.assert_array_equal(b.transform(X), expected)
    merged = options.keys() & {"min_frequency", "max_categories"}
    if not (merged and "NaN" in name):  # there scikit-learn 1.9 confuses NaN and the merged ones
        same(b.inverse_transform(expected), a.inverse_transform(expected.copy()))


def test_ordinal_tells_missing_from_merged_categories():
    X = np.array([["a"], ["a"], ["b"], [NAN]], dtype=object)
    encoder = ours.OrdinalEncoder(min_frequency=2).fit(X)
    same(
        encoder.inverse_transform(encoder.transform(X)).T,
        np.array([["a", "a", "infrequent_sklearn", NAN]], dtype=object),
    )


@pytest.mark.parametrize("kind", ["continuous", "binary", "multiclass"])
@pytest.mark.parametrize("smooth", ["auto", 0.0, 3.0])
def test_target_is_scikit_learns(kind, smooth):
    rng = np.random.default_rng(3)
    X = rng.integers(0, 6, (90, 2)).astype(str).astype(object)
    X[5, 0], X[6, 0] = None, NAN
    y = {
        "continuous": rng.normal(size=90),
        "binary": np.array(["no", "yes"])[rng.integers(0, 2, 90)],
        "multiclass": rng.integers(0, 3, 90),
    }[kind]
    a = theirs.TargetEncoder(smooth=smooth, random_state=0)
    b = ours.TargetEncoder(smooth=smooth, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        expected = a.fit_transform(X, y)
    np.testing.assert_allclose(b.fit_transform(X, y), expected, rtol=1e-12, atol=1e-12)
    new = np.array([["0", "never seen"]], dtype=object)
    np.testing.assert_allclose(b.transform(new), a.transform(new), rtol=1e-12)
    assert b.get_feature_names_out().tolist() == a.get_feature_names_out().tolist()
    np.testing.assert_allclose(b.target_mean_, a.target_mean_)


def test_target_of_its_own_row_is_not_in_the_encoding():
    X = np.arange(20).astype(str).reshape(-1, 1)  # every row a category of its own
    y = np.arange(20.0)
    encoded = ours.TargetEncoder(target_type="continuous", cv=4, random_state=1).fit_transform(X, y)
    assert len(np.unique(encoded)) <= 4  # nothing but the means of the other folds


FRAMES = {
    "pandas": pd.DataFrame,
    "pandas object": lambda d: pd.DataFrame(d, dtype=object),
    "pandas category": lambda d: pd.DataFrame(d).astype("category"),
    "polars": pl.DataFrame,
    "polars categorical": lambda d: pl.DataFrame(d).with_columns(pl.all().cast(pl.Categorical)),
    "pyarrow": pa.table,
    "pyarrow dictionary": lambda d: pa.table(
        {k: pa.array(v).dictionary_encode() for k, v in d.items()}
    ),
}


@pytest.mark.parametrize("library", FRAMES)
def test_frames_of_every_library_give_the_same(library):
    columns = {"colour": ["red", "blue", None, "red"], "size": ["s", "m", "m", "l"]}
    frame = FRAMES[library](columns)
    encoder = ours.OneHotEncoder(sparse_output=False).fit(frame)
    names = encoder.get_feature_names_out().tolist()
    assert [n.replace("None", "nan") for n in names] == [
        "colour_blue", "colour_red", "colour_nan", "size_l", "size_m", "size_s",
    ]  # fmt: skip
    out = encoder.transform(frame)
    assert type(out) is type(frame)
    expected = [[0, 1, 0, 0, 0, 1], [1, 0, 0, 0, 1, 0], [0, 0, 1, 0, 1, 0], [0, 1, 0, 1, 0, 0]]
    np.testing.assert_array_equal(np.asarray(out), expected)
    assert isinstance(encoder.set_output(transform="pandas").transform(frame), pd.DataFrame)


@pytest.mark.parametrize(
    ("options", "X", "words"),
    [
        ({"categories": [["a", "a"]]}, [["a"]], "duplicate"),
        ({"categories": [[2, 1]]}, [[1]], "Unsorted"),
        ({"categories": [["a"], ["b"]]}, [["a"]], "Shape mismatch"),
        ({"categories": [["a"]]}, [["b"]], "Found unknown categories"),
        ({"drop": ["z"]}, [["a"]], "supposed to be dropped"),
        ({"drop": ["a", "b"]}, [["a"]], "length equal"),
        ({"drop": [1], "min_frequency": 2}, np.array([[1], [2], [2]]), "infrequent"),
        ({}, [["a"], [1]], "uniformly strings or numbers"),
        ({}, np.empty((0, 2), dtype=object), "0 sample"),
    ],
)
def test_refusals_are_scikit_learns(options, X, words):
    for kind in (theirs.OneHotEncoder, ours.OneHotEncoder):
        with pytest.raises((ValueError, TypeError), match=words):
            kind(**options).fit(X)
    with pytest.raises(StylobateError):
        ours.OneHotEncoder(**options).fit(X)


@pytest.mark.parametrize(
    "options",
    [
        {"unknown_value": 3},
        {"handle_unknown": "use_encoded_value"},
        {"handle_unknown": "use_encoded_value", "unknown_value": 0},
        {"handle_unknown": "use_encoded_value", "unknown_value": NAN, "dtype": int},
        {"encoded_missing_value": 0},
        {"dtype": int},
    ],
)
def test_refusals_of_ordinal_numbers(options):
    X = np.array([["a"], [NAN]], dtype=object)
    for kind in (theirs.OrdinalEncoder, ours.OrdinalEncoder):
        with pytest.raises((ValueError, TypeError)):
            kind(**options).fit(X)


def test_unknown_categories():
    X, new = [["a"], ["a"], ["b"]], [["z"], ["a"]]
    with pytest.raises(StylobateError, match=r"unknown categories \['z'\] in column 0 during tr"):
        ours.OneHotEncoder().fit(X).transform(new)
    ignoring = ours.OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(X)
    np.testing.assert_array_equal(ignoring.transform(new), [[0, 0], [1, 0]])
    assert ignoring.inverse_transform([[0, 0]]).tolist() == [[None]]
    rare = ours.OneHotEncoder(handle_unknown="warn", min_frequency=2, sparse_output=False).fit(X)
    with pytest.warns(UserWarning, match="the infrequent category"):
        np.testing.assert_array_equal(rare.transform(new), [[0, 1], [1, 0]])
    numbers = ours.OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1).fit(X)
    assert numbers.transform(new).ravel().tolist() == [-1, 0]
    assert numbers.inverse_transform([[-1], [1]]).ravel().tolist() == [None, "b"]


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=30))
def test_rank_safe_dummies_have_full_rank_and_lose_nothing(rows):
    X = np.array(rows)
    X = np.column_stack([X, X[:, 0] // 2])  # the last is determined by the first
    encoder = ours.OneHotEncoder(drop="rank", sparse_output=False).fit(X)
    kept = np.column_stack([np.ones(len(X)), encoder.transform(X)])
    every = np.column_stack(
        [np.ones(len(X)), theirs.OneHotEncoder(sparse_output=False).fit_transform(X)]
    )
    assert np.linalg.matrix_rank(kept) == kept.shape[1] == np.linalg.matrix_rank(every)
    assert encoder.inverse_transform(kept[:, 1:]).tolist() == X.tolist()
    assert encoder.inverse_transform(sparse.csr_matrix(kept[:, 1:])).tolist() == X.tolist()


def test_rank_safe_dummies_go_back_to_texts_and_say_what_does_not_follow(tmp_path):
    X = np.array([["x", "left", "p"], ["y", "right", "q"], ["z", "left", "p"]] * 4, dtype=object)
    X[0, 2] = "q"
    encoder = ours.OneHotEncoder(drop="rank").fit(X)
    assert len(encoder._dropped_labels[1]) == 2  # the side follows from the first column
    assert encoder.inverse_transform(encoder.transform(X)).tolist() == X.tolist()
    stylobate.save(encoder, tmp_path / "encoder")
    again = stylobate.load(tmp_path / "encoder")
    assert again.inverse_transform(encoder.transform(X)).tolist() == X.tolist()
    halves = np.full((1, encoder.transform(X).shape[1]), 0.5)
    assert encoder.inverse_transform(halves)[0, 1] is None


cells = st.one_of(st.sampled_from(["a", "b", "", "ü", "long text"]), st.none(), st.just(NAN))


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=20))
def test_there_and_back(rows):
    X = np.empty((len(rows), 2), dtype=object)
    X[:] = rows
    for encoder in (ours.OneHotEncoder(), ours.OneHotEncoder(drop="first"), ours.OrdinalEncoder()):
        back = encoder.inverse_transform(encoder.fit_transform(X))
        same(back, X)
