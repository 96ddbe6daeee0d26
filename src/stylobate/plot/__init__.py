"""Pictures of what was computed elsewhere; nothing is computed here."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.plot.bias_variance import plot_bias_variance, plot_bias_variance_curve
    from stylobate.plot.calibration import plot_calibration_curve
    from stylobate.plot.coefficients import plot_coefficients
    from stylobate.plot.comparison import plot_comparison
    from stylobate.plot.confusion import plot_confusion_matrix
    from stylobate.plot.convergence import plot_convergence
    from stylobate.plot.decisions import plot_decision_regions_1d, plot_threshold_curve
    from stylobate.plot.detection_error import plot_det_curve
    from stylobate.plot.gain import plot_gain_curve
    from stylobate.plot.learning_curve import plot_learning_curve
    from stylobate.plot.path import plot_path
    from stylobate.plot.precision_recall import plot_precision_recall_curve
    from stylobate.plot.roc import plot_roc_curve
    from stylobate.plot.selection import plot_selection_history
    from stylobate.plot.themes import style
    from stylobate.plot.validation import plot_validation_curve

__all__ = [
    "plot_bias_variance",
    "plot_bias_variance_curve",
    "plot_calibration_curve",
    "plot_coefficients",
    "plot_comparison",
    "plot_confusion_matrix",
    "plot_convergence",
    "plot_decision_regions_1d",
    "plot_det_curve",
    "plot_gain_curve",
    "plot_learning_curve",
    "plot_path",
    "plot_precision_recall_curve",
    "plot_roc_curve",
    "plot_selection_history",
    "plot_threshold_curve",
    "plot_validation_curve",
    "style",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "plot_calibration_curve": "calibration",
        "plot_bias_variance": "bias_variance",
        "plot_bias_variance_curve": "bias_variance",
        "plot_coefficients": "coefficients",
        "plot_comparison": "comparison",
        "plot_confusion_matrix": "confusion",
        "plot_convergence": "convergence",
        "plot_det_curve": "detection_error",
        "plot_gain_curve": "gain",
        "plot_learning_curve": "learning_curve",
        "plot_decision_regions_1d": "decisions",
        "plot_path": "path",
        "plot_precision_recall_curve": "precision_recall",
        "plot_roc_curve": "roc",
        "plot_selection_history": "selection",
        "plot_threshold_curve": "decisions",
        "plot_validation_curve": "validation",
        "style": "themes",
    },
)
