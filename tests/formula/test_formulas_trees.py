"""Trees as SQL and ONNX: thresholds, missing values, categories, many trees."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from formula_runs import check

import stylobate
from stylobate.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import TableEncoder

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


def test_titanic_by_boosting():
    frame = stylobate.read("titanic").to_frame("pandas")
    y = frame.pop("survived").to_numpy()
    model = make_pipeline(TableEncoder(), HistGradientBoostingClassifier(max_iter=20))
    check(model.fit(frame, y), frame)
