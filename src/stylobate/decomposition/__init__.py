"""Fewer columns: principal components, factors, topics."""

from stylobate.lazy import lazy_names

__all__: list[str] = []

__getattr__, __dir__ = lazy_names(
    __name__,
    {},
)
