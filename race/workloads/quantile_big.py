"""Median regression on millions of rows: exact, in bounded memory."""

from __future__ import annotations

from race.goals import Faster
from race.workload import Workload
from race.workloads.quantile import CONTENDERS, make, quality, work

WORKLOAD = Workload(
    name="quantile_big",
    title="quantile regression at 0.5 of millions of rows, no penalty",
    sizes={
        "small": {"rows": 100_000, "columns": 20},
        "standard": {"rows": 2_000_000, "columns": 20},
        "large": {"rows": 5_000_000, "columns": 20},
    },
    make=make,
    # HiGHS is entered once: on so many rows its solvers differ only in where they stop
    contenders=tuple(c for c in CONTENDERS if c.name in ("ours", "statsmodels", "sklearn highs")),
    quality=quality,
    floor=work,
    goals=(Faster("peers", 25.0),),
)
