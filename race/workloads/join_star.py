"""Ridge regression over a star of four tables, 23 columns in all."""

from __future__ import annotations

from functools import partial
from typing import Any

from race.goals import Faster
from race.workload import Contender, Data, Workload
from race.workloads._joins import (
    ALPHA,
    STAR,
    by_duckdb,
    by_polars,
    joined,
    lookup_work,
    make_lookup,
    ridge,
    sklearn_ridge,
    squared_error,
)
from race.workloads._linear import Line, line_of


def ours(data: Data) -> Line:
    from stylobate.linear_model import Ridge

    model: Any = Ridge(alpha=ALPHA)
    return line_of(model.fit(joined(data, STAR), target="facts.y"))


def materialised(data: Data, join: Any, fit: Any) -> Line:
    answer: Line = fit(*join(data, STAR))
    return answer


WORKLOAD = Workload(
    name="join_star",
    title=f"ridge regression over a star of tables, alpha = {ALPHA:g}",
    sizes={
        "small": {"rows": 10_000, "keys": 500},
        "standard": {"rows": 4_000_000, "keys": 100_000},
        "large": {"rows": 10_000_000, "keys": 100_000},
    },
    make=partial(make_lookup, edges=STAR),
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("polars + ours", "polars", partial(materialised, join=by_polars, fit=ridge)),
        Contender(
            "polars + sklearn", "sklearn", partial(materialised, join=by_polars, fit=sklearn_ridge)
        ),
        Contender("duckdb + ours", "duckdb", partial(materialised, join=by_duckdb, fit=ridge)),
    ),
    quality=squared_error,
    floor=lookup_work,
    goals=(Faster("peers", 2.0),),
)
