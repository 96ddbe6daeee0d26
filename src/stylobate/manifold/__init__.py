"""Maps of rows: scaling, neighbour embeddings, and how far to trust them."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.manifold.umap.estimator import UMAP

__all__ = ["UMAP"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "UMAP": "umap.estimator",
    },
)
