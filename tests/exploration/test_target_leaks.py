"""Columns that make up the target, alone or in pairs, and names that are nearly right."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from stylobate import explore
from stylobate.exceptions import InvalidParameterError
from stylobate.exploration import target_analysis
from stylobate.exploration.association import number_column
from stylobate.exploration.target import analyse_target
from stylobate.exploration.target.sums import exact_sums


def reasons(found):
    return {each.column: each.reason for each in found.suspects if each.topic == "leakage"}


@pytest.fixture
def parts():
    rng = np.random.default_rng(0)
    casual = rng.poisson(20, 500).astype(float)
    return {"casual": casual, "registered": rng.poisson(200, 500) * 10.0, "x": rng.normal(size=500)}


def columns(parts, target):
    return [*(number_column(*item) for item in parts.items()), number_column("cnt", target)]


def test_parts_of_a_sum_are_suspects(parts):
    found = reasons(analyse_target(columns(parts, parts["casual"] + parts["registered"]), "cnt"))
    assert set(found) == {"casual", "registered"}
    assert "'casual' + 'registered' is cnt in every row" in found["registered"]
    assert "it alone explains" in found["registered"]
    assert "alone" not in found["casual"]


def test_differences_and_gaps(parts):
    parts["x"][::7] = np.nan
    found = reasons(analyse_target(columns(parts, parts["x"] - parts["casual"]), "cnt"))
    assert found["x"] == found["casual"] == "'x' − 'casual' is cnt in every row"
    near = parts["x"] - parts["casual"]
    near[3] += 0.5
    assert not exact_sums({c.name: c for c in columns(parts, near)[:3]}, number_column("cnt", near))


def test_a_strong_correlation_is_a_suspect_and_a_fair_one_is_not(parts):
    rng = np.random.default_rng(1)
    target = parts["registered"] + 0.17 * parts["registered"].std() * rng.normal(size=500)
    found = reasons(analyse_target(columns(parts, target), "cnt"))
    assert set(found) == {"registered"}
    assert "nearly cnt (Pearson's r 0.98" in found["registered"]
    fair = parts["registered"] + 0.5 * parts["registered"].std() * rng.normal(size=500)
    assert not reasons(analyse_target(columns(parts, fair), "cnt"))


def test_a_name_that_is_nearly_right():
    frame = pd.DataFrame(np.random.default_rng(2).normal(size=(30, 16)))
    frame.columns = [*(f"x{j}" for j in range(15)), "income"]
    with pytest.raises(InvalidParameterError, match=r"and 4 more\. Did you mean 'income'\?"):
        target_analysis(frame, "incme")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda a, b, c: a - b - c, "'a' − 'b' − 'c' is y in every row"),
        (lambda a, b, c: c + a + b, "'a' + 'b' + 'c' is y in every row"),
        (lambda a, b, c: np.round(a * b, 2), "'a' · 'b' is y in every row"),
        (lambda a, b, c: a * c / b, "'a' · 'c' / 'b' is y in every row"),
        (lambda a, b, c: b / c, "'b' / 'c' is y in every row"),
    ],
)
def test_targets_made_of_two_or_three_columns(make, words):
    draw = np.random.default_rng(5)
    a, b, c, d = np.round(draw.lognormal(3, 1, (4, 300)), 2)
    columns = {"d": d, "a": a, "b": b, "c": c}
    found = explore(columns | {"y": make(a, b, c)}, "y").target.suspects
    reasons = {each.column: each.reason for each in found}
    used = [name for name in "abc" if f"'{name}'" in words]
    assert all(words in reasons[name] for name in used)
    assert "d" not in reasons
    noisy = make(a, b, c) * draw.normal(1, 0.3, 300)
    quiet = explore(columns | {"y": noisy}, "y").target.suspects
    assert not any("in every row" in each.reason for each in quiet)


def test_words_that_go_with_a_target():
    draw = np.random.default_rng(6)
    happy = draw.integers(0, 2, 200)
    plain = np.array([f"thing{k}" for k in range(40)])
    texts = [
        " ".join([*draw.choice(plain, 6), "joy" if y and draw.random() < 0.9 else "rain"])
        for y in happy
    ]
    found = explore({"said": texts, "mood": np.where(happy, "good", "bad")}, "mood").target.words
    first = {(each.word, each.of_class): each for each in found[:2]}
    assert set(first) == {("joy", "good"), ("rain", "bad")}
    joy = np.array(["joy" in text.split() for text in texts])
    assert first["joy", "good"].rows == joy.sum()
    assert first["joy", "good"].with_it == pytest.approx(happy[joy].mean())
    assert first["joy", "good"].without == pytest.approx(happy[~joy].mean())
    assert len(found) <= 4  # of forty words that say nothing, hardly any
    money = explore({"said": texts, "money": 5.0 * happy + draw.normal(size=200)}, "money")
    assert {each.word for each in money.target.words[:2]} == {"joy", "rain"}
