"""Kernel ridge regression, solved exactly."""

from __future__ import annotations

from race.goals import Faster
from race.workload import Contender, Size, Workload
from race.workloads._kernel_ridge import make, ours, quality, scipy, sklearn


def floor(size: Size) -> tuple[float, float]:
    """Half of the kernel, and a Cholesky factor in place of it."""
    n = float(size["rows"])
    return n * n * size["columns"] + n**3 / 3.0, 8.0 * n * n


WORKLOAD = Workload(
    name="kernel_ridge",
    title="kernel ridge regression, Gaussian kernel, exact",
    sizes={
        "small": {"rows": 300, "columns": 20},
        "standard": {"rows": 5_000, "columns": 20},
        "large": {"rows": 9_000, "columns": 20},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", sklearn),
        Contender("scipy by hand", "scipy", scipy),
    ),
    quality=quality,
    floor=floor,
    goals=(Faster("peers", 1.3),),
)
