"""BIC and AIC of a fitted density."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any

from stylobate.arrays import Array


class InformationCriteria:
    """`bic` and `aic` of densities that count their parameters."""

    if TYPE_CHECKING:

        def score_samples(self, X: Any) -> Array: ...
        def _n_parameters(self) -> int: ...

    def bic(self, X: Any) -> float:
        """The Bayesian information criterion: −2 Σ log p(x) + d log n; the lower the better.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        float
        """
        densities = self.score_samples(X)
        return float(-2.0 * densities.sum() + self._n_parameters() * log(len(densities)))

    def aic(self, X: Any) -> float:
        """Akaike's information criterion: −2 Σ log p(x) + 2d; the lower the better.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        float
        """
        return float(-2.0 * self.score_samples(X).sum() + 2.0 * self._n_parameters())
