"""The elastic net as problems that the public methods of `stylobate.optimize` solve."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.elastic_net.proof import prove
from stylobate.optimize.problem import Problem
from stylobate.optimize.sets.polyhedra import BoxSet
from stylobate.penalties import ElasticNet

if TYPE_CHECKING:
    from stylobate.optimize.elastic_net.iteration import Task


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A problem, a start, and the coefficients that its variables stand for."""

    problem: Problem
    start: Array
    coefficients: Callable[[Array], Array] = lambda x: x


class SquaredError:
    r"""The smooth part, :math:`\tfrac12\|y - Xw\|^2 + l_1 1^\top x + \tfrac12 l_2 \|w\|^2`.

    The last two points are remembered with their residual's products, so that a method may ask for
    values and gradients as it pleases.

    Parameters
    ----------
    task : Task
    l1, l2 : float >= 0
        Of the penalty, as far as it is smooth where the variables may be.
    split : bool
        Whether x = (u, v) with w = u − v; else x = w.
    """

    convex = True

    def __init__(
        self, task: Task, l1: float = 0.0, l2: float = 0.0, *, split: bool = False
    ) -> None:
        self._task, self._l1, self._l2, self._split = task, l1, l2, split
        self._seen: list[tuple[Array, Array, float]] = []

    def coefficients(self, x: Array) -> Array:
        """W."""
        half = len(x) // 2
        return x[:half] - x[half:] if self._split else x

    def value(self, x: Array) -> float:
        """At x."""
        w = self.coefficients(x)
        penalty = self._l1 * float(x.sum()) if self._l1 else 0.0
        return 0.5 * self._products(x)[1] + penalty + 0.5 * self._l2 * float(w @ w)

    def gradient(self, x: Array) -> Array:
        """l₂w − Xᵀr + l₁, and its negative for v."""
        slope = self._l2 * self.coefficients(x) - self._products(x)[0]
        return (np.concatenate([slope, -slope]) if self._split else slope) + self._l1

    def lower_bound(self, x: Array, value: float) -> float:
        """The dual value of the residual, scaled until feasible."""
        task, (c, squares) = self._task, self._products(x)
        w = self.coefficients(x)
        proof = prove(w, c, squares, l1=task.l1, l2=task.l2, positive=task.positive)
        return proof.primal - proof.gap

    def _products(self, x: Array) -> tuple[Array, float]:
        for point, c, squares in self._seen:
            if point is x:
                return c, squares
        c, squares = self._task.smooth.correlations(self.coefficients(x))
        self._seen = [*self._seen[-1:], (x, c, squares)]
        return c, squares


def penalised(task: Task) -> Form:
    """Squared error and a penalty; over w ≥ 0 the penalty is smooth, and the set is simple."""
    if task.positive:
        error = SquaredError(task, task.l1, task.l2)
        return Form(Problem(error, BoxSet(0.0, np.inf)), np.maximum(task.start, 0.0))
    return Form(Problem(SquaredError(task), ElasticNet(task.l1, task.l2)), task.start)


def split(task: Task) -> Form:
    """W = u − v with u ≥ 0 and v ≥ 0, whose sum is penalised: a smooth problem over a box."""
    if task.positive:
        return penalised(task)
    error = SquaredError(task, task.l1, task.l2, split=True)
    start = np.concatenate([np.maximum(task.start, 0.0), np.maximum(-task.start, 0.0)])
    return Form(Problem(error, BoxSet(0.0, np.inf)), start, error.coefficients)
