"""Decision trees: grown exactly, drawn, written as rules, and packed for prediction."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.tree.classification import DecisionTreeClassifier, ExtraTreeClassifier
    from stylobate.tree.drawing import plot_tree
    from stylobate.tree.export import export_graphviz, export_text
    from stylobate.tree.flat import FlatForest, Tree
    from stylobate.tree.impurities import impurity
    from stylobate.tree.pruning import PruningPath
    from stylobate.tree.regression import DecisionTreeRegressor, ExtraTreeRegressor
    from stylobate.tree.shap import ShapValues, shap_values
    from stylobate.tree.splits import SplitImpurity, split_impurity

__all__ = [
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
    "FlatForest",
    "PruningPath",
    "ShapValues",
    "SplitImpurity",
    "Tree",
    "export_graphviz",
    "export_text",
    "impurity",
    "plot_tree",
    "shap_values",
    "split_impurity",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "DecisionTreeClassifier": "classification",
        "DecisionTreeRegressor": "regression",
        "ExtraTreeClassifier": "classification",
        "ExtraTreeRegressor": "regression",
        "FlatForest": "flat",
        "PruningPath": "pruning",
        "ShapValues": "shap",
        "Tree": "flat",
        "export_graphviz": "export",
        "export_text": "export",
        "SplitImpurity": "splits",
        "impurity": "impurities",
        "split_impurity": "splits",
        "plot_tree": "drawing",
        "shap_values": "shap",
    },
)
