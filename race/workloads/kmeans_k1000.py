"""k-means with 1000 clusters, against faiss in its precision."""

from __future__ import annotations

from race.workloads import _kmeans

WORKLOAD = _kmeans.workload(
    "kmeans_k1000", "k-means, 1000 clusters", _kmeans.SIZES_1000, 1.5, single=True, elkan=False
)
