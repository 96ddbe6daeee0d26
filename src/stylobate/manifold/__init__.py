"""Maps of rows: scaling, neighbour embeddings, and how far to trust them."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.cluster.spectral.embedding import spectral_embedding
    from stylobate.manifold.alignment import align_embeddings
    from stylobate.manifold.classical_mds import ClassicalMDS
    from stylobate.manifold.isomap import Isomap
    from stylobate.manifold.locally_linear import LocallyLinearEmbedding, locally_linear_embedding
    from stylobate.manifold.mds import MDS
    from stylobate.manifold.protest import ProcrustesTest, procrustes_test
    from stylobate.manifold.quality import EmbeddingQuality, embedding_quality
    from stylobate.manifold.shepard import ShepardDiagram, shepard_diagram
    from stylobate.manifold.spectral import SpectralEmbedding
    from stylobate.manifold.stability import EmbeddingStability, embedding_stability
    from stylobate.manifold.stress_majorization import smacof
    from stylobate.manifold.superimposition import Procrustes, procrustes
    from stylobate.manifold.trust import continuity, trustworthiness
    from stylobate.manifold.tsne.estimator import TSNE
    from stylobate.manifold.umap.estimator import UMAP

__all__ = [
    "MDS",
    "TSNE",
    "UMAP",
    "ClassicalMDS",
    "EmbeddingQuality",
    "EmbeddingStability",
    "Isomap",
    "LocallyLinearEmbedding",
    "Procrustes",
    "ProcrustesTest",
    "ShepardDiagram",
    "SpectralEmbedding",
    "align_embeddings",
    "continuity",
    "embedding_quality",
    "embedding_stability",
    "locally_linear_embedding",
    "procrustes",
    "procrustes_test",
    "shepard_diagram",
    "smacof",
    "spectral_embedding",
    "trustworthiness",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "MDS": "mds",
        "TSNE": "tsne.estimator",
        "UMAP": "umap.estimator",
        "ClassicalMDS": "classical_mds",
        "EmbeddingQuality": "quality",
        "EmbeddingStability": "stability",
        "Isomap": "isomap",
        "LocallyLinearEmbedding": "locally_linear",
        "Procrustes": "superimposition",
        "ProcrustesTest": "protest",
        "ShepardDiagram": "shepard",
        "SpectralEmbedding": "spectral",
        "align_embeddings": "alignment",
        "continuity": "trust",
        "embedding_quality": "quality",
        "embedding_stability": "stability",
        "locally_linear_embedding": "locally_linear",
        "procrustes": "superimposition",
        "procrustes_test": "protest",
        "shepard_diagram": "shepard",
        "smacof": "stress_majorization",
        "spectral_embedding": "spectral",
        "trustworthiness": "trust",
    },
)
