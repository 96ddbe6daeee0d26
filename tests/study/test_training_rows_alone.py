"""What is seen before the end comes from the training rows; intervals lie about coefficients."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.study import Study
from stylobate.study.question.question import ask
from stylobate.study.table.division import divide
from stylobate.study.table.structure import Structure
from stylobate.study.table.table import read_study_table


def table(seed=0, n=160):
    draw = np.random.default_rng(seed)
    size = draw.normal(size=n)
    return {
        "size": size,
        "noise": draw.normal(size=n),
        "kind": np.where(draw.random(n) < 0.5, "a", "b").astype(object),
        "worth": 2 * size + draw.normal(size=n),
    }


def locked_rows(columns):
    read = read_study_table(columns)
    asked = ask(read, "worth")
    return asked.rows[divide(read, asked, Structure(), holdout=0.2, cv=5, seed=0).holdout]


def test_exploring_does_not_see_the_locked_rows():
    columns = table()
    locked = locked_rows(columns)
    shown = {name: values.copy() for name, values in columns.items()}
    shown["noise"][locked] = columns["worth"][locked]  # a leak in the locked rows alone
    shown["kind"][locked] = "a"
    plain, leaky = (
        Study(each, "worth", models=["linear"], time=2).run() for each in (columns, shown)
    )
    assert plain.data.strengths
    assert plain.data.strengths == leaky.data.strengths
    assert plain.data.duplicate_rows == leaky.data.duplicate_rows
    assert [w.text for w in plain.warnings] == [w.text for w in leaky.warnings]


def test_a_copy_of_the_target_in_the_training_rows_is_found_whatever_the_locked_rows_hold():
    columns = table()
    copy = 3 * columns["worth"] + 1
    copy[locked_rows(columns)] = 0.0
    result = Study(columns | {"copy": copy}, "worth", models=["linear"], time=2).run()
    assert {note.name for note in result.data.columns if note.use == "left out"} == {"copy"}


@pytest.mark.parametrize("family", ["lda", "ridge"])
def test_intervals_of_resampled_fits_lie_about_the_coefficient(family):
    result = Study("titanic", "survived", models=[family], time=4).run()
    found = [c for c in result.explanation.coefficients if c.low is not None]
    assert found
    for each in found:
        assert each.low < each.value < each.high
        share = (each.value - each.low) / (each.high - each.low)
        assert 0.25 < share < 0.75, each
