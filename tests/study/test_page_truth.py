"""What the page says of scores, certificates and sources."""

from __future__ import annotations

import re

import numpy as np
import pytest

from stylobate import Study
from stylobate.datasets import read_dataset
from stylobate.study.page import study_page
from stylobate.study.page.costs import cheapest
from stylobate.study.results.few_rows import balanced_reach


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_scores_of_a_ridge_classifier_are_not_called_probabilities():
    result = Study("wine", "cultivar", models=["ridge"], time=10, cv=3).run()
    text = text_of(study_page(result))
    assert result.choice.family == "ridge"
    assert "mean score of class_0" in text
    assert "mean probability" not in text
    other = text_of(study_page(Study("wine", "cultivar", models=["lda"], time=10, cv=3).run()))
    assert "mean probability of class_0" in other


def test_the_certificate_speaks_once_and_in_words():
    result = Study("galton", "child", models=["linear"], time=10, cv=3).run()
    text = text_of(study_page(result))
    assert text.count(result.model.certificate_words) == 1
    assert "worst violation of optimality" in text
    assert " kkt " not in text
    assert "Pearson’s r" in text
    assert "explaining" in [each.stage for each in result.timings]
    assert "scaled: numbers scaled to mean 0" in text


def test_a_file_is_called_by_its_name(tmp_path):
    table = read_dataset("galton")
    lines = [f"{a},{b}" for a, b in zip(table["parent"], table["child"], strict=True)]
    path = tmp_path / "heights.csv"
    path.write_text("parent,child\n" + "\n".join(lines), encoding="utf-8")
    result = Study(str(path), "child", models=["linear"], time=10, cv=3).run()
    page = study_page(result)
    assert "<title>child in heights.csv</title>" in page
    assert str(tmp_path) in page  # in the command that reproduces it


def test_importances_within_noise_are_said_to_be():
    draw = np.random.default_rng(0)
    x = draw.normal(size=(120, 3))
    y = x[:, 0] + 8.0 * draw.normal(size=120)
    table = {"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "y": y}
    said = Study(table, "y", models={"tree": _tree()}, time=10, cv=3).run()
    for each in said.explanation.importances:
        if each.mean > 0 and (each.low is None or each.low > 0):
            assert "relies most" in said.explanation.words
            return
    assert "relies most" not in said.explanation.words


def _tree():
    from stylobate.tree import DecisionTreeRegressor

    return DecisionTreeRegressor(max_depth=4)


def test_what_mistakes_cost_is_counted_on_the_locked_rows():
    """Against every threshold tried on the rows themselves."""
    from sklearn.metrics import roc_curve

    draw = np.random.default_rng(0)
    y = draw.random(500) < 0.1
    p = np.round(np.clip(0.3 * y + 0.5 * draw.random(500), 0, 1), 2)
    roc = tuple(zip(*roc_curve(y, p)[:2], strict=True))
    for ratio in (1, 5, 50):
        found = cheapest(roc, int(y.sum()), int((~y).sum()), ratio)
        cuts = [*np.unique(p), 2.0]
        pairs = [(np.mean(~y & (p >= cut)), np.mean(y & (p < cut))) for cut in cuts]
        assert found.cost == pytest.approx(min(a + ratio * b for a, b in pairs))
        assert found.cost == pytest.approx(found.false_alarms + ratio * found.misses)
        assert found.simple == pytest.approx(min(np.mean(~y), ratio * np.mean(y)))
    result = Study("titanic", "survived", models=["logistic"], time=10).run()
    page = study_page(result)
    assert "What mistakes cost" in page
    assert "--cost 1:5" in page
    several = Study("penguins", "species", models=["lda"], time=10).run()
    assert "What mistakes cost" not in study_page(several)


def test_a_code_for_missing_in_the_target_is_severe():
    draw = np.random.default_rng(0)
    x = draw.normal(size=400)
    y = np.where(draw.random(400) < 0.2, -200.0, np.round(5 + x + 0.1 * draw.normal(size=400), 2))
    result = Study(
        {"x": x, "z": draw.normal(size=400), "y": y}, "y", models=["tree"], time=10
    ).run()
    (said,) = [w for w in result.warnings if w.topic == "sentinel"]
    assert said.severe
    assert "-200" in said.text


def test_shares_have_no_interval_below_zero():
    draw = np.random.default_rng(3)
    table = {"x": draw.normal(size=60), "z": draw.normal(size=60), "y": draw.integers(0, 3, 60)}
    result = Study(table, "y", metric="balanced_accuracy", models=["tree"], cv=3, time=10).run()
    assert all(row.low is None or row.low >= 0.0 for row in result.leaderboard)


def test_intervals_of_balanced_accuracy_hold_where_classes_are_rare():
    """Counted: how many samples' intervals hold the truth, each class right half the time."""
    draw = np.random.default_rng(0)
    y = np.repeat(np.arange(8), [40, 30, 10, 3, 2, 1, 1, 1])
    held = 0
    for _ in range(400):
        said = np.where(draw.random(len(y)) < 0.5, y, -1)
        score = np.mean([np.mean(said[y == k] == k) for k in range(8)])
        held += abs(score - 0.5) <= balanced_reach(y, said)
    assert 0.88 <= held / 400 <= 1.0
