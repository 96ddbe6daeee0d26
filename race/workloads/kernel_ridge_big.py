"""Kernel ridge regression of more rows than their kernel matrix has room for."""

from __future__ import annotations

from race.goals import Faster
from race.workload import Contender, Size, Workload
from race.workloads._kernel_ridge import (
    make,
    ours,
    quality,
    scipy_gradients,
    sklearn,
    torch_gradients,
)


def floor(size: Size) -> tuple[float, float]:
    """Ten products with the kernel, half of whose values suffice for each."""
    n = float(size["rows"])
    return 10.0 * n * n * size["columns"], 8.0 * n * size["columns"]


WORKLOAD = Workload(
    name="kernel_ridge_big",
    title="kernel ridge regression of many rows, Gaussian kernel",
    sizes={
        "small": {"rows": 2_000, "columns": 20},
        "standard": {"rows": 50_000, "columns": 20},
        "large": {"rows": 100_000, "columns": 20},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", sklearn),
        Contender("scipy cg by hand", "scipy", scipy_gradients),
        Contender("torch falkon by hand", "torch", torch_gradients),
    ),
    quality=quality,
    tolerance=1e-5,
    floor=floor,
    goals=(Faster("peers", 3.0),),
)
