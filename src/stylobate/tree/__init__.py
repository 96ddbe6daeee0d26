"""Decision trees: grown exactly, drawn, written as rules, and packed for prediction."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.tree.flat import FlatForest, Tree
    from stylobate.tree.shap import ShapValues, shap_values

__all__ = [
    "FlatForest",
    "ShapValues",
    "Tree",
    "shap_values",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "FlatForest": "flat",
        "ShapValues": "shap",
        "Tree": "flat",
        "shap_values": "shap",
    },
)
