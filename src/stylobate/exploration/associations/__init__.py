"""How strongly columns go together: every measure of every pair, with intervals and tests."""

from __future__ import annotations

from stylobate.exploration.associations.collection import Associations
from stylobate.exploration.associations.columns import (
    CategoryColumn,
    NumberColumn,
    category_column,
    number_column,
)
from stylobate.exploration.associations.compute import associate, associations
from stylobate.exploration.associations.numeric import ExactCorrelations
from stylobate.exploration.associations.value import MEASURES, Association

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
