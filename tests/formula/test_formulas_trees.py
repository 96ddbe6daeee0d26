"""Trees as SQL and ONNX: thresholds, missing values, categories, many trees."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from formula_runs import check

import stylobate
from stylobate.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from stylobate.exceptions import FormulaError
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import TableEncoder
from stylobate.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeRegressor

RNG = np.random.default_rng(3)
X = pd.DataFrame(RNG.standard_normal((300, 3)), columns=["a", 'b"', "c"])
X["kind"] = np.array(["it's", 'x"y', "z", "w"])[RNG.integers(0, 4, 300)]
Y = 2 * X["a"] - X['b"'] ** 2 + 3 * (X["kind"] == "z") + RNG.standard_normal(300) / 4
GAPS = X.copy()
GAPS.loc[::7, "a"] = np.nan
GAPS.loc[::11, "kind"] = None
NEW = GAPS.copy()
NEW.loc[5, "kind"] = "never seen"


@pytest.mark.parametrize("loss", ["squared_error", "poisson"])
def test_boosted_regression(loss):
    y = np.exp(Y / 4) if loss == "poisson" else Y
    model = HistGradientBoostingRegressor(loss=loss, max_iter=12, max_leaf_nodes=9)
    for fitted, rows in ((X, X), (GAPS, NEW)):
        check(model.fit(fitted, y), rows)


@pytest.mark.parametrize("classes", [2, 3])
def test_boosted_classification(classes):
    cuts = [0.0] if classes == 2 else [-1.0, 1.0]
    labels = np.array(["low", "mid", "high"])[np.digitize(Y, cuts)]
    model = HistGradientBoostingClassifier(max_iter=8, max_leaf_nodes=7).fit(GAPS, labels)
    check(model, NEW)


LABELS = np.array(["low", "mid", "high"])[np.digitize(Y, [-1.0, 1.0])]


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeRegressor(max_depth=6),
        DecisionTreeRegressor(max_leaf_nodes=2),
        ExtraTreeRegressor(max_depth=5, random_state=0),
        RandomForestRegressor(15, max_depth=5, random_state=0),
    ],
    ids=repr,
)
def test_trees_of_numbers(model):
    for fitted, rows in ((X, X), (GAPS, NEW)):
        check(model.fit(fitted, Y), rows)
    check(model.fit(GAPS, np.column_stack([Y, -Y])), NEW)


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(max_depth=6),
        RandomForestClassifier(10, max_depth=5, random_state=0),
    ],
    ids=repr,
)
@pytest.mark.parametrize("labels", [LABELS, LABELS == "low"], ids=["three", "two"])
def test_trees_of_classes(model, labels):
    check(model.fit(GAPS, labels), NEW)


def test_random_splits_of_numbers():
    rows = GAPS.drop(columns="kind")
    check(ExtraTreesClassifier(10, max_depth=5, random_state=0).fit(rows, LABELS), rows)


def test_a_deep_tree():
    rows = pd.DataFrame({"a": np.arange(400.0)})
    y = np.where(np.arange(400) % 2, 1.0, 1.0 + 2.0 ** np.arange(0, -400, -1.0))
    model = DecisionTreeRegressor(min_samples_leaf=1).fit(rows, y)
    assert model.get_depth() > 20
    check(model, rows)


def test_several_classified_outputs_are_refused():
    model = DecisionTreeClassifier(max_depth=2).fit(X, np.column_stack([LABELS, LABELS[::-1]]))
    with pytest.raises(FormulaError, match="several outputs"):
        model.to_sql()


def test_titanic_by_boosting():
    frame = stylobate.read("titanic").to_frame("pandas")
    y = frame.pop("survived").to_numpy()
    model = make_pipeline(TableEncoder(), HistGradientBoostingClassifier(max_iter=20))
    check(model.fit(frame, y), frame)
