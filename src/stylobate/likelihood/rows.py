"""The log-likelihood of rows under a density given by the user, with derivatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.likelihood.differences import FIRST, SECOND, derivative, hessian

OWNER = "MaximumLikelihood"


@dataclass(frozen=True, eq=False)
class RowLikelihood:
    """Σ w log f(row; θ) within bounds.

    Parameters
    ----------
    log_density : callable
        (*data, theta) → (n,) log densities.
    gradient : callable or None
        (*data, theta) → (n, k) derivatives of them.
    data : tuple of arrays
    weights : (n,) array > 0
    low, high : (k,) arrays
    sizes : (k,) array > 0
        How far each parameter can move before one row's density changes much.
    """

    log_density: Callable[..., Any]
    gradient: Callable[..., Any] | None
    data: tuple[Array, ...]
    weights: Array
    low: Array
    high: Array
    sizes: Array

    @property
    def n_rows(self) -> int:
        return len(self.weights)

    def rows(self, theta: Array) -> Array:
        """Log density of every row."""
        with np.errstate(all="ignore"):
            values = np.asarray(self.log_density(*self.data, theta.copy()), dtype=np.float64)
        if values.shape != (self.n_rows,):
            raise InvalidDataError(
                f"{OWNER}: log_density must return one number per row, shape ({self.n_rows},), got "
                f"{values.shape}."
            )
        return values

    def value(self, theta: Array) -> float:
        """The log-likelihood; −inf where it is not a number."""
        total = float(self.weights @ self.rows(theta))
        return total if np.isfinite(total) else -np.inf

    def scores(self, theta: Array) -> Array:
        """Derivatives of every row's log density, (n, k)."""
        if self.gradient is not None:
            with np.errstate(all="ignore"):
                found = np.asarray(self.gradient(*self.data, theta.copy()), dtype=np.float64)
            found = found[:, None] if found.ndim == 1 and len(theta) == 1 else found
            if found.shape != (self.n_rows, len(theta)):
                raise InvalidDataError(
                    f"{OWNER}: gradient must return one row of derivatives per row of data, shape "
                    f"({self.n_rows}, {len(theta)}), got {found.shape}."
                )
            return found
        h = FIRST * self.sizes
        columns = [
            derivative(self.rows, theta, j, float(h[j]), float(self.low[j]), float(self.high[j]))
            for j in range(len(theta))
        ]
        return np.column_stack(columns)

    def slope(self, theta: Array) -> Array:
        """Gradient of the log-likelihood; row differences are taken before they are added up."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.weights @ self.scores(theta))

    def curvature(self, theta: Array) -> Array:
        """Hessian of the log-likelihood."""
        with np.errstate(invalid="ignore"):
            return hessian(self.slope, theta, SECOND * self.sizes, self.low, self.high)

    def sized_by(self, errors: Array) -> RowLikelihood:
        """With sizes from standard errors, where there are any."""
        known = np.isfinite(errors) & (errors > 0)
        sizes = np.where(known, errors * np.sqrt(self.weights.sum()), self.sizes)
        return replace(self, sizes=sizes)
