"""The elastic net as a value: data, penalties, constraints, and how well it is to be solved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.optimize.elastic_net.measures import Measures
from stylobate.statistics import Moments

OBJECTIVE = "‖y − Xw − b‖²/(2n) + α·(ρ‖w‖₁ + ½(1 − ρ)‖w‖²)"


@dataclass(frozen=True, slots=True, eq=False)
class ElasticNetProblem:
    r"""Elastic nets of several targets at several penalties.

    .. math:: \min_{w, b} \; \frac{1}{2n} \sum_i \omega_i (y_i - x_i^\top w - b)^2
              + \alpha \left( \rho \|w\|_1 + \tfrac{1 - \rho}{2} \|w\|^2 \right),
              \quad n = \sum_i \omega_i

    Parameters
    ----------
    alphas : array (a,), >= 0
        Penalties α, best from large to small: each starts from the answer before.
    l1_ratio : float in [0, 1]
        ρ.
    table : Table or None
        The rows, free of rows of weight zero; for solvers that work on rows.
    moments : Moments or None
        Their moments; for solvers that work on the Gram. At least one of the two is given.
    intercept : bool
        Whether to fit b.
    positive : bool
        Whether w ≥ 0.
    tol : float, >= 0
        Duality gap asked for, as a share of the objective, or
    floor : float, >= 0
        of this share of the objective at zero coefficients, where that is larger.
    max_iter : int, >= 1
        Epochs per penalty at most.
    start : array (t, p) or None
        Coefficients to start from.
    seed : int or None
        Coordinates in random order from this seed; None: one after the other.
    polish : bool
        Whether to finish with the normal equations of the support, which goes beyond `tol`.
    change : float, >= 0
        On rows, where above 0: enough, too, once no coordinate's step lowers the objective by more
        than this share of that at zero coefficients.
    plain : bool
        On the Gram: whether to sweep and do nothing else, for those who want to watch.
    measures : Measures or None
        Sums of the table's columns, where they are known: a reading of the rows is saved.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> table = read_table([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0], owner="example")
    >>> problem = ElasticNetProblem(np.array([0.5]), moments=Moments.of(table))
    >>> problem.weight, problem.largest_alpha()
    (3.0, 0.6666666666666666)
    """

    alphas: Array
    l1_ratio: float = 1.0
    table: Table | None = None
    moments: Moments | None = None
    intercept: bool = True
    positive: bool = False
    tol: float = 1e-4
    floor: float = 0.0
    max_iter: int = 1000
    start: Array | None = None
    seed: int | None = None
    polish: bool = True
    change: float = 0.0
    measures: Measures | None = None
    plain: bool = False

    @property
    def weight(self) -> float:
        """n: the sum of the weights."""
        if self.moments is not None:
            return self.moments.weight
        assert self.table is not None
        weights = self.table.weights
        return float(self.table.n_rows) if weights is None else float(weights.sum())

    @property
    def n_targets(self) -> int:
        """Number of targets."""
        if self.moments is not None:
            return self.moments.n_targets
        assert self.table is not None
        assert self.table.y is not None
        return int(self.table.y.shape[1])

    def penalties(self) -> tuple[Array, Array]:
        """Factors of ‖w‖₁ and ½‖w‖² beside ½Σω r², one per penalty."""
        return (
            self.weight * self.alphas * self.l1_ratio,
            self.weight * self.alphas * (1.0 - self.l1_ratio),
        )

    def quadratic(self) -> tuple[Array, Array, Array]:
        """XᵀX (p, p), Xᵀy (t, p) and yᵀy (t,), centred where there is an intercept."""
        assert self.moments is not None
        m = self.moments if self.intercept else self.moments.about_zero()
        return m.xx, np.ascontiguousarray(m.xy.T), np.diag(m.yy).copy()

    def products(self) -> Array:
        """Xᵀy (t, p), centred where there is an intercept."""
        if self.moments is not None:
            return self.quadratic()[1]
        if self.measures is not None and self.measures.intercept == self.intercept:
            return self.measures.about_mean()
        return row_products(self.table, intercept=self.intercept)

    def squares(self) -> Array:
        """Σω(y − ȳ)² of each target, or Σωy² without intercept."""
        if self.moments is not None:
            return self.quadratic()[2]
        assert self.table is not None
        assert self.table.y is not None
        weights = self.table.weights
        y = self.table.y - (np.average(self.table.y, 0, weights) if self.intercept else 0.0)
        return np.asarray((y**2 if weights is None else weights[:, None] * y**2).sum(axis=0))

    def largest_alpha(self) -> float:
        """The smallest penalty at which all coefficients are zero (``inf`` for ρ = 0)."""
        products = self.products()
        size = products.max(initial=0.0) if self.positive else np.abs(products).max(initial=0.0)
        if size == 0.0:
            return 0.0
        return float(size / (self.weight * self.l1_ratio)) if self.l1_ratio > 0 else np.inf


def row_products(table: Table | None, *, intercept: bool) -> Array:
    """Xᵀ(ω(y − ȳ)) (t, p)."""
    assert table is not None
    assert table.y is not None
    y = table.y - (np.average(table.y, 0, table.weights) if intercept else 0.0)
    weighted = y if table.weights is None else table.weights[:, None] * y
    products = np.asarray(table.x.T @ weighted)
    if intercept:
        ones = np.ones(table.n_rows) if table.weights is None else table.weights
        mean = np.asarray(table.x.T @ (ones / ones.sum()))
        products -= np.multiply.outer(mean, weighted.sum(axis=0))
    return np.ascontiguousarray(products.T)
