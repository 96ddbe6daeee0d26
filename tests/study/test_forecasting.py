"""The target's past among the columns: against pandas, without a look ahead, in files."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from stylobate import Study
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.storage import load
from stylobate.study.table.past import past_columns, plan_of
from stylobate.study.table.steps import steps_of

N = 400


def walk(seed=0):
    draw = np.random.default_rng(seed)
    days = np.datetime64("2023-01-01", "us") + np.arange(N).astype("m8[D]")
    y = np.cumsum(draw.normal(size=N)) + 3 * np.sin(2 * np.pi * np.arange(N) / 7)
    return {"day": days, "noise": draw.normal(size=N), "y": y}


def micros(text, stop, unit):
    return np.arange(text, stop, dtype=f"M8[{unit}]").astype("M8[us]").astype(float)


@pytest.mark.parametrize(
    ("moments", "seasons"),
    [
        (micros("2024-01-01", "2024-02-01", "h"), (24, 168)),
        (micros("2020-01-01", "2022-01-01", "D"), (7, 365)),
        (micros("1949-01", "1961-01", "M"), (12,)),
        (micros("1949-01", "1961-01", "M")[::3], (4,)),
    ],
)
def test_steps_and_seasons(moments, seasons):
    steps = steps_of("t", moments, dates=True)
    assert steps.seasons == seasons
    np.testing.assert_array_equal(steps.places(moments), np.arange(len(moments)))
    gaps = np.delete(np.arange(len(moments)), [3, 5, 6])
    np.testing.assert_array_equal(
        steps_of("t", moments[gaps], dates=True).places(moments), gaps[0] + np.arange(len(moments))
    )


def test_moments_that_are_no_series():
    with pytest.raises(InvalidDataError, match="one row for each moment"):
        steps_of("t", np.array([1.0, 2.0, 2.0, 3.0]), dates=False)
    with pytest.raises(InvalidDataError, match="equal steps"):
        steps_of("t", np.random.default_rng(0).random(50).cumsum(), dates=False)


@pytest.mark.parametrize("horizon", [1, 5])
def test_lags_and_means_are_those_of_pandas(horizon):
    table = walk()
    steps = steps_of("day", table["day"].astype(np.int64).astype(float), dates=True)
    plan = plan_of("y", horizon, steps, N, numbers=True)
    assert min(plan.lags) == horizon
    made = past_columns(plan, table["y"], np.arange(N))
    series = pd.Series(table["y"])
    for lag, name in zip(plan.lags, plan.names, strict=False):
        np.testing.assert_array_equal(made[name], series.shift(lag))
    for window, name in zip(plan.windows, plan.names[len(plan.lags) :], strict=True):
        expected = series.shift(horizon).rolling(window, min_periods=-(-window // 2)).mean()
        np.testing.assert_allclose(made[name], expected, rtol=1e-9, atol=1e-9)


def test_nothing_later_than_the_horizon_is_known():
    table = walk()
    steps = steps_of("day", table["day"].astype(np.int64).astype(float), dates=True)
    plan = plan_of("y", 3, steps, N, numbers=True)
    other = table["y"].copy()
    other[200:] = 1e6
    rows = np.arange(203)  # the first row that may know of step 200 is number 203
    before, after = (past_columns(plan, y, rows) for y in (table["y"], other))
    for name in plan.names:
        np.testing.assert_array_equal(before[name], after[name])


def test_a_walk_is_predicted_from_its_past(tmp_path):
    table = walk()
    blind = Study(table, "y", models=["linear"], time=20).run()
    assert any(each.topic == "forecasting" for each in blind.warnings)
    result = Study(table, "y", models=["linear"], time=20, horizon=1, folder=tmp_path / "s").run()
    assert result.verdict.answer == "yes"
    assert "known up to 1 step before" in result.split.how
    assert 0.8 < result.holdout.scores[0].value < 1.3  # no forecast has an error below 1
    assert result.holdout.scores[0].value < 0.5 * blind.holdout.scores[0].value
    assert "--horizon 1" in result.reproduction.command
    late = {"day": table["day"][-1:] + np.array([1, 2, 3], "m8[D]"), "noise": np.zeros(3)}
    with pytest.warns(StylobateWarning, match="2 of 3 rows are more than 1 steps after"):
        alone = result.predict(late)
    known = {**late, "y": np.array([5.0, 6.0, np.nan])}
    told = result.predict(known)
    assert told[0] == alone[0]
    assert abs(told[2] - 6.0) < 5.0
    csv = tmp_path / "new.csv"
    csv.write_text(f"day,noise\n{late['day'][0]},0\n")
    command = [sys.executable, "-m", "stylobate", "predict", tmp_path / "s/model.stylobate", csv]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert float(said.splitlines()[1].split(",")[1]) == pytest.approx(alone[0])
    again = load(tmp_path / "s/model.stylobate")
    np.testing.assert_array_equal(again.predict(pd.DataFrame(table)), result.predict(table))


def test_classes_have_a_past_too():
    draw = np.random.default_rng(2)
    state = np.cumsum(draw.random(N) < 0.1) % 2  # changes now and then
    table = {**walk(), "y": np.where(state, "wet", "dry").astype(object)}
    result = Study(table, "y", models=["tree"], time=20, horizon=1).run()
    assert result.leaderboard[0].family == "tree"
    assert result.verdict.answer == "yes"


def test_refusals():
    table = walk()
    with pytest.raises(InvalidParameterError, match="whole number of steps"):
        Study(table, "y", horizon=0)
    shuffled = np.random.default_rng(0).permutation(N)
    rows = {"a": table["noise"][shuffled], "y": table["y"][shuffled]}
    with pytest.raises(InvalidParameterError, match="name it"):
        Study(rows, "y", horizon=1).run()
