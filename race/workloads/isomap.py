"""Isomap of a Swiss roll: neighbours, shortest paths, leading eigenvectors."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._surfaces import left_unexplained, swiss_roll

NEIGHBOURS = 10


def fitted(data: Data, package: str) -> Any:
    """The two coordinates."""
    estimator = import_module(f"{package}.manifold").Isomap
    return estimator(n_neighbors=NEIGHBOURS, n_components=2).fit_transform(data["X"])


def floor(size: Size) -> tuple[float, float]:
    """A comparison for each edge and source; all distances written and read some times."""
    n = float(size["rows"])
    return 2.0 * NEIGHBOURS * n * n, 8.0 * 10.0 * n * n


WORKLOAD = Workload(
    name="isomap",
    title="Isomap of a Swiss roll, ten neighbours",
    sizes={
        "small": {"rows": 400},
        "standard": {"rows": 3_000},
        "large": {"rows": 8_000},
    },
    make=swiss_roll,
    contenders=(
        Contender("ours", "stylobate", partial(fitted, package="stylobate"), "ours"),
        Contender("sklearn", "sklearn", partial(fitted, package="sklearn")),
    ),
    quality=left_unexplained,
    tolerance=1e-6,
    floor=floor,
    goals=(Faster("peers", 4.0),),
)
