"""What shapes the learnt arrays of an estimator have, by the class that learns them.

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
    "BaseKMeans": {"cluster_centers_": "f centers features"},
    "Autoencoder": {"mean_": "f features"},
    "BernoulliNB": {"_log_zero": "f classes features"},
    "BernoulliRBM": {
        "components_": "d components features", "intercept_hidden_": "d components",
        "intercept_visible_": "d features", "h_samples_": "d chains components",
    },
    "CategoricalNB": {"n_categories_": "i features", "feature_log_prob_": "[features] n classes *"},
    "CategoryEncoder": {"categories_": "[features] o *"},
    "DiscreteNB": {"class_count_": "f classes", "class_log_prior_": "d classes"},
    "ComplementNB": {"feature_log_prob_": "n classes features"},
    "GaussianComponents": {"means_": "f components features", "weights_": "f components"},
    "GaussianRandomProjection": {"components_": "f components features"},
    "GaussianNB": {
        "class_count_": "f classes", "class_prior_": "f classes", "theta_": "f classes features",
        "var_": "f classes features",
    },
    "IterativeImputer": {"_bounds": "n 2 *", "_empty": "b features"},
    "KBinsDiscretizer": {"bin_edges_": "o features", "n_bins_": "i features"},
    "KCenter": {"center_indices_": "i clusters", "labels_": "i rows", "radii_": "f clusters"},
    "KMedoids": {"medoid_indices_": "i clusters", "labels_": "i rows"},
    "KNNImputer": {"_has_value": "b features", "_rows": "n rows features"},
    "KernelDensity": {"_points": "n rows features", "_weights": "?f rows", "scale_": "d features"},
    "LatentClassMixture": {
        "means_": "n components features", "variances_": "n components features",
        "weights_": "f components",
    },
    "LinearDiscriminantAnalysis": {
        "_bias": "f classes", "_center": "f features", "_weights": "f classes features",
        "means_": "f classes features", "priors_": "f classes", "scalings_": "f features *",
        "xbar_": "f features",
    },
    "MaxAbsScaler": {"max_abs_": "n features", "scale_": "n features"},
    "MinMaxScaler": {
        "data_max_": "n features", "data_min_": "n features", "data_range_": "n features",
        "min_": "n features", "scale_": "n features",
    },
    "MissingIndicator": {"features_": "i *"},
    "MultinomialNB": {"feature_log_prob_": "n classes features"},
    "NaiveBayes": {"class_count_": "f classes", "class_prior_": "f classes"},
    "NearestCentroid": {
        "centroids_": "f classes features", "class_prior_": "f classes",
        "deviations_": "n classes features", "within_class_std_dev_": "n features",
    },
    "LatentDirichletAllocation": {
        "components_": "f components features", "exp_dirichlet_component_": "f components features",
    },
    "MiniBatchNMF": {
        "_numerator": "f components features", "_denominator": "f components features",
    },
    "NonnegativeFactors": {"components_": "f components features"},
    "OneHotEncoder": {"_block": "[features] i *", "_unknown": "i features", "_start": "i *"},
    "OrdinalEncoder": {"_numbers": "[features] n *"},
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
    "RobustScaler": {"center_": "?n features", "scale_": "?n features"},
    "SimpleImputer": {"statistics_": "o features"},
    "StandardScaler": {"mean_": "?n features", "scale_": "?n features", "var_": "?n features"},
    "TruncatedSVD": {"components_": "f components features", "singular_values_": "f components"},
}  # fmt: skip


def misshapen(built: Any) -> str | None:
    """What does not fit of the arrays of an estimator, in words; None if all do.

    >>> from stylobate.preprocessing import StandardScaler
    >>> scaler = StandardScaler().fit([[1.0, 2.0], [3.0, 5.0]])
    >>> misshapen(scaler)
    >>> scaler.mean_ = scaler.mean_[:1]
    >>> misshapen(scaler)
    'has mean_ of shape (1,), which must be (features,) = (2,)'
    """
    state, lengths = vars(built), _lengths(built)
    for base in type(built).__mro__:
        for name, announced in SHAPES.get(base.__name__, {}).items():
            if name in state and is_estimator(type(built)):
                words = _misfit(state[name], announced, lengths)
                if words:
                    return f"has {name} {words}"
    return None


def _lengths(built: Any) -> dict[str, int]:
    """What is known of the axes before any array is looked at."""
    known: dict[str, int] = {}
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
