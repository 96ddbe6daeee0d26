"""How far a linear model is from the optimum, by two passes over rows that are not in memory.

The bounds of `linear_gap`: a first pass adds up the objective and the gradients of the losses,
those that pull up apart from those that pull down, so that the dual point can be balanced without
the rows; a second one adds up the conjugates at multiples of that point.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.losses.links import IDENTITY
from stylobate.optimize.linear_gap import TINY, Bounds, LinearObjective, violation
from stylobate.statistics import Source
from stylobate.statistics.rows import counted

_SHARES = np.linspace(0.0, 1.0, 9)  # of the dual point that are tried


@dataclass(frozen=True, slots=True)
class OneAgainstRest:
    """A class that becomes 1, what the others become, and the weights of both."""

    positive: float
    low: float
    its: float
    others: float


@dataclass(frozen=True, slots=True, eq=False)
class LinearAnswer:
    """A linear model and the objective it is an answer to.

    Parameters
    ----------
    objective : LinearObjective
        Loss and penalties.
    coef : array of shape (p,)
    intercept : float
    chosen : OneAgainstRest, optional
        What class numbers in y stand for; None where y holds numbers.
    """

    objective: LinearObjective
    coef: Array
    intercept: float
    chosen: OneAgainstRest | None = None

    def losses(self, table: Table) -> tuple[Table, Array, Array, Array]:
        """Rows that count, with their targets, weights and predictions."""
        table = counted(table)
        assert table.y is not None
        y = table.y[:, 0]
        shares = np.ones(len(y)) if table.weights is None else table.weights
        if self.chosen is not None:
            own = y == self.chosen.positive
            shares = shares * np.where(own, self.chosen.its, self.chosen.others)
            y = np.where(own, 1.0, self.chosen.low)
        z = np.asarray(table.x @ self.coef, dtype=np.float64) + self.intercept
        return table, y, shares, z


class _Sums:
    """Sums over rows that merge by adding them up."""

    subtractable: ClassVar[bool] = False

    def column_lengths(self) -> Array:
        return np.zeros(0)


@dataclass(frozen=True, slots=True, eq=False)
class LossSums(_Sums):
    """A recipe, and its statistic: objective and gradients, unscaled.

    `numbers` are the losses at the answer, at zero and at their least, the weights of gradients
    that pull up and down, and the rows; `gradients` those of the two kinds.
    """

    answer: LinearAnswer
    numbers: Array
    gradients: Array

    @classmethod
    def at(cls, answer: LinearAnswer) -> Self:
        """Sums of no rows, to begin with."""
        return cls(answer, np.zeros(6), np.zeros((2, len(answer.coef))))

    def of(self, table: Table) -> Self:
        """The sums of a table."""
        rows, y, shares, z = self.answer.losses(table)
        loss = self.answer.objective.loss
        u = loss.gradient(y, z)
        zero = np.zeros(len(y))
        least = 0.0
        if loss.link != IDENTITY:
            least = -float(shares @ loss.conjugate(y, zero))
        pulls = np.stack([shares * np.maximum(u, 0.0), shares * np.maximum(-u, 0.0)])
        numbers = [
            float(shares @ loss.value(y, z)),
            float(shares @ loss.value(y, zero)),
            least,
            *pulls.sum(axis=1),
            float(len(y)),
        ]
        gradients = np.asarray((rows.x.T @ pulls.T).T, dtype=np.float64)
        return replace(self, numbers=np.array(numbers), gradients=gradients)

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        numbers, gradients = self.numbers + other.numbers, self.gradients + other.gradients
        return replace(self, numbers=numbers, gradients=gradients)

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.numbers).all() and np.isfinite(self.gradients).all())


@dataclass(frozen=True, slots=True, eq=False)
class ConjugateSums(_Sums):
    """A recipe, and its statistic: Σ c ℓ*(y, s·u) for several s, of u with signs scaled apart."""

    answer: LinearAnswer
    scales: tuple[float, float]  # of gradients that pull up and down
    most: float
    sums: Array

    def of(self, table: Table) -> Self:
        """The sums of a table."""
        _, y, shares, z = self.answer.losses(table)
        loss = self.answer.objective.loss
        u = loss.gradient(y, z)
        u = np.where(u > 0.0, self.scales[0] * u, self.scales[1] * u)
        found = [float(shares @ loss.conjugate(y, s * self.most * u)) for s in _SHARES]
        return replace(self, sums=np.array(found))

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        return replace(self, sums=self.sums + other.sums)

    def is_finite(self) -> bool:
        return not bool(np.isnan(self.sums).any())


def bounds_by_passes(answer: LinearAnswer, source: Source, divisor: float | None = None) -> Bounds:
    """Primal and dual values of an answer: two passes over the rows.

    Sums of losses are divided by `divisor`, the number of rows unless given.
    """
    found = source.compute(LossSums.at(answer))
    n = found.numbers[-1] if divisor is None else divisor
    value, at_zero, least, up, down = (found.numbers[:-1] / n).tolist()
    rising, falling = found.gradients / n
    objective = answer.objective
    off = violation(objective, rising - falling, answer.coef, up - down)
    scales = (1.0, 1.0)
    if objective.intercept and up != down:
        scales = (down / up, 1.0) if up > down else (1.0, up / down)
    v = scales[0] * rising - scales[1] * falling
    most = 1.0
    if objective.l2 == 0.0:
        steepest = float(np.abs(v).max(initial=0.0))
        most = min(1.0, objective.l1 / steepest) if steepest > 0.0 else 1.0
    recipe = ConjugateSums(answer, scales, most, np.zeros(len(_SHARES)))
    conjugates = source.compute(recipe).sums / n
    excess = np.maximum(most * np.outer(_SHARES, np.abs(v)) - objective.l1, 0.0)
    penalties = (excess**2).sum(axis=1) / (2.0 * objective.l2) if objective.l2 > 0.0 else 0.0
    dual = float(np.max(-conjugates - penalties))
    primal = value - least + objective.penalty(answer.coef)
    return Bounds(primal, dual - least, at_zero - least, off / max(up + down, TINY))
