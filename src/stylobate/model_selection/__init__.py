"""Splitting, validating and selecting, under the names people know."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names
from stylobate.splits import (
    GroupKFold,
    GroupShuffleSplit,
    HashKFold,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    LeavePGroupsOut,
    LeavePOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
    check_cv,
)

if TYPE_CHECKING:
    from stylobate.model_selection.comparison.compare import compare
    from stylobate.model_selection.comparison.result import Comparison
    from stylobate.model_selection.curves.curves import learning_curve, validation_curve
    from stylobate.model_selection.curves.learning_curve import LearningCurve
    from stylobate.model_selection.curves.validation_curve import ValidationCurve
    from stylobate.model_selection.decomposition.bias_variance import (
        bias_variance,
        bias_variance_curve,
    )
    from stylobate.model_selection.decomposition.result import BiasVariance, BiasVarianceCurve
    from stylobate.model_selection.fits.records import FitRecord
    from stylobate.model_selection.holdout.attack import HoldoutAttack, holdout_attack
    from stylobate.model_selection.holdout.metered import Holdout
    from stylobate.model_selection.search.adaptive_search import AdaptiveSearchCV
    from stylobate.model_selection.search.grid_search import GridSearchCV
    from stylobate.model_selection.search.halving_grid_search import (
        HalvingGridSearchCV,
    )
    from stylobate.model_selection.search.halving_random_search import (
        HalvingRandomSearchCV,
    )
    from stylobate.model_selection.search.parameter_grid import ParameterGrid
    from stylobate.model_selection.search.parameter_sampler import ParameterSampler
    from stylobate.model_selection.search.random_search import RandomizedSearchCV
    from stylobate.model_selection.threshold.fixed_threshold import FixedThresholdClassifier
    from stylobate.model_selection.threshold.tuned_threshold import TunedThresholdClassifierCV
    from stylobate.model_selection.validation.cross_validation import (
        cross_val_score,
        cross_validate,
    )
    from stylobate.model_selection.validation.nested import nested_cross_validate
    from stylobate.model_selection.validation.partition import (
        train_test_split,
        train_validation_test_split,
    )
    from stylobate.model_selection.validation.predictions import cross_val_predict

__all__ = [
    "AdaptiveSearchCV",
    "BiasVariance",
    "BiasVarianceCurve",
    "Comparison",
    "FitRecord",
    "FixedThresholdClassifier",
    "GridSearchCV",
    "GroupKFold",
    "GroupShuffleSplit",
    "HalvingGridSearchCV",
    "HalvingRandomSearchCV",
    "HashKFold",
    "Holdout",
    "HoldoutAttack",
    "KFold",
    "LearningCurve",
    "LeaveOneGroupOut",
    "LeaveOneOut",
    "LeavePGroupsOut",
    "LeavePOut",
    "ParameterGrid",
    "ParameterSampler",
    "PredefinedSplit",
    "RandomizedSearchCV",
    "RepeatedKFold",
    "RepeatedStratifiedKFold",
    "ShuffleSplit",
    "StratifiedGroupKFold",
    "StratifiedKFold",
    "StratifiedShuffleSplit",
    "TimeSeriesSplit",
    "TunedThresholdClassifierCV",
    "ValidationCurve",
    "bias_variance",
    "bias_variance_curve",
    "check_cv",
    "compare",
    "cross_val_predict",
    "cross_val_score",
    "cross_validate",
    "holdout_attack",
    "learning_curve",
    "nested_cross_validate",
    "train_test_split",
    "train_validation_test_split",
    "validation_curve",
]

__getattr__, _ = lazy_names(
    __name__,
    {
        "AdaptiveSearchCV": "search.adaptive_search",
        "FitRecord": "fits.records",
        "FixedThresholdClassifier": "threshold.fixed_threshold",
        "GridSearchCV": "search.grid_search",
        "HalvingGridSearchCV": "search.halving_grid_search",
        "HalvingRandomSearchCV": "search.halving_random_search",
        "ParameterGrid": "search.parameter_grid",
        "ParameterSampler": "search.parameter_sampler",
        "RandomizedSearchCV": "search.random_search",
        "BiasVariance": "decomposition.result",
        "BiasVarianceCurve": "decomposition.result",
        "TunedThresholdClassifierCV": "threshold.tuned_threshold",
        "Comparison": "comparison.result",
        "Holdout": "holdout.metered",
        "HoldoutAttack": "holdout.attack",
        "LearningCurve": "curves.learning_curve",
        "ValidationCurve": "curves.validation_curve",
        "bias_variance": "decomposition.bias_variance",
        "bias_variance_curve": "decomposition.bias_variance",
        "compare": "comparison.compare",
        "cross_val_predict": "validation.predictions",
        "cross_val_score": "validation.cross_validation",
        "cross_validate": "validation.cross_validation",
        "holdout_attack": "holdout.attack",
        "learning_curve": "curves.curves",
        "nested_cross_validate": "validation.nested",
        "train_test_split": "validation.partition",
        "train_validation_test_split": "validation.partition",
        "validation_curve": "curves.curves",
    },
)


def __dir__() -> list[str]:
    return sorted(__all__)
