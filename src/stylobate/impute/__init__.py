"""Missing values: where they are, and what to put in their place."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.impute.indicator import MissingIndicator
    from stylobate.impute.iterative import IterativeImputer
    from stylobate.impute.neighbours import KNNImputer
    from stylobate.impute.simple import SimpleImputer

__all__ = ["IterativeImputer", "KNNImputer", "MissingIndicator", "SimpleImputer"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "IterativeImputer": "iterative",
        "KNNImputer": "neighbours",
        "MissingIndicator": "indicator",
        "SimpleImputer": "simple",
    },
)
