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
    from stylobate.model_selection.curves import learning_curve, validation_curve
    from stylobate.model_selection.partition import train_test_split, train_validation_test_split
    from stylobate.model_selection.predictions import cross_val_predict
    from stylobate.model_selection.threshold_tuning import TunedThresholdClassifierCV
    from stylobate.model_selection.thresholding import FixedThresholdClassifier
    from stylobate.model_selection.validation import cross_val_score, cross_validate

__all__ = [
    "FixedThresholdClassifier",
    "GroupKFold",
    "GroupShuffleSplit",
    "KFold",
    "LeaveOneGroupOut",
    "LeaveOneOut",
    "LeavePGroupsOut",
    "LeavePOut",
    "PredefinedSplit",
    "RepeatedKFold",
    "RepeatedStratifiedKFold",
    "ShuffleSplit",
    "StratifiedGroupKFold",
    "StratifiedKFold",
    "StratifiedShuffleSplit",
    "TimeSeriesSplit",
    "TunedThresholdClassifierCV",
    "check_cv",
    "cross_val_predict",
    "cross_val_score",
    "cross_validate",
    "learning_curve",
    "train_test_split",
    "train_validation_test_split",
    "validation_curve",
]

__getattr__, _ = lazy_names(
    __name__,
    {
        "FixedThresholdClassifier": "thresholding",
        "TunedThresholdClassifierCV": "threshold_tuning",
        "cross_val_predict": "predictions",
        "cross_val_score": "validation",
        "cross_validate": "validation",
        "learning_curve": "curves",
        "train_test_split": "partition",
        "train_validation_test_split": "partition",
        "validation_curve": "curves",
    },
)


def __dir__() -> list[str]:
    return sorted(__all__)
