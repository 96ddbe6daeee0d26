"""Maps of rows: scaling, neighbour embeddings, and how far to trust them."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.manifold.isomap import Isomap
    from stylobate.manifold.locally_linear import LocallyLinearEmbedding, locally_linear_embedding
    from stylobate.manifold.quality import EmbeddingQuality, embedding_quality
    from stylobate.manifold.spectral import SpectralEmbedding, spectral_embedding
    from stylobate.manifold.stability import EmbeddingStability, embedding_stability
    from stylobate.manifold.trust import continuity, trustworthiness
    from stylobate.manifold.tsne.estimator import TSNE
    from stylobate.manifold.umap.estimator import UMAP

__all__ = [
    "TSNE",
    "UMAP",
    "EmbeddingQuality",
    "EmbeddingStability",
    "Isomap",
    "LocallyLinearEmbedding",
    "SpectralEmbedding",
    "continuity",
    "embedding_quality",
    "embedding_stability",
    "locally_linear_embedding",
    "spectral_embedding",
    "trustworthiness",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "TSNE": "tsne.estimator",
        "UMAP": "umap.estimator",
        "EmbeddingQuality": "quality",
        "EmbeddingStability": "stability",
        "Isomap": "isomap",
        "LocallyLinearEmbedding": "locally_linear",
        "SpectralEmbedding": "spectral",
        "continuity": "trust",
        "embedding_quality": "quality",
        "embedding_stability": "stability",
        "locally_linear_embedding": "locally_linear",
        "spectral_embedding": "spectral",
        "trustworthiness": "trust",
    },
)
