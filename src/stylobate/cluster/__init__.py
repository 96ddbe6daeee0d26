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
    from stylobate.cluster.spectral.assignment import cluster_qr, discretize
    from stylobate.cluster.spectral.certificate import SpectralCertificate
    from stylobate.cluster.spectral.clustering import SpectralClustering, spectral_clustering
    from stylobate.cluster.spectral.cuts import CutValues, cut_values
    from stylobate.cluster.spectral.eigengap import Eigengap, eigengap
    from stylobate.cluster.spectral.embedding import spectral_embedding
    from stylobate.cluster.starts import kmeans_plusplus

__all__ = [
    "AgglomerativeClustering",
    "ClusteringCertificate",
    "CutValues",
    "Dendrogram",
    "DivisiveClustering",
    "Eigengap",
    "FeatureAgglomeration",
    "KCenter",
    "KMeans",
    "KMedoids",
    "NClustersEvidence",
    "NodeStability",
    "SpectralCertificate",
    "SpectralClustering",
    "cluster_qr",
    "cophenet",
    "cut_tree",
    "cut_values",
    "discretize",
    "eigengap",
    "fcluster",
    "inconsistent",
    "k_means",
    "kmeans_plusplus",
    "linkage",
    "linkage_tree",
    "node_stability",
    "select_n_clusters",
    "spectral_clustering",
    "spectral_embedding",
    "ward_tree",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "AgglomerativeClustering": "hierarchy.agglomerative",
        "ClusteringCertificate": "certificate",
        "CutValues": "spectral.cuts",
        "Dendrogram": "hierarchy.dendrogram",
        "DivisiveClustering": "hierarchy.divisive",
        "Eigengap": "spectral.eigengap",
        "FeatureAgglomeration": "hierarchy.feature_agglomeration",
        "KCenter": "medoids.k_center",
        "KMeans": "kmeans",
        "KMedoids": "medoids.k_medoids",
        "NClustersEvidence": "n_clusters.evidence",
        "NodeStability": "hierarchy.stability",
        "SpectralCertificate": "spectral.certificate",
        "SpectralClustering": "spectral.clustering",
        "cluster_qr": "spectral.assignment",
        "cophenet": "hierarchy.cophenetic",
        "cut_tree": "hierarchy.cuts",
        "cut_values": "spectral.cuts",
        "discretize": "spectral.assignment",
        "eigengap": "spectral.eigengap",
        "fcluster": "hierarchy.cuts",
        "inconsistent": "hierarchy.cuts",
        "k_means": "kmeans",
        "kmeans_plusplus": "starts",
        "linkage": "hierarchy.linkage",
        "linkage_tree": "hierarchy.trees",
        "node_stability": "hierarchy.stability",
        "select_n_clusters": "n_clusters.selection",
        "spectral_clustering": "spectral.clustering",
        "spectral_embedding": "spectral.embedding",
        "ward_tree": "hierarchy.trees",
    },
)
