"""Statistics: plain values that absorb rows, merge and, where the algebra allows, subtract."""

from stylobate.statistics.assignment_sums import (
    AssignmentSums,
    AssignTo,
    RowAssignments,
    packed_rows,
)
from stylobate.statistics.class_moments import (
    ClassMoments,
    DiagonalClassMoments,
    FullClassMoments,
    PooledClassMoments,
)
from stylobate.statistics.class_sums import ClassSums
from stylobate.statistics.column_moments import ColumnMoments
from stylobate.statistics.column_range import ColumnRange
from stylobate.statistics.column_summary import ColumnSummary
from stylobate.statistics.distinct_count import DistinctCount
from stylobate.statistics.drift import Forgetting, SlidingWindow
from stylobate.statistics.frequent_values import FrequentValues, ValueCount
from stylobate.statistics.gradient_histogram import (
    GradientHistogram,
    HistogramIn,
    HistogramSplit,
)
from stylobate.statistics.higher_moments import HigherMoments
from stylobate.statistics.mixture_sums import MixtureAt, MixtureSums
from stylobate.statistics.moments import Moments
from stylobate.statistics.quadratics import row_quadratics
from stylobate.statistics.quantile_sketch import QuantileSketch
from stylobate.statistics.range import refuse_out_of_range
from stylobate.statistics.residuals import LinearModel, ResidualMoments
from stylobate.statistics.row_sample import RowSample, RowSampler
from stylobate.statistics.source import Capabilities, Mergeable, Recipe, Source, rows_at_hand
from stylobate.statistics.statistic import Statistic
from stylobate.statistics.steps import LossAt, LossStep
from stylobate.statistics.table_summary import DuplicateRows, MissingPattern, TableScan
from stylobate.statistics.text_lengths import TextLengths
from stylobate.statistics.triangular import (
    ExtendedTriangularFactor,
    FactorSolution,
    TriangularFactor,
)

__all__ = [
    "AssignTo",
    "AssignmentSums",
    "Capabilities",
    "ClassMoments",
    "ClassSums",
    "ColumnMoments",
    "ColumnRange",
    "ColumnSummary",
    "DiagonalClassMoments",
    "DistinctCount",
    "DuplicateRows",
    "ExtendedTriangularFactor",
    "FactorSolution",
    "Forgetting",
    "FrequentValues",
    "FullClassMoments",
    "GradientHistogram",
    "HigherMoments",
    "HistogramIn",
    "HistogramSplit",
    "LinearModel",
    "LossAt",
    "LossStep",
    "Mergeable",
    "MissingPattern",
    "MixtureAt",
    "MixtureSums",
    "Moments",
    "PooledClassMoments",
    "QuantileSketch",
    "Recipe",
    "ResidualMoments",
    "RowAssignments",
    "RowSample",
    "RowSampler",
    "SlidingWindow",
    "Source",
    "Statistic",
    "TableScan",
    "TextLengths",
    "TriangularFactor",
    "ValueCount",
    "packed_rows",
    "refuse_out_of_range",
    "row_quadratics",
    "rows_at_hand",
]
