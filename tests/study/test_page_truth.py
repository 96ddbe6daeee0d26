"""What the page says of scores, certificates and sources."""

from __future__ import annotations

import re

import numpy as np

from stylobate import Study
from stylobate.datasets import read_dataset
from stylobate.study.page import study_page


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
