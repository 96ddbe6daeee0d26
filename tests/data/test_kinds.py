"""Kinds of columns: verdicts on known data, spellings, pairs of coordinates, overriding."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import datasets

from stylobate.data.kinds import KINDS, Schema, infer_schema
from stylobate.data.kinds.spellings import COMMA, MISSING, number_of

NUMERIC = "numeric"


def kinds(frame):
    return {column.name: column.kind for column in infer_schema(frame)}


def test_data_of_scikit_learn():
    iris = datasets.load_iris(as_frame=True).frame
    assert kinds(iris) == dict.fromkeys(iris.columns[:4], NUMERIC) | {"target": "nominal"}
    wine = datasets.load_wine(as_frame=True).data
    assert set(kinds(wine).values()) == {NUMERIC}
    cancer = datasets.load_breast_cancer(as_frame=True).frame
    assert kinds(cancer)["target"] == "binary"
    assert set(kinds(datasets.load_linnerud(as_frame=True).frame).values()) == {NUMERIC}


PENGUINS = {  # what a reader of the data would say
    "species": ["Adelie", "Gentoo", "Chinstrap", "Adelie"],
    "bill_length_mm": ["39.1", "NA", "46.5", "50.0"],
    "sex": ["male", "female", "NA", "male"],
    "year": [2007, 2008, 2009, 2007],
}


def test_penguins():
    assert kinds(pd.DataFrame(PENGUINS)) == {
        "species": "nominal", "bill_length_mm": "numeric", "sex": "binary", "year": "numeric",
    }  # fmt: skip


SCALED = {
    "low, medium, high": (["low", "high", "medium", "low"] * 3, "ordinal"),
    "days": (["Mon", "Sun", "Tue"] * 3, "ordinal"),
    "whole numbers without a gap": ([1, 2, 3] * 5, "ordinal"),
    "whole numbers with a gap": ([1, 2, 9] * 5, "numeric"),
    "yes and no": (["yes", "no", "yes"], "binary"),
    "booleans": ([True, False, True], "binary"),
    "nothing": ([None, None], "constant"),
    "one value": (["a", "a", "?"], "constant"),
    "currency": (["$1,200.50", "$3.00", "-", "$7"], "numeric"),
    "percent": (["12%", "3.5 %", "N/A"], "numeric"),
    "thousands": (["1,234", "12", "1,234,567"], "numeric"),
    "decimal comma": (["1,5", "2,25", "3"], "numeric"),
    "codes with zeros": (["00123", "00124", "00123"] * 2 + ["00200"], "nominal"),
    "dates": (["2024-01-31", "2023-12-01", "2020-02-29"], "datetime"),
    "American dates": (["12/31/2023", "01/02/2024", "03/04/2024"], "datetime"),
    "sentences": ([f"this is the sentence number {i}" for i in range(30)], "text"),
    "keys": ([f"k{i:04}x" for i in range(30)], "identifier"),
    "row numbers": (list(range(1, 31)), "identifier"),
    "cities": (["Bonn", "Köln", "Bonn", "Ulm"], "nominal"),
}


@pytest.mark.parametrize("name", SCALED)
@pytest.mark.parametrize("build", [pd.DataFrame, pl.DataFrame, pa.table])
def test_verdicts_in_every_library(name, build):
    values, expected = SCALED[name]
    column = infer_schema(build({"c": values}))["c"]
    assert column.kind == expected, column.reason
    assert column.reason
    assert column.n_rows == len(values)


def test_missing_spellings_are_counted_and_mixtures_reported():
    column = infer_schema([[text] for text in sorted(MISSING)] + [["1"], ["2"], ["4.5"]]).columns[0]
    assert (column.n_missing, column.n_distinct, column.kind) == (len(MISSING), 3, "numeric")
    values = [str(i * 1.5) for i in range(40)] + ["broken"]
    column = infer_schema([[v] for v in values]).columns[0]
    assert column.kind == "numeric"
    assert column.mixed == "1 of 41 rows are no numbers, such as 'broken'"
    mixed = infer_schema(np.array([["a"], [1], ["b"], ["a"]], dtype=object)).columns[0]
    assert "int, str" in mixed.mixed


def test_places():
    frame = pd.DataFrame(
        {"start_lat": [50.7, 51.2, 3.0], "start_lng": [7.1, 6.9, 8.0], "lat": [1.5, 95.0, 2.0]}
    )
    schema = infer_schema(frame)
    assert schema.of_kind("geospatial") == ("start_lat", "start_lng")
    assert schema["start_lat"].partner == "start_lng"
    assert schema["lat"].kind == "numeric"  # no partner, and out of range


def test_declared_orders():
    frame = pd.DataFrame({"c": pd.Categorical(["b", "a", "z"], ["z", "a", "b"], ordered=True)})
    assert infer_schema(frame)["c"].order == ("z", "a", "b")
    frame = pl.DataFrame({"c": ["b", "a", "z"]}, schema={"c": pl.Enum(["z", "a", "b"])})
    assert infer_schema(frame)["c"].order == ("z", "a", "b")


def test_overriding_printing_and_storing():
    schema = infer_schema(pd.DataFrame({"grade": [1, 2, 3] * 4, "size": ["s", "m", "l"] * 4}))
    other = schema.with_kinds({"grade": "numeric"})
    assert (other["grade"].kind, other["size"].kind) == ("numeric", "ordinal")
    assert Schema.from_dict(json.loads(json.dumps(schema.to_dict()))) == schema
    assert "steps from s to l" in str(schema)
    with pytest.raises(ValueError, match="must be one of 'binary'"):
        schema.with_kinds({"grade": "number"})
    with pytest.raises(ValueError, match="only 'grade', 'size'"):
        schema.with_kinds({"age": "numeric"})


@given(st.floats(-1e9, 1e9).map(lambda v: round(v, 2)))
def test_numbers_however_written(value):
    size = abs(value)
    sign = "-" if value < 0 else ""
    assert number_of(f"{sign}${size:,.2f}") == pytest.approx(value)
    german = f"{value:,.2f}".replace(",", "_").replace(".", ",").replace("_", ".")
    assert number_of(german, COMMA) == pytest.approx(value)
    assert number_of(f"{value:.2f}%") == pytest.approx(value / 100)
    assert number_of(f"({size:.2f})") == pytest.approx(-size)


cells = st.one_of(st.none(), st.floats(), st.text(max_size=8), st.booleans(), st.integers())


@given(st.lists(cells, max_size=25))
def test_any_column_gets_a_verdict(values):
    array = np.empty((len(values), 1), dtype=object)
    array[:, 0] = values
    column = infer_schema(array).columns[0]
    assert column.kind in KINDS
    assert column.reason


def test_years_times_of_day_and_marks():
    rows = [
        [1985 + k % 20, f"{k % 24:02d}:{k % 60:02d}", ("****", "a", "b", "c")[k % 4], 10.5 * k]
        for k in range(60)
    ]
    frame = pd.DataFrame(rows, columns=["yearID", "at", "mark", "took"])
    frame["took"] = pd.to_timedelta(frame["took"], unit="s")
    schema = infer_schema(frame)
    kinds = {column.name: column.kind for column in schema}
    assert kinds == {"yearID": "numeric", "at": "datetime", "mark": "nominal", "took": "numeric"}
    assert schema["mark"].n_missing == 15
    assert "times of day" in schema["at"].reason
    assert "seconds" in schema["took"].reason
    codes = pd.DataFrame({"playerID": [1985 + k % 20 for k in range(60)]})
    assert infer_schema(codes)["playerID"].kind == "nominal"
