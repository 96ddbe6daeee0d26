"""Discriminant analysis: normal densities of the classes, and the boundaries between them."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.discriminant_analysis.linear import LinearDiscriminantAnalysis
    from stylobate.discriminant_analysis.quadratic import QuadraticDiscriminantAnalysis
    from stylobate.discriminant_analysis.singular import SingularCovarianceError

__all__ = [
    "LinearDiscriminantAnalysis",
    "QuadraticDiscriminantAnalysis",
    "SingularCovarianceError",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "LinearDiscriminantAnalysis": "linear",
        "QuadraticDiscriminantAnalysis": "quadratic",
        "SingularCovarianceError": "singular",
    },
)
