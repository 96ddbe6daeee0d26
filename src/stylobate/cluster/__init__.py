"""Clusters of rows, and proofs of how good they are."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.cluster.certificate import ClusteringCertificate
    from stylobate.cluster.kmeans import KMeans, k_means
    from stylobate.cluster.starts import kmeans_plusplus

__all__ = [
    "ClusteringCertificate",
    "KMeans",
    "k_means",
    "kmeans_plusplus",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "ClusteringCertificate": "certificate",
        "KMeans": "kmeans",
        "k_means": "kmeans",
        "kmeans_plusplus": "starts",
    },
)
