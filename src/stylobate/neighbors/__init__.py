"""Neighbours: who is near, what they say, and who is far from everybody."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.neighbors.density.histogram_density import HistogramDensity
    from stylobate.neighbors.density.kernel_density import KernelDensity
    from stylobate.neighbors.graph import (
        KNeighborsTransformer,
        RadiusNeighborsTransformer,
        kneighbors_graph,
        radius_neighbors_graph,
        sort_graph_by_row_values,
    )
    from stylobate.neighbors.indexes.binary_tree import BallTree, KDTree
    from stylobate.neighbors.indexes.choosing import VALID_METRICS, VALID_METRICS_SPARSE
    from stylobate.neighbors.indexes.hnsw import HNSW
    from stylobate.neighbors.indexes.hnsw_index import HNSWIndex
    from stylobate.neighbors.predictions.centroid import NearestCentroid
    from stylobate.neighbors.predictions.classification import (
        KNeighborsClassifier,
        RadiusNeighborsClassifier,
    )
    from stylobate.neighbors.predictions.leave_one_out import NeighborsCurve, leave_one_out_curve
    from stylobate.neighbors.predictions.outliers import LocalOutlierFactor
    from stylobate.neighbors.predictions.regression import (
        KNeighborsRegressor,
        RadiusNeighborsRegressor,
    )
    from stylobate.neighbors.predictions.weights import (
        DistanceWeights,
        GeometricWeights,
        KernelWeights,
        RankWeights,
        UniformWeights,
    )
    from stylobate.neighbors.unsupervised import NearestNeighbors

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
        "BallTree": "indexes.binary_tree",
        "DistanceWeights": "predictions.weights",
        "GeometricWeights": "predictions.weights",
        "HNSW": "indexes.hnsw",
        "HNSWIndex": "indexes.hnsw_index",
        "HistogramDensity": "density.histogram_density",
        "KDTree": "indexes.binary_tree",
        "KNeighborsClassifier": "predictions.classification",
        "KNeighborsRegressor": "predictions.regression",
        "KNeighborsTransformer": "graph",
        "KernelDensity": "density.kernel_density",
        "KernelWeights": "predictions.weights",
        "LocalOutlierFactor": "predictions.outliers",
        "NearestCentroid": "predictions.centroid",
        "NearestNeighbors": "unsupervised",
        "NeighborsCurve": "predictions.leave_one_out",
        "RadiusNeighborsClassifier": "predictions.classification",
        "RadiusNeighborsRegressor": "predictions.regression",
        "RadiusNeighborsTransformer": "graph",
        "RankWeights": "predictions.weights",
        "UniformWeights": "predictions.weights",
        "VALID_METRICS": "indexes.choosing",
        "VALID_METRICS_SPARSE": "indexes.choosing",
        "kernel_log_density": "density.sums",
        "kneighbors": "indexes.nearest_rows",
        "kneighbors_graph": "graph",
        "leave_one_out_curve": "predictions.leave_one_out",
        "radius_neighbors_graph": "graph",
        "sort_graph_by_row_values": "graph",
    },
)
