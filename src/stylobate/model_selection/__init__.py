"""Splitting, validating and selecting, under the names people know."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names
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

if TYPE_CHECKING:
    from stylobate.model_selection.comparing import compare
    from stylobate.model_selection.comparison import Comparison
    from stylobate.model_selection.curves import learning_curve, validation_curve
    from stylobate.model_selection.decomposing import bias_variance, bias_variance_curve
    from stylobate.model_selection.decomposition import BiasVariance, BiasVarianceCurve
    from stylobate.model_selection.learning_curves import LearningCurve
    from stylobate.model_selection.partition import train_test_split
    from stylobate.model_selection.predictions import cross_val_predict
    from stylobate.model_selection.validation import cross_val_score, cross_validate
    from stylobate.model_selection.validation_curves import ValidationCurve

__all__ = [
    "BiasVariance",
    "BiasVarianceCurve",
    "Comparison",
    "GroupKFold",
    "KFold",
    "LearningCurve",
    "LeaveOneOut",
    "PredefinedSplit",
    "ShuffleSplit",
    "StratifiedKFold",
    "StratifiedShuffleSplit",
    "ValidationCurve",
    "bias_variance",
    "bias_variance_curve",
    "check_cv",
    "compare",
    "cross_val_predict",
    "cross_val_score",
    "cross_validate",
    "learning_curve",
    "train_test_split",
    "validation_curve",
]

__getattr__, _ = lazy_names(
    __name__,
    {
        "BiasVariance": "decomposition",
        "BiasVarianceCurve": "decomposition",
        "Comparison": "comparison",
        "LearningCurve": "learning_curves",
        "ValidationCurve": "validation_curves",
        "bias_variance": "decomposing",
        "bias_variance_curve": "decomposing",
        "compare": "comparing",
        "cross_val_predict": "predictions",
        "cross_val_score": "validation",
        "cross_validate": "validation",
        "learning_curve": "curves",
        "train_test_split": "partition",
        "validation_curve": "curves",
    },
)


def __dir__() -> list[str]:
    return sorted(__all__)
