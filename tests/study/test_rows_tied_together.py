"""Rows in the order of time, several about the same one, and repeated: noticed, and split so."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate import Study
from stylobate.exceptions import InvalidParameterError
from stylobate.study.question.question import ask
from stylobate.study.table.division import divide
from stylobate.study.table.structure import structure_of
from stylobate.study.table.table import read_study_table


def divided(columns, target="y", split="auto"):
    table = read_study_table(columns)
    asked, structure = structure_of(table, ask(table, target), split)
    return asked, divide(table, asked, structure, holdout=0.2, cv=5, seed=0)


def series(n=300, seed=0):
    draw = np.random.default_rng(seed)
    hours = np.datetime64("2024-01-01T00") + np.arange(n).astype("m8[h]")
    return {"when": hours, "x": draw.normal(size=n), "y": np.cumsum(draw.normal(size=n))}


@pytest.mark.parametrize("order", ["forward", "backward", "drawn"])
def test_a_series_is_split_by_time_whatever_the_order_of_its_rows(order):
    rows = {
        "forward": np.arange(300),
        "backward": np.arange(300)[::-1],
        "drawn": np.random.default_rng(1).permutation(300),
    }[order]
    columns = {name: values[rows] for name, values in series().items()}
    asked, found = divided(columns)
    assert found.plan.kind == "in time"
    assert asked.question.time_column == "when"
    assert columns["when"][found.training].max() < columns["when"][found.holdout].min()
    for train, test in found.folds:
        when = columns["when"][found.training]
        assert when[train].max() < when[test].min()


def test_rows_of_one_moment_are_on_one_side():
    days = np.repeat(np.datetime64("2024-01-01") + np.arange(50).astype("m8[D]"), 7)
    draw = np.random.default_rng(0)
    columns = {"day": days, "x": draw.normal(size=350), "y": draw.normal(size=350)}
    _, found = divided(columns)
    assert not set(days[found.training]) & set(days[found.holdout])
    when = days[found.training]
    for train, test in found.folds:
        assert not set(when[train]) & set(when[test])


def test_calendar_columns_and_numbers_named_as_time_are_an_order():
    n = 600
    draw = np.random.default_rng(0)
    measured = {"x": draw.normal(size=n), "y": draw.normal(size=n)}
    days = np.datetime64("2020-01-01") + np.arange(n).astype("m8[D]")
    months = days.astype("M8[M]")
    calendar = {
        "year": days.astype("M8[Y]").astype(int) + 1970,
        "month": months.astype(int) % 12 + 1,
        "day": (days - months.astype("M8[D]")).astype(int) + 1,
    }
    assert divided({**calendar, **measured})[1].plan.kind == "in time"
    assert divided({"timestamp": np.arange(n) * 60, **measured})[1].plan.kind == "in time"
    drawn = draw.permutation(n) * 60
    assert divided({"timestamp": drawn, **measured})[1].plan.kind == "shuffled"


def test_dates_of_birth_and_dates_in_no_order_are_no_order():
    draw = np.random.default_rng(0)
    born = np.datetime64("1950-01-01") + np.sort(draw.integers(0, 9000, 300)).astype("m8[D]")
    columns = {"date_of_birth": born, "x": draw.normal(size=300), "y": draw.normal(size=300)}
    assert divided(columns)[1].plan.kind == "shuffled"
    hired = {"hired": draw.permutation(born), "x": columns["x"], "y": columns["y"]}
    assert divided(hired)[1].plan.kind == "shuffled"


def test_rows_about_the_same_one_stay_together_by_name_or_by_what_they_share():
    draw = np.random.default_rng(0)
    who = draw.permutation(np.repeat(np.arange(40), 6))
    labels = np.array([f"n{k:02d}" for k in who], dtype=object)
    measured = {"x": draw.normal(size=240), "y": draw.normal(size=240)}
    traits = {name: draw.normal(size=40)[who] for name in ("height", "weight")}
    for columns in ({"patient_id": labels, **measured}, {"label": labels, **traits, **measured}):
        _, found = divided(columns)
        assert found.plan.kind == "grouped"
        assert not set(who[found.training]) & set(who[found.holdout])
    assert divided({"label": labels, **measured})[1].plan.kind == "shuffled"


@pytest.mark.parametrize("near", [False, True])
def test_repeated_rows_stay_together(near):
    draw = np.random.default_rng(0)
    x = draw.normal(size=(300, 6)).round(2)
    again = draw.choice(300, 70, replace=False)
    origin = np.concatenate([np.arange(300), again])
    x = x[origin]
    y = (x[:, 0] + draw.normal(size=300)[origin]).round(2)
    if near:
        x[300:, 3] += 1.0
    columns = {f"c{j}": x[:, j] for j in range(6)} | {"y": y}
    _, found = divided(columns)
    assert found.plan.kind == "repeats together"
    assert "70 rows repeat others" in found.plan.noticed
    assert not set(origin[found.training]) & set(origin[found.holdout])


def test_rows_of_few_categories_agree_by_chance_and_are_not_held_together():
    draw = np.random.default_rng(0)
    columns = {f"c{j}": draw.choice(list("abc"), 400) for j in range(5)}
    assert divided(columns | {"y": draw.normal(size=400).round(1)})[1].plan.kind == "shuffled"
    assert divided(series(), split="random")[1].plan.kind == "shuffled"
    with pytest.raises(InvalidParameterError, match="'auto'"):
        divided(series(), split="both")


def test_a_study_says_what_rows_drawn_at_random_would_have_claimed():
    draw = np.random.default_rng(0)
    walk = np.cumsum(draw.normal(size=400)) * 3
    when = np.datetime64("2023-01-01") + np.arange(400).astype("m8[D]")
    table = {"day": when, "noise": draw.normal(size=400), "y": walk}
    result = Study(table, "y", models=["tree"], time=10).run()
    claim = result.random_split
    # a tree looks the days beside it up if they are there, and knows nothing of what comes
    assert claim.folds == 5
    assert claim.score < claim.fair
    assert claim.fair == next(row.mean for row in result.leaderboard if row.is_chosen)
    assert "drawn at random would have claimed" in claim.words
    assert result.split.noticed == "the rows are in the order of time, by day"
    told = Study(table, "y", models=["linear"], time=10, split="random").run()
    assert told.random_split is None


def test_folds_in_time_begin_when_every_class_has_been_seen():
    """A class of a few rows, all of which come after the first fifth."""
    table = series(300)
    table["y"] = np.where(np.arange(300) % 60 == 59, "rare", np.where(table["y"] > 0, "a", "b"))
    _, found = divided(table)
    assert found.plan.kind == "in time"
    for learnt, tested in found.folds:
        assert np.sum(table["y"][found.training][learnt] == "rare") >= 2
        assert learnt.max() < tested.min()
    tested = np.sort(np.concatenate([tested for _, tested in found.folds]))
    assert np.array_equal(tested, np.arange(tested[0], 240))
    assert len(tested) >= 0.4 * 240


def test_a_class_that_comes_last_leaves_rows_drawn_at_random_and_the_reason_is_a_sentence():
    table = series(300)
    table["y"] = np.where(np.arange(300) >= 220, "late", np.where(table["y"] > 0, "a", "b"))
    _, found = divided(table)
    assert found.plan.kind == "stratified"
    assert "so rows are drawn at random" in found.plan.noticed
    assert "the class 'late' is missing from a training part)" in found.plan.noticed


@pytest.mark.parametrize("sizes", [[5] * 40, [590, 360, 230, 210] + [5] * 70, [400] + [10] * 20])
def test_groups_are_locked_away_by_their_rows(sizes):
    who = np.repeat(np.arange(len(sizes)), sizes)
    draw = np.random.default_rng(0)
    table = {"patient_id": who, "x": draw.normal(size=len(who)), "y": draw.normal(size=len(who))}
    _, found = divided(table)
    assert not set(who[found.training]) & set(who[found.holdout])
    assert 0.14 <= len(found.holdout) / len(who) <= 0.26
    parts = [len(tested) for _, tested in found.folds]
    assert max(parts) <= max(max(sizes), 1.3 * len(found.training) / 5)
    for learnt, tested in found.folds:
        assert not set(who[found.training][learnt]) & set(who[found.training][tested])


def test_boxes_to_tick_take_part():
    draw = np.random.default_rng(0)
    y = draw.integers(0, 2, 300)
    ticked = np.where((y == 1) ^ (draw.random(300) < 0.1), "seen", None).astype(object)
    table = {"seen": ticked, "noise": draw.normal(size=300), "y": y}
    result = Study(table, "y", models=["logistic", "tree"], time=10).run()
    assert result.verdict.answer == "yes"
    assert result.holdout.scores[0].value > 0.8
    assert result.predict({"seen": ["seen", None], "noise": [0.0, 0.0]}).tolist() == [1, 0]
    rarely = {**table, "seen": np.where(np.arange(300) < 5, "seen", None).astype(object)}
    kinds = {c.name: c.use for c in Study(rarely, "y", models=["tree"], time=10).run().data.columns}
    assert kinds["seen"] == "left out"


def test_folds_without_a_class_warn_nobody(recwarn):
    table = series(300)
    table["y"] = np.where(np.arange(300) < 60, "early", np.where(table["y"] > 0, "a", "b"))
    table["x"] = table["x"] + 2.0 * (table["y"] == "a")
    models = ["lda", "qda", "naive_bayes", "neighbours", "tree"]
    result = Study(table, "y", metric="balanced_accuracy", models=models, time=10).run()
    assert result.split.kind == "in time"
    assert [str(each.message) for each in recwarn.list if "y_pred" in str(each.message)] == []
