"""The same profile from any container, any batches, whole or in part; and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from stylobate import explore, read
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UnsupportedDataError
from stylobate.exploration import Profile

RNG = np.random.default_rng(5)
N = 3000
FRAME = pd.DataFrame(
    {
        "x": RNG.normal(size=N),
        "gaps": np.where(RNG.random(N) < 0.1, np.nan, RNG.lognormal(size=N)),
        "k": RNG.integers(0, 40, N),
        "colour": RNG.choice(["red", "green", "blue"], N),
        "day": np.datetime64("2020-01-01", "us") + RNG.integers(0, 700, N).astype("m8[D]"),
        "name": [f"u{i:05d}" for i in range(N)],
    }
)


def told(table, **options):
    """The profile without what depends on the container: its name, types, time."""
    found = explore(table, **options).to_dict()
    for name in ("source", "seconds", "notes"):
        found.pop(name)
    for variable in found["variables"]:
        variable.pop("type")
    return found


def as_file(frame, tmp_path):
    path = tmp_path / "table.parquet"
    frame.to_parquet(path)
    return path


@pytest.mark.parametrize("sample", [100_000, 1000])
def test_containers_agree(tmp_path, sample):
    expected = told(FRAME, target="colour", sample=sample)
    others = (
        pl.from_pandas(FRAME),
        pa.Table.from_pandas(FRAME),
        read(FRAME),
        as_file(FRAME, tmp_path),
        {name: FRAME[name].to_numpy() for name in FRAME},
    )
    for other in others:
        found = told(other, target="colour", sample=sample)
        assert found.keys() == expected.keys()
        for key in expected:
            assert found[key] == expected[key], (type(other), key)


def test_a_csv_file_is_read(tmp_path):
    path = tmp_path / "table.csv"
    FRAME.to_csv(path, index=False)
    found = explore(str(path))
    assert found.source == "table.csv"
    assert found["gaps"].missing == FRAME["gaps"].isna().sum()
    assert found["x"].numeric.mean == pytest.approx(FRAME["x"].mean())
    assert found["day"].kind == "datetime"


@pytest.mark.parametrize("rows", [700, 4096, 100_000])
def test_batches_of_any_size_agree(rows, monkeypatch):
    from stylobate.exploration import rows as passing

    expected = told(FRAME, sample=500)
    batches = passing.column_batches
    monkeypatch.setattr(passing, "column_batches", lambda source: batches(source, rows))
    found = told(FRAME, sample=500)
    for one, other in zip(found["variables"], expected["variables"], strict=True):
        mine, theirs = one.pop("numeric"), other.pop("numeric")
        assert one == other
        if theirs is None:
            continue
        for key in ("mean", "sd", "skewness", "kurtosis"):
            assert mine.pop(key) == pytest.approx(theirs.pop(key), rel=1e-9)
        assert (mine["min"], mine["max"]) == (theirs["min"], theirs["max"])
        allowed = 2 * (mine["rank_error"] + theirs["rank_error"]) * N + 1
        np.testing.assert_allclose(
            mine["histogram"]["counts"], theirs["histogram"]["counts"], atol=allowed
        )
    for key in ("duplicates", "missingness", "trends", "warnings"):
        assert found[key] == expected[key]
    mine, theirs = ([a["value"] for a in each["associations"]] for each in (found, expected))
    np.testing.assert_allclose(mine, theirs, atol=1e-12)


def test_long_tables_keep_their_promises():
    n = 200_000
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {
            "x": rng.lognormal(size=n),
            "rare": np.where(np.arange(n) == 77_777, 1, 0),
            "k": rng.integers(0, 500, n),
            "city": rng.choice(["a", "b", "c"], n, p=[0.7, 0.2, 0.1]),
            "when": np.datetime64("2015-01-01T00:00:00", "us") + np.arange(n).astype("m8[m]"),
        }
    )
    frame.loc[rng.random(n) < 0.05, ["x", "city"]] = None
    frame = pd.concat([frame, frame.iloc[:500]], ignore_index=True)
    profile = explore(frame, sample=5000)
    assert profile.sampled_rows == 5000
    assert profile.rows == n + 500
    assert profile.duplicates.rows == 500
    assert profile.missingness.complete_rows == len(frame.dropna())
    x, values = profile["x"], frame["x"].dropna().to_numpy()
    assert x.missing == frame["x"].isna().sum()
    assert x.numeric.mean == pytest.approx(values.mean())
    assert x.numeric.sd == pytest.approx(values.std(ddof=1))
    assert (x.numeric.min, x.numeric.max) == (values.min(), values.max())
    assert 0 < x.numeric.rank_error < 0.01
    for share, found in x.numeric.quantiles.items():
        assert abs((values <= found).mean() - share) <= x.numeric.rank_error + 1 / n
    counts, _ = np.histogram(values, x.numeric.histogram.edges)
    error = 2 * x.numeric.rank_error * len(values)
    np.testing.assert_allclose(x.numeric.histogram.counts, counts, atol=error)
    assert abs(x.distinct - len(np.unique(values))) <= x.distinct_error * len(values)
    assert profile["k"].numeric.quantiles[0.25] == np.quantile(frame["k"], 0.25)
    assert profile["rare"].kind == "binary"
    assert {v.value: v.count for v in profile["city"].counts.values} == (
        frame["city"].value_counts().to_dict()
    )
    when = profile["when"].datetime
    assert (when.first, when.last) == (frame["when"].min(), frame["when"].max())
    assert sum(each.count for each in when.trend) == len(frame)
    str(profile)


def test_seeds_choose_the_sample():
    one, again, other = (explore(FRAME, sample=500, seed=seed) for seed in (0, 0, 1))
    assert told(FRAME, sample=500) == told(FRAME, sample=500)
    assert one.associations.entries == again.associations.entries
    assert one.associations.entries != other.associations.entries
    assert one["x"].numeric.mean == other["x"].numeric.mean


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame(),
        pd.DataFrame({"a": []}),
        pd.DataFrame(index=range(3)),
        np.empty((0, 2)),
        pl.DataFrame({"a": pl.Series([], dtype=pl.String)}),
        {},
        pd.DataFrame({"a": [None, None]}),
        pd.DataFrame([[1, 2, 3]], columns=["a", "a", "b"]),
        pd.DataFrame({0: [1, 2], "x": [1, 2]}),
        pd.DataFrame({"huge": [2**70, 1, None]}, dtype=object),
        pd.DataFrame({"a": ["x" * 1_000_000, "y"]}),
        pd.DataFrame({"mixed": [1, "a", None, 2.5, b"z", (1, 2)]}, dtype=object),
        pd.DataFrame({"t": [pd.Timedelta(1, "h"), None]}),
        pd.DataFrame({"c": pd.Categorical(["lo", "hi", "lo"], ["lo", "hi"], ordered=True)}),
        pd.DataFrame({"z": pd.to_datetime(["2024-01-01T00:00Z", None])}),
        pd.DataFrame({"b": [True, False, None]}),
        pd.DataFrame({"i": pd.array([1, None, 3], dtype="Int64")}),
        np.array([np.inf, -np.inf, np.nan, 1.0]),
        [["a", 1], ["b", 2]],
    ],
    ids=lambda table: type(table).__name__,
)
def test_odd_tables_have_a_profile(table):
    profile = explore(table)
    json.loads(profile.to_json())
    lines = str(profile).splitlines()
    assert max(map(len, lines)) <= 100
    for variable in profile:
        assert variable.name in str(variable) or len(variable.name) > 80


def test_repeated_names_are_numbered_and_said():
    profile = explore(pd.DataFrame([[1, 2, 3]], columns=["a", "a", "b"]))
    assert [v.name for v in profile] == ["a", "a (2)", "b"]
    assert "repeated" in profile.notes[0]


def test_three_thousand_columns():
    table = np.random.default_rng(0).normal(size=(50, 3000))
    profile = explore(table, target="x0")
    assert profile.columns == 3000
    assert "more columns" in str(profile)
    assert any("more columns" in each.text for each in profile.warnings)


def test_names_and_values_cannot_break_the_text():
    name = "<b>\x1b[31m" + "n" * 300 + "\n"
    profile = explore(pd.DataFrame({name: ["a\nb", "\x1b]0;x\x07", "c" * 500] * 10}))
    text = str(profile) + str(profile[0])
    assert "\x1b" not in text
    assert "\x07" not in text


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        ((None,), {}, UnsupportedDataError, "is no table"),
        ((3,), {}, UnsupportedDataError, "is no table"),
        (("nowhere.csv",), {}, InvalidDataError, "no such file"),
        ((FRAME, "color"), {}, InvalidParameterError, "Did you mean 'colour'?"),
        ((FRAME, "name"), {}, InvalidDataError, "cannot be a target"),
        ((FRAME,), {"sample": 0}, InvalidParameterError, "sample=0"),
        ((FRAME,), {"percentiles": (0.9, 0.1)}, InvalidParameterError, "increasing"),
        ((FRAME,), {"schema": {"nope": "numeric"}}, InvalidParameterError, "'nope'"),
        ((FRAME,), {"schema": {"x": "number"}}, InvalidParameterError, "must be one of"),
        (({"a": [1], "b": [1, 2]},), {}, UnsupportedDataError, "one length"),
    ],
)
def test_refusals(arguments, options, error, words):
    with pytest.raises(error, match=words.replace("?", r"\?")):
        explore(*arguments, **options)


def test_one_column_by_name():
    profile = explore(FRAME)
    assert isinstance(profile, Profile)
    assert profile["k"].name == "k"
    with pytest.raises(KeyError, match="Did you mean 'colour'"):
        profile["colors"]


def test_given_kinds_win():
    profile = explore(FRAME, schema={"k": "nominal"})
    assert profile["k"].kind == "nominal"
    assert profile["k"].numeric is None


def test_columns_are_drawn():
    import matplotlib

    matplotlib.use("Agg")
    profile = explore(FRAME)
    bars = [bar.get_height() for bar in profile["x"].plot().patches]
    assert sum(bars) == pytest.approx(sum(profile["x"].numeric.histogram.counts))
    assert len(profile["colour"].plot().patches) >= 3
    with pytest.raises(InvalidDataError, match="nothing to draw"):
        profile["name"].plot()


_MEASURE = """
import resource, sys, numpy as np
from stylobate import explore
from stylobate.data.arrow import column_batches
import stylobate.exploration.rows as passing
n = int(sys.argv[1])
def batches():  # rows made as they are read
    rng = np.random.default_rng(0)
    for start in range(0, n, 50_000):
        name = np.array([f"u{i}" for i in range(start, start + 50_000)], dtype=object)
        table = {"x": rng.normal(size=50_000), "k": rng.integers(0, 1000, 50_000), "name": name}
        for batch in column_batches(table):
            yield type(batch)(batch.columns, batch.n_rows, start + batch.start)
scan, _ = passing._pass(batches(), 10_000, 0, False)
assert scan.n_rows == n
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss counts otherwise elsewhere")
def test_memory_does_not_grow_with_the_rows():
    few, many = (
        int(subprocess.check_output([sys.executable, "-c", _MEASURE, str(n)]))
        for n in (200_000, 1_000_000)
    )
    hashes = 16 * 800_000 * 2 / 1024  # those of rows told apart exactly, at half full tables
    assert many - few < hashes + 30_000  # kB
