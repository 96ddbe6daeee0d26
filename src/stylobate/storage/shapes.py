"""What shapes the arrays of an estimator or a statistic have, by the class that holds them.

An array is announced as its kind and its axes: ``"f classes features"`` are numbers, one for each
class and feature. Axes: ``features`` (`n_features_in_`), ``classes`` (of `classes_`), a number,
``*`` (any length), or any other word, of the same length wherever the class says it.
Kinds: ``f`` numbers without NaN, ``n`` numbers, ``d`` fractions, ``i`` whole numbers,
``b`` truth values, ``o`` any.
A question mark in front: or None. In ``[features] …`` there is a list of as many such arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.storage.names import is_estimator

_KINDS = {"d": "f", "f": "biuf", "n": "biuf", "i": "iu", "b": "b", "o": "biufcmMUSO"}

SHAPES: dict[str, dict[str, str]] = {
    "AffinityPropagation": {"cluster_centers_": "f clusters features"},
    "Autoencoder": {"mean_": "f features"},
    "BaseKMeans": {"cluster_centers_": "f centers features"},
    "BayesianGaussianMixture": {
        "mean_precision_": "f components",
    },
    "BernoulliNB": {"_log_zero": "f classes features", "feature_log_prob_": "n classes features"},
    "BernoulliRBM": {
        "components_": "d components features", "intercept_hidden_": "d components",
        "intercept_visible_": "d features", "h_samples_": "d chains components",
    },
    "BestSubsetSelector": {"support_": "b features"},
    "Birch": {
        "subcluster_centers_": "n subclusters features", "subcluster_labels_": "i subclusters",
    },
    "BisectingKMeans": {"splits_": "i parts 3", "split_centers_": "f parts features"},
    "CategoricalNB": {"n_categories_": "i features", "feature_log_prob_": "[features] n classes *"},
    "CategoryEncoder": {"categories_": "[features] o *"},
    "ClassMoments": {
        "classes": "o classes", "n_rows": "n classes", "weight": "n classes",
        "mean": "n classes columns",
    },
    "ClassSums": {
        "classes": "o classes", "n_rows": "n classes", "weight": "n classes",
        "sums": "n classes columns",
    },
    "ClassicalMDS": {
        "_axes": "f axes features", "_centre": "f features", "eigenvalues_": "n components",
        "embedding_": "f rows components",
    },
    "ComplementNB": {"feature_log_prob_": "n classes features"},
    "CondensedTree": {"parent": "i edges", "child": "i edges", "child_size": "i edges"},
    "DiagonalClassMoments": {"scatter": "n classes columns"},
    "DictionaryLearning": {"components_": "d atoms features"},
    "DiscreteNB": {
        "class_count_": "f classes", "class_log_prior_": "d classes",
        "feature_count_": "n classes features",
    },
    "FactorAnalysis": {
        "components_": "f components features", "mean_": "f features",
        "noise_variance_": "f features",
    },
    "FastICA": {
        "components_": "f components features", "mean_": "?f features",
        "whitening_": "f whitened features",
    },
    "FeatureAgglomeration": {"labels_": "i features"},
    "FullClassMoments": {"scatter": "n classes columns columns"},
    "GaussianComponents": {"means_": "f components features", "weights_": "f components"},
    "GaussianNB": {
        "class_count_": "f classes", "class_prior_": "f classes", "theta_": "f classes features",
        "var_": "f classes features",
    },
    "GaussianRandomProjection": {"components_": "f components features"},
    "GeoEncoder": {"points_": "n points 2"},
    "HDBSCAN": {"_core_distances": "n points", "_finite_places": "?i *"},
    "HistogramDensity": {
        "cells_": "i cells features", "heights_": "f cells", "bin_edges_": "[features] n *",
    },
    "Isomap": {"dist_matrix_": "n rows rows", "embedding_": "f rows components"},
    "IsotonicRegression": {"X_thresholds_": "n steps", "y_thresholds_": "n steps"},
    "IterativeImputer": {"_bounds": "n 2 *", "_empty": "b features"},
    "KBinsDiscretizer": {"bin_edges_": "o features", "n_bins_": "i features"},
    "KCenter": {"center_indices_": "i clusters", "labels_": "i rows", "radii_": "f clusters"},
    "KMedoids": {"medoid_indices_": "i clusters", "labels_": "i rows"},
    "KNNImputer": {"_has_value": "b features", "_rows": "n rows features"},
    "KernelCenterer": {"K_fit_rows_": "n features"},
    "KernelDensity": {"_points": "n rows features", "_weights": "?f rows", "scale_": "d features"},
    "KernelPCA": {
        "eigenvectors_": "f rows components", "eigenvalues_": "f components",
        "kernel_means_": "f rows",
    },
    "LabelBinarizer": {"classes_": "o labels"},
    "LabelEncoder": {"classes_": "o *"},
    "LatentClassMixture": {
        "means_": "n components features", "variances_": "n components features",
        "weights_": "f components",
    },
    "LatentDirichletAllocation": {
        "components_": "d components features", "exp_dirichlet_component_": "d components features",
    },
    "LatentRegressor": {
        "x_rotations_": "n features components", "y_rotations_": "n targets components",
    },
    "LinearDiscriminantAnalysis": {
        "_bias": "f classes", "_center": "f features", "_weights": "f classes features",
        "means_": "f classes features", "priors_": "f classes", "scalings_": "f features *",
        "xbar_": "f features",
    },
    "LocallyLinearEmbedding": {"embedding_": "n rows *"},
    "MDS": {"embedding_": "f rows components"},
    "MaxAbsScaler": {"max_abs_": "n features", "scale_": "n features"},
    "MeanShift": {"cluster_centers_": "f clusters features"},
    "MinMaxScaler": {
        "data_max_": "n features", "data_min_": "n features", "data_range_": "n features",
        "min_": "n features", "scale_": "n features",
    },
    "MiniBatchDictionaryLearning": {"components_": "d atoms features"},
    "MiniBatchNMF": {
        "_numerator": "f components features", "_denominator": "f components features",
    },
    "MissingIndicator": {"features_": "i *"},
    "Moments": {"mean": "f columns", "scatter": "f columns columns"},
    "MultiLabelBinarizer": {"classes_": "o labels"},
    "MultinomialNB": {"feature_log_prob_": "n classes features"},
    "NaiveBayes": {"class_count_": "f classes", "class_prior_": "f classes"},
    "NearestCentroid": {
        "centroids_": "f classes features", "class_prior_": "f classes",
        "deviations_": "n classes features", "within_class_std_dev_": "n features",
    },
    "Nystroem": {"normalization_": "f components *"},
    "NonnegativeFactors": {"components_": "f components features"},
    "OneHotEncoder": {"_block": "[features] i *", "_unknown": "i features", "_start": "i *"},
    "OneClassSVM": {"offset_": "f 1"},
    "OrdinalEncoder": {"_numbers": "[features] n *"},
    "PLSSVD": {"x_weights_": "n features components", "y_weights_": "n targets components"},
    "PairFeatures": {"pairs_": "i pairs 2"},
    "PenalizedRegression": {"coef_": "f features"},
    "PooledClassMoments": {"scatter": "n columns columns"},
    "PowerTransformer": {"lambdas_": "n features", "_middles": "n features"},
    "PrincipalComponents": {
        "components_": "f components features", "explained_variance_": "f components",
        "mean_": "f features", "singular_values_": "f components",
    },
    "QuadraticDiscriminantAnalysis": {
        "_log_det": "f classes", "_spread": "f classes features features",
        "means_": "f classes features", "priors_": "f classes",
    },
    "QuantileTransformer": {"quantiles_": "n points features", "references_": "d points"},
    "RBFFeatures": {"centers_": "n * features"},
    "RandomWaves": {"random_weights_": "f features components", "random_offset_": "f components"},
    "RecursiveElimination": {"support_": "b features"},
    "RobustScaler": {"center_": "?n features", "scale_": "?n features"},
    "SGDRegressor": {"coef_": "f features", "intercept_": "f 1"},
    "SequentialFeatureSelector": {"support_": "b features"},
    "SgdState": {
        "coef": "d problems columns", "intercept": "d problems", "mean_coef": "d problems columns",
        "mean_intercept": "d problems",
    },
    "SimpleImputer": {"statistics_": "o features"},
    "SparseProjection": {"components_": "f components features", "mean_": "f features"},
    "StandardScaler": {"mean_": "?n features", "scale_": "?n features", "var_": "?n features"},
    "StepwiseSelector": {"support_": "b features"},
    "TabularNetRegressor": {"target_range_": "f 2"},
    "TravellingLabels": {"label_distributions_": "n rows classes"},
    "TruncatedSVD": {"components_": "f components features", "singular_values_": "f components"},
    "TwoBlockModel": {
        "_x_mean": "n features", "_x_std": "n features", "_y_mean": "n targets",
        "_y_std": "n targets",
    },
    "UnivariateFilter": {"scores_": "n features", "pvalues_": "?n features"},
    "VarianceThreshold": {"variances_": "n features"},
}  # fmt: skip


def misshapen(built: Any) -> str | None:
    """What does not fit of the arrays of an object, in words; None if all do.

    >>> from stylobate.preprocessing import StandardScaler
    >>> scaler = StandardScaler().fit([[1.0, 2.0], [3.0, 5.0]])
    >>> misshapen(scaler)
    >>> scaler.mean_ = scaler.mean_[:1]
    >>> misshapen(scaler)
    'has mean_ of shape (1,), which must be (features,) = (2,)'
    """
    known: dict[str, str] = {}
    for base in reversed(type(built).__mro__):  # a class knows better than what it is made from
        known |= SHAPES.get(base.__name__, {})
    lengths = _lengths(built) if known else {}
    for name, announced in known.items():
        if hasattr(built, name):
            words = _misfit(getattr(built, name), announced, lengths)
            if words:
                return f"has {name} {words}"
    return None


def _lengths(built: Any) -> dict[str, int]:
    """What is known of the axes before any array is looked at."""
    known: dict[str, int] = {}
    if not is_estimator(type(built)):
        return known
    classes = vars(built).get("classes_")
    if isinstance(classes, np.ndarray) and classes.ndim == 1:
        known["classes"] = len(classes)
    if "n_features_in_" in vars(built):
        known["features"] = int(built.n_features_in_)
    return known


def _misfit(value: Any, announced: str, lengths: dict[str, int]) -> str | None:
    if announced.startswith("?"):
        return None if value is None else _misfit(value, announced[1:], lengths)
    if announced.startswith("["):
        axis, _, each = announced[1:].partition("] ")
        if not isinstance(value, list | tuple):
            return f"that are a {type(value).__name__} and no list"
        if len(value) != lengths.setdefault(axis, len(value)):
            return f"for {len(value)} of {lengths[axis]} {axis}"
        found = (_misfit(part, each, lengths) for part in value)
        return next((words for words in found if words), None)
    kind, *axes = announced.split()
    if not isinstance(value, np.ndarray) or isinstance(value, np.ma.MaskedArray):
        return f"that is a {type(value).__name__} and no array"
    if value.dtype.kind not in _KINDS[kind]:
        return f"of type {value.dtype}"
    if value.dtype.kind == "O" and any(
        isinstance(each, list | dict | set) for each in value.ravel().tolist()
    ):
        return "with lists in it"
    if not _has_axes(value, axes, lengths):
        wanted = ", ".join(str(lengths.get(axis, axis)) for axis in axes)
        comma = "," if len(axes) == 1 else ""
        said = ", ".join(axes)
        return f"of shape {value.shape}, which must be ({said}{comma}) = ({wanted}{comma})"
    if kind == "f" and value.dtype.kind == "f" and np.isnan(value).any():
        return "with NaN in it"
    return None


def _has_axes(value: Any, axes: list[str], lengths: dict[str, int]) -> bool:
    if value.ndim != len(axes):
        return False
    for axis, length in zip(axes, value.shape, strict=True):
        if axis.isdigit():
            if length != int(axis):
                return False
        elif axis != "*" and lengths.setdefault(axis, length) != length:
            return False
    return True
