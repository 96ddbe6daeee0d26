"""Approximate nearest neighbours by graphs: building and asking, at a recall of 0.99 or more."""

from __future__ import annotations

from race.goals import Faster
from race.workload import Contender, Workload
from race.workloads import _approximate as near
from race.workloads._neighbours import NEIGHBOURS, products

WORKLOAD = Workload(
    name="knn_hnsw",
    title=f"{NEIGHBOURS} nearest neighbours by HNSW, recall ≥ {near.WANTED}, build and query",
    sizes={
        "small": {"rows": 2_000, "queries": 1_000, "columns": 64},
        "standard": {"rows": 100_000, "queries": 20_000, "columns": 64},
        "large": {"rows": 500_000, "queries": 100_000, "columns": 64},
    },
    make=near.make_table,
    contenders=(
        Contender("ours", "stylobate", near.ours, "ours"),
        Contender("exact tiles", "stylobate", near.exact, "reference"),
        *near.entered(
            "hnswlib",
            near.hnswlib,
            ((16, 200, 32), (16, 100, 40), (12, 60, 64), (8, 60, 96)),
        ),
        *near.entered("faiss", near.faiss, ((16, 100, 48), (16, 40, 64), (32, 40, 32))),
    ),
    quality=near.quality,
    floor=products,
    notes=near.notes,
    goals=(Faster("peers", 1.0),),
)
