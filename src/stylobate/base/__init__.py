"""The estimator protocol: parameters and their constraints, tags, clone, representations."""

from stylobate.base.classes import class_weights, read_classes
from stylobate.base.cloning import clone
from stylobate.base.constraints import HasMethods, Interval, Numbers, Options, RandomState
from stylobate.base.estimator import BaseEstimator
from stylobate.base.mixins import (
    ClassifierMixin,
    ClusterMixin,
    DensityMixin,
    RegressorMixin,
    TransformerMixin,
    is_classifier,
    is_clusterer,
    is_regressor,
)
from stylobate.base.tags import Tags

__all__ = [
    "BaseEstimator",
    "ClassifierMixin",
    "ClusterMixin",
    "DensityMixin",
    "HasMethods",
    "Interval",
    "Numbers",
    "Options",
    "RandomState",
    "RegressorMixin",
    "Tags",
    "TransformerMixin",
    "class_weights",
    "clone",
    "is_classifier",
    "is_clusterer",
    "is_regressor",
    "read_classes",
]
