"""Covariance matrices: empirical, shrunk, with sparse inverses, and robust ones."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.covariance.functions import (
        empirical_covariance,
        ledoit_wolf,
        ledoit_wolf_shrinkage,
        oas,
        shrunk_covariance,
    )
    from stylobate.covariance.graphical_lasso_cv import GraphicalLassoCV
    from stylobate.covariance.minimum_determinant import fast_mcd
    from stylobate.covariance.normal import EmpiricalCovariance
    from stylobate.covariance.robust import EllipticEnvelope, MinCovDet
    from stylobate.covariance.shrinkage import OAS, LedoitWolf, ShrunkCovariance
    from stylobate.covariance.sparse_covariance import GraphicalLasso
    from stylobate.covariance.sparse_precision import graphical_lasso

__all__ = [
    "OAS",
    "EllipticEnvelope",
    "EmpiricalCovariance",
    "GraphicalLasso",
    "GraphicalLassoCV",
    "LedoitWolf",
    "MinCovDet",
    "ShrunkCovariance",
    "empirical_covariance",
    "fast_mcd",
    "graphical_lasso",
    "ledoit_wolf",
    "ledoit_wolf_shrinkage",
    "oas",
    "shrunk_covariance",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "EllipticEnvelope": "robust",
        "EmpiricalCovariance": "normal",
        "GraphicalLasso": "sparse_covariance",
        "GraphicalLassoCV": "graphical_lasso_cv",
        "LedoitWolf": "shrinkage",
        "MinCovDet": "robust",
        "OAS": "shrinkage",
        "ShrunkCovariance": "shrinkage",
        "empirical_covariance": "functions",
        "fast_mcd": "minimum_determinant",
        "graphical_lasso": "sparse_precision",
        "ledoit_wolf": "functions",
        "ledoit_wolf_shrinkage": "functions",
        "oas": "functions",
        "shrunk_covariance": "functions",
    },
)
