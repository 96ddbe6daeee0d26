"""Confusion matrix of ten classes and ten million rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

Matrix = NDArray[Any]


def make(size: Size, seed: int) -> Data:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, size["classes"], size=size["rows"])
    other = rng.integers(0, size["classes"], size=size["rows"])
    return {"y": y, "p": np.where(rng.random(size["rows"]) < 0.7, y, other)}


def ours(data: Data) -> Matrix:
    from stylobate.metrics import confusion_matrix

    return confusion_matrix(data["y"], data["p"])


def sklearn(data: Data) -> Matrix:
    from sklearn.metrics import confusion_matrix

    found: Matrix = confusion_matrix(data["y"], data["p"])
    return found


def pandas(data: Data) -> Matrix:
    import pandas as pd

    found: Matrix = pd.crosstab(data["y"], data["p"]).to_numpy()
    return found


def polars(data: Data) -> Matrix:
    import polars as pl

    frame = pl.DataFrame({"y": data["y"], "p": data["p"]})
    return _matrix(frame.group_by("y", "p").len().to_numpy())


def duckdb(data: Data) -> Matrix:
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    connection.register("rows_of_labels", {"y": data["y"], "p": data["p"]})
    query = "SELECT y, p, count(*) AS n FROM rows_of_labels GROUP BY y, p"
    return _matrix(np.column_stack(list(connection.execute(query).fetchnumpy().values())))


def torch(data: Data) -> Matrix:
    import torch

    y, p = torch.from_numpy(data["y"]), torch.from_numpy(data["p"])
    k = int(max(y.max(), p.max())) + 1
    counts: Matrix = torch.bincount(y * k + p, minlength=k * k).reshape(k, k).numpy()
    return counts


def by_hand(data: Data) -> Matrix:
    """NumPy, the number of classes known."""
    return np.bincount(data["y"] * 10 + data["p"], minlength=100).reshape(10, 10)


def _matrix(rows: Matrix) -> Matrix:
    true, predicted, n = rows.T.astype(np.int64)
    matrix = np.zeros((true.max() + 1, true.max() + 1), dtype=np.int64)
    matrix[true, predicted] = n
    return matrix


def quality(matrix: Matrix, data: Data) -> float:
    """1 + rows that are counted wrongly."""
    return 1.0 + float(np.abs(matrix - by_hand(data)).sum())


def work(size: Size) -> tuple[float, float]:
    """Both columns are read once."""
    return 4.0 * size["rows"], 16.0 * size["rows"]


WORKLOAD = Workload(
    name="confusion",
    title="confusion matrix, 10 classes",
    sizes={
        "small": {"rows": 1_000, "classes": 10},
        "standard": {"rows": 10_000_000, "classes": 10},
        "large": {"rows": 50_000_000, "classes": 10},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", sklearn),
        Contender("pandas crosstab", "pandas", pandas),
        Contender("polars group_by", "polars", polars),
        Contender("duckdb group by", "duckdb", duckdb),
        Contender("torch bincount", "torch", torch, "reference"),
        Contender("numpy by hand", "numpy", by_hand, "reference"),
    ),
    quality=quality,
    floor=work,
    goals=(Faster("peers", 5),),
)
