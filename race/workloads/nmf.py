"""Twenty non-negative factors of a sparse table of words, never dense."""

from __future__ import annotations

from race.workload import Size, Workload
from race.workloads._nonnegative import GOALS, ITERATIONS, K, contenders, quality
from race.workloads.pca_sparse import make, table_of


def floor(size: Size) -> tuple[float, float]:
    """Two products with twenty columns an iteration, and sweeps over both factors."""
    entries = float(size["rows"]) * size["words"]
    sweeps = 2.0 * K * K * (size["rows"] + size["columns"])
    return ITERATIONS * (4.0 * K * entries + sweeps), ITERATIONS * 24.0 * entries


WORKLOAD = Workload(
    name="nmf",
    title=f"{K} non-negative factors of sparse word counts, {ITERATIONS} iterations",
    sizes={
        "small": {"rows": 1000, "columns": 800, "words": 40},
        "standard": {"rows": 20_000, "columns": 10_000, "words": 80},
        "large": {"rows": 100_000, "columns": 30_000, "words": 100},
    },
    make=make,
    contenders=contenders(table_of),
    quality=quality,
    tolerance=1e-6,
    floor=floor,
    goals=GOALS,
)
