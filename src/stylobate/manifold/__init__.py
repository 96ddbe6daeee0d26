"""Maps of rows: scaling, neighbour embeddings, and how far to trust them."""

from stylobate.lazy import lazy_names

__all__: list[str] = []

__getattr__, __dir__ = lazy_names(
    __name__,
    {},
)
