"""The smooth part of the elastic net, ½‖y − Xw‖², as its study solvers see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.optimize.elastic_net.problem import ElasticNetProblem
from stylobate.statistics import Moments

_MOST_COLUMNS = 2000  # their Gram is cheaper than going back to the rows at every step


class Smooth(Protocol):
    """½‖y − Xw‖² of one target, centred and weighted as the problem asks."""

    @property
    def gram(self) -> Array | None:
        """XᵀX, if it is known."""

    @property
    def products(self) -> Array:
        """Xᵀy."""

    @property
    def squares(self) -> float:
        """‖y‖²."""

    def correlations(self, w: Array) -> tuple[Array, float]:
        """Xᵀr and ‖r‖² of the residual r = y − Xw."""

    def intercept(self, w: Array) -> float:
        """The b that goes with w."""


@dataclass(frozen=True, slots=True, eq=False)
class FromGram:
    """From XᵀX: no row is read."""

    gram: Array
    products: Array
    squares: float
    x_mean: Array
    y_mean: float

    def correlations(self, w: Array) -> tuple[Array, float]:
        c = self.products - self.gram @ w
        return c, max(self.squares - float(w @ (self.products + c)), 0.0)

    def intercept(self, w: Array) -> float:
        return self.y_mean - float(self.x_mean @ w)


@dataclass(frozen=True, slots=True, eq=False)
class FromRows:
    """From the rows: two products with X a step, centred on the fly."""

    x: Any
    y: Array
    weights: Array | float
    x_mean: Array
    y_mean: float
    gram: None = None

    def correlations(self, w: Array) -> tuple[Array, float]:
        residual = self.y - (self.x @ w - self.x_mean @ w)
        weighted = self.weights * residual
        c = np.asarray(self.x.T @ weighted) - self.x_mean * weighted.sum()
        return c, float(weighted @ residual)

    @property
    def products(self) -> Array:
        return self.correlations(np.zeros(self.x.shape[1]))[0]

    @property
    def squares(self) -> float:
        return float((self.weights * self.y) @ self.y)

    def intercept(self, w: Array) -> float:
        return self.y_mean - float(self.x_mean @ w)


def smooth_parts(problem: ElasticNetProblem) -> list[Smooth]:
    """One for each target: from the Gram where columns are few, else from the rows."""
    moments = problem.moments
    table = problem.table
    if moments is None:
        assert table is not None
        if table.n_features <= min(table.n_rows, _MOST_COLUMNS):
            moments = Moments.of(table)
    if moments is not None:
        return list(_from_moments(moments, intercept=problem.intercept))
    assert table is not None
    return list(_from_rows(table, intercept=problem.intercept))


def _from_moments(moments: Moments, *, intercept: bool) -> list[Smooth]:
    about = moments if intercept else moments.about_zero()
    x_mean = moments.x_mean if intercept else np.zeros(moments.n_features)
    y_mean = moments.y_mean if intercept else np.zeros(moments.n_targets)
    return [
        FromGram(about.xx, about.xy[:, t], float(about.yy[t, t]), x_mean, float(y_mean[t]))
        for t in range(moments.n_targets)
    ]


def _from_rows(table: Table, *, intercept: bool) -> list[Smooth]:
    assert table.y is not None
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    share = weights / weights.sum()
    x_mean = np.asarray(table.x.T @ share) if intercept else np.zeros(table.n_features)
    y_mean = share @ table.y if intercept else np.zeros(table.y.shape[1])
    return [
        FromRows(table.x, table.y[:, t] - y_mean[t], weights, x_mean, float(y_mean[t]))
        for t in range(table.y.shape[1])
    ]
