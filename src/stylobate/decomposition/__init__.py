"""Fewer columns: principal components, factors, topics."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.decomposition.certificate import ComponentCertificate
    from stylobate.decomposition.component_choice import ComponentChoice, choose_n_components
    from stylobate.decomposition.incremental_pca import IncrementalPCA
    from stylobate.decomposition.kernel_pca import KernelPCA
    from stylobate.decomposition.nonnegative.certificate import FactorizationCertificate
    from stylobate.decomposition.nonnegative.minibatch_nmf import MiniBatchNMF
    from stylobate.decomposition.nonnegative.nmf import NMF, non_negative_factorization
    from stylobate.decomposition.pca import PCA
    from stylobate.decomposition.subspace_iteration import SubspaceState, subspace_iterations
    from stylobate.decomposition.topics.evidence import TopicCertificate
    from stylobate.decomposition.topics.latent_dirichlet_allocation import LatentDirichletAllocation
    from stylobate.decomposition.topics.top_words import top_words
    from stylobate.decomposition.truncated_svd import TruncatedSVD

__all__ = [
    "NMF",
    "PCA",
    "ComponentCertificate",
    "ComponentChoice",
    "FactorizationCertificate",
    "IncrementalPCA",
    "KernelPCA",
    "LatentDirichletAllocation",
    "MiniBatchNMF",
    "SubspaceState",
    "TopicCertificate",
    "TruncatedSVD",
    "choose_n_components",
    "non_negative_factorization",
    "subspace_iterations",
    "top_words",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "NMF": "nonnegative.nmf",
        "PCA": "pca",
        "ComponentCertificate": "certificate",
        "ComponentChoice": "component_choice",
        "FactorizationCertificate": "nonnegative.certificate",
        "IncrementalPCA": "incremental_pca",
        "KernelPCA": "kernel_pca",
        "LatentDirichletAllocation": "topics.latent_dirichlet_allocation",
        "MiniBatchNMF": "nonnegative.minibatch_nmf",
        "SubspaceState": "subspace_iteration",
        "TopicCertificate": "topics.evidence",
        "TruncatedSVD": "truncated_svd",
        "choose_n_components": "component_choice",
        "non_negative_factorization": "nonnegative.nmf",
        "subspace_iterations": "subspace_iteration",
        "top_words": "topics.top_words",
    },
)
