"""What a non-negative factorization minimises, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from stylobate.arrays import Array
from stylobate.decomposition.nonnegative.table import NonnegativeTable

BETA = {"frobenius": 2.0, "kullback-leibler": 1.0, "itakura-saito": 0.0}
# scikit-learn's ε, below which the model is held where a power of it is negative
FLOOR = float(np.finfo(np.float32).eps)


def beta_of(loss: str | float) -> float:
    """β of a loss given by name or number.

    >>> beta_of("kullback-leibler"), beta_of(1.5)
    (1.0, 1.5)
    """
    return BETA[loss] if isinstance(loss, str) else float(loss)


@dataclass(frozen=True, slots=True)
class Penalty:
    """l1 Σ|v| + ½ l2 Σ v² over the entries of a factor."""

    l1: float = 0.0
    l2: float = 0.0

    def value(self, factor: Array) -> float:
        """The penalty of a factor."""
        return self.l1 * float(factor.sum()) + 0.5 * self.l2 * float(np.vdot(factor, factor))


@dataclass(frozen=True, slots=True, eq=False)
class FactorizationProblem:
    r"""Minimise :math:`D_\beta(X\,|\,WF^\top)` and the penalties of both factors over W, F ≥ 0.

    Parameters
    ----------
    table : NonnegativeTable
        X, n × p.
    beta : float
        2: half the squared error; 1: Kullback–Leibler; 0: Itakura–Saito.
    of_w, of_f : Penalty
        Those of W (n × k) and F (p × k).
    """

    table: NonnegativeTable
    beta: float
    of_w: Penalty
    of_f: Penalty

    @classmethod
    def of(
        cls, table: NonnegativeTable, beta: float, alpha_w: float, alpha_h: float, l1_ratio: float
    ) -> FactorizationProblem:
        """With penalties scaled by the shape of X, as scikit-learn scales them."""
        n, p = table.shape
        return cls(
            table,
            beta,
            Penalty(p * alpha_w * l1_ratio, p * alpha_w * (1.0 - l1_ratio)),
            Penalty(n * alpha_h * l1_ratio, n * alpha_h * (1.0 - l1_ratio)),
        )

    @property
    def gamma(self) -> float:
        """The power of multiplicative steps for which the loss never grows."""
        if self.beta < 1.0:
            return 1.0 / (2.0 - self.beta)
        return 1.0 / (self.beta - 1.0) if self.beta > 2.0 else 1.0

    def error(self, w: Array, f: Array) -> float:
        r""":math:`\sqrt{2 D_\beta}`: for β = 2 the norm of X − WFᵀ."""
        return sqrt(2.0 * self.table.divergence(w, f, self.beta))

    def objective(self, w: Array, f: Array) -> float:
        """What is minimised."""
        loss = self.table.divergence(w, f, self.beta)
        return loss + self.of_w.value(w) + self.of_f.value(f)

    def row_parts(self, w: Array, f: Array) -> tuple[Array, Array]:
        """What pulls W up and what pushes it down: their difference is minus the gradient."""
        if self.beta == 2.0:
            return self.table.row_products(f), self._pushed(w @ (f.T @ f), w, self.of_w)
        up, down = self.table.row_updates(w, f, self.beta)
        return up, self._pushed(_sums(f, w) if down is None else down, w, self.of_w)

    def column_parts(self, w: Array, f: Array) -> tuple[Array, Array]:
        """The same of F."""
        if self.beta == 2.0:
            return self.table.column_products(w), self._pushed(f @ (w.T @ w), f, self.of_f)
        up, down = self.table.column_updates(w, f, self.beta)
        return up, self._pushed(_sums(w, f) if down is None else down, f, self.of_f)

    @staticmethod
    def _pushed(down: Array, factor: Array, penalty: Penalty) -> Array:
        if penalty.l1:
            down = down + penalty.l1
        return down + penalty.l2 * factor if penalty.l2 else down


def _sums(other: Array, own: Array) -> Array:
    """The denominator of Kullback–Leibler steps: sums of the other factor's columns."""
    return np.broadcast_to(other.sum(axis=0), own.shape)
