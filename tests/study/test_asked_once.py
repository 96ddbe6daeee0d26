"""Pipelines that look at the locked rows once answer as the pipelines themselves."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.data.column_table import ColumnTable
from stylobate.linear_model import LinearRegression, LogisticRegression
from stylobate.pipeline import Pipeline
from stylobate.preprocessing import TableEncoder
from stylobate.study.holdout.asked_once import asked_once


class CountingEncoder(TableEncoder):
    """An encoder that counts how often it is asked."""

    def transform(self, X):
        vars(self)["asked"] = vars(self).get("asked", 0) + 1
        return super().transform(X)


def made(model, y):
    draw = np.random.default_rng(0)
    table = ColumnTable({"a": draw.normal(size=len(y)), "b": draw.choice(["x", "y"], len(y))})
    return Pipeline([("table", CountingEncoder()), ("model", model)]).fit(table, y), table


@pytest.mark.parametrize("classes", [2, 3])
def test_answers_are_the_pipelines_own(classes):
    pipeline, table = made(LogisticRegression(), np.arange(60) % classes)
    other = table[np.arange(7)]
    expected = {
        name: (getattr(pipeline, name)(table), getattr(pipeline, name)(other))
        for name in ("predict", "predict_proba", "decision_function")
    }
    before = vars(pipeline.steps[0][1])["asked"]
    twin = asked_once(pipeline, table)
    for _ in range(3):
        for name, (whole, _part) in expected.items():
            np.testing.assert_array_equal(getattr(twin, name)(table), whole)
    assert vars(pipeline.steps[0][1])["asked"] == before + 1
    for name, (_whole, part) in expected.items():
        np.testing.assert_array_equal(getattr(twin, name)(other), part)
    assert "predict" not in vars(pipeline)


def test_what_a_model_cannot_say_the_copy_cannot_either():
    pipeline, table = made(LinearRegression(), np.arange(40.0))
    twin = asked_once(pipeline, table)
    assert not hasattr(twin, "predict_proba")
    np.testing.assert_array_equal(twin.predict(table), pipeline.predict(table))
