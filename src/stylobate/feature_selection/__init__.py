"""Selecting features: filters, greedy and exhaustive searches, importances of models."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.feature_selection.association import (
        chi2,
        f_classif,
        f_oneway,
        f_regression,
        r_regression,
    )
    from stylobate.feature_selection.binned_information import binned_mutual_information
    from stylobate.feature_selection.generic_univariate import GenericUnivariateSelect
    from stylobate.feature_selection.history import SelectionHistory, SelectionStep
    from stylobate.feature_selection.mutual_information import (
        mutual_info_classif,
        mutual_info_regression,
    )
    from stylobate.feature_selection.selector import SelectorMixin
    from stylobate.feature_selection.sequential import SequentialFeatureSelector
    from stylobate.feature_selection.univariate import (
        SelectFdr,
        SelectFpr,
        SelectFwe,
        SelectKBest,
        SelectPercentile,
    )
    from stylobate.feature_selection.variance_threshold import VarianceThreshold

__all__ = [
    "GenericUnivariateSelect",
    "SelectFdr",
    "SelectFpr",
    "SelectFwe",
    "SelectKBest",
    "SelectPercentile",
    "SelectionHistory",
    "SelectionStep",
    "SelectorMixin",
    "SequentialFeatureSelector",
    "VarianceThreshold",
    "binned_mutual_information",
    "chi2",
    "f_classif",
    "f_oneway",
    "f_regression",
    "mutual_info_classif",
    "mutual_info_regression",
    "r_regression",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "GenericUnivariateSelect": "generic_univariate",
        "SelectFdr": "univariate",
        "SelectFpr": "univariate",
        "SelectFwe": "univariate",
        "SelectKBest": "univariate",
        "SelectPercentile": "univariate",
        "SelectionHistory": "history",
        "SelectionStep": "history",
        "SelectorMixin": "selector",
        "SequentialFeatureSelector": "sequential",
        "VarianceThreshold": "variance_threshold",
        "binned_mutual_information": "binned_information",
        "chi2": "association",
        "f_classif": "association",
        "f_oneway": "association",
        "f_regression": "association",
        "mutual_info_classif": "mutual_information",
        "mutual_info_regression": "mutual_information",
        "r_regression": "association",
    },
)
