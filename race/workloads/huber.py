"""Huber's regression with one row in ten far off the line."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import Vector, make_regression, moments_work, with_constant

EPSILON = 1.35
ALPHA = 1e-4


class Robust(NamedTuple):
    """A line with its scale."""

    coef: Vector
    intercept: float
    scale: float


def make(size: Size, seed: int) -> Data:
    """A regression whose first tenth of the rows is off by fifty standard deviations."""
    data = make_regression(size, seed)
    wild = size["rows"] // 10
    data["y"][:wild] += 50.0 * np.random.default_rng(seed + 1).standard_normal(wild)
    return data


def ours(data: Data) -> Robust:
    from stylobate.linear_model import HuberRegressor

    model = HuberRegressor(epsilon=EPSILON, alpha=ALPHA).fit(data["X"], data["y"])
    return Robust(model.coef_, float(model.intercept_), float(model.scale_))


def sklearn(data: Data) -> Robust:
    from sklearn.linear_model import HuberRegressor

    model = HuberRegressor(epsilon=EPSILON, alpha=ALPHA, max_iter=1000).fit(data["X"], data["y"])
    return Robust(model.coef_, float(model.intercept_), float(model.scale_))


def statsmodels(data: Data) -> Robust:
    """Another scale (of the median deviation), so another objective: for the time only."""
    from statsmodels.robust import norms
    from statsmodels.robust.robust_linear_model import RLM

    fit = RLM(data["y"], with_constant(data["X"]), M=norms.HuberT(EPSILON)).fit()
    return Robust(fit.params[:-1], float(fit.params[-1]), float(fit.scale))


def quality(line: Robust, data: Data) -> float:
    z = np.abs(data["y"] - data["X"] @ line.coef - line.intercept) / line.scale
    loss = np.where(z < EPSILON, z * z, 2 * EPSILON * z - EPSILON**2)
    return float(line.scale * (1.0 + loss).sum() + ALPHA * line.coef @ line.coef)


WORKLOAD = Workload(
    name="huber",
    title=f"Huber's regression, epsilon = {EPSILON:g}, scale fitted along",
    sizes={
        "small": {"rows": 1_000, "columns": 20},
        "standard": {"rows": 100_000, "columns": 50},
        "large": {"rows": 1_000_000, "columns": 50},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", sklearn),
        Contender("statsmodels RLM", "statsmodels", statsmodels),
    ),
    quality=quality,
    floor=moments_work,
    goals=(Faster("peers", 3.0),),
)
