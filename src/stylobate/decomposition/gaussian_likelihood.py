"""How likely rows are under a model that gives them a normal density."""

from __future__ import annotations

from math import log, pi
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator
from stylobate.decomposition.projection import centred_chunks
from stylobate.optimize.row_products import row_products
from stylobate.parallel import blas_for


class GaussianLikelihood(BaseEstimator):
    """For estimators with ``mean_`` and `get_precision`."""

    if TYPE_CHECKING:
        mean_: Any

        def get_precision(self) -> Any: ...

    def score_samples(self, X: Any) -> NDArray[Any]:
        """Log density of each row under the model.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        with blas_for(table.n_features):
            precision = self.get_precision()
            sign, logdet = np.linalg.slogdet(precision)
        logdet = logdet if sign > 0 else -np.inf
        squares = [
            (rows * row_products(rows, precision)).sum(axis=1)
            for rows in centred_chunks(table.x, self.mean_)
        ]
        constant = table.n_features * log(2.0 * pi) - logdet
        return np.asarray(-0.5 * np.concatenate(squares) - 0.5 * constant)

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log density of the rows under the model.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        float
        """
        return float(np.mean(self.score_samples(X)))
