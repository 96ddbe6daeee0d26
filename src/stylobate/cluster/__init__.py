"""Clusters of rows, and proofs of how good they are."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.cluster.bisecting import BisectingKMeans
    from stylobate.cluster.certificate import ClusteringCertificate
    from stylobate.cluster.kmeans import KMeans, k_means
    from stylobate.cluster.minibatch import MiniBatchKMeans
    from stylobate.cluster.spectral.assignment import cluster_qr, discretize
    from stylobate.cluster.spectral.certificate import SpectralCertificate
    from stylobate.cluster.spectral.clustering import SpectralClustering, spectral_clustering
    from stylobate.cluster.spectral.cuts import CutValues, cut_values
    from stylobate.cluster.spectral.eigengap import Eigengap, eigengap
    from stylobate.cluster.spectral.embedding import spectral_embedding
    from stylobate.cluster.starts import kmeans_plusplus

__all__ = [
    "BisectingKMeans",
    "ClusteringCertificate",
    "CutValues",
    "Eigengap",
    "KMeans",
    "MiniBatchKMeans",
    "SpectralCertificate",
    "SpectralClustering",
    "cluster_qr",
    "cut_values",
    "discretize",
    "eigengap",
    "k_means",
    "kmeans_plusplus",
    "spectral_clustering",
    "spectral_embedding",
    from stylobate.cluster.medoids.k_center import KCenter
    from stylobate.cluster.medoids.k_medoids import KMedoids

__all__ = [
    "KCenter",
    "KMedoids",
    from stylobate.cluster.affinity import AffinityPropagation, affinity_propagation
    from stylobate.cluster.birch import Birch
    from stylobate.cluster.density.bandwidth import estimate_bandwidth, get_bin_seeds
    from stylobate.cluster.density.condensed_tree import CondensedTree
    from stylobate.cluster.density.dbscan import DBSCAN, dbscan
    from stylobate.cluster.density.hdbscan import HDBSCAN
    from stylobate.cluster.density.mean_shift import MeanShift, mean_shift
    from stylobate.cluster.density.optics import OPTICS
    from stylobate.cluster.density.optics_graph import compute_optics_graph
    from stylobate.cluster.density.reachability_clusters import (
        cluster_optics_dbscan,
        cluster_optics_xi,
    )

__all__ = [
    "DBSCAN",
    "HDBSCAN",
    "OPTICS",
    "AffinityPropagation",
    "Birch",
    "CondensedTree",
    "MeanShift",
    "affinity_propagation",
    "cluster_optics_dbscan",
    "cluster_optics_xi",
    "compute_optics_graph",
    "dbscan",
    "estimate_bandwidth",
    "get_bin_seeds",
    "mean_shift",
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
        "BisectingKMeans": "bisecting",
        "ClusteringCertificate": "certificate",
        "KMeans": "kmeans",
        "MiniBatchKMeans": "minibatch",
        "k_means": "kmeans",
        "kmeans_plusplus": "starts",
        "SpectralCertificate": "spectral.certificate",
        "SpectralClustering": "spectral.clustering",
        "spectral_clustering": "spectral.clustering",
        "CutValues": "spectral.cuts",
        "cut_values": "spectral.cuts",
        "Eigengap": "spectral.eigengap",
        "eigengap": "spectral.eigengap",
        "cluster_qr": "spectral.assignment",
        "discretize": "spectral.assignment",
        "spectral_embedding": "spectral.embedding",
        "KCenter": "medoids.k_center",
        "KMedoids": "medoids.k_medoids",
        "AffinityPropagation": "affinity",
        "Birch": "birch",
        "CondensedTree": "density.condensed_tree",
        "DBSCAN": "density.dbscan",
        "HDBSCAN": "density.hdbscan",
        "MeanShift": "density.mean_shift",
        "OPTICS": "density.optics",
        "affinity_propagation": "affinity",
        "cluster_optics_dbscan": "density.reachability_clusters",
        "cluster_optics_xi": "density.reachability_clusters",
        "compute_optics_graph": "density.optics_graph",
        "dbscan": "density.dbscan",
        "estimate_bandwidth": "density.bandwidth",
        "get_bin_seeds": "density.bandwidth",
        "mean_shift": "density.mean_shift",
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
