"""Covariance matrices: empirical, and shrunk by a given or an estimated amount."""

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

__all__ = [
    "empirical_covariance",
    "ledoit_wolf",
    "ledoit_wolf_shrinkage",
    "oas",
    "shrunk_covariance",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "empirical_covariance": "functions",
        "ledoit_wolf": "functions",
        "ledoit_wolf_shrinkage": "functions",
        "oas": "functions",
        "shrunk_covariance": "functions",
    },
)
