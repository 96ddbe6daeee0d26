"""Leave-one-out and GCV by one factorisation per penalty: for columns of very different units."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table
from stylobate.linear_model.ridge_path import Spectrum, chunks
from stylobate.optimize.least_squares import CholeskyFactor, Quadratic
from stylobate.statistics import Moments

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PenalisedFactors:
    """Cholesky factors of XᵀX + αI with unit diagonal, one for each penalty.

    One eigenvalue decomposition serves all penalties but knows small eigenvalues only to the
    rounding of the largest; these keep the digits of columns whatever their units, for the price of
    one factorisation per penalty.
    """

    problem: Quadratic
    factors: list[CholeskyFactor]
    x_mean: Array
    y_mean: Array
    weight: float
    n_rows: int
    intercept: bool

    @classmethod
    def of(cls, moments: Moments, alphas: Array, *, intercept: bool) -> Self | None:
        """The factors, or None where columns are dependent and a penalty is zero."""
        problem = Quadratic.of(moments, intercept=intercept)
        factors = [CholeskyFactor.of(problem.hessian(float(alpha))) for alpha in alphas]
        whole = [factor for factor in factors if factor is not None]
        if len(whole) < len(factors):
            return None
        m = moments if intercept else moments.about_zero()
        return cls(problem, whole, m.x_mean, m.y_mean, m.weight, m.n_rows, intercept)

    def leave_one_out(self, table: Table, alphas: Array) -> Iterator[tuple[slice, Array]]:
        """Residuals of each row predicted without it; see `Spectrum.leave_one_out`."""
        from scipy.linalg import solve_triangular

        coefs = [factor.solve(self.problem.xy) for factor in self.factors]
        for rows, x, y, w in chunks(table, self.x_mean, self.y_mean):
            errors = np.empty((len(x), len(alphas), y.shape[1]))
            for a, (factor, coef) in enumerate(zip(self.factors, coefs, strict=True)):
                z = solve_triangular(factor.r, (x * factor.scale).T, trans="T")
                leverage = (z**2).sum(axis=0) + (1.0 / self.weight if self.intercept else 0.0)
                slack = np.maximum(1.0 - w * leverage[:, None], np.finfo(float).eps)
                errors[:, a] = (y - x @ coef) / slack
            yield rows, errors

    def generalized_errors(self, moments: Moments, alphas: Array) -> Array:
        """GCV from the moments alone (alphas × targets); see `Spectrum.generalized_errors`."""
        errors = []
        for factor in self.factors:
            coef = factor.solve(self.problem.xy)
            df = np.trace(factor.solve(self.problem.gram)) + self.intercept
            rss = np.maximum(self.problem.value(coef), 0.0)
            errors.append(self.n_rows * rss / max(self.n_rows - df, np.finfo(float).eps) ** 2)
        return np.array(errors)


def smoother(moments: Moments, alphas: Array, *, intercept: bool) -> Spectrum | PenalisedFactors:
    """What gives leave-one-out and GCV errors: the spectrum, or factors where it lacks digits."""
    spectrum = Spectrum.of(moments, intercept=intercept)
    if spectrum.resolves(alphas):
        return spectrum
    return PenalisedFactors.of(moments, alphas, intercept=intercept) or spectrum
