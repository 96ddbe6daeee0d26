"""Lists of outlying values: each rule against its definition, and where it is silent."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from stylobate import explore
from stylobate.exceptions import InvalidParameterError
from stylobate.exploration import find_outliers


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(0)
    values = rng.standard_t(3, size=500)
    values[::50] = np.nan
    return values


def test_the_box_rule(numbers):
    """The rows SciPy's quartiles leave outside, and how far."""
    found = find_outliers({"x": numbers}, rules=["box"], most=None)
    low, high = np.nanquantile(numbers, [0.25, 0.75])
    reach = 1.5 * stats.iqr(numbers, nan_policy="omit")
    outside = np.flatnonzero((numbers < low - reach) | (numbers > high + reach))
    assert (found.rows == outside).all()
    assert found.n_found == len(found) == len(outside)
    first = found.values[0]
    beyond = max(numbers[first.row] - high, low - numbers[first.row]) / reach
    assert first.distance == pytest.approx(beyond)
    assert all(each.distance >= 1 for each in found)
    assert [each.distance for each in found] == sorted((e.distance for e in found), reverse=True)


def test_the_rule_of_the_spread(numbers):
    found = find_outliers({"x": numbers}, rules=["spread"], most=None)
    unit = stats.median_abs_deviation(numbers, scale="normal", nan_policy="omit")
    outside = np.flatnonzero(np.abs(numbers - np.nanmedian(numbers)) > 3.5 * unit)
    assert (found.rows == outside).all()


def test_rare_categories():
    city = np.array(["Rome"] * 300 + ["Oslo"] * 290 + ["Rmoe", "Olso"], dtype=object)
    found = find_outliers({"city": city}, rules=["rare"])
    assert {(each.row, each.value) for each in found} == {(590, "Rmoe"), (591, "Olso")}
    assert found.values[0].words == "in one row of 592, most values in many more"
    many = [f"w{k}" for k in range(200)] * 2
    assert len(find_outliers({"city": many}, rules=["rare"])) == 0


def test_rows_that_are_unusual_together():
    """Two columns that go together: only the row against the grain, and not one by one."""
    rng = np.random.default_rng(1)
    a = rng.normal(size=400)
    frame = pd.DataFrame({"a": a, "b": a + 0.2 * rng.normal(size=400), "c": rng.normal(size=400)})
    frame.loc[7, ["a", "b"]] = [1.5, -1.5]
    found = find_outliers(frame)
    whole = [each for each in found if each.rules == ("together",)]
    assert [each.row for each in whole] == [7]
    assert whole[0].column == "a, b"
    assert "not together" in whole[0].words
    alone = find_outliers(frame, rules=["box", "spread", "rare"])
    assert 7 not in alone.rows


def test_few_are_found_where_there_are_none():
    """Of normal rows the box rule takes 0.7 %, the rule of rows about one in 10,000."""
    rng = np.random.default_rng(2)
    x = rng.multivariate_normal(np.zeros(4), 0.5 + 0.5 * np.eye(4), size=20_000)
    whole = find_outliers(x, rules=["together"], most=None)
    assert whole.n_found <= 10
    box = find_outliers(x[:, :1], rules=["box"], most=3)
    assert box.n_found == pytest.approx(0.00698 * 20_000, rel=0.25)
    assert len(box) == 3


def test_the_profile_lists_them(numbers, tmp_path):
    table = pd.DataFrame({"x": numbers, "y": np.arange(500.0)})
    profile = explore(table)
    assert profile.outliers.of("x")[0].row == np.nanargmax(np.abs(numbers - np.nanmedian(numbers)))
    assert len(profile.outliers.of("x")) == 10
    assert "Outlying values" in str(profile)
    page = profile.to_html()
    assert "Outlying values" in page
    assert "quartile" in page
    told = json.loads(profile.to_json())["outliers"]
    assert told["n_found"] == profile.outliers.n_found
    frame = profile.outliers.to_frame()
    assert frame["row"].tolist() == [each.row for each in profile.outliers]
    # of a file longer than the sample the numbers of rows are those of the file
    table.to_csv(tmp_path / "rows.csv", index=False)
    some = explore(tmp_path / "rows.csv", sample=200).outliers
    assert some.n_rows == 200
    for each in some.of("x"):
        assert float(each.value) == pytest.approx(numbers[each.row], rel=1e-4)


@pytest.mark.parametrize(
    "table",
    [
        {"x": []},
        {"x": [1.0]},
        {"x": [None, None]},
        {"x": [2.0] * 20 + [np.inf]},
        {"x": [0.0] * 20 + [5.0, 6.0]},
        {"when": pd.date_range("2020", periods=9)},
        {"words": ["some words here"] * 5},
    ],
)
def test_nothing_to_say(table):
    found = find_outliers(table)
    assert len(found) == 0
    assert "0 outlying values" in str(found)


def test_refusals():
    with pytest.raises(InvalidParameterError, match="rules"):
        find_outliers({"x": [1.0]}, rules=["boxes"])
    with pytest.raises(InvalidParameterError, match="no column 'z'"):
        find_outliers({"x": [1.0]}, columns=["z"])
