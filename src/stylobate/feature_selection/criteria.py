"""Criteria that weigh the fit of a linear model against its size, from sums of squares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array

_PERFECT = 1e-16  # share of the target's squares below which a residual is rounding


@dataclass(frozen=True, slots=True)
class LinearCriteria:
    r"""Criteria of linear models of the same n rows.

    .. math:: \mathrm{AIC} = n \log\frac{2\pi\,\mathrm{RSS}}{n} + n + 2k, \quad
              \mathrm{BIC} = \mathrm{AIC} - 2k + k \log n, \quad
              C_p = \frac{\mathrm{RSS}}{\hat\sigma^2_{\text{full}}} - n + 2k

    with k the number of coefficients, the intercept among them, as in statsmodels.

    Parameters
    ----------
    n : float
        Rows.
    total : float
        Sum of squares of y (about its mean if there is an intercept).
    intercept : bool
        Whether the models have one.
    full_variance : float
        Residual variance of the model with all columns, for Cp; NaN if there is none.

    Examples
    --------
    >>> criteria = LinearCriteria(n=10, total=100.0, intercept=True)
    >>> criteria.aic(np.array([40.0]), np.array([2])).round(3)
    array([48.242])
    """

    n: float
    total: float
    intercept: bool
    full_variance: float = float("nan")

    def _coefficients(self, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
        return sizes + int(self.intercept)

    def _squares(self, squares: Array) -> Array:
        """Residuals that are rounding count as that rounding: logarithms stay finite."""
        return np.asarray(np.maximum(squares, _PERFECT * self.total + np.finfo(float).tiny))

    def aic(self, squares: Array, sizes: NDArray[np.int64]) -> Array:
        """Akaike's criterion."""
        return np.asarray(self._deviance(squares) + 2.0 * self._coefficients(sizes))

    def bic(self, squares: Array, sizes: NDArray[np.int64]) -> Array:
        """Schwarz's criterion."""
        return np.asarray(self._deviance(squares) + np.log(self.n) * self._coefficients(sizes))

    def cp(self, squares: Array, sizes: NDArray[np.int64]) -> Array:
        """Mallows' Cp."""
        return np.asarray(squares / self.full_variance - self.n + 2.0 * self._coefficients(sizes))

    def adjusted_r2(self, squares: Array, sizes: NDArray[np.int64]) -> Array:
        """1 − (RSS / (n − k)) / (TSS / (n − 1)); −∞ where no degree of freedom is left."""
        freedom = self.n - self._coefficients(sizes)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = 1.0 - squares / freedom / (self.total / (self.n - int(self.intercept)))
        return np.where(freedom > 0, value, -np.inf)

    def _deviance(self, squares: Array) -> Array:
        return np.asarray(self.n * (np.log(2.0 * np.pi * self._squares(squares) / self.n) + 1.0))
