"""The average of the best families: one more row, taken only where it is better beyond noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stylobate import Study
from stylobate.data.column_table import ColumnTable
from stylobate.study.search.choice import _leader, _price
from stylobate.study.search.families import ENSEMBLE


@pytest.fixture(scope="module")
def study():
    draw = np.random.default_rng(0)
    x = draw.normal(size=(90, 2))
    y = x[:, 0] + np.sin(2 * x[:, 1]) + 0.3 * draw.normal(size=90)
    table = {"a": x[:, 0], "b": x[:, 1], "y": y}
    return Study(table, "y", cv=3, time=60).run()


def test_it_is_one_more_row_with_the_mean_of_three_families(study):
    row = next(each for each in study.leaderboard if each.family == ENSEMBLE)
    assert row.title.startswith("Average of ")
    family = next(each for each in study.families if each.name == ENSEMBLE)
    assert family.estimator == "stylobate.ensemble.VotingRegressor"
    assert row.key.count(" + ") == 2
    parts = [each for each in study.leaderboard if each.key in row.key and not each.is_baseline]
    assert len(parts) >= 3
    # squares are convex: the mean of three predictions misses by no more than the three on average
    errors = [np.array(each.scores) for each in parts]
    assert (np.array(row.scores) <= np.sqrt(np.mean(np.square(errors), axis=0)) + 1e-9).all()


def test_it_leads_only_if_the_test_tells_the_best_single_model_from_it(study):
    average = next(each for each in study.leaderboard if each.family == ENSEMBLE)
    single = next(each for each in study.leaderboard if each.family != ENSEMBLE)
    first = replace(average, rank=1)
    near, far = (
        replace(single, rank=2, verdict=verdict, is_chosen=False)
        for verdict in ("within noise", "worse")
    )
    assert _leader([first, near]) is near
    assert _leader([first, far]) is first
    assert "not better beyond noise" in _price([first, near], near)
    assert "the price: about" in _price([first, far], first)


def test_families_that_were_named_are_tried_and_no_others():
    draw = np.random.default_rng(1)
    x = draw.normal(size=80)
    table = {"x": x, "y": x + draw.normal(size=80)}
    result = Study(table, "y", models=["linear", "ridge"], time=5).run()
    assert {each.name for each in result.families} == {"baseline", "linear", "ridge"}


def test_results_predict_print_and_show_themselves(study):
    rows = {"b": [0.0, 1.0], "a": [1.0, 2.0], "further": ["x", "y"]}
    columns = ColumnTable({"a": np.array([1.0, 2.0]), "b": np.array([0.0, 1.0])})
    same = study.pipeline.predict(columns)
    np.testing.assert_allclose(study.predict(rows), same)
    text = repr(study)
    assert len(text.splitlines()) < 15
    assert study.verdict.words in text
    html = study._repr_html_()
    assert html.startswith("<iframe")
    assert "Leaderboard" in html
    with pytest.raises(ValueError, match="lack the column 'a'"):
        study.predict({"b": [1.0]})
    with pytest.raises(ValueError, match="no probabilities"):
        study.predict_proba(rows)
    assert "pipeline" not in study.to_dict()
