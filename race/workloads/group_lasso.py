"""The group lasso: columns in groups of ten, more of them than rows."""

from __future__ import annotations

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import Line, line_of

GROUP = 10
SHARE = 0.1  # of the penalty at which no group is left


def make(size: Size, seed: int) -> Data:
    """Five groups matter."""
    generator = np.random.default_rng(seed)
    rows, columns = size["rows"], size["columns"]
    x = generator.standard_normal((rows, columns))
    w = np.zeros(columns)
    w[: 5 * GROUP] = generator.standard_normal(5 * GROUP)
    y = x @ w + 2.0 + 3.0 * generator.standard_normal(rows)
    slopes = x.T @ (y - y.mean()) / rows
    largest = float(np.linalg.norm(slopes.reshape(-1, GROUP), axis=1).max())
    return {"X": x, "y": y, "alpha": np.array(SHARE * largest)}


def ours(data: Data) -> Line:
    from stylobate.linear_model import GroupLasso

    weights = np.ones(data["X"].shape[1] // GROUP)
    model = GroupLasso(GROUP, float(data["alpha"]), group_weights=weights, tol=1e-6)
    return line_of(model.fit(data["X"], data["y"]))


def celer(data: Data) -> Line:
    from celer import GroupLasso

    model = GroupLasso(groups=GROUP, alpha=float(data["alpha"]), tol=1e-7)
    return line_of(model.fit(np.asfortranarray(data["X"]), data["y"]))


def skglm(data: Data) -> Line:
    from skglm import GroupLasso

    model = GroupLasso(
        groups=GROUP, alpha=float(data["alpha"]), weights=np.ones(data["X"].shape[1] // GROUP),
        tol=1e-6, fit_intercept=True,
    )  # fmt: skip
    return line_of(model.fit(np.asfortranarray(data["X"]), data["y"]))


def quality(line: Line, data: Data) -> float:
    """‖y − Xw − b‖² / 2n + α Σ‖w_g‖."""
    residual = data["y"] - data["X"] @ line.coef - line.intercept
    norms = np.linalg.norm(line.coef.reshape(-1, GROUP), axis=1)
    return float(0.5 * (residual**2).mean() + float(data["alpha"]) * norms.sum())


def floor(size: Size) -> tuple[float, float]:
    """Four passes over the rows."""
    rows, columns = size["rows"], size["columns"]
    return 8.0 * rows * columns, 4 * 8.0 * rows * columns


def notes(line: Line, data: Data) -> str:
    del data
    return f"{np.count_nonzero(line.coef.reshape(-1, GROUP).any(axis=1))} groups"


WORKLOAD = Workload(
    name="group_lasso",
    title=f"group lasso, groups of {GROUP}, {SHARE:g} of the largest penalty",
    sizes={
        "small": {"rows": 500, "columns": 1_000},
        "standard": {"rows": 1_000, "columns": 10_000},
        "large": {"rows": 2_000, "columns": 50_000},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("celer", "celer", celer),
        Contender("skglm", "skglm", skglm),
    ),
    quality=quality,
    floor=floor,
    notes=notes,
    goals=(Faster("peers", 2.0),),
)
