"""What robust regressors share: rows in memory, predictions, warnings."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import RegressorMixin, Tags
from stylobate.base.learning import LearnsFromStatistic
from stylobate.linear_model.shared.predictions import LinearPredictions
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.robust.rows import Rows
from stylobate.statistics import Moments, Source


class RobustRegressor(LinearPredictions, RegressorMixin, LearnsFromStatistic):
    """ŷ = Xw + b by a loss that looks at each residual, so the rows are needed."""

    coef_: NDArray[np.float64]
    intercept_: Any
    certificate_: Certificate
    solver_: str

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True, tier="all rows")

    @property
    def _needs_rows(self) -> bool:
        return True

    def _rows(self, source: Source) -> tuple[Rows, Moments]:
        """The rows that have a weight, and their moments (which prove them finite)."""
        moments = source.compute(Moments)
        return Rows.of(source.rows()), moments

    def _warn_unless(self, converged: bool, tol: float, advice: str) -> None:
        from stylobate.linear_model.shared.convergence import warn_not_converged

        if converged:
            return
        warn_not_converged(
            type(self).__name__,
            self.solver_,
            int(getattr(self, "n_iter_", 0)),
            self.certificate_,
            tol=tol,
            advice=advice,
        )
