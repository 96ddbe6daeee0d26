"""Fewer columns: principal components, factors, topics."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.decomposition.certificate import ComponentCertificate
    from stylobate.decomposition.component_choice import ComponentChoice, choose_n_components
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
    from stylobate.decomposition.pca import PCA
    from stylobate.decomposition.subspace_iteration import SubspaceState, subspace_iterations
    from stylobate.decomposition.truncated_svd import TruncatedSVD

__all__ = [
    "PCA",
    "ComponentCertificate",
    "ComponentChoice",
    "DictionaryCertificate",
    "DictionaryLearning",
    "FactorAnalysis",
    "FactorCertificate",
    "FastICA",
    "IncrementalPCA",
    "MiniBatchDictionaryLearning",
    "MiniBatchSparsePCA",
    "SparseCoder",
    "SparsePCA",
    "SubspaceState",
    "TruncatedSVD",
    "choose_n_components",
    "dict_learning",
    "dict_learning_online",
    "fastica",
    "rotated_loadings",
    "sparse_encode",
    "subspace_iterations",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "DictionaryCertificate": "dictionary.certificate",
        "DictionaryLearning": "dictionary.dictionary_learning",
        "dict_learning": "dictionary.learning_functions",
        "dict_learning_online": "dictionary.learning_functions",
        "MiniBatchDictionaryLearning": "dictionary.minibatch",
        "MiniBatchSparsePCA": "dictionary.minibatch_sparse_pca",
        "SparsePCA": "dictionary.sparse_pca",
        "SparseCoder": "dictionary.sparse_coder",
        "sparse_encode": "dictionary.sparse_encode",
        "FastICA": "ica.fast_ica",
        "fastica": "ica.fastica_function",
        "FactorAnalysis": "factors.factor_analysis",
        "FactorCertificate": "factors.certificate",
        "rotated_loadings": "factors.rotation",
        "PCA": "pca",
        "ComponentCertificate": "certificate",
        "ComponentChoice": "component_choice",
        "IncrementalPCA": "incremental_pca",
        "SubspaceState": "subspace_iteration",
        "TruncatedSVD": "truncated_svd",
        "choose_n_components": "component_choice",
        "subspace_iterations": "subspace_iteration",
    },
)
