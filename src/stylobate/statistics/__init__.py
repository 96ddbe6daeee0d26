"""Statistics: plain values that absorb rows, merge and, where the algebra allows, subtract."""

from stylobate.statistics.class_moments import (
    ClassMoments,
    DiagonalClassMoments,
    FullClassMoments,
    PooledClassMoments,
)
from stylobate.statistics.class_sums import ClassSums
from stylobate.statistics.column_moments import ColumnMoments
from stylobate.statistics.column_range import ColumnRange
from stylobate.statistics.moments import Moments
from stylobate.statistics.quadratics import row_quadratics
from stylobate.statistics.range import refuse_out_of_range
from stylobate.statistics.residuals import LinearModel, ResidualMoments
from stylobate.statistics.source import Mergeable, Recipe, Source
from stylobate.statistics.statistic import Statistic
from stylobate.statistics.steps import LossAt, LossStep
from stylobate.statistics.triangular import (
    ExtendedTriangularFactor,
    FactorSolution,
    TriangularFactor,
)

__all__ = [
    "ClassMoments",
    "ClassSums",
    "ColumnMoments",
    "ColumnRange",
    "DiagonalClassMoments",
    "ExtendedTriangularFactor",
    "FactorSolution",
    "FullClassMoments",
    "LinearModel",
    "LossAt",
    "LossStep",
    "Mergeable",
    "Moments",
    "PooledClassMoments",
    "Recipe",
    "ResidualMoments",
    "Source",
    "Statistic",
    "TriangularFactor",
    "refuse_out_of_range",
    "row_quadratics",
]
