"""Median regression to the exact optimum."""

from __future__ import annotations

from functools import partial

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import Line, line_of, make_regression, split_constant, with_constant

TAU = 0.5
SOLVERS = ("highs", "highs-ds", "highs-ipm")


def make(size: Size, seed: int) -> Data:
    """A regression whose errors have heavy tails."""
    data = make_regression(size, seed, noise=0.0)
    data["y"] += np.random.default_rng(seed + 1).standard_t(3, size["rows"])
    return data


def ours(data: Data) -> Line:
    from stylobate.linear_model import QuantileRegressor

    return line_of(QuantileRegressor(quantile=TAU, alpha=0.0).fit(data["X"], data["y"]))


def sklearn(data: Data, solver: str) -> Line:
    from sklearn.linear_model import QuantileRegressor

    model = QuantileRegressor(quantile=TAU, alpha=0.0, solver=solver)
    return line_of(model.fit(data["X"], data["y"]))


def statsmodels(data: Data) -> Line:
    from statsmodels.regression.quantile_regression import QuantReg

    return split_constant(QuantReg(data["y"], with_constant(data["X"])).fit(q=TAU).params)


def quality(line: Line, data: Data) -> float:
    residual = data["y"] - data["X"] @ line.coef - line.intercept
    return float(np.maximum(TAU * residual, (TAU - 1.0) * residual).sum())


def work(size: Size) -> tuple[float, float]:
    """Two passes over the rows and the target: look, and check."""
    entries = size["rows"] * (size["columns"] + 1)
    return 4.0 * entries, 16.0 * entries


CONTENDERS = (
    Contender("ours", "stylobate", ours, "ours"),
    Contender("statsmodels", "statsmodels", statsmodels),
    *(Contender(f"sklearn {s}", "sklearn", partial(sklearn, solver=s)) for s in SOLVERS),
)

WORKLOAD = Workload(
    name="quantile",
    title=f"quantile regression at {TAU:g}, no penalty",
    sizes={
        "small": {"rows": 1_000, "columns": 10},
        "standard": {"rows": 20_000, "columns": 20},
        "large": {"rows": 200_000, "columns": 20},
    },
    make=make,
    contenders=CONTENDERS,
    quality=quality,
    floor=work,
    goals=(Faster("statsmodels", 25.0), Faster("sklearn", 150.0)),
)
