"""Tables whose categories stay codes and whose gaps stay gaps, in front of trees."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import pytest

from stylobate.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import TableEncoder
from stylobate.tree import DecisionTreeClassifier


def people():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": random.integers(18, 80, 300).astype(float),
            "town": np.array(["it's", "b", "c", "d"])[random.integers(0, 4, 300)],
            "score": random.normal(size=300),
        }
    )
    frame.loc[::9, "age"] = np.nan
    frame.loc[::11, "town"] = None
    label = frame["score"] + (frame["town"] == "b") + 0.01 * frame["age"].fillna(0) > 0.5
    return frame, np.where(label, "yes", "no")


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(max_depth=5, random_state=0),
        RandomForestClassifier(5, max_depth=4, random_state=0),
        HistGradientBoostingClassifier(max_iter=10, max_leaf_nodes=7),
    ],
    ids=lambda each: type(each).__name__,
)
def test_codes_in_sql(model):
    frame, label = people()
    pipe = make_pipeline(TableEncoder(categories="codes"), model).fit(frame, label)
    new = frame.copy()
    new.loc[3, "town"] = "never seen"
    with duckdb.connect() as connection:
        connection.register("data", new)
        said = connection.sql(pipe.to_sql("duckdb", table="data")).df()
    np.testing.assert_array_equal(said["prediction"], pipe.predict(new))
