"""The target by one and two features, against SciPy, statsmodels and pandas."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.stats as st
import statsmodels.api as sm
import statsmodels.formula.api as smf
from hypothesis import given, settings
from hypothesis import strategies as some
from statsmodels.stats.proportion import proportion_confint

from stylobate.data.kinds import infer_schema
from stylobate.datasets import load_penguins, load_titanic
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration import target_analysis
from stylobate.exploration.association import (
    CategoryColumn,
    NumberColumn,
    category_column,
    number_column,
)
from stylobate.exploration.target import analyse_target, class_balance
from stylobate.exploration.target.groups import grouped
from stylobate.exploration.target.two_factor import class_interaction, pair_effects
from stylobate.metrics import roc_auc_score


@pytest.fixture(scope="module")
def titanic():
    return load_titanic(as_frame=True).frame


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(11)
    n = 400
    frame = pd.DataFrame({"g": rng.choice(list("abc"), n), "h": rng.choice(list("xy"), n)})
    frame["x"] = rng.normal(size=n)
    frame["y"] = frame.x + (frame.g == "a") * 1.5 + ((frame.g == "b") & (frame.h == "x")) * 2.0
    frame["y"] += rng.normal(size=n)
    frame["z"] = np.where(rng.random(n) < 1 / (1 + np.exp(-frame.y)), "yes", "no")
    return frame


def test_means_by_category_have_t_intervals_and_the_f_test(rows):
    effect = target_analysis(rows, "y").of("g")
    groups = [rows.y[rows.g == g] for g in "abc"]
    assert effect.p_value == pytest.approx(st.f_oneway(*groups).pvalue, rel=1e-8)
    for cell, values in zip(effect.groups, groups, strict=True):
        low, high = st.t.interval(0.95, len(values) - 1, values.mean(), st.sem(values))
        assert (cell.mean, cell.low, cell.high) == pytest.approx((values.mean(), low, high))


def test_a_numeric_feature_is_cut_into_bins_of_equal_size(rows):
    effect = target_analysis(rows, "y").of("x")
    assert [cell.n for cell in effect.groups] == [40] * 10
    order = np.argsort(rows.x.to_numpy())
    assert effect.groups[0].mean == pytest.approx(rows.y.to_numpy()[order[:40]].mean())
    r = max(abs(st.pearsonr(rows.x, rows.y)[0]), abs(st.spearmanr(rows.x, rows.y)[0]))
    assert effect.value == pytest.approx(r)


def test_shares_have_wilson_intervals_and_the_chi2_test(rows):
    effect = target_analysis(rows, "z").of("g")
    table = pd.crosstab(rows.g, rows.z)
    assert effect.p_value == pytest.approx(st.chi2_contingency(table, correction=False)[1])
    for cell, (_, row) in zip(effect.groups, table.iterrows(), strict=True):
        low, high = proportion_confint(row["yes"], row.sum(), method="wilson")
        share = cell.shares[1]
        assert (share.low, share.high) == pytest.approx((low, high))


def test_the_area_of_one_feature(rows):
    effect = target_analysis(rows, "z").of("x")
    assert effect.value == pytest.approx(roc_auc_score(rows.z == "yes", rows.x))
    test = st.mannwhitneyu(
        rows.x[rows.z == "yes"], rows.x[rows.z == "no"], use_continuity=False, method="asymptotic"
    )
    assert effect.p_value == pytest.approx(test.pvalue, rel=1e-9)
    assert [each.label for each in effect.classes] == ["no", "yes"]
    yes = rows.x[rows.z == "yes"]
    assert effect.classes[1].quantiles["0.5"] == pytest.approx(yes.median())
    assert sum(effect.classes[1].counts) == len(yes)


def test_interactions_are_those_of_statsmodels(rows):
    pairs = pair_effects([category_column(c, rows[c]) for c in "gh"], number_column("y", rows.y))
    full, additive = (smf.ols(f"y ~ C(g) {sign} C(h)", rows).fit() for sign in "*+")
    expected = sm.stats.anova_lm(additive, full)
    assert pairs[0].p_value == pytest.approx(expected["Pr(>F)"].iloc[1], rel=1e-6)
    assert pairs[0].gain == pytest.approx(full.rsquared_adj - additive.rsquared_adj, rel=1e-6)
    assert pairs[0].explains == pytest.approx(full.rsquared_adj, rel=1e-6)
    means = rows.groupby(["g", "h"]).y.mean().unstack()
    assert pairs[0].matrix() == pytest.approx(means.to_numpy())


def test_class_interactions_are_those_of_a_loglinear_model(rows):
    table = rows.groupby(["g", "h", "z"]).size().reset_index(name="count")
    model = smf.glm(
        "count ~ C(g)*C(h) + C(g)*C(z) + C(h)*C(z)", table, family=sm.families.Poisson()
    ).fit()
    counts = table["count"].to_numpy().reshape(3, 2, 2).astype(float)
    found = class_interaction(counts)
    assert found.p_value == pytest.approx(st.chi2.sf(model.deviance, model.df_resid), rel=1e-5)


def test_balance():
    balance = class_balance(category_column("y", ["a"] * 95 + ["b"] * 5 + [None]))
    assert (balance.baseline, balance.missing) == (0.95, 1)
    assert "19 times rarer" in balance.sentence
    assert "few to learn from" in balance.sentence
    assert "must do better" in class_balance(category_column("y", list("ab" * 20))).sentence
    assert "only one class" in class_balance(category_column("y", ["a"] * 9)).sentence
    with pytest.raises(InvalidDataError, match="no value in any row"):
        class_balance(category_column("y", [None, None]))


def test_titanic(titanic):
    target = next(c for c in titanic.columns if c.lower() == "survived")
    found = target_analysis(titanic, target)
    assert found.features[0].name.lower() == "sex"
    assert {found.pairs[0].a.lower(), found.pairs[0].b.lower()} == {"sex", "class"}
    assert not [each for each in found.suspects if each.topic == "leakage"]
    json.dumps(found.to_dict(), allow_nan=False, default=str)
    assert "Always naming" in repr(found)


def test_the_same_from_polars_and_pandas():
    frame = load_penguins(as_frame=True).frame
    again = pl.from_pandas(frame)
    assert repr(target_analysis(again, "species")) == repr(target_analysis(frame, "species"))


def test_dates_are_grouped_by_period():
    days = np.arange(0.0, 365.0)
    groups = grouped(NumberColumn("t", days, "datetime"))
    assert groups.labels[0] == "1970-01"
    assert len(groups.labels) == 12
    assert np.bincount(groups.codes)[:3].tolist() == [31, 28, 31]
    year = grouped(NumberColumn("t", days * 50, "datetime"))
    assert year.labels[0].startswith("1970")
    assert len(year.labels) <= 25
    hours = grouped(NumberColumn("t", np.array([0.0, 0.5, np.nan]), "datetime"))
    assert hours.labels == ("1970-01-01T00", "1970-01-01T12")
    assert hours.codes.tolist() == [0, 1, -1]


def test_bad_requests_say_what_would_be_right(rows):
    with pytest.raises(InvalidParameterError, match="no column 'nothing'"):
        target_analysis(rows, "nothing")
    named = rows.assign(id=[f"r{i}" for i in range(len(rows))])
    with pytest.raises(InvalidDataError, match="with_kinds"):
        target_analysis(named, "id")
    with pytest.raises(InvalidParameterError, match="no feature 'q'"):
        target_analysis(rows, "y").of("q")


def test_missing_targets_take_no_part_and_long_tables_are_sampled(rows):
    gaps = rows.assign(y=rows.y.where(rows.index > 9))
    found = target_analysis(gaps, "y")
    assert (found.rows, found.missing) == (390, 10)
    assert "10 rows without y" in found.notes[0]
    fewer = target_analysis(rows, "y", max_rows=100)
    assert fewer.rows == 100
    assert "drawn at random" in fewer.notes[0]
    schema = infer_schema(rows).with_kinds({"x": "identifier"})
    assert "x" not in [each.name for each in target_analysis(rows, "y", schema).features]


@settings(max_examples=40)
@given(
    some.lists(some.sampled_from([0.0, 1.0, 5.0, 1e150, np.nan]), min_size=8, max_size=30),
    some.integers(0, 99),
)
def test_nasty_targets(values, seed):
    rng = np.random.default_rng(seed)
    n = len(values)
    target = number_column("y", values)
    codes = rng.integers(-1, 3, n)
    columns = [
        CategoryColumn("c", codes, ("a", "b", "never", "rare")),
        CategoryColumn("empty", np.full(n, -1), ()),
        number_column("x", rng.permutation(values)),
        NumberColumn("gone", np.full(n, np.nan)),
        target,
    ]
    found = analyse_target(columns, "y")
    json.dumps(found.to_dict(), allow_nan=False)
    assert repr(found)
    if (codes >= 0).any():
        classes = analyse_target(columns, "c")
        json.dumps(classes.to_dict(), allow_nan=False)
        assert repr(classes)
