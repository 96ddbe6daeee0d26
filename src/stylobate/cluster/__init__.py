"""Clusters of rows, and proofs of how good they are."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.cluster.certificate import ClusteringCertificate
    from stylobate.cluster.kmeans import KMeans, k_means
    from stylobate.cluster.n_clusters.evidence import NClustersEvidence
    from stylobate.cluster.n_clusters.selection import select_n_clusters
    from stylobate.cluster.starts import kmeans_plusplus

__all__ = [
    "ClusteringCertificate",
    "KMeans",
    "NClustersEvidence",
    "k_means",
    "kmeans_plusplus",
    "select_n_clusters",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "ClusteringCertificate": "certificate",
        "KMeans": "kmeans",
        "NClustersEvidence": "n_clusters.evidence",
        "k_means": "kmeans",
        "kmeans_plusplus": "starts",
        "select_n_clusters": "n_clusters.selection",
    },
)
