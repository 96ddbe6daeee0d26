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
    from stylobate.model_selection.grid import ParameterGrid
    from stylobate.model_selection.grid_search import GridSearchCV as GridSearchCV
    from stylobate.model_selection.halving_grid_search import (
        HalvingGridSearchCV as HalvingGridSearchCV,
    )
    from stylobate.model_selection.halving_random_search import (
        HalvingRandomSearchCV as HalvingRandomSearchCV,
    )
    from stylobate.model_selection.nested import nested_cross_validate
    from stylobate.model_selection.partition import train_test_split, train_validation_test_split
    from stylobate.model_selection.predictions import cross_val_predict
    from stylobate.model_selection.random_search import RandomizedSearchCV as RandomizedSearchCV
    from stylobate.model_selection.records import FitRecord
    from stylobate.model_selection.sampling import ParameterSampler
    from stylobate.model_selection.validation import cross_val_score, cross_validate

__all__ = [
    "Comparison",
    "FitRecord",
    "GroupKFold",
    "GroupShuffleSplit",
    "KFold",
    "LeaveOneGroupOut",
    "LeaveOneOut",
    "LeavePGroupsOut",
    "LeavePOut",
    "ParameterGrid",
    "ParameterSampler",
    "PredefinedSplit",
    "RepeatedKFold",
    "RepeatedStratifiedKFold",
    "ShuffleSplit",
    "StratifiedGroupKFold",
    "StratifiedKFold",
    "StratifiedShuffleSplit",
    "TimeSeriesSplit",
    "check_cv",
    "compare",
    "cross_val_predict",
    "cross_val_score",
    "cross_validate",
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
        "GridSearchCV": "grid_search",
        "HalvingGridSearchCV": "halving_grid_search",
        "HalvingRandomSearchCV": "halving_random_search",
        "ParameterGrid": "grid",
        "ParameterSampler": "sampling",
        "RandomizedSearchCV": "random_search",
        "Comparison": "comparison",
        "compare": "comparing",
        "cross_val_predict": "predictions",
        "cross_val_score": "validation",
        "cross_validate": "validation",
        "learning_curve": "curves",
        "nested_cross_validate": "nested",
        "train_test_split": "partition",
        "train_validation_test_split": "partition",
        "validation_curve": "curves",
    },
)


def __dir__() -> list[str]:
    return sorted(__all__)
