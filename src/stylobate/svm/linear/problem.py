"""What linear support vector machines minimise, and what is proved of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.losses import Loss
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.linear_gap import TINY, Bounds, certify
from stylobate.optimize.linear_gap_passes import OneAgainstRest
from stylobate.optimize.robust.rows import Rows


@dataclass(frozen=True, slots=True)
class MarginObjective:
    r""":math:`\tfrac12\|w\|^2 + \tfrac12 (b/s)^2 + C\sum_i \omega_i\,\ell(y_i, x_i^\top w + b)`.

    With :math:`\tilde x = (x, s)` and :math:`\tilde w = (w, b/s)` it is
    :math:`\tfrac12\|\tilde w\|^2 + \sum_i c_i\,\ell(y_i, \tilde x_i^\top\tilde w)`.

    Parameters
    ----------
    loss : Loss
        ℓ.
    C : float > 0
    scaling : float >= 0
        s, the value of the column that carries the intercept; 0: there is none.
    """

    loss: Loss
    C: float
    scaling: float

    def model(self, theta: Array) -> tuple[Array, float]:
        """Coefficients and intercept of w̃."""
        return theta[:-1], self.scaling * float(theta[-1])

    @property
    def formula(self) -> str:
        bias = " + ½(b/s)²" if self.scaling else ""
        return f"½‖w‖²{bias} + C Σ ω {type(self.loss).__name__}(y, Xw + b)"


@dataclass(frozen=True, slots=True, eq=False)
class MarginAnswer:
    """An answer to one problem: w̃ = (w, b/s), what is proved of it, and how it was found."""

    theta: Array
    bounds: Bounds
    iterations: int
    converged: bool


@dataclass(frozen=True, slots=True, eq=False)
class LinearMachines:
    """Answers to the problems of all classes, with one certificate."""

    coef: Array
    intercept: Array
    certificate: Certificate
    iterations: int
    converged: bool

    @classmethod
    def of(cls, objective: MarginObjective, answers: Sequence[MarginAnswer]) -> LinearMachines:
        """Coefficients (k, p) and intercepts (k,) of the answers."""
        coef = np.stack([objective.model(each.theta)[0] for each in answers])
        intercept = np.array([objective.model(each.theta)[1] for each in answers])
        thetas = np.stack([each.theta for each in answers])
        return cls(
            coef,
            intercept,
            certify(objective.formula, [each.bounds for each in answers], 1.0, thetas),
            max(each.iterations for each in answers),
            all(each.converged for each in answers),
        )


def against_rest(table: Table, chosen: OneAgainstRest | None) -> Table:
    """The table with targets ±1 and the weights of one class against the rest."""
    if chosen is None:
        return table
    assert table.y is not None
    own = table.y[:, 0] == chosen.positive
    weights = table.weights
    if not chosen.its == chosen.others == 1.0:
        factors = np.where(own, chosen.its, chosen.others)
        weights = factors if weights is None else weights * factors
    return replace(table, y=np.where(own, 1.0, chosen.low)[:, None], weights=weights)


@dataclass(frozen=True, slots=True, eq=False)
class MarginRows:
    """The rows of one problem in memory, with the factors cᵢ of their losses.

    Parameters
    ----------
    rows : Rows
    objective : MarginObjective
    """

    rows: Rows
    objective: MarginObjective

    @classmethod
    def of(cls, table: Table, chosen: OneAgainstRest | None, objective: MarginObjective) -> Any:
        """Of one class against the rest, or of the numbers in y."""
        return cls(Rows.of(against_rest(table, chosen)), objective)

    @property
    def y(self) -> Array:
        return self.rows.y

    @property
    def shares(self) -> Array:
        """C ω."""
        return self.objective.C * self.rows.weights

    def margins(self, theta: Array) -> Array:
        """X̃w̃."""
        return self.rows.values(*self.objective.model(theta))

    def combined(self, beta: Array) -> Array:
        """X̃ᵀβ."""
        return np.append(self.rows.sums(beta), self.objective.scaling * float(beta.sum()))

    def dense(self, which: Any) -> Array:
        """Some rows of X̃."""
        x = self.rows.dense(which)
        return np.column_stack([x, np.full(len(x), self.objective.scaling)])

    def bounds(self, theta: Array, beta: Array | None = None) -> Bounds:
        """Primal value of w̃ and the dual one of β, by default the losses' slopes at w̃."""
        loss, shares = self.objective.loss, self.shares
        z = self.margins(theta)
        if beta is None:
            beta = -shares * loss.gradient(self.y, z)
        v = self.combined(beta)
        primal = float(shares @ loss.value(self.y, z)) + 0.5 * float(theta @ theta)
        inside = np.divide(-beta, shares, out=np.zeros_like(beta), where=shares > 0)
        dual = -float(shares @ loss.conjugate(self.y, inside)) - 0.5 * float(v @ v)
        size = float(np.abs(theta).max(initial=0.0)) + float(np.abs(v).max(initial=0.0))
        at_zero = float(shares @ loss.value(self.y, np.zeros(len(z))))
        kkt = float(np.abs(theta - v).max(initial=0.0)) / max(size, TINY)
        return Bounds(primal, dual, at_zero, kkt)
