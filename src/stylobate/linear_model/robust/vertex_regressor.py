"""What regressors of piecewise linear losses share: the choice of a method, and summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Tags
from stylobate.base.batches import refuse_read_once
from stylobate.linear_model.robust.regressor import RobustRegressor
from stylobate.statistics import Source

if TYPE_CHECKING:
    from stylobate.data.streams import Stream
    from stylobate.inference.quantile import Bandwidth, QuantileCovariance, QuantileSummary
    from stylobate.optimize.robust.quantile import QuantileSolution

SOLVERS = (
    "auto",
    "vertex",
    "interior-point",
    "revised simplex",
    "highs",
    "highs-ds",
    "highs-ipm",
)
TOL = 1e-8  # relative gap above which an answer of these exact methods is reported
ADVICE = "Scale the columns to one size, or use solver='highs'."


class VertexRegressor(RobustRegressor):
    """Fits that are a vertex: as many rows are met exactly as there are coefficients."""

    alpha: float
    fit_intercept: bool
    solver: str
    solver_options: dict[str, Any] | None

    def _tags(self) -> Tags:
        tier = "all rows" if self._needs_rows else "one pass per iteration"
        return super()._tags().but(tier=tier)

    @property
    def _needs_rows(self) -> bool:
        """Linear programs take all rows."""
        return str(self.solver).startswith("highs")

    def _fit_stream(self, stream: Stream) -> Self:
        """By passes; lines of several quantiles that cross are solved together, of all rows."""
        from stylobate.optimize.robust.quantile_passes import LinesCrossError

        try:
            return super()._fit_stream(stream)
        except LinesCrossError:
            return BaseEstimator._fit_stream(self, stream)

    def _solve(self, source: Source, taus: list[float], alpha: float) -> QuantileSolution:
        """Choose the method, solve, and keep what all quantile fits report."""
        if source.capabilities.rows_in_memory:
            solution = self._solve_rows(source, taus, alpha)
        else:
            solution = self._solve_passes(source, taus, alpha)
        self.n_iter_ = max(solution.iterations, 1)
        self.rank_ = solution.rank
        self.certificate_, self.trace_ = solution.certificate, solution.trace
        return solution

    def _solve_passes(self, source: Source, taus: list[float], alpha: float) -> QuantileSolution:
        from stylobate.optimize.robust.quantile_passes import solve_quantile_passes

        refuse_read_once(source.capabilities.repeatable, type(self).__name__)
        self.solver_ = "vertex"
        self.solver_reason_ = "rows in batches: exact, a few passes, rows near the line held"
        return solve_quantile_passes(source, taus, alpha=alpha, intercept=bool(self.fit_intercept))

    def _solve_rows(self, source: Source, taus: list[float], alpha: float) -> QuantileSolution:
        from stylobate.optimize.robust import quantile as solvers

        rows, moments = self._rows(source)
        self.solver_, self.solver_reason_ = self._choose(rows.n_features, solvers.MOST_COLUMNS)
        intercept = bool(self.fit_intercept)
        if self.solver_ == "vertex":
            return solvers.solve_quantiles(rows, taus, moments, alpha=alpha, intercept=intercept)
        return solvers.solve_linear_program(
            rows,
            taus,
            moments,
            alpha=alpha,
            intercept=intercept,
            method=self.solver_,
            options=self.solver_options,
        )

    def _choose(self, n_features: int, most: int) -> tuple[str, str]:
        if self.solver.startswith("highs") or self.solver == "vertex":
            return self.solver, "asked for"
        if n_features > most:
            return "highs", f"more than {most} columns: the sparse factors of HiGHS are smaller"
        return "vertex", "exact, and reads the rows only a few times"

    def _proved(self, solution: QuantileSolution) -> bool:
        return solution.converged and solution.certificate.relative_gap <= TOL

    def _summarize(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        tau: float,
        covariance: QuantileCovariance,
        bandwidth: Bandwidth,
        level: float,
        n_resamples: int,
        random_state: Any,
    ) -> QuantileSummary:
        from stylobate.base.validation import input_names
        from stylobate.inference.quantile import summarize_quantile
        from stylobate.linear_model.robust.quantile import QuantileRegressor
        from stylobate.optimize.robust.rows import Rows

        self._check_fitted()
        table = Rows.of(self._read(X, y, sample_weight, reset=False, y_required=True)).table
        assert table.y is not None
        y_of_fit = table.y[:, 0]

        def refit(at: float, weights: Array | None) -> Array:
            again = QuantileRegressor(
                quantile=at, alpha=0.0, fit_intercept=self.fit_intercept, solver=self.solver
            ).fit(table.x, y_of_fit, sample_weight=weights)
            return np.concatenate([[again.intercept_] * bool(self.fit_intercept), again.coef_])

        return summarize_quantile(
            table,
            self.coef_,
            float(self.intercept_),
            tau=tau,
            names=tuple(map(str, input_names(self))),
            has_intercept=bool(self.fit_intercept),
            penalised=self.alpha > 0,
            covariance=covariance,
            bandwidth=bandwidth,
            level=level,
            refit=refit,
            n_resamples=n_resamples,
            random_state=random_state,
        )
