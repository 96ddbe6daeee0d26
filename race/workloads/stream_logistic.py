"""Logistic regression of a Parquet file, never in memory as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Workload
from race.workloads._linear import Line, line_of
from race.workloads._streams import (
    Vector,
    arrow_batches,
    log_loss,
    make,
    path_of,
    polars_batches,
)

C = 1.0
STEPS = 8  # of Newton's method, by hand


def ours(data: Data) -> Line:
    from stylobate import read
    from stylobate.linear_model import LogisticRegression

    model: Any = LogisticRegression(C=C)
    return line_of(model.fit(read(path_of(data)), target="y"))


def sklearn(data: Data) -> Line:
    from sklearn.linear_model import SGDClassifier

    model = SGDClassifier(loss="log_loss", alpha=1e-9, average=True, random_state=0)
    for x, y in polars_batches(data):
        model.partial_fit(x, y, classes=[0.0, 1.0])
    return line_of(model)


def newton(data: Data, batches: Callable[[Data], Iterator[tuple[Vector, Vector]]]) -> Line:
    """Newton's method by hand: gradient and Hessian of every batch, added up."""
    w: Any = None
    for _ in range(STEPS):
        gradient: Any = 0.0
        hessian: Any = 0.0
        for x, y in batches(data):
            z = np.column_stack([x, np.ones(len(y))])
            w = np.zeros(z.shape[1]) if w is None else w
            p = 1.0 / (1.0 + np.exp(-(z @ w)))
            gradient = gradient + z.T @ (p - y)
            hessian = hessian + (z * (p * (1.0 - p))[:, None]).T @ z
        penalty = np.append(np.full(len(w) - 1, 1.0 / C), 0.0)
        step = np.linalg.solve(hessian + np.diag(penalty), gradient + penalty * w)
        w = w - step
        if np.abs(step).max() < 1e-8:
            break
    return Line(w[:-1], float(w[-1]))


def quality(line: Line, data: Data) -> float:
    """Log-loss of rows held out."""
    return log_loss(data["X"] @ line.coef + line.intercept, data["y"])


WORKLOAD = Workload(
    name="stream_logistic",
    title=f"logistic regression of a Parquet file, C = {C:g}",
    sizes={
        "small": {"rows": 10_000, "columns": 20},
        "standard": {"rows": 1_000_000, "columns": 30},
        "large": {"rows": 20_000_000, "columns": 60},
    },
    make=partial(make, classes=True),
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn SGD partial_fit", "sklearn", sklearn),
        Contender("polars + numpy", "polars", partial(newton, batches=polars_batches)),
        Contender("pyarrow + numpy", "pyarrow", partial(newton, batches=arrow_batches)),
    ),
    quality=quality,
    goals=(Faster("peers", 1.5),),
)
