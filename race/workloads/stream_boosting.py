"""Boosting of a Parquet file, never in memory as a whole."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Workload
from race.workloads._streams import BLOCK, make, path_of

ITERATIONS = 50
LEAVES = 31


def ours(data: Data) -> Any:
    from stylobate import read
    from stylobate.ensemble import HistGradientBoostingClassifier

    model: Any = HistGradientBoostingClassifier(
        max_iter=ITERATIONS, max_leaf_nodes=LEAVES, l2_regularization=1.0, early_stopping=False
    )
    model.fit(read(path_of(data)), target="y")
    names = list(model.feature_names_in_)
    import polars as pl

    return model.predict_proba(pl.DataFrame(data["X"], schema=names))[:, 1]


def xgboost(data: Data) -> Any:
    """External memory: batches come from the file, the quantised pages are spilled."""
    import tempfile

    import pyarrow.parquet as pq
    import xgboost as xgb

    class Rows(xgb.DataIter):  # type: ignore[misc]
        def __init__(self, folder: str) -> None:
            super().__init__(cache_prefix=f"{folder}/cache")
            self.reset()

        def next(self, input_data: Any) -> bool:
            batch = next(self.batches, None)
            if batch is None:
                return False
            columns = [column.to_numpy() for column in batch.columns]
            input_data(data=np.column_stack(columns[:-1]), label=columns[-1])
            return True

        def reset(self) -> None:
            self.batches = pq.ParquetFile(path_of(data)).iter_batches(BLOCK)

    with tempfile.TemporaryDirectory() as folder:
        rows = xgb.ExtMemQuantileDMatrix(Rows(folder), max_bin=255)
        options = {
            "objective": "binary:logistic",
            "tree_method": "hist",
            "grow_policy": "lossguide",
            "max_leaves": LEAVES,
            "max_depth": 0,
            "eta": 0.1,
            "lambda": 1.0,
            "max_bin": 255,
            "nthread": 2,
        }
        booster = xgb.train(options, rows, ITERATIONS)
        found = booster.predict(xgb.DMatrix(data["X"]))
        del booster, rows
    return np.asarray(found, dtype=np.float64)


def in_memory(data: Data) -> Any:
    """The same of rows that are read into memory first."""
    import polars as pl

    from stylobate.ensemble import HistGradientBoostingClassifier

    frame = pl.read_parquet(path_of(data))
    model = HistGradientBoostingClassifier(
        max_iter=ITERATIONS, max_leaf_nodes=LEAVES, l2_regularization=1.0, early_stopping=False
    ).fit(frame.drop("y").to_numpy(), frame["y"].to_numpy())
    return model.predict_proba(data["X"])[:, 1]


def quality(p: Any, data: Data) -> float:
    """Log-loss of rows held out."""
    p = np.clip(p, 1e-15, 1.0 - 1e-15)
    return float(-(data["y"] * np.log(p) + (1.0 - data["y"]) * np.log1p(-p)).mean())


WORKLOAD = Workload(
    name="stream_boosting",
    title=f"{ITERATIONS} iterations of boosting of a Parquet file",
    sizes={
        "small": {"rows": 10_000, "columns": 10},
        "standard": {"rows": 1_000_000, "columns": 30},
        "large": {"rows": 10_000_000, "columns": 60},
    },
    make=partial(make, classes=True),
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("XGBoost external memory", "xgboost", xgboost),
        Contender("ours in memory", "stylobate", in_memory, "reference"),
    ),
    quality=quality,
    tolerance=4.2e-3,
    goals=(Faster("peers", 1.5),),
)
