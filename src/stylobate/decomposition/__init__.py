"""Fewer columns: principal components, factors, topics."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.decomposition.certificate import ComponentCertificate
    from stylobate.decomposition.component_choice import ComponentChoice, choose_n_components
    from stylobate.decomposition.incremental_pca import IncrementalPCA
    from stylobate.decomposition.kernel_pca import KernelPCA
    from stylobate.decomposition.pca import PCA
    from stylobate.decomposition.subspace_iteration import SubspaceState, subspace_iterations
    from stylobate.decomposition.truncated_svd import TruncatedSVD

__all__ = [
    "PCA",
    "ComponentCertificate",
    "ComponentChoice",
    "IncrementalPCA",
    "KernelPCA",
    "SubspaceState",
    "TruncatedSVD",
    "choose_n_components",
    "subspace_iterations",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "PCA": "pca",
        "ComponentCertificate": "certificate",
        "ComponentChoice": "component_choice",
        "IncrementalPCA": "incremental_pca",
        "KernelPCA": "kernel_pca",
        "SubspaceState": "subspace_iteration",
        "TruncatedSVD": "truncated_svd",
        "choose_n_components": "component_choice",
        "subspace_iterations": "subspace_iteration",
    },
)
