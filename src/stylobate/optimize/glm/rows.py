"""What generalised linear models ask of the rows, each a mergeable statistic of one pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.optimize.glm.family import Family, distinct
from stylobate.optimize.glm.saturated import Saturated
from stylobate.parallel import one_blas_thread
from stylobate.statistics import LossStep, Moments
from stylobate.statistics.rows import counted

_CHUNK = 1 << 12  # rows at a time: read once from memory, used twice from cache


def _target(table: Table) -> Array:
    assert table.y is not None
    return np.ascontiguousarray(table.y[:, 0])


def _weights(table: Table) -> Array:
    return np.ones(table.n_rows) if table.weights is None else table.weights


@dataclass(frozen=True, slots=True, eq=False)
class TargetFacts:
    """Weight, weighted sums of y, of the columns and of their squares, and the saturated loss."""

    weight: float
    y_sum: float
    x_sum: Array
    x_squares: Array
    saturated: float

    def merge(self, other: Self) -> Self:
        """The sums over both parts' rows."""
        return type(self)(
            self.weight + other.weight,
            self.y_sum + other.y_sum,
            self.x_sum + other.x_sum,
            self.x_squares + other.x_squares,
            self.saturated + other.saturated,
        )

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.y_sum) and np.isfinite(self.x_sum).all())

    def column_lengths(self) -> Array:
        return np.zeros(0)


@dataclass(frozen=True, slots=True)
class TargetOf:
    """Checks the target against the family and adds up what does not depend on coefficients.

    `stride` thins the rows of which the columns' means are taken: they are only a centre.
    """

    family: Family
    owner: str
    stride: int = 1

    def of(self, table: Table) -> TargetFacts:
        """The facts of a table."""
        table = counted(table)
        y, w = _target(table), _weights(table)
        if not np.isfinite(y).all():
            table.refuse_nonfinite()
        self.family.refuse_target(y, self.owner)
        some = table if self.stride == 1 else table.take(slice(None, None, self.stride))
        share = _weights(some) * (w.sum() / _weights(some).sum())
        with np.errstate(over="ignore", invalid="ignore"):
            x_sum, squares = _column_sums(some, share)
            values, weights = distinct(y, w)
            saturated = float(weights @ saturated_loss(self.family, values))
        return TargetFacts(float(w.sum()), float(w @ y), x_sum, squares, saturated)


def _column_sums(table: Table, w: Array) -> tuple[Array, Array]:
    """Σ w x and Σ w x² of every column."""
    sums, squares = np.zeros(table.n_features), np.zeros(table.n_features)
    with one_blas_thread():
        for rows, part in _chunks(table):
            x = part.astype(np.float64)
            sums += x.T @ w[rows]
            squares += (x.multiply(x) if table.is_sparse else x * x).T @ w[rows]
    return sums, squares


def saturated_loss(family: Family, y: Array) -> Array:
    """The least value of each row's loss as the core's step statistics count it."""
    p = family.power
    if p is None or family.link != "log":
        return np.zeros_like(y)
    if p == 1.0:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(y > 0, y - y * np.log(y), 0.0)
    if p == 2.0:
        return np.log(y) + 1.0
    return np.asarray(-(np.maximum(y, 0.0) ** (2.0 - p)) / ((1.0 - p) * (2.0 - p)))


@dataclass(frozen=True, slots=True, eq=False)
class GLMFitFacts:
    """Deviance, null deviance, Pearson's χ², likelihood sums and the largest shift of a row."""

    n_rows: int
    weight: float
    deviance: float
    null_deviance: float
    pearson: float
    largest_shift: float
    saturated: Saturated

    def merge(self, other: Self) -> Self:
        """Sums over both parts' rows; of the shift the larger."""
        return type(self)(
            self.n_rows + other.n_rows,
            self.weight + other.weight,
            self.deviance + other.deviance,
            self.null_deviance + other.null_deviance,
            self.pearson + other.pearson,
            max(self.largest_shift, other.largest_shift),
            self.saturated.merge(other.saturated),
        )

    def is_finite(self) -> bool:
        return not np.isnan(self.deviance)

    def column_lengths(self) -> Array:
        return np.zeros(0)


@dataclass(frozen=True, slots=True)
class FitAt:
    """The fit at coef (p,) and intercept, beside the step (p,) and its shift not taken.

    `null_mean` is the mean of the model without slopes.
    """

    family: Family
    coef: Array
    intercept: float
    direction: Array
    shift: float
    null_mean: float

    def of(self, table: Table) -> GLMFitFacts:
        """The facts of a table."""
        table = counted(table)
        y, w = _target(table), _weights(table)
        z, t = np.empty(len(y)), np.empty(len(y))
        with one_blas_thread():  # chunks are small, and idle threads of BLAS spin
            for rows, x in _chunks(table):
                z[rows] = x @ self.coef + self.intercept
                t[rows] = x @ self.direction + self.shift
        mu = self.family.mean(z)
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            pearson = (y - mu) ** 2 / self.family.variance(mu)
        values, weights = distinct(y, w)
        null = self.family.deviance(values, np.full(len(values), self.null_mean))
        return GLMFitFacts(
            len(y),
            float(w.sum()),
            float(w @ self.family.deviance(y, mu)),
            float(weights @ null),
            float(w @ np.where(y == mu, 0.0, pearson)),
            float(np.abs(t).max(initial=0.0)),
            Saturated.of(self.family, y, table.weights, keep_rows=False),
        )


@dataclass(frozen=True, slots=True)
class FamilyAt:
    """A step statistic in NumPy: for links the core does not have, and for very many columns.

    The Hessian holds the expected curvature of rows whose own is not positive. Without `curvature`
    nothing is ever dense, and the Hessian's last row alone can be had from `border`.
    """

    family: Family
    coef: Array
    intercept: float
    center: Array
    curvature: bool

    def of(self, table: Table) -> LossStep:
        """The statistic of a table."""
        table = counted(table)
        y, w = _target(table), _weights(table)
        p = table.n_features
        value, gradient = 0.0, np.zeros(p + 1)
        hessian = np.zeros((p + 1, p + 1)) if self.curvature else None
        for rows, x in _chunks(table):
            z = x @ self.coef + (self.intercept - float(self.center @ self.coef))
            mu = self.family.mean(z)
            if not self.family.in_domain(mu).all():
                bad = np.nan if np.isnan(z).any() else np.inf
                return LossStep(len(y), float(w.sum()), bad, gradient, hessian)
            value += float(w[rows] @ (0.5 * self.family.deviance(y[rows], mu)))
            slope = w[rows] * self.family.gradient(y[rows], mu)
            gradient += self._about_center(x, slope)
            if hessian is not None:
                observed = self.family.observed_curvature(y[rows], mu)
                expected = self.family.expected_curvature(mu)
                curve = w[rows] * np.where(observed > 0, observed, expected)
                dense = x.toarray() if hasattr(x, "toarray") else x
                design = np.column_stack([dense - self.center, np.ones(len(z))])
                hessian += (design.T * curve) @ design
        return LossStep(len(y), float(w.sum()), value, gradient, hessian)

    def border(self, table: Table) -> Array:
        """Σ w ℓ″·[x − c, 1] of the rows: the intercept's row of the observed Hessian."""
        table = counted(table)
        y, w = _target(table), _weights(table)
        mu = self.family.mean(table.x @ self.coef + (self.intercept - self.center @ self.coef))
        return self._about_center(table.x, w * self.family.observed_curvature(y, mu))

    def _about_center(self, x: Any, v: Array) -> Array:
        total = float(v.sum())
        return np.append(np.asarray(x.T @ v, dtype=np.float64) - self.center * total, total)


@dataclass(frozen=True, slots=True)
class InformationAt:
    """The expected information at coef (p,) and (raw) intercept, about [x − center, 1]."""

    family: Family
    coef: Array
    intercept: float
    center: Array

    def of(self, table: Table) -> LossStep:
        """The information of a table, as the Hessian of a step statistic."""
        table = counted(table)
        mu = self.family.mean(np.asarray(table.x @ self.coef + self.intercept, dtype=np.float64))
        weights = _weights(table) * self.family.expected_curvature(mu)
        moments = Moments.of(replace(table, weights=weights, y=None))
        p, delta = table.n_features, moments.mean - self.center
        h = np.empty((p + 1, p + 1))
        h[:p, :p] = moments.scatter + moments.weight * np.outer(delta, delta)
        h[p, :p] = h[:p, p] = moments.weight * delta
        h[p, p] = moments.weight
        return LossStep(table.n_rows, moments.weight, 0.0, np.zeros(p + 1), h)


def _chunks(table: Table) -> Iterator[tuple[slice, Any]]:
    """Rows a few thousand at a time; sparse ones all at once."""
    step = max(table.n_rows, 1) if table.is_sparse and table.n_features > _CHUNK else _CHUNK
    for start in range(0, table.n_rows, step):
        rows = slice(start, start + step)
        yield rows, table.x[rows]
