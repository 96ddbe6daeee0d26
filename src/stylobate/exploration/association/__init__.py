"""How strongly columns go together: every measure of every pair, with intervals and tests."""

from __future__ import annotations

from stylobate.exploration.association.collection import Associations
from stylobate.exploration.association.columns import (
    CategoryColumn,
    NumberColumn,
    category_column,
    number_column,
)
from stylobate.exploration.association.compute import associate, associations
from stylobate.exploration.association.numeric import ExactCorrelations
from stylobate.exploration.association.value import MEASURES, Association

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
