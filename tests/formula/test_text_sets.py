"""Sets of texts in the SQL of many trees: no list after IN, of which DuckDB makes a join each."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import pytest

from stylobate.ensemble import HistGradientBoostingRegressor
from stylobate.formula import to_sql


@pytest.mark.parametrize("trees", [3, 12])
def test_many_trees_on_texts(trees):
    rng = np.random.default_rng(0)
    names = np.array([f"it's {i}" for i in range(25)], dtype=object)
    codes = rng.integers(0, 25, 600)
    x = pd.DataFrame({"u": rng.standard_normal(600), "k": names[codes], "k_code": names[codes]})
    y = rng.standard_normal(25)[codes] + x["u"].to_numpy()
    model = HistGradientBoostingRegressor(max_iter=trees, early_stopping=False).fit(x, y)
    asked = x[:50].copy()
    asked.loc[:4, "k"] = "never seen"
    asked.loc[5:9, "k"] = None
    sql = to_sql(model, table="asked")
    assert (" IN (" in sql) == (trees < 8)
    assert sql.count("SUBSTR") == 0 if trees < 8 else sql.count("SUBSTR") > 10
    with duckdb.connect() as database:
        database.register("asked", asked)
        found = np.array(database.execute(sql).fetchall())[:, 0]
    np.testing.assert_allclose(found.astype(float), model.predict(asked), rtol=1e-12)
