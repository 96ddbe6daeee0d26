"""Decision trees: grown exactly, drawn, written as rules, and packed for prediction."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.tree.flat import FlatForest, Tree

__all__ = [
    "FlatForest",
    "Tree",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "FlatForest": "flat",
        "Tree": "flat",
    },
)
