"""Poisson regression by maximum likelihood."""

from __future__ import annotations

from functools import partial

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import Line, line_of, moments_work, split_constant, with_constant

SOLVERS = ("lbfgs", "newton-cholesky")


def make(size: Size, seed: int) -> Data:
    """Counts with mean exp(xw + ½), the predictor's spread about ½."""
    generator = np.random.default_rng(seed)
    rows, columns = size["rows"], size["columns"]
    x = generator.standard_normal((rows, columns)) + generator.uniform(-1.0, 1.0, columns)
    w = 0.5 * generator.standard_normal(columns) / np.sqrt(columns)
    y = generator.poisson(np.exp((x - x.mean(axis=0)) @ w + 0.5)).astype(float)
    return {"X": x, "y": y}


def ours(data: Data) -> Line:
    from stylobate.linear_model import PoissonRegressor

    return line_of(PoissonRegressor(alpha=0.0).fit(data["X"], data["y"]))


def sklearn(data: Data, solver: str) -> Line:
    from sklearn.linear_model import PoissonRegressor

    model = PoissonRegressor(alpha=0.0, solver=solver, max_iter=1000)
    return line_of(model.fit(data["X"], data["y"]))


def statsmodels(data: Data) -> Line:
    from statsmodels.api import GLM, families

    return split_constant(GLM(data["y"], with_constant(data["X"]), families.Poisson()).fit().params)


def quality(line: Line, data: Data) -> float:
    """Half the mean deviance."""
    z = data["X"] @ line.coef + line.intercept
    y = data["y"]
    entropy = np.where(y > 0, y * np.log(np.maximum(y, 1.0)) - y, 0.0)
    return float(np.mean(np.exp(z) - y * z + entropy))


WORKLOAD = Workload(
    name="poisson",
    title="Poisson regression, no penalty",
    sizes={
        "small": {"rows": 5_000, "columns": 20},
        "standard": {"rows": 200_000, "columns": 50},
        "large": {"rows": 1_000_000, "columns": 100},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        *(Contender(f"sklearn {s}", "sklearn", partial(sklearn, solver=s)) for s in SOLVERS),
        Contender("statsmodels", "statsmodels", statsmodels),
    ),
    quality=quality,
    floor=moments_work,
    goals=(Faster("peers", 3.0),),
)
