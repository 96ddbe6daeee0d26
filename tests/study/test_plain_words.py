"""What a study says is true of the case at hand."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate import Study
from stylobate.datasets import read_dataset

DRAW = np.random.default_rng(5)
NOISE = {"a": DRAW.normal(size=150), "b": DRAW.normal(size=150), "y": ["u", "v", "v"] * 50}


def test_a_chosen_baseline_is_not_said_to_use_columns():
    result = Study(NOISE, "y", models=["tree"], time=10, cv=3).run()
    assert result.choice.family == "baseline"
    assert "the same for every row" in result.explanation.words
    assert "columns" not in result.explanation.words.replace("its columns hold", "")
    assert "baseline" not in result.holdout.words
    assert result.learning_curve is None
    assert "the baseline" in result.choice.reason


def test_the_curve_speaks_of_rows_a_fold_learns_from():
    result = Study("titanic", "survived", models=["logistic"], time=20).run()
    most = result.learning_curve.sizes[-1]
    assert f"{2 * most} rows instead of {most}" in result.learning_curve.words
    assert "the data" not in result.learning_curve.words
    assert "3 columns, encoded as 5 numbers" in result.explanation.words


def test_the_baseline_has_every_score():
    result = Study("titanic", "survived", models=["logistic"], time=20, cv=3).run()
    baseline = {each.name: each.value for each in result.holdout.baseline}
    assert set(baseline) == {each.name for each in result.holdout.scores}
    assert baseline["roc_auc"] == 0.5
    assert baseline["balanced_accuracy"] == 0.5


def test_columns_that_repeat_and_columns_without_values():
    table = dict(read_dataset("galton"))
    table["mother"] = np.array(table["parent"])
    table["nothing"] = np.full(len(table["child"]), np.nan)
    result = Study(table, "child", models=["linear"], time=10, cv=3).run()
    (said,) = [w for w in result.warnings if w.topic == "repetition"]
    assert said.column == "mother"
    assert "the same as parent" in said.text
    (empty,) = [each for each in result.data.columns if each.name == "nothing"]
    assert (empty.use, empty.reason) == ("left out", "empty: no row has a value")


def test_a_number_that_is_none_is_named_by_its_row():
    from stylobate.exceptions import InvalidDataError

    table = {"x": np.arange(60.0), "y": np.arange(60.0) ** 0.5}
    table["y"][[6, 9]] = np.inf
    with pytest.raises(InvalidDataError, match="row 7 below the header and 1 more"):
        Study(table, "y", time=5).run()


def test_far_from_the_best_is_not_called_noise():
    """A tree is 13 points worse on wine: not proven after eleven tests, but no noise either."""
    result = Study("wine", "cultivar", time=60).run()
    (tree,) = [row for row in result.leaderboard if row.family == "tree"]
    assert tree.verdict in ("likely worse", "worse")
    for row in result.leaderboard:
        if row.verdict == "likely worse":
            assert row.p_value >= 0.05 > row.p_value / len(result.leaderboard)
            assert row.difference < 0


@pytest.mark.parametrize("said", ["ja", "Oui", "sí"])
def test_yes_in_other_languages_is_positive(said):
    y = [said, "nee", "nee"] * 20 + [said] * 30
    table = {"x": DRAW.normal(size=90), "y": y}
    assert Study(table, "y", models=["logistic"], time=5, cv=3).run().question.positive == said


def test_large_numbers_are_written_out():
    draw = np.random.default_rng(9)
    x = draw.normal(size=200)
    table = {"x": x, "price": 250_000.0 + 80_000.0 * x + 40_000.0 * draw.normal(size=200)}
    result = Study(table, "price", models=["linear", "tree"], time=10, cv=3).run()
    said = [result.holdout.words, result.choice.reason, result.data.target.words]
    assert not any("e+0" in text for text in said)
    assert all(any(len(word) > 5 and "," in word for word in text.split()) for text in said)
