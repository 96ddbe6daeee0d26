"""The hierarchy of average linkage."""

from __future__ import annotations

from race.workloads import _hierarchies as hierarchies

WORKLOAD = hierarchies.workload(
    "average", "average linkage of points", (hierarchies.all_pairs("average"),), 6.0
)
