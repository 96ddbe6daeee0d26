"""Clusters of rows, and proofs of how good they are."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.cluster.certificate import ClusteringCertificate
    from stylobate.cluster.hierarchy.agglomerative import AgglomerativeClustering
    from stylobate.cluster.hierarchy.cophenetic import cophenet
    from stylobate.cluster.hierarchy.cuts import cut_tree, fcluster, inconsistent
    from stylobate.cluster.hierarchy.dendrogram import Dendrogram
    from stylobate.cluster.hierarchy.divisive import DivisiveClustering
    from stylobate.cluster.hierarchy.feature_agglomeration import FeatureAgglomeration
    from stylobate.cluster.hierarchy.linkage import linkage
    from stylobate.cluster.hierarchy.stability import NodeStability, node_stability
    from stylobate.cluster.hierarchy.trees import linkage_tree, ward_tree
    from stylobate.cluster.kmeans import KMeans, k_means
    from stylobate.cluster.medoids.k_center import KCenter
    from stylobate.cluster.medoids.k_medoids import KMedoids
    from stylobate.cluster.n_clusters.evidence import NClustersEvidence
    from stylobate.cluster.n_clusters.selection import select_n_clusters
    from stylobate.cluster.starts import kmeans_plusplus

__all__ = [
    "AgglomerativeClustering",
    "ClusteringCertificate",
    "Dendrogram",
    "DivisiveClustering",
    "FeatureAgglomeration",
    "KCenter",
    "KMeans",
    "KMedoids",
    "NClustersEvidence",
    "NodeStability",
    "cophenet",
    "cut_tree",
    "fcluster",
    "inconsistent",
    "k_means",
    "kmeans_plusplus",
    "linkage",
    "linkage_tree",
    "node_stability",
    "select_n_clusters",
    "ward_tree",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "AgglomerativeClustering": "hierarchy.agglomerative",
        "ClusteringCertificate": "certificate",
        "Dendrogram": "hierarchy.dendrogram",
        "DivisiveClustering": "hierarchy.divisive",
        "FeatureAgglomeration": "hierarchy.feature_agglomeration",
        "KCenter": "medoids.k_center",
        "KMeans": "kmeans",
        "KMedoids": "medoids.k_medoids",
        "NClustersEvidence": "n_clusters.evidence",
        "NodeStability": "hierarchy.stability",
        "cophenet": "hierarchy.cophenetic",
        "cut_tree": "hierarchy.cuts",
        "fcluster": "hierarchy.cuts",
        "inconsistent": "hierarchy.cuts",
        "k_means": "kmeans",
        "kmeans_plusplus": "starts",
        "linkage": "hierarchy.linkage",
        "linkage_tree": "hierarchy.trees",
        "node_stability": "hierarchy.stability",
        "select_n_clusters": "n_clusters.selection",
        "ward_tree": "hierarchy.trees",
    },
)
