"""Maps of rows: scaling, neighbour embeddings, and how far to trust them."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.cluster.spectral.embedding import spectral_embedding
    from stylobate.manifold.graphs.isomap import Isomap
    from stylobate.manifold.graphs.locally_linear import (
        LocallyLinearEmbedding,
        locally_linear_embedding,
    )
    from stylobate.manifold.graphs.spectral import SpectralEmbedding
    from stylobate.manifold.quality.embedding_quality import EmbeddingQuality, embedding_quality
    from stylobate.manifold.quality.stability import EmbeddingStability, embedding_stability
    from stylobate.manifold.quality.trust import continuity, trustworthiness
    from stylobate.manifold.scaling.classical_mds import ClassicalMDS
    from stylobate.manifold.scaling.mds import MDS
    from stylobate.manifold.scaling.s_stress import SStress
    from stylobate.manifold.scaling.shepard import ShepardDiagram, shepard_diagram
    from stylobate.manifold.scaling.stress_majorization import smacof
    from stylobate.manifold.superimposition.alignment import align_embeddings
    from stylobate.manifold.superimposition.procrustes import Procrustes, procrustes
    from stylobate.manifold.superimposition.protest import ProcrustesTest, procrustes_test
    from stylobate.manifold.tsne.estimator import TSNE
    from stylobate.manifold.tsne.objective import (
        perplexity,
        tsne_affinities,
        tsne_gradient,
        tsne_loss,
    )
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
    "SStress",
    "ShepardDiagram",
    "SpectralEmbedding",
    "align_embeddings",
    "continuity",
    "embedding_quality",
    "embedding_stability",
    "locally_linear_embedding",
    "perplexity",
    "procrustes",
    "procrustes_test",
    "shepard_diagram",
    "smacof",
    "spectral_embedding",
    "trustworthiness",
    "tsne_affinities",
    "tsne_gradient",
    "tsne_loss",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "SStress": "scaling.s_stress",
        "perplexity": "tsne.objective",
        "tsne_affinities": "tsne.objective",
        "tsne_gradient": "tsne.objective",
        "tsne_loss": "tsne.objective",
        "MDS": "scaling.mds",
        "TSNE": "tsne.estimator",
        "UMAP": "umap.estimator",
        "ClassicalMDS": "scaling.classical_mds",
        "EmbeddingQuality": "quality.embedding_quality",
        "EmbeddingStability": "quality.stability",
        "Isomap": "graphs.isomap",
        "LocallyLinearEmbedding": "graphs.locally_linear",
        "Procrustes": "superimposition.procrustes",
        "ProcrustesTest": "superimposition.protest",
        "ShepardDiagram": "scaling.shepard",
        "SpectralEmbedding": "graphs.spectral",
        "align_embeddings": "superimposition.alignment",
        "continuity": "quality.trust",
        "embedding_quality": "quality.embedding_quality",
        "embedding_stability": "quality.stability",
        "locally_linear_embedding": "graphs.locally_linear",
        "procrustes": "superimposition.procrustes",
        "procrustes_test": "superimposition.protest",
        "shepard_diagram": "scaling.shepard",
        "smacof": "scaling.stress_majorization",
        "spectral_embedding": "graphs.spectral",
        "trustworthiness": "quality.trust",
    },
)
