"""Leave-one-out and generalised cross-validation errors of ridge, which is a linear smoother."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Protocol, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.interrupts import interruptible
from stylobate.optimize.least_squares import CholeskyFactor, Quadratic, centred_copy, row_svd
from stylobate.optimize.row_products import row_products
from stylobate.parallel import blas_for, one_blas_thread
from stylobate.statistics import Moments, Source

EPS = float(np.finfo(np.float64).eps)
_CHUNK = 1 << 13  # rows at a time,
_NUMBERS = 1 << 22  # or as many as have so many numbers
_RESOLVED = 1e7  # roundings of the largest eigenvalue the smallest must reach for nine digits
_LEAST_SLACK = 1e-10  # of 1 − leverage: less is rounding
_MOST_SLACK = 1e-6  # … and more never is only rounding


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
    n_rows: int
    intercept: bool

    @classmethod
    def of(cls, moments: Moments, *, intercept: bool) -> Self:
        m = moments if intercept else moments.about_zero()
        with blas_for(len(m.xx)):
            values, vectors = interruptible(np.linalg.eigh, m.xx)
        values = _resolved(values, m.n_rows - intercept)
        return cls(values, vectors, m.x_mean, m.y_mean, m.weight, m.n_rows, intercept)

    @classmethod
    def of_rows(cls, table: Table, alphas: Array, *, intercept: bool) -> Self:
        """For more columns than rows: as many directions as rows."""
        x, _, x_mean, y_mean = centred_copy(table, intercept=intercept)
        _, s, vt = row_svd(x, float(alphas.min()))
        w = np.ones(table.n_rows) if table.weights is None else table.weights
        n_rows = int(np.count_nonzero(w))
        s = _resolved(s[::-1], n_rows - intercept)
        return cls(s**2, vt[::-1].T, x_mean, y_mean, float(w.sum()), n_rows, intercept)

    @property
    def room(self) -> int:
        """Dimensions of the targets that no coefficients reach; 0: every row can be met."""
        return self.n_rows - int(np.count_nonzero(self.values)) - self.intercept

    def leave_one_out(self, source: Source, alphas: Array) -> Iterator[tuple[Array, Array]]:
        """Residuals y − ŷ₋ᵢ of each row predicted without it (rows × alphas × targets).

        For a linear smoother the residual of the fit without row i is rᵢ/(1 − hᵢ). It is infinite
        where that is 0/0: the fit without the row says nothing of it. Rows come in chunks, with
        their weights (as a column); nothing larger than rows × penalties is made. Two passes.
        """
        return _left_out_rows(self, source, alphas)

    def left_out_squares(self, source: Source, alphas: Array) -> SquaresLeftOut:
        """The sums of their squares, by passes that may be made where the rows are."""
        return _squares_left_out(self, source, alphas)

    def errors_at(self, source: Source, alphas: Array) -> RowErrors:
        """What the errors of rows are computed from: one pass."""
        inverse = _ratio(np.ones(()), self.values[:, None] + alphas)  # r × alphas
        # a flat direction whose penalty is less than rounding is no direction: its scores are noise
        inverse[self.values == 0.0] *= alphas > _rounding(self.values)
        slopes = source.compute(_SlopesOf(self)).value
        least = least_slack(EPS * inverse.max(axis=0, initial=0.0) * _span(self.values, alphas))
        share = _ratio(alphas * inverse, self.values[:, None])  # α/(λ(λ + α))
        return _SpectrumErrors(self, inverse, slopes, least, share)

    def resolves(self, alphas: Array) -> bool:
        """Whether the smallest eigenvalue, penalty included, stands out of the rounding.

        Those that must be zero, as there are not rows enough, are known whatever the rounding.
        """
        known = self.values[max(len(self.values) - self.n_rows + self.intercept, 0) :]
        if len(known) == 0:
            return True
        smallest = known[0] + float(alphas.min())
        return bool(smallest >= _RESOLVED * EPS * known[-1])

    def generalized_errors(self, moments: Moments, alphas: Array) -> Array:
        """GCV (alphas × targets): n·rss/(n − df)², df = Σ λ/(λ + α) (+ 1).

        Infinite where nothing is left of n − df. What the coefficients reach is kept apart from
        what they do not, so that neither rss nor n − df is a small difference.
        """
        m = moments if self.intercept else moments.about_zero()
        values = self.values[:, None]
        reached = _ratio(self.vectors.T @ m.xy, np.sqrt(values)) ** 2  # r × targets
        beyond = np.maximum(np.diag(m.yy) - reached.sum(axis=0), 0.0) * (self.room > 0)
        kept = _ratio(alphas, values + alphas) * (values > 0)  # α/(λ + α)
        rss = beyond + (kept**2).T @ reached
        return generalized(m.n_rows, rss, self.room + kept.sum(axis=0), 0.0)


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

    def leave_one_out(self, source: Source, alphas: Array) -> Iterator[tuple[Array, Array]]:
        """Residuals of each row predicted without it; see `Spectrum.leave_one_out`."""
        return _left_out_rows(self, source, alphas)

    def left_out_squares(self, source: Source, alphas: Array) -> SquaresLeftOut:
        """The sums of their squares; see `Spectrum.left_out_squares`."""
        return _squares_left_out(self, source, alphas)

    def errors_at(self, source: Source, alphas: Array) -> RowErrors:
        """What the errors of rows are computed from."""
        coefs = tuple(factor.solve(self.problem.xy) for factor in self.factors)
        least = least_slack(EPS * np.array([factor.condition for factor in self.factors]))
        return _FactorErrors(self, coefs, least)

    def generalized_errors(self, moments: Moments, alphas: Array) -> Array:
        """GCV from the moments alone (alphas × targets); see `Spectrum.generalized_errors`."""
        p, total = len(self.problem.gram), self.problem.yy
        room = max(self.n_rows - p - self.intercept, 0)
        rss, left = np.empty((len(alphas), len(total))), np.empty(len(alphas))
        for a, factor in enumerate(self.factors):
            rss[a] = np.maximum(self.problem.value(factor.solve(self.problem.xy)), 0.0)
            left[a] = room + alphas[a] * np.trace(factor.solve(np.eye(p)))  # n − df
        rounding = 0.0 if room else _LEAST_SLACK * total
        return generalized(self.n_rows, rss, left, rounding)


class RowErrors(Protocol):
    """Errors of rows left out, given centred rows and targets and their weights (as a column)."""

    def of(self, x: Array, y: Array, w: Array) -> Array: ...


@dataclass(frozen=True, slots=True, eq=False)
class _SpectrumErrors:
    spectrum: Spectrum
    inverse: Array
    slopes: Array
    least: Array
    share: Array

    def of(self, x: Array, y: Array, w: Array) -> Array:
        own, z = self.spectrum, row_products(x, self.spectrum.vectors)
        with one_blas_thread():  # a few columns: a second thread would only wait
            residual = y[:, None, :] - _products(z, self.inverse, self.slopes)
            leverage = (z**2) @ self.inverse + (1.0 / own.weight if own.intercept else 0.0)
        errors = left_out(residual, 1.0 - w * leverage, self.least)
        if own.room == 0:  # rᵢ and 1 − hᵢ are all penalty; as such nothing cancels
            met = w[:, 0] > 0
            slack = w * (z**2 @ self.share)
            all_met = left_out(_products(z, self.share, self.slopes), slack, 0.0 * self.least)
            errors[met] = all_met[met]
        return errors


@dataclass(frozen=True, slots=True, eq=False)
class _FactorErrors:
    own: PenalisedFactors
    coefs: tuple[Array, ...]
    least: Array

    def of(self, x: Array, y: Array, w: Array) -> Array:
        from scipy.linalg import solve_triangular

        residual = np.empty((len(x), len(self.coefs), y.shape[1]))
        leverage = np.empty((len(x), len(self.coefs)))
        for a, (factor, coef) in enumerate(zip(self.own.factors, self.coefs, strict=True)):
            z = solve_triangular(factor.r, (x * factor.scale).T, trans="T")
            leverage[:, a] = (z**2).sum(axis=0) + self.own.intercept / self.own.weight
            residual[:, a] = y - x @ coef
        return left_out(residual, 1.0 - w * leverage, self.least)


def _left_out_rows(
    smoother: Spectrum | PenalisedFactors, source: Source, alphas: Array
) -> Iterator[tuple[Array, Array]]:
    found = smoother.errors_at(source, alphas)
    for window in source.windows():
        for x, y, w in chunks(window, smoother.x_mean, smoother.y_mean):
            yield w, found.of(x, y, w)


def _squares_left_out(
    smoother: Spectrum | PenalisedFactors, source: Source, alphas: Array
) -> SquaresLeftOut:
    found = smoother.errors_at(source, alphas)
    return source.compute(_SquaresOf(found, smoother.x_mean, smoother.y_mean))


@dataclass(frozen=True, slots=True, eq=False)
class _Sum:
    """A sum over rows."""

    value: Array
    subtractable: ClassVar[bool] = False

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        return type(self)(self.value + other.value)

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.value).all())


@dataclass(frozen=True, slots=True, eq=False)
class _SlopesOf:
    """A recipe: Σ ω z y, the scores times the targets."""

    spectrum: Spectrum

    def of(self, table: Table) -> _Sum:
        """Of the rows of a table."""
        own = self.spectrum
        slopes = np.zeros((len(own.values), len(own.y_mean)))
        for x, y, w in chunks(table, own.x_mean, own.y_mean):
            scores = row_products(x, own.vectors)
            with one_blas_thread():
                slopes += scores.T @ (y * w)
        return _Sum(slopes)


@dataclass(frozen=True, slots=True, eq=False)
class SquaresLeftOut:
    """Σ ω e² of rows left out (alphas × targets), infinite where one has no error."""

    squares: Array
    n_rows: int
    subtractable: ClassVar[bool] = False

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        return type(self)(self.squares + other.squares, self.n_rows + other.n_rows)

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return True  # an infinite error is one


@dataclass(frozen=True, slots=True, eq=False)
class _SquaresOf:
    """The recipe of `SquaresLeftOut`."""

    errors: RowErrors
    x_mean: Array
    y_mean: Array

    def of(self, table: Table) -> SquaresLeftOut:
        """Of the rows of a table."""
        squares: Array | None = None
        for x, y, w in chunks(table, self.x_mean, self.y_mean):
            own = (w[:, :, None] * self.errors.of(x, y, w) ** 2).sum(axis=0)
            squares = own if squares is None else squares + own
        assert squares is not None  # a table has rows
        return SquaresLeftOut(squares, table.n_rows)


def smoother(moments: Moments, alphas: Array, *, intercept: bool) -> Spectrum | PenalisedFactors:
    """What gives leave-one-out and GCV errors: the spectrum, or factors where it lacks digits."""
    spectrum = Spectrum.of(moments, intercept=intercept)
    if spectrum.resolves(alphas):
        return spectrum
    return PenalisedFactors.of(moments, alphas, intercept=intercept) or spectrum


def left_out(residual: Array, slack: Array, least: Array) -> Array:
    """r/(1 − h) (rows × alphas × targets), infinite where 1 − h is no more than `least`."""
    defined = (slack > least)[:, :, None]
    errors = np.full(residual.shape, np.inf)
    return np.asarray(np.divide(residual, slack[:, :, None], out=errors, where=defined))


def least_slack(rounding: Array) -> Array:
    """The least 1 − h with digits, given the relative rounding of a leverage at each penalty."""
    return np.clip(100.0 * rounding, _LEAST_SLACK, _MOST_SLACK)


def generalized(n: int, rss: Array, left: Array, rounding: Array | float) -> Array:
    """n·rss/(n − df)², infinite where nothing is left of n − df, or of rss only rounding."""
    defined = (left[:, None] > 0.0) & (rss >= rounding)
    errors = np.full(rss.shape, np.inf)
    return np.asarray(np.divide(n * rss, left[:, None] ** 2, out=errors, where=defined))


def chunks(table: Table, x_mean: Array, y_mean: Array) -> Iterator[tuple[Array, Array, Array]]:
    """Centred rows and targets, weights (as a column), some thousand at a time."""
    assert table.y is not None
    step = max(1, min(_CHUNK, _NUMBERS // max(table.n_features, 1)))
    for start in range(0, table.n_rows, step):
        rows = slice(start, min(start + step, table.n_rows))
        x = table.x[rows].toarray() if table.is_sparse else table.x[rows]
        w = np.ones(len(x)) if table.weights is None else table.weights[rows]
        yield x - x_mean, table.y[rows] - y_mean, w[:, None]


def _resolved(values: Array, most: int) -> Array:
    """Values in increasing order, zero where only rounding; at most `most` can be more."""
    kept = np.where(values > _rounding(values), values, 0.0)
    kept[: max(len(kept) - most, 0)] = 0.0
    return kept


def _rounding(values: Array) -> float:
    """What rounding leaves of a zero among values in increasing order."""
    return len(values) * EPS * float(values[-1:].sum())


def _span(values: Array, alphas: Array) -> Array:
    """The largest eigenvalue, penalty included."""
    return np.asarray(values[-1:].sum() + alphas)


def _products(z: Array, shrink: Array, slopes: Array) -> Array:
    return np.asarray(np.einsum("nr,ra,rt->nat", z, shrink, slopes, optimize=True))


def _ratio(a: Array, b: Array) -> Array:
    return np.divide(a, b, out=np.zeros(np.broadcast_shapes(a.shape, b.shape)), where=b > 0)
