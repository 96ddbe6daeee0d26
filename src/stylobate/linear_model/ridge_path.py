"""Ridge at many penalties at once: coefficients, and errors on rows left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table
from stylobate.optimize.least_squares import Quadratic, centred_copy, solve_spectral
from stylobate.statistics import Moments

Array = NDArray[np.float64]

_CHUNK = 1 << 13  # rows at a time
_RESOLVED = 1e7  # roundings of the largest eigenvalue the smallest must reach for nine digits


@dataclass(frozen=True, slots=True)
class RidgePath:
    """Coefficients (alphas × p × targets) and intercepts (alphas × targets)."""

    coef: Array
    intercept: Array

    @classmethod
    def from_moments(cls, moments: Moments, alphas: Array, *, intercept: bool) -> Self:
        """One Cholesky factorisation per penalty, of the equilibrated Gram."""
        from scipy.linalg.lapack import dposv

        problem = Quadratic.of(moments, intercept=intercept)
        diagonal = np.diag(problem.gram)
        scale = 1.0 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
        gram = scale[:, None] * problem.gram * scale
        xy = scale[:, None] * problem.xy
        coef = np.empty((len(alphas), *xy.shape))
        corner = np.diag_indices_from(gram)
        for a, alpha in enumerate(alphas):
            penalised = gram.copy()
            penalised[corner] += alpha * scale**2
            _, w, failed = dposv(penalised, xy, overwrite_a=1)
            if failed:
                one = Quadratic.of(moments, alpha, intercept=intercept)
                coef[a] = solve_spectral(one, moments.n_rows).coef
            else:
                coef[a] = scale[:, None] * w
        return cls(coef, _intercepts(coef, moments.x_mean, moments.y_mean, intercept))

    @classmethod
    def from_rows(cls, table: Table, alphas: Array, *, intercept: bool) -> Self:
        """From singular vectors of the rows: for more columns than rows."""
        x, y, x_mean, y_mean = centred_copy(table, intercept=intercept)
        u, s, vt = np.linalg.svd(x, full_matrices=False)
        shrink = _ratio(s, s**2 + alphas[:, None])  # alphas × r
        coef = np.einsum("rp,ar,rt->apt", vt, shrink, u.T @ y, optimize=True)
        return cls(coef, _intercepts(coef, x_mean, y_mean, intercept))

    def squared_errors(self, test: Moments) -> Array:
        """Σ w (y − ŷ)² on rows of which only the moments are known (alphas × targets)."""
        inside = np.einsum("apt,apt->at", self.coef, test.xx @ self.coef - 2.0 * test.xy)
        shift = test.y_mean - np.einsum("p,apt->at", test.x_mean, self.coef) - self.intercept
        return np.asarray(np.maximum(np.diag(test.yy) + inside, 0.0) + test.weight * shift**2)

    def predict(self, x: NDArray[np.floating]) -> Array:
        """Predictions (alphas × rows × targets)."""
        a, p, t = self.coef.shape
        flat = x @ self.coef.transpose(1, 0, 2).reshape(p, a * t)
        return np.asarray(flat).reshape(-1, a, t).transpose(1, 0, 2) + self.intercept[:, None]


def _intercepts(coef: Array, x_mean: Array, y_mean: Array, intercept: bool) -> Array:
    if not intercept:
        return np.zeros((coef.shape[0], coef.shape[2]))
    return np.asarray(y_mean - np.einsum("p,apt->at", x_mean, coef))


def _ratio(a: Array, b: Array) -> Array:
    return np.divide(a, b, out=np.zeros(np.broadcast_shapes(a.shape, b.shape)), where=b > 0)


@dataclass(frozen=True, slots=True)
class Spectrum:
    """The centred design by its principal directions: eigenvalues λ and the way to the scores.

    A row's score is z = Vᵀ(x − x̄); with it the leverage at penalty α is Σ z²/(λ + α) (+ 1/n).
    """

    values: Array
    vectors: Array
    x_mean: Array
    y_mean: Array
    weight: float
    intercept: bool

    @classmethod
    def of(cls, moments: Moments, *, intercept: bool) -> Self:
        m = moments if intercept else moments.about_zero()
        values, vectors = np.linalg.eigh(m.xx)
        values = np.where(values > _rounding(values), values, 0.0)
        return cls(values, vectors, m.x_mean, m.y_mean, m.weight, intercept)

    @classmethod
    def of_rows(cls, table: Table, *, intercept: bool) -> Self:
        """For more columns than rows: as many directions as rows."""
        x, _, x_mean, y_mean = centred_copy(table, intercept=intercept)
        _, s, vt = np.linalg.svd(x, full_matrices=False)
        weight = table.n_rows if table.weights is None else table.weights.sum()
        s = np.where(s > _rounding(s[::-1]), s, 0.0)
        return cls(s[::-1] ** 2, vt[::-1].T, x_mean, y_mean, float(weight), intercept)

    def leave_one_out(self, table: Table, alphas: Array) -> Iterator[tuple[slice, Array]]:
        """Residuals y − ŷ₋ᵢ of each row predicted without it, exactly (rows × alphas × targets).

        For a linear smoother the residual of the fit without row i is rᵢ/(1 − hᵢ). Rows come in
        chunks; nothing larger than rows × penalties is made.
        """
        assert table.y is not None
        inverse = _ratio(np.ones(()), self.values[:, None] + alphas)  # r × alphas
        # a flat direction whose penalty is less than rounding is no direction: its scores are noise
        inverse[self.values == 0.0] *= alphas > _rounding(self.values)
        slopes = np.zeros((len(self.values), table.y.shape[1]))
        for _, z, y, w in self._scores(table):
            slopes += z.T @ (y * w)
        for rows, z, y, w in self._scores(table):
            fitted = np.einsum("nr,ra,rt->nat", z, inverse, slopes, optimize=True)
            leverage = w * ((z**2) @ inverse + (1.0 / self.weight if self.intercept else 0.0))
            slack = np.maximum(1.0 - leverage, np.finfo(float).eps)
            yield rows, (y[:, None, :] - fitted) / slack[:, :, None]

    def _scores(self, table: Table) -> Iterator[tuple[slice, Array, Array, Array]]:
        """Row numbers, scores, centred targets and weights (as a column)."""
        for rows, x, y, w in chunks(table, self.x_mean, self.y_mean):
            yield rows, x @ self.vectors, y, w

    def resolves(self, alphas: Array) -> bool:
        """Whether the smallest eigenvalue, penalty included, stands out of the rounding."""
        if len(self.values) == 0:
            return True
        smallest = self.values[0] + float(alphas.min())
        return bool(smallest >= _RESOLVED * np.finfo(float).eps * self.values[-1])

    def generalized_errors(self, moments: Moments, alphas: Array) -> Array:
        """GCV (alphas × targets): n·rss/(n − df)², df = Σ λ/(λ + α) (+ 1)."""
        m = moments if self.intercept else moments.about_zero()
        turned = self.vectors.T @ m.xy
        shrunk = self.values[:, None] + alphas
        df = _ratio(self.values[:, None], shrunk).sum(axis=0) + self.intercept
        # ‖y − Xw(α)‖² = yy − Σ c²(λ + 2α)/(λ + α)²
        share = _ratio(_ratio(self.values[:, None] + 2.0 * alphas, shrunk), shrunk)
        explained = (
            turned[:, :, None] * np.sqrt(share)[:, None]
        )  # its squares are of the order of yy
        rss = np.maximum(np.diag(m.yy) - np.einsum("rta,rta->at", explained, explained), 0.0)
        n = m.n_rows
        return np.asarray(n * rss / np.maximum(n - df, np.finfo(float).eps)[:, None] ** 2)


def _rounding(values: Array) -> float:
    """What rounding leaves of a zero among values in increasing order."""
    return len(values) * float(np.finfo(float).eps) * float(values[-1:].sum())


def chunks(
    table: Table, x_mean: Array, y_mean: Array
) -> Iterator[tuple[slice, Array, Array, Array]]:
    """Row numbers, centred rows and targets, weights (as a column), some thousand at a time."""
    assert table.y is not None
    for start in range(0, table.n_rows, _CHUNK):
        rows = slice(start, min(start + _CHUNK, table.n_rows))
        x = table.x[rows].toarray() if table.is_sparse else table.x[rows]
        w = np.ones(rows.stop - rows.start) if table.weights is None else table.weights[rows]
        yield rows, x - x_mean, table.y[rows] - y_mean, w[:, None]
