"""Clusters of rows, and proofs of how good they are."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
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
    from stylobate.cluster.hierarchy.agglomerative import AgglomerativeClustering
    from stylobate.cluster.hierarchy.cophenetic import cophenet
    from stylobate.cluster.hierarchy.cuts import cut_tree, fcluster, inconsistent
    from stylobate.cluster.hierarchy.dendrogram import Dendrogram
    from stylobate.cluster.hierarchy.divisive import DivisiveClustering
    from stylobate.cluster.hierarchy.feature_agglomeration import FeatureAgglomeration
    from stylobate.cluster.hierarchy.linkage import linkage
    from stylobate.cluster.hierarchy.stability import NodeStability, node_stability
    from stylobate.cluster.hierarchy.trees import linkage_tree, ward_tree

__all__ = [
    "DBSCAN",
    "HDBSCAN",
    "OPTICS",
    "AffinityPropagation",
    "AgglomerativeClustering",
    "Birch",
    "CondensedTree",
    "Dendrogram",
    "DivisiveClustering",
    "FeatureAgglomeration",
    "MeanShift",
    "NodeStability",
    "affinity_propagation",
    "cluster_optics_dbscan",
    "cluster_optics_xi",
    "compute_optics_graph",
    "cophenet",
    "cut_tree",
    "dbscan",
    "estimate_bandwidth",
    "fcluster",
    "get_bin_seeds",
    "inconsistent",
    "linkage",
    "linkage_tree",
    "mean_shift",
    "node_stability",
    "ward_tree",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "AffinityPropagation": "affinity",
        "AgglomerativeClustering": "hierarchy.agglomerative",
        "Birch": "birch",
        "CondensedTree": "density.condensed_tree",
        "DBSCAN": "density.dbscan",
        "Dendrogram": "hierarchy.dendrogram",
        "DivisiveClustering": "hierarchy.divisive",
        "FeatureAgglomeration": "hierarchy.feature_agglomeration",
        "HDBSCAN": "density.hdbscan",
        "MeanShift": "density.mean_shift",
        "NodeStability": "hierarchy.stability",
        "OPTICS": "density.optics",
        "affinity_propagation": "affinity",
        "cluster_optics_dbscan": "density.reachability_clusters",
        "cluster_optics_xi": "density.reachability_clusters",
        "compute_optics_graph": "density.optics_graph",
        "cophenet": "hierarchy.cophenetic",
        "cut_tree": "hierarchy.cuts",
        "dbscan": "density.dbscan",
        "estimate_bandwidth": "density.bandwidth",
        "fcluster": "hierarchy.cuts",
        "get_bin_seeds": "density.bandwidth",
        "inconsistent": "hierarchy.cuts",
        "linkage": "hierarchy.linkage",
        "linkage_tree": "hierarchy.trees",
        "mean_shift": "density.mean_shift",
        "node_stability": "hierarchy.stability",
        "ward_tree": "hierarchy.trees",
    },
)
