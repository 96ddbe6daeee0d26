"""Ridge regression of a Parquet file, never in memory as a whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster, TimesOf
from race.workload import Contender, Data, Workload
from race.workloads._linear import Line, line_of, moments_work
from race.workloads._streams import (
    arrow_batches,
    duckdb_batches,
    make,
    path_of,
    polars_batches,
    read_alone,
    read_by_polars,
    ridge_of,
)

ALPHA = 1.0


def ours(data: Data) -> Line:
    from stylobate import read
    from stylobate.linear_model import Ridge

    model: Any = Ridge(alpha=ALPHA)
    return line_of(model.fit(read(path_of(data)), target="y"))


def sklearn(data: Data) -> Line:
    from sklearn.linear_model import SGDRegressor

    model = SGDRegressor(alpha=1e-9, average=True, random_state=0)
    for x, y in polars_batches(data):
        model.partial_fit(x, y)
    return line_of(model)


def by_hand(data: Data, batches: Callable[[Data], Any]) -> Line:
    return ridge_of(batches(data), ALPHA)


def reading(data: Data, read: Callable[[Data], None]) -> Line:
    read(data)
    return Line(np.zeros(0), 0.0)


def quality(line: Line, data: Data) -> float:
    """Squared error of rows held out; reading alone answers nothing."""
    if not len(line.coef):
        return np.inf
    residual = data["y"] - data["X"] @ line.coef - line.intercept
    return float(residual @ residual / len(residual))


WORKLOAD = Workload(
    name="stream_ridge",
    title=f"ridge regression of a Parquet file, alpha = {ALPHA:g}",
    sizes={
        "small": {"rows": 10_000, "columns": 20},
        "standard": {"rows": 2_000_000, "columns": 50},
        "large": {"rows": 20_000_000, "columns": 60},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn SGD partial_fit", "sklearn", sklearn),
        *(
            Contender(f"{name} + numpy", name, partial(by_hand, batches=batches))
            for name, batches in (
                ("polars", polars_batches),
                ("pyarrow", arrow_batches),
                ("duckdb", duckdb_batches),
            )
        ),
        Contender("reading alone", "duckdb", partial(reading, read=read_alone), "reference"),
        Contender("polars alone", "polars", partial(reading, read=read_by_polars), "reference"),
    ),
    quality=quality,
    floor=moments_work,
    goals=(Faster("peers", 1.0), TimesOf("reading alone", 1.3)),
)
