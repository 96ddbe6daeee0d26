"""How strongly columns go together: every measure of every pair, with intervals and tests."""

from __future__ import annotations

from stylobate.explore.associations.collection import Associations
from stylobate.explore.associations.columns import (
    CategoryColumn,
    NumberColumn,
    category_column,
    number_column,
)
from stylobate.explore.associations.compute import associate, associations
from stylobate.explore.associations.numeric import ExactCorrelations
from stylobate.explore.associations.value import MEASURES, Association

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
