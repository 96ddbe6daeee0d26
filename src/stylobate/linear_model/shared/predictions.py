"""Predictions Xw + b, and their formula."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base.learning import LearnsFromStatistic
from stylobate.parallel import product_of_rows

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression


class LinearPredictions(LearnsFromStatistic):
    """For regressors that have learnt `coef_` and `intercept_`."""

    coef_: NDArray[np.float64]
    intercept_: Any

    def predict(self, X: Any) -> NDArray[Any]:
        """Predicted targets, Xw + b.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,) or (n, n_targets)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        # in the precision of X: no copy of single-precision rows
        kind = table.x.dtype
        coef, intercept = self.coef_.T.astype(kind), np.asarray(self.intercept_).astype(kind)
        return np.asarray(product_of_rows(table.x, coef) + intercept)

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.pieces import linear_answer

        return linear_answer(columns, self.coef_, self.intercept_)
