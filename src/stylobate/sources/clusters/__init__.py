"""Rows in the partitions of a cluster (Dask, Ray, Spark): statistics are computed where they are.

`opening` is entered for the packages' containers; nothing of a package is imported before one of
its containers is passed.
"""

from stylobate.sources.clusters.opening import register_clusters
from stylobate.sources.clusters.rows import ClusterRows
from stylobate.sources.clusters.source import ClusterSource

__all__ = ["ClusterRows", "ClusterSource", "register_clusters"]

register_clusters()
