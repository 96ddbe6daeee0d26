"""Forests that predict numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import RegressorMixin
from stylobate.base.scoring import r_squared
from stylobate.ensemble.forest_base import ExplainsForest
from stylobate.ensemble.targets import read_targets
from stylobate.exceptions import InvalidDataError
from stylobate.tree.parameters import warn_of_friedman_mse

if TYPE_CHECKING:
    from stylobate.data import Table
    from stylobate.ensemble.forest_growth import ForestRows
    from stylobate.formula.expressions import Answer, Expression


class ForestRegressorBase(RegressorMixin, ExplainsForest):
    """Numeric targets, one or several."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows. NaN is missing; frames may hold text and categories. Sparse rows are never made
            dense; the forest is that of the dense ones (beyond 2^28 cells one as good).
        y : array-like of shape (n,) or (n, n_outputs)
            Targets.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows: with bootstrap=True how likely each is drawn, else how
            much it counts.

        Returns
        -------
        self
        """
        self._check_parameters()
        warn_of_friedman_mse(self.criterion)
        table = self._read_rows(X, reset=True)
        self._grow(self._learnt_rows(table, y, sample_weight))
        return self

    def _learnt_rows(self, table: Table, y: Any, sample_weight: Any) -> ForestRows:
        target = self._target(y, table.n_rows)
        weights = self._row_weights(sample_weight, table.n_rows)
        self.n_outputs_ = target.shape[1]
        return self._rows_to_grow(table, target, (), weights)

    def _target(self, y: Any, n_rows: int) -> Array:
        owner = type(self).__name__
        target = read_targets(y, n_rows, owner, several=True)
        if self.criterion == "poisson" and (target.min() < 0.0 or target.sum() <= 0.0):
            raise InvalidDataError(
                f"{owner}: criterion='poisson' needs counts: Some value(s) of y are negative, or "
                "their sum is not positive, which is not allowed for Poisson regression."
            )
        return target.reshape(n_rows, -1)

    def predict(self, X: Any) -> Array:
        """The mean of the trees' predictions.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,) or (n, n_outputs)
        """
        values = self._means(X)[:, :, 0]
        return values if self.n_outputs_ > 1 else values[:, 0]

    def _score_left_out(self, x: Any, target: NDArray[Any]) -> None:
        found = self._left_out_means(x)[0][:, :, 0]
        several = self.n_outputs_ > 1
        self.oob_prediction_ = found if several else found[:, 0]
        truth = target if several else target[:, 0]
        score = self.oob_score
        if callable(score):
            self.oob_score_ = score(truth, self.oob_prediction_)
        else:
            self.oob_score_ = r_squared(target, found)

    def _losses(self, y: Any, n_rows: int) -> Any:
        target = self._target(y, n_rows)

        def losses(values: Array, rows: NDArray[np.intp]) -> Array:
            return np.asarray(((values - target[rows]) ** 2).mean(axis=1))

        return losses

    def _as_member(self, model: Any) -> None:
        """A tree of numbers knows nothing more."""

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.trees import trees_answer

        return trees_answer(self._trees, columns, self.column_categories_.of)
