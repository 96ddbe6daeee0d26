"""Different transformers for different columns, and models of a transformed target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.compose.column_transformer import ColumnTransformer
    from stylobate.compose.factory import make_column_transformer
    from stylobate.compose.selector import make_column_selector
    from stylobate.compose.target import TransformedTargetRegressor

__all__ = [
    "ColumnTransformer",
    "TransformedTargetRegressor",
    "make_column_selector",
    "make_column_transformer",
]

_HOMES = {
    "ColumnTransformer": "column_transformer",
    "TransformedTargetRegressor": "target",
    "make_column_selector": "selector",
    "make_column_transformer": "factory",
}
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
