"""Categories as codes, for models that split them themselves; tables without a frame library."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from stylobate.data.column_table import ColumnTable
from stylobate.data.kinds import infer_schema
from stylobate.preprocessing import TableEncoder

FRAME = pd.DataFrame(
    {
        "size": [1.0, None, 3.0, 4.0, 2.0, 6.0],
        "colour": ["red", "blue", None, "green", "red", "blue"],
        "grade": ["low", "high", "medium", None, "low", "high"],
    }
)
KINDS = {"colour": "nominal", "size": "numeric"}


def test_codes_keep_gaps_and_number_categories_in_order():
    encoder = TableEncoder(categories="codes", kinds=KINDS)
    out = np.asarray(encoder.fit_transform(FRAME))
    np.testing.assert_array_equal(out[:, 0], FRAME["size"])
    np.testing.assert_array_equal(out[:, 1], [2, 0, np.nan, 1, 2, 0])
    assert encoder.categorical_.tolist() == [False, True, False]
    unseen = np.asarray(encoder.transform(FRAME.assign(colour="violet")))
    assert np.isnan(unseen[:, 1]).all()
    assert encoder.inverse_transform(out)[:, 1].tolist() == [
        "red", "blue", None, "green", "red", "blue",
    ]  # fmt: skip


def test_more_categories_than_codes_share_the_last():
    words = [f"w{k:03d}" for k in range(300)]
    column = words * 3 + words[:10] * 40  # the first ten are frequent
    frame = pd.DataFrame({"word": column})
    out = np.asarray(
        TableEncoder(categories="codes", kinds={"word": "nominal"}).fit_transform(frame)
    )
    assert len(np.unique(out)) == 255
    frequent = out[[column.index(word) for word in words[:10]], 0]
    assert len(np.unique(frequent)) == 10


@pytest.mark.parametrize("categories", ["ones", "codes"])
@pytest.mark.parametrize("scale", [False, True])
def test_a_table_of_arrays_is_encoded_as_its_frame(categories, scale):
    table = ColumnTable(
        {
            "size": np.ma.array([1.0, 0, 3, 4, 2, 6], mask=[0, 1, 0, 0, 0, 0]),
            "colour": np.array(["red", "blue", None, "green", "red", "blue"], dtype=object),
            "grade": np.array(["low", "high", "medium", None, "low", "high"], dtype=object),
        }
    )
    encoder = TableEncoder(categories=categories, scale=scale, kinds=KINDS)
    expected = np.asarray(encoder.fit_transform(FRAME))
    given = TableEncoder(categories=categories, scale=scale, kinds=KINDS).fit(table)
    assert isinstance(given.transform(table), np.ndarray)
    np.testing.assert_array_equal(given.transform(table), expected)
    np.testing.assert_array_equal(given.transform(FRAME), expected)
    assert list(given.feature_names_in_) == list(FRAME.columns)
    np.testing.assert_array_equal(given.transform(table[np.array([3, 1])]), expected[[3, 1]])


def test_a_schema_is_taken_as_it_is():
    schema = infer_schema(FRAME).with_kinds(KINDS)
    encoder = TableEncoder(kinds=schema).fit(FRAME[:3])
    assert encoder.schema_ is schema
    np.testing.assert_array_equal(
        encoder.transform(FRAME), TableEncoder(kinds=KINDS).fit(FRAME[:3]).transform(FRAME)
    )


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="different lengths"):
        ColumnTable({"a": np.zeros(2), "b": np.zeros(3)})
