"""Statistics: plain values that absorb rows, merge and, where the algebra allows, subtract."""

from stylobate.statistics.columns.column_range import ColumnRange
from stylobate.statistics.columns.column_summary import ColumnSummary
from stylobate.statistics.columns.range import refuse_out_of_range
from stylobate.statistics.columns.table_summary import DuplicateRows, MissingPattern, TableScan
from stylobate.statistics.columns.text_lengths import TextLengths
from stylobate.statistics.drift import Forgetting, SlidingWindow
from stylobate.statistics.groups.class_moments import (
    ClassMoments,
    DiagonalClassMoments,
    FullClassMoments,
    PooledClassMoments,
)
from stylobate.statistics.groups.class_sums import ClassSums
from stylobate.statistics.iterations.assignment_sums import (
    AssignmentSums,
    AssignTo,
    RowAssignments,
    packed_rows,
)
from stylobate.statistics.iterations.gradient_histogram import (
    GradientHistogram,
    HistogramIn,
    HistogramSplit,
)
from stylobate.statistics.iterations.mixture_sums import MixtureAt, MixtureSums
from stylobate.statistics.iterations.steps import LossAt, LossStep
from stylobate.statistics.moments.column_moments import ColumnMoments
from stylobate.statistics.moments.higher_moments import HigherMoments
from stylobate.statistics.moments.moments import Moments
from stylobate.statistics.moments.quadratics import row_quadratics
from stylobate.statistics.moments.residuals import LinearModel, ResidualMoments
from stylobate.statistics.moments.triangular import (
    ExtendedTriangularFactor,
    FactorSolution,
    TriangularFactor,
)
from stylobate.statistics.sketches.distinct_count import DistinctCount
from stylobate.statistics.sketches.frequent_values import FrequentValues, ValueCount
from stylobate.statistics.sketches.quantile_sketch import QuantileSketch
from stylobate.statistics.sketches.row_sample import RowSample, RowSampler
from stylobate.statistics.source import Capabilities, Mergeable, Recipe, Source, rows_at_hand
from stylobate.statistics.statistic import Statistic

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
