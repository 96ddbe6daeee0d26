"""Partial least squares regression of several targets."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

K, TARGETS = 10, 10


def make(size: Size, seed: int) -> Data:
    """Two blocks that share eight factors."""
    rng = np.random.default_rng(seed)
    n, p = size["rows"], size["columns"]
    shared = rng.standard_normal((n, 8))
    x = shared @ rng.standard_normal((8, p)) + rng.standard_normal((n, p))
    y = shared @ rng.standard_normal((8, TARGETS)) + rng.standard_normal((n, TARGETS))
    return {"X": x + rng.uniform(-1.0, 1.0, p), "y": y}


def ours(data: Data) -> Any:
    from stylobate.cross_decomposition import PLSRegression

    return PLSRegression(K).fit(data["X"], data["y"]).coef_


def sklearn(data: Data) -> Any:
    from sklearn.cross_decomposition import PLSRegression

    return PLSRegression(K).fit(data["X"], data["y"]).coef_


def quality(coef: Any, data: Data) -> float:
    """Squares that the predictions leave of the targets."""
    x, y = data["X"], data["y"]
    left = (y - y.mean(axis=0)) - (x - x.mean(axis=0)) @ np.asarray(coef).T
    return float((left**2).sum())


def floor(size: Size) -> tuple[float, float]:
    """Products of columns, and of rows with the directions."""
    n, p = float(size["rows"]), float(size["columns"])
    return n * (p + TARGETS) ** 2 + 2.0 * n * p * K, 2.0 * 8.0 * n * (p + TARGETS)


WORKLOAD = Workload(
    name="pls",
    title=f"partial least squares, {K} components, {TARGETS} targets",
    sizes={
        "small": {"rows": 1_000, "columns": 30},
        "standard": {"rows": 100_000, "columns": 100},
        "large": {"rows": 1_000_000, "columns": 100},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", sklearn),
    ),
    quality=quality,
    tolerance=1e-8,
    floor=floor,
    goals=(Faster("peers", 20.0),),
)
