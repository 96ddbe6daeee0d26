"""Maps of rows: scaling, neighbour embeddings, and how far to trust them."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.manifold.quality import EmbeddingQuality, embedding_quality
    from stylobate.manifold.stability import EmbeddingStability, embedding_stability
    from stylobate.manifold.trust import continuity, trustworthiness
    from stylobate.manifold.tsne.estimator import TSNE
    from stylobate.manifold.umap.estimator import UMAP

__all__ = [
    "TSNE",
    "UMAP",
    "EmbeddingQuality",
    "EmbeddingStability",
    "continuity",
    "embedding_quality",
    "embedding_stability",
    "trustworthiness",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "TSNE": "tsne.estimator",
        "UMAP": "umap.estimator",
        "EmbeddingQuality": "quality",
        "EmbeddingStability": "stability",
        "continuity": "trust",
        "embedding_quality": "quality",
        "embedding_stability": "stability",
        "trustworthiness": "trust",
    },
)
