"""The shared reader of columns: codes for words, numbers for the rest."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from stylobate.exceptions import InvalidParameterError
from stylobate.tree.columns import read_features

COLUMNS = {
    "price": [1.5, None, 2.5, 0.0],
    "city": ["Oslo", "Rome", None, "Rome"],
    "open": [True, False, True, True],
}
EXPECTED = np.array([[1.5, 0, 1], [np.nan, 1, 0], [2.5, np.nan, 1], [0, 1, 1]])


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_text_becomes_codes_in_every_frame(make):
    table, known = read_features(make(COLUMNS), owner="test")
    np.testing.assert_array_equal(table.x, EXPECTED)
    assert known.counts.tolist() == [0, 2, 0]
    assert table.names == ("price", "city", "open")
    later = make(COLUMNS | {"city": ["Rome", "Lima", "Oslo", None]})
    again, same = read_features(later, owner="test", known=known)
    np.testing.assert_array_equal(again.x[:, 1], [1, np.nan, 0, np.nan])
    assert same is known


def test_categorical_types_count_as_words_and_numbers_when_asked():
    frame = pd.DataFrame({"a": pd.Categorical([30, 10, 30]), "b": [7, 8, 7]})
    table, known = read_features(frame, owner="test")
    np.testing.assert_array_equal(table.x, [[1, 7], [0, 8], [1, 7]])
    for asked in ([False, True], [1], ["b"]):
        table, known = read_features(frame.astype(float), owner="test", categorical=asked)
        np.testing.assert_array_equal(table.x, [[30, 0], [10, 1], [30, 0]])
        assert known.counts.tolist() == [0, 2]


def test_arrays_pass_untouched():
    x = np.arange(6.0).reshape(3, 2)
    table, known = read_features(x, owner="test")
    assert table.x is x
    assert not known.any


@pytest.mark.parametrize("asked", ["words", [True], [2], ["c"]])
def test_wrong_choices_are_refused(asked):
    frame = pd.DataFrame({"a": ["x", "y"], "b": [1.0, 2.0]})
    with pytest.raises(InvalidParameterError, match="categorical_features"):
        read_features(frame, owner="test", categorical=asked)


def test_categories_of_few_rows_among_many_are_not_learnt_by_heart():
    import pandas as pd

    from stylobate.tree import DecisionTreeClassifier

    draw = np.random.default_rng(0)
    x, noise = draw.normal(size=1000), draw.integers(0, 400, 1000)
    y = (draw.random(1000) < 1 / (1 + np.exp(-x))).astype(int)
    frame = pd.DataFrame({"x": x, "name": [f"n{k}" for k in noise]})
    alone = DecisionTreeClassifier(max_depth=4).fit(frame[["x"]], y)
    both = DecisionTreeClassifier(max_depth=4).fit(frame, y)
    np.testing.assert_array_equal(both.predict_proba(frame), alone.predict_proba(frame[["x"]]))
    # who names the column means all of its categories
    chosen = DecisionTreeClassifier(max_depth=4, categorical_features=["name"]).fit(frame, y)
    assert chosen.score(frame, y) > both.score(frame, y)
    assert len(both.column_categories_.of[1]) == 0
