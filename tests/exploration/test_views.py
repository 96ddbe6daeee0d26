"""Views of columns against pandas, SciPy and counting by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from stylobate.datasets import load_diabetes, load_penguins, load_titanic
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration.views import (
    bars_view,
    box_views,
    correlation_view,
    distribution_view,
    missing_view,
    pairs_view,
    scatter_view,
    target_cells_view,
    target_view,
)

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60)


@pytest.fixture(scope="module")
def penguins():
    return load_penguins(as_frame=True).frame


@pytest.fixture(scope="module")
def titanic():
    return load_titanic(as_frame=True).frame


@given(NUMBERS)
def test_boxes_by_both_rules(values):
    box = box_views(values)[0]
    first, median, third = np.percentile(values, [25, 50, 75])
    np.testing.assert_allclose(box.quartiles, [first, median, third], atol=1e-9)
    inside = [v for v in values if box.lower <= v <= box.upper]
    assert len(box.outliers) == len(values) - len(inside)
    if inside:
        assert box.whiskers == (min(inside), max(inside))
    cut = box_views(values, rule="percentile", percentiles=(3, 97))[0]
    np.testing.assert_allclose([cut.lower, cut.upper], np.percentile(values, [3, 97]), atol=1e-9)


def test_boxes_of_groups_tables_and_mappings(penguins):
    boxes = box_views("body_mass_g", by="species", data=penguins)
    told = penguins.groupby("species")["body_mass_g"].quantile([0.25, 0.5, 0.75]).unstack()
    assert [box.label for box in boxes] == list(told.index)
    np.testing.assert_allclose([box.quartiles for box in boxes], told)
    assert sum(box.missing for box in boxes) == 2
    numeric = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g", "year"]
    assert [box.label for box in box_views(penguins)] == numeric
    assert [box.label for box in box_views({"a": [1, 2], "b": [3.0, np.inf]})] == ["a", "b"]
    assert box_views([1.0, np.inf, np.nan])[0].infinite == 1


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_bars_of_every_container(kind):
    table = kind({"sex": ["m", "f", None, "m"], "n": [1, 2, 3, 4]})
    view = bars_view("sex", data=table)
    assert (view.labels, view.counts.tolist(), view.missing) == (("m", "f"), [2, 1], 1)
    assert view.total == 4


def test_bars_against_pandas(titanic):
    view = bars_view(titanic["sex"])
    assert dict(zip(view.labels, view.counts, strict=True)) == dict(titanic["sex"].value_counts())
    ages = bars_view("age", data=titanic, most=5)
    counts = titanic["age"].value_counts()
    assert sorted(ages.counts) == sorted(counts.iloc[:5])
    assert ages.others == counts.iloc[5:].sum()
    assert (ages.other_values, ages.missing) == (len(counts) - 5, 557)
    assert bars_view([True, False, True]).labels == ("True", "False")
    assert bars_view([2, 1, 1], order="value").labels == ("1", "2")


@given(NUMBERS)
def test_histograms_count_every_value(values):
    view = distribution_view(values)
    assert view.counts.sum() + view.beyond == len(values) == view.n
    edges = np.linspace(-1e6, 1e6, 7)
    np.testing.assert_array_equal(
        distribution_view(values, bins=edges).counts[0], np.histogram(values, edges)[0]
    )


def test_densities_against_scipy(titanic):
    age = titanic["age"].dropna().to_numpy()
    view = distribution_view("age", data=titanic)
    curve = view.densities[0]
    theirs = stats.gaussian_kde(age, bw_method=curve.bandwidth / age.std(ddof=1))
    np.testing.assert_allclose(curve.y, theirs(curve.x), atol=2e-4 * curve.y.max())
    by = distribution_view("age", by="sex", data=titanic)
    assert by.labels == ("female", "male")
    np.testing.assert_array_equal(by.counts.sum(axis=0), view.counts[0])
    assert distribution_view([3.0] * 9).densities == (None,)


@pytest.mark.parametrize("method", ["pearson", "spearman"])
def test_correlations_against_pandas(penguins, method):
    view = correlation_view(penguins, method=method)
    theirs = penguins[list(view.names)].corr(method=method)
    np.testing.assert_allclose(view.values, theirs, atol=1e-12)
    assert view.left_out == ("species", "island", "sex")


def test_correlated_columns_become_neighbours():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 200))
    table = {"a": a, "b": b, "a again": a + 0.1 * rng.normal(size=200), "flat": np.ones(200)}
    view = correlation_view(table)
    assert abs(view.names.index("a") - view.names.index("a again")) == 1
    assert np.isnan(view.values[view.names.index("flat")]).all()
    assert correlation_view(table, cluster=False).names == tuple(table)


def test_missing_values(penguins):
    view = missing_view(penguins)
    np.testing.assert_array_equal(view.counts, penguins.isna().sum())
    assert view.patterns.complete_rows == len(penguins.dropna())
    sizes = np.array([len(part) for part in np.array_split(np.arange(344), len(view.shares))])
    np.testing.assert_allclose((view.shares * sizes[:, None]).sum(axis=0), view.counts)


def test_means_by_bins_against_pandas():
    table = load_diabetes(as_frame=True).frame
    view = target_view("bmi", "target", data=table, bins=4)
    ordered = table.sort_values("bmi", kind="stable")
    ends = np.cumsum(view.n)
    assert (np.abs(view.n - len(table) / 4) < 10).all()
    for k, part in enumerate(np.split(np.arange(len(table)), ends[:-1])):
        y = ordered["target"].iloc[part]
        np.testing.assert_allclose(view.values[k, 0], y.mean())
        low, high = stats.t.interval(0.95, len(y) - 1, y.mean(), stats.sem(y))
        np.testing.assert_allclose([view.low[k, 0], view.high[k, 0]], [low, high])
    x = ordered["bmi"].to_numpy()
    assert (x[ends[:-1] - 1] < x[ends[:-1]]).all()  # equal values stay together
    np.testing.assert_allclose(view.overall, table["target"].mean())


def test_shares_by_category_against_statsmodels(titanic):
    view = target_view("sex", "survived", data=titanic)
    table = pd.crosstab(titanic["sex"], titanic["survived"])
    np.testing.assert_allclose(view.values, table.div(table.sum(axis=1), axis=0))
    low, high = proportion_confint(table[1.0], table.sum(axis=1), method="wilson")
    np.testing.assert_allclose(view.low[:, 1], low)
    np.testing.assert_allclose(view.high[:, 1], high)
    ages = target_view("age", "survived", data=titanic, bins=5)
    assert ages.labels[-1] == "(missing)"
    assert ages.n[-1] == 557
    assert ages.n.sum() == len(titanic)


def test_dates_are_grouped_by_periods():
    days = pd.date_range("2020-01-01", periods=600, freq="D")
    view = target_view(pd.Series(days, name="day"), np.arange(600.0) + 0.5)
    assert view.labels[0] == "2020-01"
    assert view.in_order == len(view.labels)
    assert view.n[0] == 31
    np.testing.assert_allclose(view.values[0], np.mean(np.arange(31.0) + 0.5))


def test_declared_orders_are_kept():
    sizes = pd.Categorical(["L", "S", None, "M", "S"], ["S", "M", "L"], ordered=True)
    assert bars_view(pd.Series(sizes), order="value").labels == ("S", "M", "L")
    assert bars_view(pd.Series(sizes), order="value").counts.tolist() == [2, 1, 1]
    assert target_view(pd.Series(sizes), [1.5, 2.5, 3.5, 4.5, 5.5]).labels == (
        "S", "M", "L", "(missing)",
    )  # fmt: skip


@pytest.mark.parametrize("kind", [np.asarray, pd.Series, pl.Series])
def test_long_columns_of_numbers(kind):
    values = np.random.default_rng(0).normal(size=3000)
    values[:7] = np.nan
    values[7] = np.inf
    view = distribution_view(kind(values))
    assert (view.n, view.missing) == (2992, 7)
    box = box_views(kind(values))[0]
    np.testing.assert_allclose(box.quartiles, np.percentile(values[8:], [25, 50, 75]))
    whole = box_views(kind(np.arange(2000)))[0]
    assert whole.quartiles[1] == 999.5


def test_rare_categories_are_put_together():
    feature = [*"aaabbbccdefg", None]
    view = target_view(feature, list(range(13)), most=4)
    assert view.labels == ("a", "b", "c", "(others)", "(missing)")
    assert view.n.tolist() == [3, 3, 2, 4, 1]


def test_cells_against_pandas(titanic):
    view = target_cells_view("sex", "class", "survived", data=titanic)
    assert view.columns == ("1st", "2nd", "3rd", "(missing)")  # * stands for nothing
    order = ["1st", "2nd", "3rd", "*"]
    theirs = titanic.pivot_table(index="sex", columns="class", values="survived")
    np.testing.assert_allclose(view.values, theirs[order])
    counts = pd.crosstab(titanic["sex"], titanic["class"])
    np.testing.assert_array_equal(view.n, counts[order])
    drowned = target_cells_view("sex", "class", "survived", data=titanic, label=0)
    np.testing.assert_allclose(drowned.values, 1 - view.values)


def test_pairs_and_points(penguins):
    view = pairs_view(penguins, by="species")
    measured = list(view.names)
    np.testing.assert_allclose(view.correlations, penguins[measured].corr(), atol=1e-12)
    assert view.labels == ("Adelie", "Chinstrap", "Gentoo")
    assert view.distributions[0].counts.sum() == penguins[measured[0]].notna().sum()
    points = scatter_view("bill_length_mm", "bill_depth_mm", by="sex", data=penguins)
    kept = penguins[["bill_length_mm", "bill_depth_mm", "sex"]].dropna()
    np.testing.assert_array_equal(points.x, kept["bill_length_mm"])
    assert points.left_out == len(penguins) - len(kept)
    long = pairs_view({"a": np.linspace(0.0, 1.3, 5000), "b": np.linspace(1.0, 2.7, 5000) ** 2})
    assert (len(long.values), long.n_rows) == (2000, 5000)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: box_views([]), "is empty; there is nothing to draw"),
        (lambda: box_views(["a", "b"]), "does not hold numbers"),
        (lambda: box_views([np.nan, np.nan]), "no number to draw"),
        (lambda: box_views({}), "no column"),
        (lambda: box_views(pd.DataFrame({"a": ["x"]})), "no column of numbers"),
        (lambda: box_views([1.0], by=[None]), "no group of 'by'"),
        (lambda: box_views([1.0], rule="tukey"), "rule must be box or percentile"),
        (lambda: box_views([1.0], percentiles=(97, 3)), "percentiles must increase"),
        (lambda: bars_view([]), "is empty"),
        (lambda: bars_view([1], order="size"), "order must be count or value"),
        (lambda: bars_view("sex"), "no table to find it in"),
        (lambda: bars_view("sx", data={"sex": [1]}), "Did you mean 'sex'?"),
        (lambda: bars_view([[1, 2]]), r"has shape \(1, 2\)"),
        (lambda: distribution_view([1.0], bins=0), "bins must be at least 1"),
        (lambda: distribution_view([1.0], bins=[2, 1]), "two increasing edges"),
        (lambda: distribution_view([1.0], by=[None]), "no group of 'by'"),
        (lambda: correlation_view({"a": ["x"]}), "no column of numbers"),
        (lambda: correlation_view({}), "0 columns"),
        (lambda: correlation_view({"a": [1]}, method="kendall"), "pearson or spearman"),
        (lambda: missing_view({"a": [1], "b": [1, 2]}), "'a' has 1, 'b' has 2"),
        (lambda: scatter_view([1.0], [1.0, 2.0]), "'x' has 1, 'y' has 2"),
        (lambda: scatter_view([1.0, None], [None, 2.0]), "no row has all of 'x', 'y'"),
        (lambda: target_view([1], [None]), "no value in any row"),
        (lambda: target_view(range(40), [f"c{k}" for k in range(40)]), "40 different values"),
        (lambda: target_view([1], [2], level=2), "level within"),
        (lambda: target_cells_view([1], [2], ["a"], label="b"), "label='b' is no value"),
        (lambda: pairs_view({"a": ["x", "y"]}), "has 0 columns of amounts"),
        (lambda: pairs_view(np.random.default_rng(0).normal(size=(9, 9))), "has 9 columns"),
    ],
)
def test_what_cannot_be_summarised(call, words):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        call()
