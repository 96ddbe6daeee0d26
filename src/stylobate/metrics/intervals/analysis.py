"""What is known about a metric of given rows: a share, what rows add to it, or only its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.cluster.resampled_tables import ResampledTables, tables_apply
from stylobate.metrics.intervals.cells import Cells, cells_of, linear_cells
from stylobate.metrics.intervals.dependence import Dependence
from stylobate.metrics.intervals.linear import Linear
from stylobate.metrics.intervals.means import linear_mean
from stylobate.metrics.intervals.metric import Metric
from stylobate.metrics.intervals.ranks import linear_rank
from stylobate.metrics.intervals.resampled_ranks import ResampledRanks, ranks_apply
from stylobate.metrics.intervals.resampling import (
    ResampledCells,
    ResampledRows,
    ResampledUnits,
    Resampling,
    strata_of,
)
from stylobate.metrics.intervals.rows import Rows
from stylobate.metrics.intervals.shares import Share, share_of

_Known = TypeVar("_Known", Share, Linear)
_SAME = 1e-9  # relative difference between a metric and what is to stand for it


@dataclass
class Analysis:
    """A metric and rows with one or more predictions; everything is found when asked for."""

    metric: Metric
    rows: Rows
    dependence: Dependence | None = None

    @cached_property
    def estimates(self) -> list[float]:
        """The metric of each prediction, with its own refusals."""
        rows = self.rows
        return [self.metric.estimate(rows.truth, p, rows.weights) for p in rows.predicted]

    @cached_property
    def shares(self) -> list[Share] | None:
        """The metric as a share of independent rows, if it is one."""
        if self.dependence is not None:
            return None
        return self._agreeing([share_of(*each) for each in self._arguments()])

    @cached_property
    def linear(self) -> list[Linear] | None:
        """What each row adds to the metric, if that is known; or each group or block of rows."""
        found = self._linear_rows()
        if found is None or self.dependence is None:
            return found
        together = [self.dependence.linear(each) for each in found]
        known = [each for each in together if each is not None]
        return known if len(known) == len(together) else None

    def _linear_rows(self) -> list[Linear] | None:
        ranked = partial(linear_rank, by_class=self.dependence is None)
        for known in (ranked, linear_mean):
            found = self._agreeing([known(*each) for each in self._arguments()])
            if found is not None:
                return found
        if self.cells is None:
            return None
        found = linear_cells(self.metric, self.cells)
        return None if found is None else self._agreeing(found)

    @cached_property
    def cells(self) -> Cells | None:
        """The distinct rows, if they are few and the metric goes by their counts."""
        return cells_of(self.metric, self.rows)

    def resampling(self, stratify: bool) -> Resampling:
        """The quickest bootstrap there is for this metric."""
        if self.dependence is not None:
            if stratify:
                raise InvalidParameterError(
                    "stratify=True keeps the sizes of classes, which resamples of groups or blocks "
                    "cannot; pass one of them."
                )
            return ResampledUnits(self.metric, self.rows, self.dependence)
        strata = strata_of(self.rows.truth, stratify, self.metric.label)
        if self.cells is not None and self.rows.weights is None:
            return ResampledCells(self.metric, self.cells, strata)
        if tables_apply(self.metric, self.rows):
            return ResampledTables(self.metric, self.rows, strata)
        if ranks_apply(self.metric, self.rows):
            return ResampledRanks(self.metric, self.rows, strata)
        return ResampledRows(self.metric, self.rows, strata)

    def require_two_rows(self) -> None:
        """A spread needs two rows."""
        counted = len(self.rows)
        if self.rows.weights is not None:
            counted = int(np.count_nonzero(self.rows.weights))
        if counted < 2:
            raise InvalidDataError(
                f"The spread of {self.metric.label} cannot be seen from {counted} row; an interval "
                "needs two at least."
            )

    def _arguments(self) -> list[tuple[Metric, Any, Any, Array | None]]:
        rows = self.rows
        return [(self.metric, rows.truth, p, rows.weights) for p in rows.predicted]

    def _agreeing(self, found: Sequence[_Known | None]) -> list[_Known] | None:
        """What was found, if it is there for each prediction and has the metric's own value."""
        known = [each for each in found if each is not None]
        if len(known) < len(self.estimates):
            return None
        pairs = zip(known, self.estimates, strict=True)
        same = all(np.isclose(f.estimate, e, rtol=_SAME, atol=1e-12) for f, e in pairs)
        return known if same else None
