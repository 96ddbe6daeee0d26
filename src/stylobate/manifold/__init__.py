"""Maps of rows: scaling, neighbour embeddings, and how far to trust them."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.manifold.classical_mds import ClassicalMDS
    from stylobate.manifold.mds import MDS
    from stylobate.manifold.stress_majorization import smacof

__all__ = [
    "MDS",
    "ClassicalMDS",
    "smacof",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "MDS": "mds",
        "ClassicalMDS": "classical_mds",
        "smacof": "stress_majorization",
    },
)
