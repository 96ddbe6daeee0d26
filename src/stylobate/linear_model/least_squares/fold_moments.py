"""Cross-validation of linear models without refits: fits and errors from moments of the parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base.residuals import ResidualSums
from stylobate.data import Table
from stylobate.linear_model.least_squares.request import LinearRequest
from stylobate.linear_model.ridge.fold_fits import EPS, MOST_COLUMNS, SAFE_CONDITION, sums_of_fits
from stylobate.linear_model.shared.regressor import LinearRegressor
from stylobate.statistics import Moments, Recipe

SOLVERS = ("auto", "cholesky", "active_set")  # that need no more than moments

_FEW = 0.05  # share of the rows that may be refitted without before all of them are


class FoldsFromMoments(LinearRegressor):
    """A linear regressor whose fits to parts of the rows follow from the parts' moments."""

    def _part_recipe(self, table: Table) -> Recipe[Any] | None:
        from stylobate.linear_model.least_squares.solution import MAX_SPARSE_COLUMNS

        n, p = table.n_rows, table.n_features
        wide = p >= n or p > MAX_SPARSE_COLUMNS
        direct = getattr(self, "solver", "auto") in SOLVERS
        return Moments if direct and not wide else None

    def _learnt_from(self, statistic: Any, table: Table) -> Self | None:
        if statistic.n_rows <= table.n_features + 1:
            return None
        twin = super()._learnt_from(statistic, table)
        safe = twin is not None and twin.certificate_.condition <= SAFE_CONDITION
        return twin if safe else None

    def _request(self) -> LinearRequest | None:
        """Ridge or least squares as the solvers are asked for it; None: it is something else."""
        return None

    @classmethod
    def _sums_of_fits(
        cls, models: Sequence[Self], trainings: Any, parts: Sequence[Any]
    ) -> tuple[NDArray[np.bool_], list[ResidualSums]] | None:
        requests = [model._request() for model in models]
        asked = [request for request in requests if request is not None and not request.positive]
        n_targets, n_features = trainings[0][0].n_targets, trainings[0][0].n_features
        alike = all(np.size(request.alpha) in (1, n_targets) for request in asked)
        if len(asked) < len(models) or not alike or n_features > MOST_COLUMNS:
            return None
        return sums_of_fits(asked, trainings, parts)

    @property
    def _is_smoother(self) -> bool:
        """Whether the fitted values are a fixed matrix times y."""
        return not getattr(self, "positive", False)

    def _left_out_residuals(self, table: Table) -> Array | None:
        """rᵢ/(1 − hᵢ), hᵢ the leverage; rows whose leverage leaves few digits are refitted."""
        if self._part_recipe(table) is None or not self._is_smoother:
            return None
        model = self._fitted_to(table)
        counted = table.n_rows if table.weights is None else int(np.count_nonzero(table.weights))
        condition = float(model.certificate_.condition)
        if counted <= table.n_features + 2 or condition > SAFE_CONDITION:
            return None
        assert table.y is not None
        slack = 1.0 - _leverages(model, table)
        least = max(1e10 * EPS * condition**2, 1e-6)
        doubtful = np.flatnonzero((slack < least).any(axis=1))
        if len(doubtful) > _FEW * table.n_rows:
            return None
        errors = _residuals(model, table) / np.maximum(slack, least)
        for row in doubtful:
            others = self._fitted_to(table.take(np.delete(np.arange(table.n_rows), row)))
            errors[row] = _residuals(others, table.take(slice(row, row + 1)))[0]
        return np.asarray(errors)


def _residuals(model: LinearRegressor, table: Table) -> Array:
    coef, intercept = model._columns()
    assert table.y is not None
    return np.asarray(table.y - (table.x @ coef + intercept))


def _leverages(model: LinearRegressor, table: Table) -> Array:
    """Leverages (n × targets, or n × 1 where all targets have one penalty)."""
    from stylobate.linear_model.shared.fit_facts import leverages

    facts, owner = model._facts, type(model).__name__
    penalties = facts.alpha
    count = 1 if (penalties == penalties[0]).all() else len(penalties)
    return np.column_stack([leverages(facts, table, t, owner) for t in range(count)])
