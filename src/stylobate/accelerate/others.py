"""Generative models, clusters and kernel ridge."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.accelerate.fits import Data, FitAdapter, numpy_scalars

_GROUPS = ("labels_", "children_", "n_leaves_", "n_connected_components_", "n_clusters_")


def _discriminants(theirs: Any, ours: Any, data: Data) -> None:
    theirs._max_components = min(len(theirs.classes_) - 1, data.X.shape[1])
    theirs._n_features_out = theirs._max_components


def _few_rows_a_class(model: Any, data: Data) -> str | None:
    """scikit-learn warns of dependent columns, class by class."""
    counts = np.unique(data.y, return_counts=True)[1]
    return "a class of fewer rows than columns" if counts.min() <= data.X.shape[1] else None


def _grouped(theirs: Any, ours: Any, data: Data) -> None:
    if theirs.distance_threshold is not None or theirs.compute_distances:
        theirs.distances_ = ours.distances_


OTHERS = (
    FitAdapter(
        "naive_bayes", "GaussianNB",
        ("classes_", "class_count_", "class_prior_", "theta_", "var_", "epsilon_"),
        free=("var_smoothing",), classifies=True, finish=numpy_scalars("epsilon_"),
    ),
    FitAdapter(
        "discriminant_analysis", "LinearDiscriminantAnalysis",
        ("classes_", "priors_", "means_", "xbar_", "scalings_", "coef_", "intercept_",
         "explained_variance_ratio_"),
        free=("tol",), smallest=10_000, checks={"ensure_min_samples": 2}, classifies=True,
        odd=_few_rows_a_class, finish=_discriminants, signless=("scalings_",),
    ),
    FitAdapter(
        "discriminant_analysis", "QuadraticDiscriminantAnalysis",
        ("classes_", "priors_", "means_", "rotations_", "scalings_"),
        free=("tol", "reg_param"), classifies=True, odd=_few_rows_a_class,
        signless=("rotations_",), smallest=50_000,
    ),
    FitAdapter(
        "kernel_ridge", "KernelRidge", ("dual_coef_", "X_fit_"),
        free=("alpha", "gamma", "degree", "coef0"),
        fixed={"kernel": ("linear", "rbf", "poly", "polynomial")},
        checks={"y_numeric": True, "multi_output": True}, smallest=2_000,
    ),
    FitAdapter(
        "cluster", "DBSCAN", ("labels_", "core_sample_indices_", "components_"),
        free=("eps", "min_samples", "algorithm", "leaf_size", "n_jobs"),
        fixed={"metric": ("euclidean", "manhattan", "chebyshev")}, supervised=False, smallest=2_000,
    ),
    FitAdapter(
        "cluster", "AgglomerativeClustering", _GROUPS,
        free=("n_clusters", "distance_threshold", "compute_distances"),
        fixed={"linkage": ("ward", "average", "complete", "single")},
        checks={"ensure_min_samples": 2}, supervised=False, finish=_grouped,
    ),
)  # fmt: skip
