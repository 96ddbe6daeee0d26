"""Leaks and identifiers are named; honest columns are not."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stylobate.exploration import target_analysis

BESIDE = Path(__file__).parents[2].parent / "shared" / "data"
SHARED = Path(os.environ.get("STYLOBATE_DATA", BESIDE))
RNG = np.random.default_rng(2)
N = 500
X = RNG.normal(size=N)
Y = X + RNG.normal(size=N)
CLASS = np.where(Y > 0, "high", "low")


def suspects(frame, target):
    return {each.column: each.reason for each in target_analysis(frame, target).suspects}


def test_honest_columns_are_no_suspects():
    frame = pd.DataFrame({"x": X, "noise": RNG.normal(size=N), "y": Y})
    assert suspects(frame, "y") == {}
    assert suspects(frame.assign(y=CLASS), "y") == {}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (3 * Y - 7, "in other units"),
        (np.exp(Y), "on another scale"),
        (Y + 0.1 * X, "explains"),
        (np.where(np.arange(N) % 9 == 0, np.nan, -Y), "in other units"),
    ],
)
def test_the_target_in_disguise(values, words):
    assert words in suspects(pd.DataFrame({"a": values, "x": X, "y": Y}), "y")["a"]


def test_a_class_in_disguise():
    frame = pd.DataFrame({"score": Y, "near": Y + 0.1 * X, "x": X, "y": CLASS})
    frame["twin"] = np.where(CLASS == "high", "h", "l")
    found = suspects(frame, "y")
    assert "perfectly" in found["score"] or "gives" in found["score"]
    assert "under other names" in found["twin"]
    assert "near" in found
    assert "x" not in found


def test_missing_values_that_tell():
    refund = np.where((CLASS == "high") & (RNG.random(N) < 0.9), X, np.nan)
    frame = pd.DataFrame({"refund": refund, "x": X, "y": CLASS})
    assert "missing" in suspects(frame, "y")["refund"]
    frame["lifeboat"] = np.where(CLASS == "high", "boat", None)  # constant but for the gaps
    assert "gives the target away" in suspects(frame, "y")["lifeboat"]
    frame = frame.drop(columns="lifeboat")
    at_random = np.where(RNG.random(N) < 0.5, X, np.nan)
    assert suspects(frame.assign(refund=at_random), "y") == {}


def test_names_that_tell():
    frame = pd.DataFrame({"price_encoded": RNG.normal(size=N), "target_mean": X, "price": Y})
    found = suspects(frame, "price")
    assert "name" in found["price_encoded"]
    assert "name" in found["target_mean"]


def test_identifiers():
    frame = pd.DataFrame(
        {
            "code": [f"u{i:04d}" for i in range(N)],
            "counter": 1000.0 + 10 * np.arange(N),
            "sorted": np.sort(X),
            "y": Y,
        }
    )
    found = suspects(frame, "y")
    assert set(found) == {"code", "counter"}
    assert "order of the file" in found["counter"]


def test_rows_sorted_by_the_target():
    order = np.argsort(CLASS, kind="stable")
    frame = pd.DataFrame({"x": X, "y": CLASS}).iloc[order]
    assert "sorted by y" in " ".join(target_analysis(frame, "y").notes)
    assert target_analysis(frame.sort_index(), "y").notes == ()


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data sets are not here")
@pytest.mark.parametrize(
    ("file", "target", "expected"),
    [
        ("basic/titanic.csv", "Survived", {"PassengerId"}),
        ("basic/titanic_seaborn.csv", "survived", {"alive"}),
        ("basic/penguins.csv", "species", set()),
        ("basic/iris.csv", "Species", set()),
        ("basic/wine.csv", None, set()),
        ("basic/breast_cancer.csv", "target", set()),
        ("basic/diabetes.csv", None, set()),
        ("basic/tips.csv", "tip", set()),
        ("basic/mpg.csv", "mpg", set()),
        ("basic/mtcars.csv", "mpg", None),
        ("basic/diamonds.csv.gz", "price", set()),
        ("basic/california_housing.csv.gz", None, set()),
        ("tabular/adult.csv.gz", "income", set()),
    ],
)
def test_few_false_alarms_on_real_tables(file, target, expected):
    frame = pd.read_csv(SHARED / file)
    found = suspects(frame, target or frame.columns[-1])
    if expected is None:
        assert not [reason for reason in found.values() if "names the rows" not in reason]
    else:
        assert set(found) == expected


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data sets are not here")
def test_delays_give_late_arrivals_away():
    frame = pd.read_parquet(SHARED / "tabular/us_flights_2024_01.parquet").sample(
        20_000, random_state=1
    )
    found = suspects(frame, "ArrDel15")
    assert {"ArrDelay", "DepDelay", "CarrierDelay"} <= set(found)
    assert not {"Origin", "Dest", "FlightDate", "CRSDepTime", "Distance"} & set(found)
