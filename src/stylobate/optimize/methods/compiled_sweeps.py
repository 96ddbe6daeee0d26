"""Coordinate descent of the lasso, one iteration at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.elastic_net.descent import descend_grams
from stylobate.optimize.elastic_net.problem import ElasticNetProblem
from stylobate.optimize.functions.quadratic import Quadratic
from stylobate.optimize.functions.risk import MOST_COLUMNS, EmpiricalRisk
from stylobate.optimize.problem import Problem, strengths

_EPOCHS = 5  # between two extrapolations


@dataclass(frozen=True, slots=True, eq=False)
class CompiledSweeps:
    r"""Min :math:`\tfrac12 x^\top G x - c^\top x + l_1 \|x\|_1 + \tfrac12 l_2 \|x\|^2` by sweeps.

    Parameters
    ----------
    gram : array (n, n)
        G, symmetric, with a positive diagonal.
    products : array (n,)
        c.
    l1, l2 : float >= 0
    squares : float
        ‖y‖²/n of a mean of squares; what makes ½xᵀGx − cᵀx + ½squares at least 0 in general.
    """

    gram: Array
    products: Array
    l1: float
    l2: float
    squares: float

    @classmethod
    def of(cls, problem: Problem) -> CompiledSweeps | None:
        """The problem in this form; None if it has none."""
        smooth, found = problem.smooth, strengths(problem.simple)
        if found is None:
            return None
        if isinstance(smooth, Quadratic) and smooth.convex:
            gram, products, l2 = smooth.A, -smooth.b, 0.0
            squares = float(products @ np.linalg.lstsq(gram, products)[0])
        elif (
            isinstance(smooth, EmpiricalRisk)
            and smooth.loss.name == "half_squared"
            and smooth.X.shape[1] <= MOST_COLUMNS
        ):
            gram, l2 = smooth.gram, smooth.l2
            products = smooth.X.T @ smooth.y / smooth.n_terms
            squares = float(smooth.y @ smooth.y) / smooth.n_terms
        else:
            return None
        if not (np.diag(gram) > 0.0).all():  # a direction the smooth part says nothing about
            return None
        return cls(gram, products, found[0], found[1] + l2, squares)

    @property
    def steepest(self) -> float:
        """The largest curvature of a coordinate."""
        return float(np.diag(self.gram).max()) + self.l2

    def after(self, x: Array, seed: int | None, *, accelerate: bool) -> Array:
        """Where an iteration leads from x: by one sweep, or by what `Lasso` does in five."""
        task = ElasticNetProblem(
            np.zeros(0), start=x[np.newaxis], seed=seed, tol=0.0, polish=False,
            max_iter=_EPOCHS if accelerate else 1, plain=not accelerate,
        )  # fmt: skip
        answers = descend_grams(
            self.gram[np.newaxis], np.zeros(1, dtype=np.int64), self.products[np.newaxis],
            np.array([self.squares]), np.full((1, 1), self.l1), np.full((1, 1), self.l2), task,
        )  # fmt: skip
        return np.array(answers[0][0, 0])
