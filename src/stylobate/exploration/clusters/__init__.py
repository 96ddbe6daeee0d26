"""Clusters of the rows of a table: found, counted, described in words."""

from stylobate.exploration.clusters.description import describe_clusters
from stylobate.exploration.clusters.report import ClusterProfile, ClusterReport, Trait

__all__ = ["ClusterProfile", "ClusterReport", "Trait", "describe_clusters"]
