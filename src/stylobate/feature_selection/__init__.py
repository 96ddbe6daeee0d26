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
    from stylobate.feature_selection.best_subset import BestSubsetSelector
    from stylobate.feature_selection.binned_information import binned_mutual_information
    from stylobate.feature_selection.elimination import RFE
    from stylobate.feature_selection.elimination_cv import RFECV
    from stylobate.feature_selection.from_model import SelectFromModel
    from stylobate.feature_selection.generic_univariate import GenericUnivariateSelect
    from stylobate.feature_selection.history import SelectionHistory, SelectionStep
    from stylobate.feature_selection.mutual_information import (
        mutual_info_classif,
        mutual_info_regression,
    )
    from stylobate.feature_selection.pair_features import PairFeatures
    from stylobate.feature_selection.score_threshold import SelectByScore
    from stylobate.feature_selection.selector import SelectorMixin
    from stylobate.feature_selection.sequential import SequentialFeatureSelector
    from stylobate.feature_selection.stepwise import StepwiseSelector
    from stylobate.feature_selection.univariate import (
        SelectFdr,
        SelectFpr,
        SelectFwe,
        SelectKBest,
        SelectPercentile,
    )
    from stylobate.feature_selection.variance_threshold import VarianceThreshold

__all__ = [
    "RFE",
    "RFECV",
    "BestSubsetSelector",
    "GenericUnivariateSelect",
    "PairFeatures",
    "SelectByScore",
    "SelectFdr",
    "SelectFpr",
    "SelectFromModel",
    "SelectFwe",
    "SelectKBest",
    "SelectPercentile",
    "SelectionHistory",
    "SelectionStep",
    "SelectorMixin",
    "SequentialFeatureSelector",
    "StepwiseSelector",
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
        "BestSubsetSelector": "best_subset",
        "RFE": "elimination",
        "RFECV": "elimination_cv",
        "SelectFromModel": "from_model",
        "StepwiseSelector": "stepwise",
        "GenericUnivariateSelect": "generic_univariate",
        "PairFeatures": "pair_features",
        "SelectByScore": "score_threshold",
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
