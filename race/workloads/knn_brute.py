"""Exact nearest neighbours of many queries in many columns."""

from __future__ import annotations

from race.goals import Faster
from race.workload import Contender, Workload
from race.workloads import _neighbours as near

WORKLOAD = Workload(
    name="knn_brute",
    title=f"{near.NEIGHBOURS} nearest neighbours, brute force, double precision",
    sizes={
        "small": {"rows": 1_000, "queries": 200, "columns": 16},
        "standard": {"rows": 50_000, "queries": 10_000, "columns": 64},
        "large": {"rows": 200_000, "queries": 10_000, "columns": 128},
    },
    make=near.make_points,
    contenders=(
        Contender("ours", "stylobate", near.ours, "ours"),
        Contender("sklearn", "sklearn", near.sklearn),
        Contender("sklearnex", "sklearnex", near.sklearnex),
        Contender("torch", "torch", near.torch),
        Contender("faiss, single precision", "faiss", near.faiss, "reference"),
    ),
    quality=near.total_distance,
    floor=near.products,
    goals=(Faster("peers", 1.6),),
)
