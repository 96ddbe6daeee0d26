"""Two blocks of columns, centred and scaled, known by their products or by rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import UnsupportedDataError
from stylobate.statistics import Moments, Source, TriangularFactor, rows_at_hand
from stylobate.statistics.columns.range import refuse_out_of_range

_MOST_CELLS = 5 * 10**8  # of sparse rows made dense

EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True)
class Scaling:
    """Where the rows lie and how far they spread: what is taken off and divided by."""

    n_rows: int
    x_mean: Array
    x_std: Array
    y_mean: Array
    y_std: Array


class Blocks(Protocol):
    """X and Y of which parts are taken away one after the other.

    `exact` says that products carry the digits of rows, not those of sums of squares.
    """

    exact: bool
    x_squares: float  # Σ x² of all columns at the start
    y_squares: float

    def cross(self) -> Array:
        """XᵀY of what is left."""

    def x_gram(self, weights: Array) -> Array:
        """XᵀX times some columns."""

    def y_gram(self, weights: Array) -> Array:
        """YᵀY times some columns."""

    def y_left(self) -> Array:
        """Of each column of Y, the share of its length that is left."""

    def deflate(self, w: Array, p: Array, d: Array, v: Array | None) -> None:
        """X less (Xw)pᵀ; Y less (Yv)dᵀ, or with v None, less (Xw)dᵀ."""


class GramBlocks:
    """Known by XᵀX, XᵀY, YᵀY, which one pass over any source gives."""

    exact = False

    def __init__(self, xx: Array, xy: Array, yy: Array) -> None:
        self.xx, self.xy, self.yy = xx.copy(), xy.copy(), yy.copy()
        self.x_squares, self.y_squares = float(np.trace(xx)), float(np.trace(yy))
        self._y_start = np.diag(yy).copy()

    def cross(self) -> Array:
        return self.xy

    def x_gram(self, weights: Array) -> Array:
        return np.asarray(self.xx @ weights)

    def y_gram(self, weights: Array) -> Array:
        return np.asarray(self.yy @ weights)

    def y_left(self) -> Array:
        return _share(np.sqrt(np.maximum(np.diag(self.yy), 0.0)), np.sqrt(self._y_start))

    def deflate(self, w: Array, p: Array, d: Array, v: Array | None) -> None:
        tt = float(w @ self.xx @ w)
        ty = w @ self.xy
        self.xx -= tt * np.outer(p, p)
        if v is None:
            self.xy -= tt * np.outer(p, d)
            self.yy -= tt * np.outer(d, d)
            return
        uu, xu = float(v @ self.yy @ v), self.xy @ v
        self.xy += np.outer(p, float(ty @ v) * d - ty) - np.outer(xu, d)
        self.yy -= uu * np.outer(d, d)


class RowBlocks:
    """Known by rows: few, or the rows of a triangular factor that have the same products."""

    exact = True

    def __init__(self, x: Array, y: Array) -> None:
        self.x, self.y = x, y
        self.x_squares, self.y_squares = float((x**2).sum()), float((y**2).sum())
        self._y_start = np.sqrt((y**2).sum(axis=0))

    def cross(self) -> Array:
        return np.asarray(self.x.T @ self.y)

    def x_gram(self, weights: Array) -> Array:
        return np.asarray(self.x.T @ (self.x @ weights))

    def y_gram(self, weights: Array) -> Array:
        return np.asarray(self.y.T @ (self.y @ weights))

    def y_left(self) -> Array:
        return _share(np.sqrt((self.y**2).sum(axis=0)), self._y_start)

    def deflate(self, w: Array, p: Array, d: Array, v: Array | None) -> None:
        t = self.x @ w
        u = t if v is None else self.y @ v
        self.x -= np.outer(t, p)
        self.y -= np.outer(u, d)


def _share(now: Array, before: Array) -> Array:
    return np.asarray(np.divide(now, before, out=np.zeros_like(now), where=before > 0))


def few_rows(source: Source) -> bool:
    """Whether the rows are at hand and fewer than the columns, so that they say it shortest."""
    table = rows_at_hand(source)
    return (
        table is not None
        and table.y is not None
        and table.n_rows <= table.n_features + table.y.shape[1]
    )


def blocks_of_moments(moments: Moments, *, scale: bool) -> tuple[Blocks, Scaling]:
    """The blocks of rows of which the moments are known."""
    p, squares = moments.n_features, np.diag(moments.scatter)
    std, flat = _spread(squares, moments.mean, moments.weight, scale=scale)
    scatter = moments.scatter / std[:, None] / std
    scatter[flat] = 0.0
    scatter[:, flat] = 0.0
    scaling = Scaling(moments.n_rows, moments.x_mean, std[:p], moments.y_mean, std[p:])
    return GramBlocks(scatter[:p, :p], scatter[:p, p:], scatter[p:, p:]), scaling


def blocks_of_factor(factor: TriangularFactor, *, scale: bool) -> tuple[Blocks, Scaling]:
    """The blocks whose rows are those of R: as many digits as the rows, and as few as columns."""
    mean = factor.r[0, 1:] / factor.r[0, 0]
    return _blocks_of_rows(
        factor.r[1:, 1:].copy(), mean, factor.n_features, factor.n_rows, factor.weight, scale
    )


def blocks_of_table(table: Table, *, scale: bool) -> tuple[Blocks, Scaling]:
    """The blocks of rows in memory, copied."""
    table.refuse_nonfinite()
    refuse_out_of_range(table)
    assert table.y is not None
    x: Any = table.x
    if table.is_sparse:
        if table.n_rows * table.n_features > _MOST_CELLS:
            raise UnsupportedDataError(
                f"{table.owner}: centred rows are dense, and {table.n_rows} x {table.n_features} "
                "of them exceed memory; choose fewer columns first."
            )
        x = x.toarray()
    rows = np.hstack([np.asarray(x, dtype=np.float64), table.y])
    weights = np.ones(len(rows)) if table.weights is None else table.weights
    weight = float(weights.sum())
    mean = weights @ rows / weight
    rows = (rows - mean) * np.sqrt(weights)[:, None]
    counted = int(np.count_nonzero(weights))
    return _blocks_of_rows(rows, mean, table.n_features, counted, weight, scale)


def _blocks_of_rows(
    rows: Array, mean: Array, p: int, n_rows: int, weight: float, scale: bool
) -> tuple[Blocks, Scaling]:
    std, flat = _spread((rows**2).sum(axis=0), mean, weight, scale=scale)
    rows /= std
    rows[:, flat] = 0.0
    scaling = Scaling(n_rows, mean[:p], std[:p], mean[p:], std[p:])
    return RowBlocks(rows[:, :p], rows[:, p:]), scaling


def _spread(squares: Array, mean: Array, weight: float, *, scale: bool) -> tuple[Array, Any]:
    """What to divide columns by (1 for constant ones), and which are constant up to rounding."""
    flat = squares <= weight * (4.0 * EPS * mean) ** 2
    if not scale:
        return np.ones(len(mean)), flat
    std = np.sqrt(squares / max(weight - 1.0, EPS))
    return np.where(flat | (std == 0.0), 1.0, std), flat
