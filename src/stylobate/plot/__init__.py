"""Pictures of what was computed elsewhere; nothing is computed here."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.plot.bias_variance import plot_bias_variance, plot_bias_variance_curve
    from stylobate.plot.coefficients import plot_coefficients
    from stylobate.plot.comparison import plot_comparison
    from stylobate.plot.convergence import plot_convergence
    from stylobate.plot.learning_curve import plot_learning_curve
    from stylobate.plot.parameter_curve import plot_parameter_curve
    from stylobate.plot.path import plot_path
    from stylobate.plot.selection import plot_selection_history
    from stylobate.plot.validation import plot_validation_curve

__all__ = [
    "plot_bias_variance",
    "plot_bias_variance_curve",
    "plot_coefficients",
    "plot_comparison",
    "plot_convergence",
    "plot_learning_curve",
    "plot_parameter_curve",
    "plot_path",
    "plot_selection_history",
    "plot_validation_curve",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "plot_bias_variance": "bias_variance",
        "plot_bias_variance_curve": "bias_variance",
        "plot_coefficients": "coefficients",
        "plot_comparison": "comparison",
        "plot_convergence": "convergence",
        "plot_learning_curve": "learning_curve",
        "plot_parameter_curve": "parameter_curve",
        "plot_path": "path",
        "plot_selection_history": "selection",
        "plot_validation_curve": "validation",
    },
)
