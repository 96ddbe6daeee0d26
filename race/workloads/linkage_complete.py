"""The hierarchy of complete linkage."""

from __future__ import annotations

from race.workloads import _hierarchies as hierarchies

WORKLOAD = hierarchies.workload(
    "complete", "complete linkage of points", (hierarchies.all_pairs("complete"),), 6.0
)
