"""What all mixtures answer in the same words: labels of a fit, mean densities, BIC and AIC."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import DensityMixin
from stylobate.exceptions import InvalidParameterError


class MixtureMixin(DensityMixin):
    """`fit_predict` and `score` of densities that are made of groups."""

    if TYPE_CHECKING:

        def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self: ...
        def predict(self, X: Any) -> NDArray[np.int64]: ...
        def score_samples(self, X: Any) -> Array: ...

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> NDArray[np.int64]:
        """Fit, then the group of every row.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.

        Returns
        -------
        array of shape (n,)
        """
        self.fit(X, y, sample_weight)
        return self.predict(X)

    def score(self, X: Any, y: Any = None) -> float:
        """The mean of `score_samples`.

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
        return float(self.score_samples(X).mean())


class InformationCriteria:
    """`bic` and `aic` of densities that count their parameters."""

    if TYPE_CHECKING:

        def score_samples(self, X: Any) -> Array: ...
        def _n_parameters(self) -> int: ...

    @property
    def n_parameters_(self) -> int:
        """How many free parameters the density has."""
        return self._n_parameters()

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


def check_count(n_samples: int, owner: str) -> None:
    """Refuse to draw fewer rows than one."""
    if n_samples < 1:
        raise InvalidParameterError(
            f"{owner}: Invalid value for 'n_samples': {n_samples} . The sampling requires at least "
            "one sample."
        )
