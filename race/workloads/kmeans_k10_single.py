"""k-means with 10 clusters in single precision."""

from __future__ import annotations

from race.workloads import _kmeans

WORKLOAD = _kmeans.workload(
    "kmeans_k10_single", "k-means, 10 clusters", _kmeans.SIZES_10, 3.0, single=True
)
