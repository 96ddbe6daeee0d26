"""Fewer columns: principal components, factors, topics."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.decomposition.certificate import ComponentCertificate
    from stylobate.decomposition.component_choice import ComponentChoice, choose_n_components
    from stylobate.decomposition.deflation import Deflation, LowRank, best_rank_k, pca_by_deflation
    from stylobate.decomposition.dictionary.certificate import DictionaryCertificate
    from stylobate.decomposition.dictionary.dictionary_learning import DictionaryLearning
    from stylobate.decomposition.dictionary.learning_functions import (
        dict_learning,
        dict_learning_online,
    )
    from stylobate.decomposition.dictionary.minibatch import MiniBatchDictionaryLearning
    from stylobate.decomposition.dictionary.minibatch_sparse_pca import MiniBatchSparsePCA
    from stylobate.decomposition.dictionary.sparse_coder import SparseCoder
    from stylobate.decomposition.dictionary.sparse_encode import sparse_encode
    from stylobate.decomposition.dictionary.sparse_pca import SparsePCA
    from stylobate.decomposition.factors.certificate import FactorCertificate
    from stylobate.decomposition.factors.factor_analysis import FactorAnalysis
    from stylobate.decomposition.factors.rotation import rotated_loadings
    from stylobate.decomposition.ica.fast_ica import FastICA
    from stylobate.decomposition.ica.fastica_function import fastica
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
    "Deflation",
    "DictionaryCertificate",
    "DictionaryLearning",
    "FactorAnalysis",
    "FactorCertificate",
    "FactorizationCertificate",
    "FastICA",
    "IncrementalPCA",
    "KernelPCA",
    "LatentDirichletAllocation",
    "LowRank",
    "MiniBatchDictionaryLearning",
    "MiniBatchNMF",
    "MiniBatchSparsePCA",
    "SparseCoder",
    "SparsePCA",
    "SubspaceState",
    "TopicCertificate",
    "TruncatedSVD",
    "best_rank_k",
    "choose_n_components",
    "dict_learning",
    "dict_learning_online",
    "fastica",
    "non_negative_factorization",
    "pca_by_deflation",
    "rotated_loadings",
    "sparse_encode",
    "subspace_iterations",
    "top_words",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Deflation": "deflation",
        "LowRank": "deflation",
        "best_rank_k": "deflation",
        "pca_by_deflation": "deflation",
        "NMF": "nonnegative.nmf",
        "PCA": "pca",
        "ComponentCertificate": "certificate",
        "ComponentChoice": "component_choice",
        "DictionaryCertificate": "dictionary.certificate",
        "DictionaryLearning": "dictionary.dictionary_learning",
        "FactorAnalysis": "factors.factor_analysis",
        "FactorCertificate": "factors.certificate",
        "FactorizationCertificate": "nonnegative.certificate",
        "FastICA": "ica.fast_ica",
        "IncrementalPCA": "incremental_pca",
        "KernelPCA": "kernel_pca",
        "LatentDirichletAllocation": "topics.latent_dirichlet_allocation",
        "MiniBatchDictionaryLearning": "dictionary.minibatch",
        "MiniBatchNMF": "nonnegative.minibatch_nmf",
        "MiniBatchSparsePCA": "dictionary.minibatch_sparse_pca",
        "SparseCoder": "dictionary.sparse_coder",
        "SparsePCA": "dictionary.sparse_pca",
        "SubspaceState": "subspace_iteration",
        "TopicCertificate": "topics.evidence",
        "TruncatedSVD": "truncated_svd",
        "choose_n_components": "component_choice",
        "dict_learning": "dictionary.learning_functions",
        "dict_learning_online": "dictionary.learning_functions",
        "fastica": "ica.fastica_function",
        "non_negative_factorization": "nonnegative.nmf",
        "rotated_loadings": "factors.rotation",
        "sparse_encode": "dictionary.sparse_encode",
        "subspace_iterations": "subspace_iteration",
        "top_words": "topics.top_words",
    },
)
