"""Logistic regression over a star of four tables, 23 columns in all."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Workload
from race.workloads._joins import STAR, by_polars, joined, lookup_work, make_lookup
from race.workloads._linear import Line, line_of


def ours(data: Data) -> Line:
    from stylobate.linear_model import LogisticRegression

    model: Any = LogisticRegression()
    return line_of(model.fit(joined(data, STAR), target="facts.y"))


def in_memory(data: Data) -> Line:
    from stylobate.linear_model import LogisticRegression

    model: Any = LogisticRegression()
    return line_of(model.fit(*by_polars(data, STAR)))


def sklearn(data: Data) -> Line:
    from sklearn.linear_model import LogisticRegression

    x, y = by_polars(data, STAR)
    return line_of(LogisticRegression(solver="newton-cholesky").fit(x.to_numpy(), y.to_numpy()))


def quality(line: Line, data: Data) -> float:
    """Mean log loss of rows held out."""
    z = data["X"] @ line.coef + line.intercept
    return float(np.mean(np.logaddexp(0.0, z) - data["y"] * z))


WORKLOAD = Workload(
    name="join_logistic",
    title="logistic regression over a star of tables",
    sizes={
        "small": {"rows": 10_000, "keys": 500},
        "standard": {"rows": 1_000_000, "keys": 50_000},
        "large": {"rows": 10_000_000, "keys": 100_000},
    },
    make=partial(make_lookup, edges=STAR, classes=True),
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("polars + ours", "polars", in_memory),
        Contender("polars + sklearn", "sklearn", sklearn),
    ),
    quality=quality,
    floor=lookup_work,
    goals=(Faster("sklearn", 1.0),),
)
