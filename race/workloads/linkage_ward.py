"""Ward's hierarchy, without the matrix of distances."""

from __future__ import annotations

from race.workloads import _hierarchies as hierarchies

WORKLOAD = hierarchies.workload(
    "ward",
    "Ward's hierarchy of points",
    (hierarchies.of_vectors("ward"), hierarchies.all_pairs("ward")),
    5.0,
)
