"""What is advised, and what is not, where a hasty rule would mislead."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from stylobate import explore
from stylobate.exploration import DimensionalityReport, dimensionality

RNG = np.random.default_rng(3)


def said(frame, topic, **options):
    return [each for each in explore(frame, **options).warnings if each.topic == topic]


def test_codes_for_missing_make_no_columns_alike():
    x, y = RNG.uniform(0, 10, (2, 2000))
    gone = RNG.random(2000) < 0.1
    frame = pd.DataFrame({"x": np.where(gone, -2000, x), "y": np.where(gone, -2000, y)})
    assert {name for each in said(frame, "sentinel") for name in each.columns} == {"x", "y"}
    assert said(frame, "redundant") == []
    alike = pd.DataFrame({"x": x, "y": x + RNG.normal(0, 0.01, 2000)})
    assert len(said(alike, "redundant")) == 1


@pytest.mark.parametrize("off", [0, 3])
def test_missing_in_the_same_rows_only_where_it_is_so(off):
    x, y = RNG.normal(size=(2, 1000))
    x[:300] = np.nan
    y[: 300 + off] = np.nan
    frame = pd.DataFrame({"x": x, "y": y, "z": np.arange(1000.0)})
    for sample in (100_000, 100):
        together = [
            each.text for each in said(frame, "missing", sample=sample) if "same" in str(each)
        ]
        assert len(together) == 1
        assert ("mostly missing in the same rows" in together[0]) == (off > 0)


def test_one_value_or_nothing_is_a_box():
    ticked = [None if i % 3 else "Return of the Jedi" for i in range(99)]
    frame = pd.DataFrame({"seen": ticked, "same": ["a"] * 99, "x": np.arange(99) % 7})
    (box,) = said(frame, "ticked")
    assert box.columns == ("seen",)
    assert "encode missing as 'no'" in box.text
    assert [each.columns for each in said(frame, "constant")] == [("same",)]


def test_gaps_in_time_only_of_series():
    days = pd.date_range("2020-01-01", periods=300, freq="D")
    series = pd.DataFrame({"day": days.delete([50, 51, 120])})
    assert "2 gaps" in said(series, "time")[0].text
    polls = pd.DataFrame({"day": days[np.sort(RNG.integers(0, 300, 450))]})
    assert said(polls, "time") == []
    uneven = pd.DataFrame({"day": days[np.unique(RNG.integers(0, 300, 200))]})
    assert said(uneven, "time") == []


def test_small_gaps_weigh_less():
    x, y, z = RNG.normal(size=(3, 1000))
    x[:2], y[100:300], z[400:] = np.nan, np.nan, np.nan
    frame = pd.DataFrame({"x": x, "y": y, "z": z})
    levels = {each.columns: each.level for each in said(frame, "missing")}
    assert levels == {("x",): "info", ("y",): "medium", ("z",): "medium"}


def test_names_are_in_a_profile():
    profile = explore({"age": [1, 2], "x": [3, 4]})
    assert "age" in profile
    assert "agee" not in profile
    assert 0 not in profile
    assert len(profile) == 2
    assert [each.name for each in profile] == ["age", "x"]


def test_dimensionality_is_a_function_however_often_it_is_imported():
    from stylobate.exploration import dimensionality as again

    assert again is dimensionality
    assert isinstance(dimensionality(RNG.normal(size=(50, 2))), DimensionalityReport)


def test_ordinal_values_are_in_the_order_of_the_scale():
    size = ["medium"] * 50 + ["low"] * 30 + ["high"] * 20
    frame = pd.DataFrame({"class": [3] * 55 + [1] * 25 + [2] * 20, "size": size})
    profile = explore(frame, "class", schema={"class": "ordinal"})
    assert [each.value for each in profile["class"].counts.values] == ["1", "2", "3"]
    assert "1 25 %, 2 20 %, 3 55 %" in str(profile)
    assert profile["size"].kind == "ordinal"
    assert [each.value for each in profile["size"].counts.values] == ["low", "medium", "high"]
    sampled = explore(pd.concat([frame] * 3), schema={"class": "ordinal"}, sample=250)
    assert [each.value for each in sampled["class"].counts.values] == ["1", "2", "3"]


def test_both_names_of_a_pair_are_seen():
    x = RNG.normal(size=200)
    names = ["the first of two columns with a very long name", "another one whose name is long"]
    shown = str(explore(pd.DataFrame({names[0]: x, names[1]: x + RNG.normal(size=200)})))
    (line,) = [line for line in shown.splitlines() if " – " in line]
    for start, end in (("the first", "long name –"), ("another on", "e is long ")):
        assert start in line
        assert end in line


def test_figures_of_a_sampled_target_are_said_to_be():
    frame = pd.DataFrame({"x": RNG.normal(size=2000), "y": RNG.choice(["a", "b"], 2000)})
    profile = explore(frame, "y", sample=500)
    assert "of a sample of 500 rows" in " ".join(str(profile).split())
    assert "known in 500 of a sample of 500 rows" in profile.to_html()
    assert "of a sample of" not in str(explore(frame, "y"))
