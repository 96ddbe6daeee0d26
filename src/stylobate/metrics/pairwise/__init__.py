"""Distances and kernels of every pair of rows, under scikit-learn's names.

The metrics themselves are values of `stylobate.distances`, where ``measured(x, y, metric)`` gives
nearest rows, rows within a radius, sums of kernels and whole matrices from one engine.
"""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.metrics.pairwise.arrays import check_paired_arrays, check_pairwise_arrays
    from stylobate.metrics.pairwise.dispatch import (
        distance_metrics,
        kernel_metrics,
        pairwise_distances,
        pairwise_distances_chunked,
        pairwise_kernels,
    )
    from stylobate.metrics.pairwise.distances import (
        cosine_distances,
        euclidean_distances,
        haversine_distances,
        manhattan_distances,
        nan_euclidean_distances,
    )
    from stylobate.metrics.pairwise.gower import gower_distances
    from stylobate.metrics.pairwise.kernels import (
        additive_chi2_kernel,
        chi2_kernel,
        cosine_similarity,
        laplacian_kernel,
        linear_kernel,
        polynomial_kernel,
        rbf_kernel,
        sigmoid_kernel,
    )
    from stylobate.metrics.pairwise.nearest import (
        pairwise_distances_argmin,
        pairwise_distances_argmin_min,
    )
    from stylobate.metrics.pairwise.paired import (
        paired_cosine_distances,
        paired_distances,
        paired_euclidean_distances,
        paired_manhattan_distances,
    )

__all__ = [
    "additive_chi2_kernel",
    "check_paired_arrays",
    "check_pairwise_arrays",
    "chi2_kernel",
    "cosine_distances",
    "cosine_similarity",
    "distance_metrics",
    "euclidean_distances",
    "gower_distances",
    "haversine_distances",
    "kernel_metrics",
    "laplacian_kernel",
    "linear_kernel",
    "manhattan_distances",
    "nan_euclidean_distances",
    "paired_cosine_distances",
    "paired_distances",
    "paired_euclidean_distances",
    "paired_manhattan_distances",
    "pairwise_distances",
    "pairwise_distances_argmin",
    "pairwise_distances_argmin_min",
    "pairwise_distances_chunked",
    "pairwise_kernels",
    "polynomial_kernel",
    "rbf_kernel",
    "sigmoid_kernel",
]

_MODULES = {
    "arrays": ("check_paired_arrays", "check_pairwise_arrays"),
    "dispatch": (
        "distance_metrics",
        "kernel_metrics",
        "pairwise_distances",
        "pairwise_distances_chunked",
        "pairwise_kernels",
    ),
    "distances": (
        "cosine_distances",
        "euclidean_distances",
        "haversine_distances",
        "manhattan_distances",
        "nan_euclidean_distances",
    ),
    "gower": ("gower_distances",),
    "kernels": (
        "additive_chi2_kernel",
        "chi2_kernel",
        "cosine_similarity",
        "laplacian_kernel",
        "linear_kernel",
        "polynomial_kernel",
        "rbf_kernel",
        "sigmoid_kernel",
    ),
    "nearest": ("pairwise_distances_argmin", "pairwise_distances_argmin_min"),
    "paired": (
        "paired_cosine_distances",
        "paired_distances",
        "paired_euclidean_distances",
        "paired_manhattan_distances",
    ),
}
__getattr__, __dir__ = lazy_names(
    __name__, {name: module for module, names in _MODULES.items() for name in names}
)
