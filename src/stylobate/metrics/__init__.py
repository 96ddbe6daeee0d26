"""Metrics and scorers, under the names people know."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.metrics.accuracy import accuracy_score, balanced_accuracy_score
    from stylobate.metrics.checking import check_scoring
    from stylobate.metrics.confusion import confusion_matrix
    from stylobate.metrics.deviance import (
        d2_tweedie_score,
        mean_gamma_deviance,
        mean_poisson_deviance,
        mean_tweedie_deviance,
    )
    from stylobate.metrics.improving import (
        Improvement,
        ImprovementTable,
        improvement,
        improvement_table,
    )
    from stylobate.metrics.intervals.confidence import confidence_interval
    from stylobate.metrics.intervals.interval import Interval
    from stylobate.metrics.intervals.paired import difference_interval
    from stylobate.metrics.intervals.proportions import proportion_interval
    from stylobate.metrics.names import get_scorer, get_scorer_names
    from stylobate.metrics.precision_recall import (
        f1_score,
        fbeta_score,
        precision_recall_fscore_support,
        precision_score,
        recall_score,
    )
    from stylobate.metrics.probabilities import brier_score_loss, log_loss
    from stylobate.metrics.quantiles import (
        d2_absolute_error_score,
        d2_pinball_score,
        mean_pinball_loss,
    )
    from stylobate.metrics.ranking import average_precision_score, roc_auc_score
    from stylobate.metrics.regression import (
        explained_variance_score,
        max_error,
        mean_absolute_error,
        mean_absolute_percentage_error,
        mean_squared_error,
        mean_squared_log_error,
        median_absolute_error,
        r2_score,
        root_mean_squared_error,
        root_mean_squared_log_error,
    )
    from stylobate.metrics.scorers import make_scorer

__all__ = [
    "Improvement",
    "ImprovementTable",
    "Interval",
    "accuracy_score",
    "average_precision_score",
    "balanced_accuracy_score",
    "brier_score_loss",
    "check_scoring",
    "confidence_interval",
    "confusion_matrix",
    "d2_absolute_error_score",
    "d2_pinball_score",
    "d2_tweedie_score",
    "difference_interval",
    "explained_variance_score",
    "f1_score",
    "fbeta_score",
    "get_scorer",
    "get_scorer_names",
    "improvement",
    "improvement_table",
    "log_loss",
    "make_scorer",
    "max_error",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_gamma_deviance",
    "mean_pinball_loss",
    "mean_poisson_deviance",
    "mean_squared_error",
    "mean_squared_log_error",
    "mean_tweedie_deviance",
    "median_absolute_error",
    "precision_recall_fscore_support",
    "precision_score",
    "proportion_interval",
    "r2_score",
    "recall_score",
    "roc_auc_score",
    "root_mean_squared_error",
    "root_mean_squared_log_error",
]

_MODULES = {
    "accuracy": ("accuracy_score", "balanced_accuracy_score"),
    "checking": ("check_scoring",),
    "confusion": ("confusion_matrix",),
    "deviance": (
        "d2_tweedie_score",
        "mean_gamma_deviance",
        "mean_poisson_deviance",
        "mean_tweedie_deviance",
    ),
    "improving": ("Improvement", "ImprovementTable", "improvement", "improvement_table"),
    "intervals.confidence": ("confidence_interval",),
    "intervals.interval": ("Interval",),
    "intervals.paired": ("difference_interval",),
    "intervals.proportions": ("proportion_interval",),
    "names": ("get_scorer", "get_scorer_names"),
    "precision_recall": (
        "f1_score",
        "fbeta_score",
        "precision_recall_fscore_support",
        "precision_score",
        "recall_score",
    ),
    "probabilities": ("brier_score_loss", "log_loss"),
    "quantiles": ("d2_absolute_error_score", "d2_pinball_score", "mean_pinball_loss"),
    "ranking": ("average_precision_score", "roc_auc_score"),
    "regression": (
        "explained_variance_score",
        "max_error",
        "mean_absolute_error",
        "mean_absolute_percentage_error",
        "mean_squared_error",
        "mean_squared_log_error",
        "median_absolute_error",
        "r2_score",
        "root_mean_squared_error",
        "root_mean_squared_log_error",
    ),
    "scorers": ("make_scorer",),
}
__getattr__, __dir__ = lazy_names(
    __name__, {name: module for module, names in _MODULES.items() for name in names}
)
