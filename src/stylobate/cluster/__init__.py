"""Clusters of rows, and proofs of how good they are."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.cluster.medoids.k_center import KCenter
    from stylobate.cluster.medoids.k_medoids import KMedoids

__all__ = [
    "KCenter",
    "KMedoids",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "KCenter": "medoids.k_center",
        "KMedoids": "medoids.k_medoids",
    },
)
