"""The same where columns are independent noise: the hardest table for a graph."""

from __future__ import annotations

from race.goals import Faster
from race.workload import Contender, Workload
from race.workloads import _approximate as near
from race.workloads._neighbours import NEIGHBOURS, products

WORKLOAD = Workload(
    name="knn_hnsw_noise",
    title=f"{NEIGHBOURS} nearest of normal points by HNSW, recall ≥ {near.WANTED}",
    sizes={
        "small": {"rows": 2_000, "queries": 1_000, "columns": 64},
        "standard": {"rows": 100_000, "queries": 10_000, "columns": 64},
        "large": {"rows": 500_000, "queries": 20_000, "columns": 64},
    },
    make=near.make_noise,
    contenders=(
        Contender("ours", "stylobate", near.ours, "ours"),
        Contender("exact tiles", "stylobate", near.exact, "reference"),
        *near.entered("hnswlib", near.hnswlib, ((16, 200, 1280), (32, 100, 640))),
        *near.entered("faiss", near.faiss, ((32, 100, 640),)),
    ),
    quality=near.quality,
    floor=products,
    notes=near.notes,
    goals=(Faster("peers", 1.0),),
)
