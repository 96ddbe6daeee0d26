"""k-means with 100 clusters in double precision."""

from __future__ import annotations

from race.workloads import _kmeans

WORKLOAD = _kmeans.workload("kmeans_k100", "k-means, 100 clusters", _kmeans.SIZES_100, 1.8)
