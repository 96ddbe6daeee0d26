"""Pictures of what was computed elsewhere; nothing is computed here."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.plot.calibration import plot_calibration_curve
    from stylobate.plot.coefficients import plot_coefficients
    from stylobate.plot.comparison import plot_comparison
    from stylobate.plot.confusion import plot_confusion_matrix
    from stylobate.plot.convergence import plot_convergence
    from stylobate.plot.detection_error import plot_det_curve
    from stylobate.plot.gain import plot_gain_curve
    from stylobate.plot.path import plot_path
    from stylobate.plot.precision_recall import plot_precision_recall_curve
    from stylobate.plot.roc import plot_roc_curve
    from stylobate.plot.selection import plot_selection_history
    from stylobate.plot.validation import plot_validation_curve

__all__ = [
    "plot_calibration_curve",
    "plot_coefficients",
    "plot_comparison",
    "plot_confusion_matrix",
    "plot_convergence",
    "plot_det_curve",
    "plot_gain_curve",
    "plot_path",
    "plot_precision_recall_curve",
    "plot_roc_curve",
    "plot_selection_history",
    "plot_validation_curve",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "plot_calibration_curve": "calibration",
        "plot_coefficients": "coefficients",
        "plot_comparison": "comparison",
        "plot_confusion_matrix": "confusion",
        "plot_convergence": "convergence",
        "plot_det_curve": "detection_error",
        "plot_gain_curve": "gain",
        "plot_path": "path",
        "plot_precision_recall_curve": "precision_recall",
        "plot_roc_curve": "roc",
        "plot_selection_history": "selection",
        "plot_validation_curve": "validation",
    },
)
