"""Columns that hold no numbers: refused by name, with their first value and the way out."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from stylobate.data import read_table
from stylobate.exceptions import UnsupportedDataError

DAY = dt.date(2020, 1, 2)
REFUSED = {
    "pandas-text": (pd.DataFrame({"n": [1], "c": ["red"]}), "text", "'red'"),
    "pandas-object-text": (
        pd.DataFrame({"n": [1], "c": pd.Series(["red"], dtype=object)}),
        "text",
        "'red'",
    ),
    "pandas-category": (pd.DataFrame({"n": [1], "c": pd.Categorical([3])}), "categorical", "3"),
    "pandas-date": (pd.DataFrame({"n": [1], "c": pd.to_datetime([DAY])}), "days since", "2020"),
    "pandas-zoned": (
        pd.DataFrame({"n": [1], "c": pd.to_datetime([DAY]).tz_localize("UTC")}),
        "days since",
        "2020",
    ),
    "pandas-duration": (
        pd.DataFrame({"n": [1], "c": pd.to_timedelta([1], unit="D")}),
        "durations",
        "1 days",
    ),
    "pandas-period": (
        pd.DataFrame({"n": [1], "c": pd.period_range("2020", periods=1)}),
        "dates",
        "2020",
    ),
    "pandas-complex": (
        pd.DataFrame({"n": [1], "c": [2j]}),
        "Complex data not supported",
        "complex128",
    ),
    "pandas-arrow-text": (
        pd.DataFrame({"n": [1], "c": pd.array(["red"], dtype="string[pyarrow]")}),
        "text",
        "'red'",
    ),
    "polars-text": (pl.DataFrame({"n": [1], "c": ["red"]}), "text", "'red'"),
    "polars-category": (
        pl.DataFrame({"n": [1], "c": pl.Series(["red"], dtype=pl.Categorical)}),
        "categorical",
        "'red'",
    ),
    "polars-enum": (
        pl.DataFrame({"n": [1], "c": pl.Series(["red"], dtype=pl.Enum(["red"]))}),
        "categorical",
        "'red'",
    ),
    "polars-date": (pl.DataFrame({"n": [1], "c": [DAY]}), "days since", "2020"),
    "polars-list": (pl.DataFrame({"n": [1], "c": [[1, 2]]}), "no numbers", "List"),
    "pyarrow-text": (pa.table({"n": [1], "c": ["red"]}), "text", "'red'"),
    "pyarrow-dictionary": (
        pa.table({"n": [1], "c": pa.array(["red"]).dictionary_encode()}),
        "categorical",
        "'red'",
    ),
    "pyarrow-date": (pa.table({"n": [1], "c": [DAY]}), "days since", "2020"),
}


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_columns_that_are_no_numbers_are_named(case):
    frame, meaning, value = REFUSED[case]
    with pytest.raises(UnsupportedDataError, match="column 'c' of X") as caught:
        read_table(frame, owner="Ridge")
    message = str(caught.value)
    assert message.startswith("Ridge: ")
    assert meaning in message
    assert value in message


def test_text_targets_are_refused():
    for y in (pd.Series(["a", "b"]), pl.Series(["a", "b"]), pa.array(["a", "b"]), ["a", "b"]):
        with pytest.raises(UnsupportedDataError, match=r"Ridge: y holds .*text.*'a'"):
            read_table(np.ones((2, 1)), y, owner="Ridge")
