"""Aggregates of the many rows of one are those of a loop, and never look at what comes later."""

from __future__ import annotations

import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

import stylobate
from stylobate.base import clone
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.feature_selection import SelectKBest, f_regression
from stylobate.joins import aggregate_features
from stylobate.joins.aggregate_features import STATISTICS, Spans
from stylobate.linear_model import Ridge
from stylobate.model_selection import GridSearchCV, HashKFold
from stylobate.pipeline import make_pipeline


def tables(seed, *, text=False, dates=False):
    rng = np.random.default_rng(seed)
    n, m, keys = int(rng.integers(2, 20)), int(rng.integers(1, 60)), int(rng.integers(1, 5))
    facts = {"k": rng.integers(0, keys + 1, n), "t": rng.integers(0, 12, n)}
    lines = {"k": rng.integers(0, keys, m), "t": rng.integers(0, 12, m)}
    lines["v"] = np.where(rng.random(m) < 0.1, np.nan, rng.normal(100.0, 1.0, m))
    lines["c"] = np.array(["a", "b", "c", "d"], dtype=object)[rng.integers(0, 4, m)]
    for table in (facts, lines):
        if text:
            table["k"] = np.array([f"key {k}" for k in table["k"]], dtype=object)
        if dates:
            table["t"] = np.datetime64("2024-02-27", "D") + table["t"]
    facts["y"] = rng.normal(size=n)
    return facts, lines


def by_loop(statistic, values, times, chosen, moment, category):
    values, times = values[chosen], times[chosen]
    if statistic == "count":
        return float(len(values))
    if statistic == "share":
        return np.mean(values == category) if len(values) else np.nan
    order = np.argsort(times, kind="stable")
    if statistic == "time since last":
        return moment - times[order[-1]] if len(times) else np.nan
    if statistic == "last":
        return values[order[-1]] if len(values) else np.nan
    there = ~np.isnan(values)
    values, times = values[there], times[there]
    if statistic == "sum":
        return values.sum()
    if statistic == "trend":
        enough = len(set(times.tolist())) > 1
        return np.polyfit(times - times.mean(), values, 1)[0] if enough else np.nan
    return getattr(np, statistic)(values) if len(values) else np.nan


@given(st.integers(0, 2**32 - 1), st.booleans(), st.booleans())
def test_aggregates_are_those_of_a_loop_over_rows_before_the_moment(seed, text, dates):
    facts, lines = tables(seed, text=text, dates=dates)
    day = 86400.0 if dates else 1.0
    joined = stylobate.join(facts, name="facts").aggregate(
        lines, by="k", before="t", within="3d" if dates else "3", most=1000, name="lines"
    )
    names = [name for name in joined.columns if name.startswith("lines.")]
    found = joined.select(names).head(len(facts["k"])) if _known(facts, lines) else None
    if found is None:
        return
    now, then = (table["t"].astype("M8[s]").astype(float) if dates else table["t"].astype(float)
                 for table in (facts, lines))  # fmt: skip
    checked = set()
    for feature in joined._tables[1].aggregation.features:
        column = found[f"lines.{feature}"]
        values = lines[feature.column] if feature.column else np.zeros(len(then))
        for i in range(len(now)):
            chosen = (lines["k"] == facts["k"][i]) & (then < now[i])
            if feature.within:
                chosen &= then >= now[i] - 3 * day
            expected = by_loop(feature.statistic, values, then, chosen, now[i], feature.category)
            np.testing.assert_allclose(column[i], expected, rtol=1e-9, atol=1e-9, err_msg=feature)
        checked.add(feature.statistic)
    assert checked == set(STATISTICS)


def _known(facts, lines):
    return len(set(facts["k"].tolist()) & set(lines["k"].tolist())) > 0


def test_aggregates_without_times_are_those_of_all_rows():
    facts, lines = tables(7)
    joined = stylobate.join(facts, name="facts").aggregate(
        lines, by="k", before=False, statistics=["count", "sum", "max"], columns=["v"], name="lines"
    )
    frame = (
        polars.DataFrame(lines)
        .group_by("k")
        .agg(
            polars.len().alias("n"),
            polars.col("v").fill_nan(None).sum().alias("s"),
            polars.col("v").fill_nan(None).max().alias("m"),
        )
    )
    expected = polars.DataFrame(facts).join(frame, on="k", how="left", maintain_order="left")
    found = joined.head(100)
    there = expected["n"].is_not_null().to_numpy()
    for ours, theirs in (("count", "n"), ("sum of v", "s"), ("max of v", "m")):
        column = expected[theirs].to_numpy().astype(float)
        np.testing.assert_allclose(found[f"lines.{ours}"][there], column[there], rtol=1e-12)
    assert not there.all()
    assert (found["lines.count"][~there] == 0.0).all()


def test_models_recompute_aggregates_for_new_facts(tmp_path):
    facts, lines = tables(11, dates=True)
    joined = stylobate.join(facts, name="facts").aggregate(
        lines, by="k", before="t", statistics=["count", "mean", "max"], fill=-1.0, name="lines"
    )
    features = ["lines.count", "lines.mean of v"]
    model = Ridge().fit(joined, target="y", features=features)
    assert list(model.join_.tables["lines"]) == ["k", "t", "v"]
    path = tmp_path / "model.stylobate"
    stylobate.save(model, path)
    stored = stylobate.load(path)
    new = {"k": facts["k"][:3], "t": np.repeat(np.datetime64("2024-04-01"), 3)}
    mean, count = [], []
    for key in new["k"]:
        values = lines["v"][lines["k"] == key]
        count.append(len(values))
        mean.append(np.nanmean(values) if len(values) else -1.0)
    rows = polars.DataFrame(np.column_stack([count, mean]).astype(float), schema=features)
    np.testing.assert_allclose(model.predict(new), model.predict(rows), rtol=1e-12)
    np.testing.assert_allclose(stored.predict(new), model.predict(rows), rtol=1e-12)
    more = {name: np.concatenate([cells, cells]) for name, cells in lines.items()}
    model.join_ = model.join_.with_tables(lines=more)
    rows = rows.with_columns(polars.col("lines.count") * 2)
    np.testing.assert_allclose(model.predict(new), model.predict(rows), rtol=1e-12)


def test_an_aggregate_that_would_tell_the_future_is_refused():
    facts, lines = tables(3, dates=True)
    joined = stylobate.join(facts, name="facts")
    with pytest.raises(InvalidDataError, match=r"would tell the future. Pass before=\{'t': 't'\}"):
        joined.aggregate(lines, by="k", name="lines")
    with pytest.raises(InvalidDataError, match="are the facts themselves"):
        stylobate.join(frame := polars.DataFrame({"k": [1, 2], "v": [1.0, 2.0]})).aggregate(
            frame, by="k", name="again"
        )


def test_dates_are_not_compared_with_numbers():
    facts, lines = tables(3, dates=True)
    lines["number"] = np.arange(len(lines["t"]))
    joined = stylobate.join(facts, name="facts")
    with pytest.raises(InvalidDataError, match=r"facts.t holds dates and lines.number numbers"):
        joined.aggregate(lines, by="k", before={"t": "number"}, name="lines")


def test_aggregates_that_a_rows_own_target_is_part_of_are_refused():
    facts = polars.DataFrame({"k": [1, 1, 2, 2], "v": [1.0, 2.0, 3.0, 5.0], "y": [5.0, 7, 9, 1]})
    joined = stylobate.join(facts, name="facts").aggregate(
        facts, by="k", before=False, statistics=["count", "mean"], name="all"
    )
    with pytest.raises(InvalidDataError, match=r"all\.mean of y .* gives away the target"):
        Ridge().fit(joined, target="y")
    model = Ridge().fit(joined, target="y", features=["facts.v", "all.count", "all.mean of v"])
    assert np.isfinite(model.coef_).all()


def test_own_history_before_the_moment_leaves_the_row_itself_out():
    facts = polars.DataFrame({"k": [1, 1, 1], "t": [1, 2, 2], "y": [5.0, 7.0, 9.0]})
    joined = stylobate.join(facts).aggregate(facts, by="k", before="t", name="past")
    assert joined.head()["past.count"].tolist() == [0.0, 1.0, 1.0]
    assert joined.head()["past.mean of y"].tolist()[1:] == [5.0, 5.0]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"by": "customer"}, "there is no column 'customer'"),
        ({"by": {"k": "customer"}}, "lines has no column 'customer'"),
        ({"by": "k", "before": "when"}, "facts has no column 'when'"),
        ({"by": "k", "before": 3}, "before must be a column of times"),
        ({"by": "k", "before": "t", "within": "soon"}, "'soon' is no length of time"),
        ({"by": "k", "within": "3"}, "looks back from a moment"),
        ({"by": "k", "statistics": ["median"]}, "there is no statistic 'median'; there are count"),
        ({"by": "k", "statistics": ["last"]}, "give no feature of lines"),
        ({"by": "k", "most": 0}, "most must be a whole number of at least 1"),
        ({"by": "k", "columns": ["w"]}, "lines has no column 'w'"),
    ],
)
def test_requests_that_cannot_be(options, told):
    facts, lines = tables(3)
    with pytest.raises((InvalidDataError, InvalidParameterError), match=told):
        stylobate.join(facts, name="facts").aggregate(lines, name="lines", **options)


@pytest.mark.parametrize("heavy", [False, True])
def test_spans_that_begin_together_are_cumulated_or_read_one_by_one(heavy, monkeypatch):
    monkeypatch.setattr(aggregate_features, "_CELLS_OF_A_GROUP", 0 if heavy else 1 << 40)
    rng = np.random.default_rng(4)
    starts = rng.choice([0, 40, 90], 200)
    stops = starts + rng.integers(0, 31, 200)
    values = rng.normal(size=121)
    spans = Spans(starts, stops)
    for function, empty in ((np.add, 0.0), (np.minimum, np.inf), (np.maximum, -np.inf)):
        expected = [
            function.reduce(values[a:b]) if b > a else empty
            for a, b in zip(starts, stops, strict=True)
        ]
        np.testing.assert_allclose(spans.reduce(function, values, empty), expected, rtol=1e-12)


def test_dates_written_as_text_are_times():
    facts, lines = tables(5, dates=True)
    options = {"by": "k", "statistics": ["count", "time since last"], "name": "lines"}
    expected = stylobate.join(facts, name="facts").aggregate(lines, before="t", **options).head(99)
    for table in (facts, lines):
        table["t"] = table["t"].astype(str).astype(object)
    joined = stylobate.join(facts, name="facts")
    found = joined.aggregate(lines, before="t", **options).head(99)
    for name in ("lines.count", "lines.time since last"):
        np.testing.assert_array_equal(found[name], expected[name])
    with pytest.raises(InvalidDataError, match=r"would tell the future. Pass before=\{'t': 't'\}"):
        joined.aggregate(lines, by="k", name="lines")
    with pytest.raises(InvalidDataError, match=r"lines.c holds no times; .*'2024-02-29 18:30:00'"):
        joined.aggregate(lines, by="k", before={"t": "c"}, name="lines").head()


def test_aggregates_are_screened_inside_of_cross_validation():
    """The folds choose among the aggregates by their own training rows, each for itself."""
    rng = np.random.default_rng(2)
    n = 400
    orders = {"k": rng.integers(0, 40, n), "t": rng.integers(60, 300, n)}
    visits = {"k": rng.integers(0, 40, 3000), "t": rng.integers(0, 300, 3000)}
    visits |= {f"v{j}": rng.normal(size=3000) for j in range(6)}
    options = {"by": "k", "before": "t", "within": ["30", "90"], "fill": 0.0, "name": "visits"}
    made = stylobate.join(orders, name="orders").aggregate(visits, most=60, **options)
    rows = made.head(n)
    orders["y"] = rows["visits.count within 30"] + rng.normal(size=n)
    joined = stylobate.join(orders, name="orders").aggregate(visits, most=60, **options)
    columns = [name for name in joined.columns if name.startswith("visits.")]
    model = make_pipeline(SelectKBest(f_regression, k=1), Ridge())
    folds = HashKFold(4)
    found = GridSearchCV(model, {"selectkbest__k": [1, 20]}, cv=folds).fit(
        joined.select(columns), target="orders.y"
    )
    X = np.column_stack([rows[name] for name in columns])
    expected = GridSearchCV(clone(model), {"selectkbest__k": [1, 20]}, cv=folds).fit(X, orders["y"])
    np.testing.assert_allclose(
        found.cv_results_["mean_test_score"], expected.cv_results_["mean_test_score"], rtol=1e-9
    )
    assert found.best_params_ == {"selectkbest__k": 1}
    assert found.best_estimator_[0].get_feature_names_out().tolist() == ["visits.count within 30"]
