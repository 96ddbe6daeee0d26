"""Maps of rows: scaling, neighbour embeddings, and how far to trust them."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.manifold.alignment import align_embeddings
    from stylobate.manifold.classical_mds import ClassicalMDS
    from stylobate.manifold.mds import MDS
    from stylobate.manifold.protest import ProcrustesTest, procrustes_test
    from stylobate.manifold.shepard import ShepardDiagram, shepard_diagram
    from stylobate.manifold.stress_majorization import smacof
    from stylobate.manifold.superimposition import Procrustes, procrustes

__all__ = [
    "MDS",
    "ClassicalMDS",
    "Procrustes",
    "ProcrustesTest",
    "ShepardDiagram",
    "align_embeddings",
    "procrustes",
    "procrustes_test",
    "shepard_diagram",
    "smacof",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "MDS": "mds",
        "ClassicalMDS": "classical_mds",
        "Procrustes": "superimposition",
        "ProcrustesTest": "protest",
        "ShepardDiagram": "shepard",
        "align_embeddings": "alignment",
        "procrustes": "superimposition",
        "procrustes_test": "protest",
        "shepard_diagram": "shepard",
        "smacof": "stress_majorization",
    },
)
