"""All penalties, and all fits without one row, from the eigenvectors of the kernel matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from stylobate.arrays import Array
from stylobate.interrupts import interruptible
from stylobate.optimize.row_products import row_products
from stylobate.parallel import blas_for

_EPS = float(np.finfo(np.float64).eps)
_ROWS = 512  # of the eigenvectors whose squares are taken at a time


@dataclass(frozen=True, slots=True, eq=False)
class KernelSpectrum:
    r"""K = QΛQᵀ, from which the answers at every penalty follow in n² steps.

    .. math:: a = Q(\Lambda + \alpha I)^{-1} Q^T y, \qquad
              y_i - f_{-i}(x_i) = \frac{a_i}{\left[(K + \alpha I)^{-1}\right]_{ii}}

    The second is the error of row i under the fit without it, equal to that of a refit.

    References
    ----------
    Rifkin & Lippert (2007), Notes on regularized least squares, MIT-CSAIL-TR-2007-025.
    """

    values: Array
    vectors: Array

    @classmethod
    def of(cls, K: Array) -> Self:
        """Of a symmetric matrix (C order), which is used up."""
        from scipy import linalg

        with blas_for(len(K)):
            values, vectors = interruptible(
                linalg.eigh, K.T, driver="evd", lower=True, overwrite_a=True, check_finite=False
            )
        rounding = len(values) * _EPS * float(np.abs(values).max(initial=0.0))
        return cls(np.where(np.abs(values) <= rounding, 0.0, values), vectors)

    def coefficients(self, y: Array, alphas: Array) -> Array:
        """A for every penalty, n × alphas × targets; infinite where K + αI is singular."""
        with blas_for(len(y)):
            return self._coefficients(y, alphas)

    def _coefficients(self, y: Array, alphas: Array) -> Array:
        scores = self.vectors.T @ y
        with np.errstate(divide="ignore", invalid="ignore"):
            scaled = scores[:, None, :] / (self.values[:, None] + alphas)[:, :, None]
        determined = np.isfinite(scaled).all(axis=(0, 2))
        found = np.full((len(y), len(alphas), y.shape[1]), np.inf)
        flat = np.ascontiguousarray(scaled[:, determined]).reshape(len(scores), -1)
        found[:, determined] = (self.vectors @ flat).reshape(len(y), -1, y.shape[1])
        return found

    def inverse_diagonals(self, alphas: Array) -> Array:
        """The diagonals of (K + αI)⁻¹, n × alphas."""
        with np.errstate(divide="ignore"):
            inverses = 1.0 / (self.values[:, None] + alphas)
        singular = ~np.isfinite(inverses).all(axis=0)
        inverses[:, singular] = 1.0
        found = np.empty((len(self.vectors), len(alphas)))
        for start in range(0, len(found), _ROWS):
            some = slice(start, start + _ROWS)
            found[some] = row_products(self.vectors[some] ** 2, inverses)
        return found

    def leave_one_out(self, y: Array, alphas: Array) -> Array:
        """Errors of the rows under fits without them, n × alphas × targets."""
        return np.asarray(self.coefficients(y, alphas) / self.inverse_diagonals(alphas)[:, :, None])
