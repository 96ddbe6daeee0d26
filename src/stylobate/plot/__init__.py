"""Pictures of what was computed elsewhere; nothing is computed here."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.plot.coefficients import plot_coefficients
    from stylobate.plot.comparison import plot_comparison
    from stylobate.plot.convergence import plot_convergence
    from stylobate.plot.decisions import plot_decision_regions_1d, plot_threshold_curve
    from stylobate.plot.path import plot_path
    from stylobate.plot.selection import plot_selection_history
    from stylobate.plot.validation import plot_validation_curve

__all__ = [
    "plot_coefficients",
    "plot_comparison",
    "plot_convergence",
    "plot_decision_regions_1d",
    "plot_path",
    "plot_selection_history",
    "plot_threshold_curve",
    "plot_validation_curve",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "plot_coefficients": "coefficients",
        "plot_comparison": "comparison",
        "plot_convergence": "convergence",
        "plot_decision_regions_1d": "decisions",
        "plot_path": "path",
        "plot_selection_history": "selection",
        "plot_threshold_curve": "decisions",
        "plot_validation_curve": "validation",
    },
)
