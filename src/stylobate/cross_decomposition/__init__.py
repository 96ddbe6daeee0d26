"""What two tables have in common."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.cross_decomposition.cca import CCA
    from stylobate.cross_decomposition.correlation_tests import CorrelationSummary
    from stylobate.cross_decomposition.pls_canonical import PLSCanonical
    from stylobate.cross_decomposition.pls_regression import PLSRegression
    from stylobate.cross_decomposition.pls_svd import PLSSVD

__all__ = ["CCA", "PLSSVD", "CorrelationSummary", "PLSCanonical", "PLSRegression"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "CCA": "cca",
        "PLSSVD": "pls_svd",
        "CorrelationSummary": "correlation_tests",
        "PLSCanonical": "pls_canonical",
        "PLSRegression": "pls_regression",
    },
)
