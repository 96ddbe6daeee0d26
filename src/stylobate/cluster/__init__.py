"""Clusters of rows, and proofs of how good they are."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
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
    "AgglomerativeClustering",
    "Dendrogram",
    "DivisiveClustering",
    "FeatureAgglomeration",
    "NodeStability",
    "cophenet",
    "cut_tree",
    "fcluster",
    "inconsistent",
    "linkage",
    "linkage_tree",
    "node_stability",
    "ward_tree",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "AgglomerativeClustering": "hierarchy.agglomerative",
        "Dendrogram": "hierarchy.dendrogram",
        "DivisiveClustering": "hierarchy.divisive",
        "FeatureAgglomeration": "hierarchy.feature_agglomeration",
        "NodeStability": "hierarchy.stability",
        "cophenet": "hierarchy.cophenetic",
        "cut_tree": "hierarchy.cuts",
        "fcluster": "hierarchy.cuts",
        "inconsistent": "hierarchy.cuts",
        "linkage": "hierarchy.linkage",
        "linkage_tree": "hierarchy.trees",
        "node_stability": "hierarchy.stability",
        "ward_tree": "hierarchy.trees",
    },
)
