"""Neighbours: who is near, what they say, and who is far from everybody."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.neighbors.binary_tree import BallTree, KDTree
    from stylobate.neighbors.centroid import NearestCentroid
    from stylobate.neighbors.choosing import VALID_METRICS, VALID_METRICS_SPARSE
    from stylobate.neighbors.classification import (
        KNeighborsClassifier,
        RadiusNeighborsClassifier,
    )
    from stylobate.neighbors.density import KernelDensity
    from stylobate.neighbors.graph import (
        KNeighborsTransformer,
        RadiusNeighborsTransformer,
        kneighbors_graph,
        radius_neighbors_graph,
        sort_graph_by_row_values,
    )
    from stylobate.neighbors.histogram_density import HistogramDensity
    from stylobate.neighbors.hnsw import HNSW
    from stylobate.neighbors.hnsw_index import HNSWIndex
    from stylobate.neighbors.leave_one_out import NeighborsCurve, leave_one_out_curve
    from stylobate.neighbors.outliers import LocalOutlierFactor
    from stylobate.neighbors.regression import KNeighborsRegressor, RadiusNeighborsRegressor
    from stylobate.neighbors.unsupervised import NearestNeighbors
    from stylobate.neighbors.weights import (
        DistanceWeights,
        GeometricWeights,
        KernelWeights,
        RankWeights,
        UniformWeights,
    )

__all__ = [
    "HNSW",
    "VALID_METRICS",
    "VALID_METRICS_SPARSE",
    "BallTree",
    "DistanceWeights",
    "GeometricWeights",
    "HNSWIndex",
    "HistogramDensity",
    "KDTree",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "KNeighborsTransformer",
    "KernelDensity",
    "KernelWeights",
    "LocalOutlierFactor",
    "NearestCentroid",
    "NearestNeighbors",
    "NeighborsCurve",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
    "RadiusNeighborsTransformer",
    "RankWeights",
    "UniformWeights",
    "kernel_log_density",
    "kneighbors",
    "kneighbors_graph",
    "leave_one_out_curve",
    "radius_neighbors_graph",
    "sort_graph_by_row_values",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "BallTree": "binary_tree",
        "DistanceWeights": "weights",
        "GeometricWeights": "weights",
        "HNSW": "hnsw",
        "HNSWIndex": "hnsw_index",
        "HistogramDensity": "histogram_density",
        "KDTree": "binary_tree",
        "KNeighborsClassifier": "classification",
        "KNeighborsRegressor": "regression",
        "KNeighborsTransformer": "graph",
        "KernelDensity": "density",
        "KernelWeights": "weights",
        "LocalOutlierFactor": "outliers",
        "NearestCentroid": "centroid",
        "NearestNeighbors": "unsupervised",
        "NeighborsCurve": "leave_one_out",
        "RadiusNeighborsClassifier": "classification",
        "RadiusNeighborsRegressor": "regression",
        "RadiusNeighborsTransformer": "graph",
        "RankWeights": "weights",
        "UniformWeights": "weights",
        "VALID_METRICS": "choosing",
        "VALID_METRICS_SPARSE": "choosing",
        "kernel_log_density": "density_sums",
        "kneighbors": "nearest_rows",
        "kneighbors_graph": "graph",
        "leave_one_out_curve": "leave_one_out",
        "radius_neighbors_graph": "graph",
        "sort_graph_by_row_values": "graph",
    },
)
