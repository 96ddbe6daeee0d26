"""Every number of a profile against NumPy, pandas or SciPy."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from scipy import stats

from stylobate import explore
from stylobate.exploration.variables import QUANTILES

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "x": RNG.normal(3.0, 2.0, 500),
        "skewed": RNG.lognormal(0.0, 1.5, 500),
        "whole": RNG.poisson(4.0, 500),
        "gaps": np.where(RNG.random(500) < 0.2, np.nan, RNG.normal(size=500)),
        "colour": RNG.choice(["red", "green", "blue"], 500, p=[0.6, 0.3, 0.1]),
        "day": pd.date_range("2024-01-01", periods=500, freq="D"),
        "flag": RNG.random(500) < 0.3,
    }
)


@pytest.fixture(scope="module")
def profile():
    return explore(FRAME)


@pytest.mark.parametrize("name", ["x", "skewed", "whole", "gaps"])
def test_moments_quantiles_and_counts(profile, name):
    values = FRAME[name].dropna().to_numpy(dtype=float)
    told = profile[name].numeric
    assert profile[name].missing == FRAME[name].isna().sum()
    assert profile[name].distinct == FRAME[name].nunique()
    np.testing.assert_allclose(
        [told.mean, told.sd, told.skewness, told.kurtosis],
        [values.mean(), values.std(ddof=1), stats.skew(values), stats.kurtosis(values)],
        rtol=1e-10,
    )
    expected = np.quantile(values, QUANTILES)
    np.testing.assert_allclose(list(told.quantiles.values()), expected, rtol=1e-12)
    assert (told.min, told.max) == (values.min(), values.max())
    assert told.zeros == (values == 0).sum()
    assert told.negatives == (values < 0).sum()
    assert told.rank_error == 0.0


@pytest.mark.parametrize("name", ["x", "skewed", "whole", "gaps"])
def test_outliers_by_box_and_percentiles(profile, name):
    values = FRAME[name].dropna().to_numpy(dtype=float)
    q1, q3 = np.quantile(values, [0.25, 0.75])
    box = profile[name].numeric.outliers.box
    assert box.lower == pytest.approx(q1 - 1.5 * (q3 - q1))
    assert box.upper == pytest.approx(q3 + 1.5 * (q3 - q1))
    assert (box.below, box.above) == ((values < box.lower).sum(), (values > box.upper).sum())
    low, high = np.quantile(values, [0.03, 0.97])
    rule = profile[name].numeric.outliers.percentile
    assert (rule.lower, rule.upper) == pytest.approx((low, high))
    assert (rule.below, rule.above) == ((values < low).sum(), (values > high).sum())


def test_percentiles_are_adjustable():
    told = explore(FRAME, percentiles=(0.1, 0.8))["x"].numeric.outliers.percentile
    assert (told.lower, told.upper) == pytest.approx(tuple(np.quantile(FRAME["x"], [0.1, 0.8])))


@pytest.mark.parametrize("name", ["x", "skewed", "whole", "gaps"])
def test_histograms_count_every_value_once(profile, name):
    values = FRAME[name].dropna().to_numpy(dtype=float)
    told = profile[name].numeric.histogram
    counts, _ = np.histogram(values, told.edges)
    assert list(told.counts) == counts.tolist()
    assert told.below + sum(told.counts) + told.above == len(values)
    assert len(told.counts) <= 60


def test_whole_numbers_stand_in_the_middle_of_their_bars(profile):
    edges = np.array(profile["whole"].numeric.histogram.edges)
    assert ((edges - 0.5) % 1 == 0).all()


def test_the_density_is_scipys(profile):
    told = profile["x"].numeric.density
    values = FRAME["x"].to_numpy()
    exact = stats.gaussian_kde(values, told.bandwidth / values.std(ddof=1))(told.x)
    np.testing.assert_allclose(told.y, exact, atol=2e-4 * exact.max())


def test_values_are_those_of_value_counts(profile):
    told = profile["colour"].counts
    expected = FRAME["colour"].value_counts()
    assert {each.value: each.count for each in told.values} == expected.to_dict()
    assert told.exact
    assert sum(each.share for each in told.values) == pytest.approx(1.0)


def test_moments_in_time(profile):
    told = profile["day"].datetime
    assert (told.first, told.last) == (FRAME["day"].min(), FRAME["day"].max())
    assert told.median_step == 86400.0
    assert told.gaps == 0
    assert told.per == "week"
    assert sum(each.count for each in told.trend) == 500


def test_gaps_in_time_are_counted():
    days = pd.date_range("2024-01-01", periods=100, freq="h").delete([10, 11, 50])
    profile = explore(pd.DataFrame({"t": days, "x": np.arange(97.0) ** 2}))
    assert profile["t"].datetime.gaps == 2
    assert any("2 gaps" in each.text for each in profile.warnings)


def test_trends_are_means_with_intervals():
    months = pd.to_datetime(["2024-01-05", "2024-01-20", "2024-02-03", "2024-02-04", "2024-02-09"])
    values = [1.0, 4.0, 2.0, 2.5, 6.0]
    frame = pd.DataFrame({"t": months.tolist() * 20, "x": values * 20})
    trend = next(t for t in explore(frame).trends if t.column == "x")
    by = frame.groupby(frame["t"].dt.to_period("D").dt.start_time)["x"]
    assert [p.mean for p in trend.points] == pytest.approx(by.mean().tolist())
    assert [p.n for p in trend.points] == by.size().tolist()
    frame["x"] += np.linspace(0, 1, 100)
    trend = next(t for t in explore(frame).trends if t.column == "x")
    first = frame.loc[frame["t"] == months[0], "x"]
    expected = stats.t.interval(0.95, len(first) - 1, first.mean(), stats.sem(first))
    assert (trend.points[0].low, trend.points[0].high) == pytest.approx(expected)


def test_missing_together():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(200, 4)), columns=list("abcd"))
    gone = rng.random(200) < 0.3
    frame.loc[gone, ["a", "b"]] = np.nan
    frame.loc[rng.random(200) < 0.2, "c"] = np.nan
    told = explore(frame).missingness
    assert told.complete_rows == len(frame.dropna())
    patterns = frame.isna().value_counts()
    for each in told.patterns:
        key = tuple(name in each.columns for name in frame)
        assert patterns[key] == each.rows
    assert sum(p.rows for p in told.patterns) + told.complete_rows == 200
    phi = frame.isna().astype(float).corr()
    for pair in told.correlations:
        assert pair.value == pytest.approx(phi.loc[pair.a, pair.b])
    assert told.correlations[0].value == pytest.approx(1.0)


def test_repeated_rows_and_columns():
    frame = pd.DataFrame({"a": [1, 1, 2, 1, None], "b": list("xxyxz")})
    frame["c"] = frame["a"]
    told = explore(frame).duplicates
    assert told.rows == frame.duplicated().sum()
    assert told.exact
    assert told.examples[0]["count"] == 3
    assert told.examples[0]["values"] == {"a": "1", "b": "x", "c": "1"}
    assert told.columns == (("a", "c"),)


def test_words_and_lengths_of_texts():
    texts = [f"the quick brown fox {i} jumps over the lazy dog" for i in range(40)]
    told = explore({"note": np.array(texts, dtype=object)})["note"]
    assert told.kind == "text"
    assert (told.text.min_length, told.text.max_length) == (
        min(map(len, texts)),
        max(map(len, texts)),
    )
    assert told.text.mean_length == pytest.approx(np.mean([len(t) for t in texts]))
    assert told.text.words[0].word == "the"
    assert told.text.words[0].count == 80


NASTY = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=True, allow_infinity=True),
    st.text(max_size=6),
    st.sampled_from(["", "NA", "1,5", "$3", "2024-01-01", "<b>x</b>", "\x00", "\ud800"]),
)


@settings(max_examples=25)
@given(st.lists(st.tuples(NASTY, NASTY, NASTY), max_size=25))
def test_nothing_breaks_it_and_json_is_valid(rows):
    table = np.empty((len(rows), 3), dtype=object)
    for i, row in enumerate(rows):
        table[i] = row
    profile = explore(table)
    told = json.loads(profile.to_json())
    assert told["rows"] == len(rows)
    for each in told["variables"]:
        assert 0 <= each["missing"] <= len(rows)
        assert each["distinct"] <= len(rows) - each["missing"]
    assert max(map(cell_len, str(profile).splitlines())) <= 100
    for variable in profile:
        str(variable)


@settings(max_examples=40)
@given(
    st.lists(
        st.one_of(st.floats(allow_nan=True, allow_infinity=True), st.integers(-3, 3).map(float)),
        max_size=60,
    )
)
def test_numbers_of_any_size(values):
    profile = explore({"x": np.array(values, dtype=float)}, schema={"x": "numeric"})
    finite = np.array([v for v in values if math.isfinite(v)])
    told = profile["x"].numeric
    assert profile["x"].missing == sum(map(math.isnan, values))
    if len(finite) == 0:
        assert told is None
        return
    assert (told.min, told.max) == (finite.min(), finite.max())
    assert told.infinite == sum(map(math.isinf, values))
    h = told.histogram
    assert h.below + sum(h.counts) + h.above == len(finite)
    assert told.min <= told.mean <= told.max or told.mean == pytest.approx(finite.mean())
