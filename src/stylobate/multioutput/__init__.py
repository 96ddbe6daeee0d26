"""Several targets: models side by side, or in a chain."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.multioutput.chains import ClassifierChain, RegressorChain
    from stylobate.multioutput.side_by_side import MultiOutputClassifier, MultiOutputRegressor

__all__ = ["ClassifierChain", "MultiOutputClassifier", "MultiOutputRegressor", "RegressorChain"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "ClassifierChain": "chains",
        "MultiOutputClassifier": "side_by_side",
        "MultiOutputRegressor": "side_by_side",
        "RegressorChain": "chains",
    },
)
