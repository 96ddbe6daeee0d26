"""What may be explored besides plain frames: durations, zones, series, lists; and refusals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from stylobate import explore, read
from stylobate.exceptions import InvalidParameterError, UnsupportedDataError

FRAME = pd.DataFrame({"x": np.linspace(0, 1, 50), "name": [f"u{i:05d}" for i in range(50)]})
HOURS = pd.DataFrame({"t": pd.to_timedelta([1, 2, None, 4], unit="h"), "x": [1, 2, 3, 4]})


@pytest.mark.parametrize("make", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
@pytest.mark.parametrize("sample", [100_000, 3])
def test_durations_are_numbers_of_seconds(make, sample):
    found = explore(make(HOURS), sample=sample)["t"]
    assert (found.kind, found.missing) == ("numeric", 1)
    assert (found.numeric.min, found.numeric.max) == (3600.0, 14400.0)
    assert "in seconds" in str(found)
    long = pd.DataFrame({"t": pd.to_timedelta(np.arange(300), unit="s")})
    assert explore(make(long))["t"].numeric.mean == pytest.approx(149.5)
    assert explore({"t": np.arange(90).astype("m8[m]")})["t"].numeric.max == 89 * 60


def test_moments_that_know_their_zone_are_said_to_be_universal():
    moments = pd.date_range("2020-01-01", periods=400, freq="h", tz="Europe/Berlin")
    frame = pd.DataFrame({"t": moments, "x": range(400)})
    for table in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame), read(frame)):
        found = explore(table)
        assert found["t"].datetime.zone == "UTC"
        assert "from 2019-12-31 23:00:00 UTC to" in str(found["t"])
        assert "2019-12-31 … 2020-01-17 UTC" in str(found)
    assert "UTC" in found.to_html()
    assert explore(frame.assign(t=moments.tz_localize(None)))["t"].datetime.zone is None


def test_series_lists_and_records_are_tables():
    assert [v.name for v in explore(pd.Series([1, 2, 3]))] == ["x0"]
    assert [v.name for v in explore(pl.Series("a", [1, 2, 3]))] == ["a"]
    assert explore(["a", "b", "a"])["x0"].distinct == 2
    found = explore([{"a": 1, "b": "x"}, {"a": 2}])
    assert [v.name for v in found] == ["a", "b"]
    assert found["b"].missing == 1


@pytest.mark.parametrize(
    "table",
    [
        {"a": [[1], [2, 3]], "x": [1, 2]},
        pd.DataFrame({"a": [[1], [2, 3]], "x": [1, 2]}),
        pl.DataFrame({"a": [{"b": 1}, {"b": 2}], "x": [1, 2]}),
        pa.table({"a": [[1], [2, 3]], "x": [1, 2]}),
    ],
)
def test_columns_of_lists_are_left_out_and_said_to_be(table):
    sources = [table, read(table)] if isinstance(table, pa.Table) else [table]
    for source in sources:
        found = explore(source)
        assert [v.name for v in found] == ["x"]
        assert any("'a' holds lists" in note for note in found.notes)


@pytest.mark.parametrize(
    ("table", "options", "words"),
    [
        ([], {}, r"explore: \[\] has no rows"),
        (np.array(3), {}, "explore: the array has 0 dimensions"),
        (np.zeros((2, 2, 2)), {}, "explore: the array has 3 dimensions"),
        (FRAME, {"schema": "x"}, "explore: schema='x' must be kinds by name"),
        (FRAME, {"schema": {"name": "numeric"}}, "'name' cannot be numeric: .* 'u00000'"),
        (FRAME, {"schema": {"name": "datetime"}}, "'name' cannot be datetime: .* no moments"),
        (FRAME, {"schema": {"x": "datetime"}}, "'x' cannot be datetime"),
    ],
)
def test_refusals_are_of_explores_own(table, options, words):
    with pytest.raises((InvalidParameterError, UnsupportedDataError), match=words):
        explore(table, **options)


@pytest.mark.parametrize("target", [None, "x69"])
def test_the_columns_that_are_compared_are_chosen_and_said(target):
    rng = np.random.default_rng(0)
    table = {f"x{j}": rng.normal(size=80) for j in range(70)}
    table["x68"] = table["x69"] + 0.1 * rng.normal(size=80)
    for j in range(12):
        table[f"x{j}"][:9] = np.nan
    found = explore(table, target)
    assert len(found.associations.names) == 60
    assert {"x68", "x69"} <= {*found.associations.names}
    by = "have the fewest gaps" if target is None else "explain 'x69' best"
    assert f"associations between the 60 of 70 columns that {by}" in found.notes
    assert " ".join(found.notes[-1].split()) in " ".join(str(found).split())
    if target is None:
        gone = {f"x{j}" for j in range(12)} - {*found.associations.names}
        assert len(gone) == 10
