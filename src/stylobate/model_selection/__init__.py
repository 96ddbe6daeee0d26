"""Splitting, validating and selecting, under the names people know."""

from stylobate.splits import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
    check_cv,
)

__all__ = [
    "GroupKFold",
    "KFold",
    "LeaveOneOut",
    "PredefinedSplit",
    "ShuffleSplit",
    "StratifiedKFold",
    "StratifiedShuffleSplit",
    "check_cv",
]
