"""Studies try networks on tables that have rows enough, with the columns told apart."""

import numpy as np
import pandas as pd
import pytest

from stylobate.base.study_role import role_of
from stylobate.neural_network import TabularNetClassifier, TabularNetRegressor
from stylobate.study.search.encoding import extra_of, make_encoder
from stylobate.study.search.families import find_families


class Question:
    task = "classification"

    class metric:
        name = label = "accuracy"


class Asked:
    question = Question()
    y = np.array([0, 1])


@pytest.mark.parametrize(("rows", "tried"), [(1_999, False), (2_000, True), (300_000, False)])
def test_tried_where_rows_are_enough_and_not_too_many(rows, tried):
    found, left_out = find_families(Asked(), None, rows, 10, 0)
    assert ("tabular_net" in {family.name for family in found}) == tried
    reasons = {each.role.family: each.reason for each in left_out}
    if rows == 1_999:
        assert reasons["tabular_net"] == (
            "1999 rows are fewer than the 2000 from which on it is tried"
        )


@pytest.mark.parametrize("kind", [TabularNetClassifier, TabularNetRegressor])
def test_is_told_which_columns_are_categories(kind):
    draw = np.random.RandomState(0)
    frame = {"a": draw.standard_normal(300), "b": draw.choice(["u", "v", "w"], 300)}
    X, y = pd.DataFrame(frame), draw.randint(0, 2, 300)
    encoding = role_of(kind).encoding
    task = "binary" if kind is TabularNetClassifier else "regression"
    encoder = make_encoder(encoding, None, task)
    model = kind((8,), max_iter=2, n_members=1, **extra_of(encoder.fit(X, y), encoding))
    model.fit(encoder.transform(X), y)
    assert model.shape_.categories == (3,)
    assert model.shape_.waved == 1
