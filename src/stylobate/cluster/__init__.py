"""Clusters of rows, and proofs of how good they are."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.cluster.certificate import ClusteringCertificate
    from stylobate.cluster.kmeans import KMeans, k_means
    from stylobate.cluster.medoids.k_center import KCenter
    from stylobate.cluster.medoids.k_medoids import KMedoids
    from stylobate.cluster.n_clusters.evidence import NClustersEvidence
    from stylobate.cluster.n_clusters.selection import select_n_clusters
    from stylobate.cluster.starts import kmeans_plusplus

__all__ = [
    "ClusteringCertificate",
    "KCenter",
    "KMeans",
    "KMedoids",
    "NClustersEvidence",
    "k_means",
    "kmeans_plusplus",
    "select_n_clusters",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "ClusteringCertificate": "certificate",
        "KCenter": "medoids.k_center",
        "KMeans": "kmeans",
        "KMedoids": "medoids.k_medoids",
        "NClustersEvidence": "n_clusters.evidence",
        "k_means": "kmeans",
        "kmeans_plusplus": "starts",
        "select_n_clusters": "n_clusters.selection",
    },
)
