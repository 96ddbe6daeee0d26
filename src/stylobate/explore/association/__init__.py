"""How strongly columns go together: every measure of every pair, with intervals and tests."""

from __future__ import annotations

from stylobate.explore.association.collection import Associations
from stylobate.explore.association.columns import (
    CategoryColumn,
    NumberColumn,
    category_column,
    number_column,
)
from stylobate.explore.association.compute import associate, associations
from stylobate.explore.association.numeric import ExactCorrelations
from stylobate.explore.association.value import MEASURES, Association

__all__ = [
    "MEASURES",
    "Association",
    "Associations",
    "CategoryColumn",
    "ExactCorrelations",
    "NumberColumn",
    "associate",
    "associations",
    "category_column",
    "number_column",
]
