"""Fewer columns: principal components, factors, topics."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.decomposition.certificate import ComponentCertificate
    from stylobate.decomposition.pca import PCA

__all__ = ["PCA", "ComponentCertificate"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {"PCA": "pca", "ComponentCertificate": "certificate"},
)
