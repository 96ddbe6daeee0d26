"""Clusters of rows, and proofs of how good they are."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.cluster.affinity import (
        AffinityPropagation,
        affinity_propagation,
    )
    from stylobate.cluster.birch import (
        Birch,
    )
    from stylobate.cluster.bisecting import (
        BisectingKMeans,
    )
    from stylobate.cluster.boundaries import ClusterBoundary, cluster_boundaries
    from stylobate.cluster.certificate import (
        ClusteringCertificate,
    )
    from stylobate.cluster.density.bandwidth import (
        estimate_bandwidth,
        get_bin_seeds,
    )
    from stylobate.cluster.density.condensed_tree import (
        CondensedTree,
    )
    from stylobate.cluster.density.dbscan import (
        DBSCAN,
        dbscan,
    )
    from stylobate.cluster.density.hdbscan import (
        HDBSCAN,
    )
    from stylobate.cluster.density.mean_shift import (
        MeanShift,
        mean_shift,
    )
    from stylobate.cluster.density.optics import (
        OPTICS,
    )
    from stylobate.cluster.density.optics_graph import (
        compute_optics_graph,
    )
    from stylobate.cluster.density.reachability_clusters import (
        cluster_optics_dbscan,
        cluster_optics_xi,
    )
    from stylobate.cluster.held_out import HeldOutCurve, held_out_curve
    from stylobate.cluster.hierarchy.agglomerative import (
        AgglomerativeClustering,
    )
    from stylobate.cluster.hierarchy.cophenetic import (
        cophenet,
    )
    from stylobate.cluster.hierarchy.cuts import (
        cut_tree,
        fcluster,
        inconsistent,
    )
    from stylobate.cluster.hierarchy.dendrogram import (
        Dendrogram,
    )
    from stylobate.cluster.hierarchy.divisive import (
        DivisiveClustering,
    )
    from stylobate.cluster.hierarchy.feature_agglomeration import (
        FeatureAgglomeration,
    )
    from stylobate.cluster.hierarchy.linkage import (
        linkage,
    )
    from stylobate.cluster.hierarchy.stability import (
        NodeStability,
        node_stability,
    )
    from stylobate.cluster.hierarchy.trees import (
        linkage_tree,
        ward_tree,
    )
    from stylobate.cluster.kmeans import (
        KMeans,
        k_means,
    )
    from stylobate.cluster.medoids.k_center import (
        KCenter,
    )
    from stylobate.cluster.medoids.k_medoids import (
        KMedoids,
    )
    from stylobate.cluster.minibatch import (
        MiniBatchKMeans,
    )
    from stylobate.cluster.n_clusters.evidence import (
        NClustersEvidence,
    )
    from stylobate.cluster.n_clusters.selection import (
        select_n_clusters,
    )
    from stylobate.cluster.spectral.assignment import (
        cluster_qr,
        discretize,
    )
    from stylobate.cluster.spectral.certificate import (
        SpectralCertificate,
    )
    from stylobate.cluster.spectral.clustering import (
        SpectralClustering,
        spectral_clustering,
    )
    from stylobate.cluster.spectral.cuts import (
        CutValues,
        cut_values,
    )
    from stylobate.cluster.spectral.eigengap import (
        Eigengap,
        eigengap,
    )
    from stylobate.cluster.spectral.embedding import (
        spectral_embedding,
    )
    from stylobate.cluster.spectral.minimum_cut import MinimumCut, minimum_cut
    from stylobate.cluster.starts import (
        kmeans_plusplus,
    )

__all__ = [
    "DBSCAN",
    "HDBSCAN",
    "OPTICS",
    "AffinityPropagation",
    "AgglomerativeClustering",
    "Birch",
    "BisectingKMeans",
    "ClusterBoundary",
    "ClusteringCertificate",
    "CondensedTree",
    "CutValues",
    "Dendrogram",
    "DivisiveClustering",
    "Eigengap",
    "FeatureAgglomeration",
    "HeldOutCurve",
    "KCenter",
    "KMeans",
    "KMedoids",
    "MeanShift",
    "MiniBatchKMeans",
    "MinimumCut",
    "NClustersEvidence",
    "NodeStability",
    "SpectralCertificate",
    "SpectralClustering",
    "affinity_propagation",
    "cluster_boundaries",
    "cluster_optics_dbscan",
    "cluster_optics_xi",
    "cluster_qr",
    "compute_optics_graph",
    "cophenet",
    "cut_tree",
    "cut_values",
    "dbscan",
    "discretize",
    "eigengap",
    "estimate_bandwidth",
    "fcluster",
    "get_bin_seeds",
    "held_out_curve",
    "inconsistent",
    "k_means",
    "kmeans_plusplus",
    "linkage",
    "linkage_tree",
    "mean_shift",
    "minimum_cut",
    "node_stability",
    "select_n_clusters",
    "spectral_clustering",
    "spectral_embedding",
    "ward_tree",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "ClusterBoundary": "boundaries",
        "cluster_boundaries": "boundaries",
        "HeldOutCurve": "held_out",
        "held_out_curve": "held_out",
        "MinimumCut": "spectral.minimum_cut",
        "minimum_cut": "spectral.minimum_cut",
        "AffinityPropagation": "affinity",
        "AgglomerativeClustering": "hierarchy.agglomerative",
        "Birch": "birch",
        "BisectingKMeans": "bisecting",
        "ClusteringCertificate": "certificate",
        "CondensedTree": "density.condensed_tree",
        "CutValues": "spectral.cuts",
        "DBSCAN": "density.dbscan",
        "Dendrogram": "hierarchy.dendrogram",
        "DivisiveClustering": "hierarchy.divisive",
        "Eigengap": "spectral.eigengap",
        "FeatureAgglomeration": "hierarchy.feature_agglomeration",
        "HDBSCAN": "density.hdbscan",
        "KCenter": "medoids.k_center",
        "KMeans": "kmeans",
        "KMedoids": "medoids.k_medoids",
        "MeanShift": "density.mean_shift",
        "MiniBatchKMeans": "minibatch",
        "NClustersEvidence": "n_clusters.evidence",
        "NodeStability": "hierarchy.stability",
        "OPTICS": "density.optics",
        "SpectralCertificate": "spectral.certificate",
        "SpectralClustering": "spectral.clustering",
        "affinity_propagation": "affinity",
        "cluster_optics_dbscan": "density.reachability_clusters",
        "cluster_optics_xi": "density.reachability_clusters",
        "cluster_qr": "spectral.assignment",
        "compute_optics_graph": "density.optics_graph",
        "cophenet": "hierarchy.cophenetic",
        "cut_tree": "hierarchy.cuts",
        "cut_values": "spectral.cuts",
        "dbscan": "density.dbscan",
        "discretize": "spectral.assignment",
        "eigengap": "spectral.eigengap",
        "estimate_bandwidth": "density.bandwidth",
        "fcluster": "hierarchy.cuts",
        "get_bin_seeds": "density.bandwidth",
        "inconsistent": "hierarchy.cuts",
        "k_means": "kmeans",
        "kmeans_plusplus": "starts",
        "linkage": "hierarchy.linkage",
        "linkage_tree": "hierarchy.trees",
        "mean_shift": "density.mean_shift",
        "node_stability": "hierarchy.stability",
        "select_n_clusters": "n_clusters.selection",
        "spectral_clustering": "spectral.clustering",
        "spectral_embedding": "spectral.embedding",
        "ward_tree": "hierarchy.trees",
    },
)
