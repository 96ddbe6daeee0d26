"""Splitting, validating and selecting, under the names people know."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names
from stylobate.splits import (
    GroupKFold,
    GroupShuffleSplit,
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
    from stylobate.model_selection.comparing import compare
    from stylobate.model_selection.comparison import Comparison
    from stylobate.model_selection.curves import learning_curve, validation_curve
    from stylobate.model_selection.decomposing import bias_variance, bias_variance_curve
    from stylobate.model_selection.decomposition import BiasVariance, BiasVarianceCurve
    from stylobate.model_selection.grid import ParameterGrid
    from stylobate.model_selection.grid_search import GridSearchCV
    from stylobate.model_selection.halving_grid_search import (
        HalvingGridSearchCV,
    )
    from stylobate.model_selection.halving_random_search import (
        HalvingRandomSearchCV,
    )
    from stylobate.model_selection.holdout.attack import HoldoutAttack, holdout_attack
    from stylobate.model_selection.holdout.metered import Holdout
    from stylobate.model_selection.learning_curves import LearningCurve
    from stylobate.model_selection.nested import nested_cross_validate
    from stylobate.model_selection.partition import train_test_split, train_validation_test_split
    from stylobate.model_selection.predictions import cross_val_predict
    from stylobate.model_selection.random_search import RandomizedSearchCV
    from stylobate.model_selection.records import FitRecord
    from stylobate.model_selection.sampling import ParameterSampler
    from stylobate.model_selection.threshold_tuning import TunedThresholdClassifierCV
    from stylobate.model_selection.thresholding import FixedThresholdClassifier
    from stylobate.model_selection.validation import cross_val_score, cross_validate
    from stylobate.model_selection.validation_curves import ValidationCurve

__all__ = [
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
        "FitRecord": "records",
        "FixedThresholdClassifier": "thresholding",
        "GridSearchCV": "grid_search",
        "HalvingGridSearchCV": "halving_grid_search",
        "HalvingRandomSearchCV": "halving_random_search",
        "ParameterGrid": "grid",
        "ParameterSampler": "sampling",
        "RandomizedSearchCV": "random_search",
        "BiasVariance": "decomposition",
        "BiasVarianceCurve": "decomposition",
        "TunedThresholdClassifierCV": "threshold_tuning",
        "Comparison": "comparison",
        "Holdout": "holdout.metered",
        "HoldoutAttack": "holdout.attack",
        "LearningCurve": "learning_curves",
        "ValidationCurve": "validation_curves",
        "bias_variance": "decomposing",
        "bias_variance_curve": "decomposing",
        "compare": "comparing",
        "cross_val_predict": "predictions",
        "cross_val_score": "validation",
        "cross_validate": "validation",
        "holdout_attack": "holdout.attack",
        "learning_curve": "curves",
        "nested_cross_validate": "nested",
        "train_test_split": "partition",
        "train_validation_test_split": "partition",
        "validation_curve": "curves",
    },
)


def __dir__() -> list[str]:
    return sorted(__all__)
