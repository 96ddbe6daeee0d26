"""Exact nearest neighbours of many queries in many columns, in single precision."""

from __future__ import annotations

from functools import partial

import numpy as np

from race.goals import Faster
from race.workload import Contender, Size, Workload
from race.workloads import _neighbours as near


def floor(size: Size) -> tuple[float, float]:
    """Half of what double precision costs."""
    operations, size_in_bytes = near.products(size)
    return operations / 2.0, size_in_bytes / 2.0


WORKLOAD = Workload(
    name="knn_brute_single",
    title=f"{near.NEIGHBOURS} nearest neighbours, brute force, single precision",
    sizes={
        "small": {"rows": 1_000, "queries": 200, "columns": 16},
        "standard": {"rows": 50_000, "queries": 10_000, "columns": 64},
        "large": {"rows": 200_000, "queries": 10_000, "columns": 128},
    },
    make=partial(near.make_points, dtype=np.float32),
    contenders=(
        Contender("ours", "stylobate", near.ours, "ours"),
        Contender("sklearn", "sklearn", near.sklearn),
        Contender("sklearnex", "sklearnex", near.sklearnex),
        Contender("torch", "torch", near.torch),
        Contender("faiss", "faiss", near.faiss),
    ),
    quality=near.total_distance,
    floor=floor,
    goals=(Faster("peers", 1.6),),
)
