"""Twenty non-negative factors of a dense table."""

from __future__ import annotations

import numpy as np

from race.workload import Data, Size, Workload
from race.workloads._nonnegative import GOALS, ITERATIONS, K, contenders, quality


def make(size: Size, seed: int) -> Data:
    """A product of non-negative factors, and noise that is not negative."""
    rng = np.random.default_rng(seed)
    n, p = size["rows"], size["columns"]
    x = rng.gamma(0.5, size=(n, K)) @ rng.gamma(0.5, size=(K, p))
    return {"X": x + rng.gamma(1.0, size=(n, p))}


def floor(size: Size) -> tuple[float, float]:
    """Two products with twenty columns an iteration, and sweeps over both factors."""
    n, p = float(size["rows"]), float(size["columns"])
    return ITERATIONS * (4.0 * K * n * p + 2.0 * K * K * (n + p)), ITERATIONS * 8.0 * n * p


WORKLOAD = Workload(
    name="nmf_dense",
    title=f"{K} non-negative factors of a dense table, {ITERATIONS} iterations",
    sizes={
        "small": {"rows": 500, "columns": 100},
        "standard": {"rows": 5000, "columns": 1000},
        "large": {"rows": 50_000, "columns": 2000},
    },
    make=make,
    contenders=contenders(lambda data: data["X"]),
    quality=quality,
    tolerance=1e-6,
    floor=floor,
    goals=GOALS,
)
