"""Ridge regression over three tables that share a key: the join has 400 times their rows."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._joins import (
    ALPHA,
    MANY,
    by_duckdb,
    by_polars,
    features_of,
    joined,
    make_many,
    ridge,
    sklearn_ridge,
)
from race.workloads._linear import Line, line_of


def ours(data: Data) -> Line:
    from stylobate.linear_model import Ridge

    model: Any = Ridge(alpha=ALPHA)
    return line_of(model.fit(joined(data, MANY, many=True), target="facts.y"))


def materialised(data: Data, join: Any, how: str, fit: Any) -> Line:
    answer: Line = fit(*join(data, MANY, how))
    return answer


def quality(line: Line, data: Data) -> float:
    """The ridge objective over the joined rows of every tenth key."""
    keys = {name.partition(".")[0]: cells for name, cells in data.items() if name.endswith(".k")}
    total = 0.0
    for key in np.unique(keys["facts"])[::10]:
        shares = {
            table: sum(
                line.coef[j] * data[name][keys[table] == key]
                for j, name in enumerate(_columns(data))
                if name.startswith(f"{table}.")
            )
            for table in keys
        }
        left = data["facts.y"][keys["facts"] == key] - shares["facts"] - line.intercept
        right = np.add.outer(shares["t0"], shares["t1"]).ravel()
        total += float((np.subtract.outer(left, right) ** 2).sum())
    return total


def _columns(data: Data) -> list[str]:
    names = features_of(data)
    return [name for name in data if name.partition(".")[2] in names]


def work(size: Size) -> tuple[float, float]:
    """Every cell of the tables read once, and products of all columns per row of the facts."""
    return size["keys"] * 100.0 * 12 * 12, 8.0 * size["keys"] * (100 * 7 + 30 * 4 + 20 * 4)


WORKLOAD = Workload(
    name="join_m2m",
    title="ridge regression over tables whose join has 400 times their rows",
    sizes={"small": {"keys": 3}, "standard": {"keys": 100}, "large": {"keys": 250}},
    make=make_many,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender(
            "polars + ours",
            "polars",
            partial(materialised, join=by_polars, how="inner", fit=ridge),
        ),
        Contender(
            "polars + sklearn",
            "sklearn",
            partial(materialised, join=by_polars, how="inner", fit=sklearn_ridge),
        ),
        Contender(
            "duckdb + ours", "duckdb", partial(materialised, join=by_duckdb, how="", fit=ridge)
        ),
    ),
    quality=quality,
    floor=work,
    goals=(Faster("peers", 10.0),),
)
