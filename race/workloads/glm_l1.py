"""Poisson regression with an ℓ1 penalty: counts, many columns, few that matter."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import Line, line_of

SHARE = 0.05  # of the penalty at which no coefficient is left


def make(size: Size, seed: int) -> Data:
    """Ten columns matter; the intercept is away from zero."""
    generator = np.random.default_rng(seed)
    rows, columns = size["rows"], size["columns"]
    x = generator.standard_normal((rows, columns))
    w = np.zeros(columns)
    w[:10] = 0.2 * generator.choice([-1.0, 1.0], 10)
    y = generator.poisson(np.exp(0.5 + x @ w)).astype(np.float64)
    largest = float(np.abs(x.T @ (y - y.mean())).max()) / rows
    return {"X": x, "y": y, "alpha": np.array(SHARE * largest)}


def ours(data: Data) -> Line:
    from stylobate.linear_model import PenalizedRegression

    model = PenalizedRegression("poisson", penalty="l1", alpha=float(data["alpha"]), tol=1e-6)
    return line_of(model.fit(data["X"], data["y"]))


def glum(data: Data) -> Line:
    from glum import GeneralizedLinearRegressor

    model = GeneralizedLinearRegressor(
        family="poisson", alpha=float(data["alpha"]), l1_ratio=1.0, gradient_tol=1e-6,
        max_iter=1000,
    )  # fmt: skip
    return line_of(model.fit(data["X"], data["y"]))


def skglm(data: Data) -> Line:
    from skglm import GeneralizedLinearEstimator
    from skglm.datafits import Poisson
    from skglm.penalties import L1
    from skglm.solvers import ProxNewton

    solver = ProxNewton(tol=1e-6, fit_intercept=True, max_iter=100)
    model = GeneralizedLinearEstimator(Poisson(), L1(float(data["alpha"])), solver)
    return line_of(model.fit(np.asfortranarray(data["X"]), data["y"]))


def statsmodels(data: Data) -> Line:
    import statsmodels.api as sm

    x = np.column_stack([np.ones(len(data["y"])), data["X"]])
    weights = np.full(x.shape[1], float(data["alpha"]))
    weights[0] = 0.0
    model: Any = sm.GLM(data["y"], x, family=sm.families.Poisson())
    w = np.asarray(model.fit_regularized(alpha=weights, L1_wt=1.0, maxiter=100).params)
    return Line(w[1:], float(w[0]))


def quality(line: Line, data: Data) -> float:
    """Mean of e^z − yz, and α‖w‖₁."""
    z = data["X"] @ line.coef + line.intercept
    loss = float((np.exp(z) - data["y"] * z).mean())
    return loss + float(data["alpha"]) * float(np.abs(line.coef).sum())


def floor(size: Size) -> tuple[float, float]:
    """Four passes over the rows."""
    rows, columns = size["rows"], size["columns"]
    return 8.0 * rows * columns, 4 * 8.0 * rows * columns


WORKLOAD = Workload(
    name="glm_l1",
    title=f"Poisson regression, ℓ1 penalty, {SHARE:g} of the largest",
    sizes={
        "small": {"rows": 2_000, "columns": 200},
        "standard": {"rows": 20_000, "columns": 1_000},
        "large": {"rows": 100_000, "columns": 1_000},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("glum", "glum", glum),
        Contender("skglm", "skglm", skglm),
        Contender("statsmodels", "statsmodels", statsmodels),
    ),
    quality=quality,
    floor=floor,
    goals=(Faster("peers", 2.0),),
)
