"""Random projections, and the distances they keep."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.random_projection.bound import johnson_lindenstrauss_min_dim
    from stylobate.random_projection.projections import (
        GaussianRandomProjection,
        SparseRandomProjection,
    )

__all__ = [
    "GaussianRandomProjection",
    "SparseRandomProjection",
    "johnson_lindenstrauss_min_dim",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "GaussianRandomProjection": "projections",
        "SparseRandomProjection": "projections",
        "johnson_lindenstrauss_min_dim": "bound",
    },
)
