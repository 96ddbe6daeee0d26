"""Variance reduction: stochastic steps that end in the solution itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.losses import HalfSquared, Logistic
from stylobate.optimize.functions.risk import EmpiricalRisk
from stylobate.optimize.methods.method import Method, Rate
from stylobate.optimize.methods.stochastic import StochasticMethod
from stylobate.optimize.objective import Objective
from stylobate.optimize.problem import Problem, strengths
from stylobate.optimize.state import State
from stylobate.optimize.stochastic import saga_points
from stylobate.optimize.stopping import Stopping


class _VarianceReduced(Method):
    takes_simple: ClassVar[bool] = True
    needs_sum: ClassVar[bool] = True
    step: float | None
    random_state: int
    _share: ClassVar[float] = 1.0 / 3.0  # of 1/L of a single term

    def _length(self, problem: Problem) -> float:
        if self.step is not None:
            return self.step
        steepest = getattr(problem.smooth, "term_lipschitz", None)
        if steepest is None:
            raise InvalidParameterError(
                f"{type(self).__name__}: the curvature of single terms is not known; pass step."
            )
        return float(self._share / steepest)

    def rate(self, problem: Problem) -> Rate | None:
        steepest, mu = getattr(problem.smooth, "term_lipschitz", None), problem.strong_convexity
        if steepest is None or mu <= 0.0:
            return None
        n = problem.smooth.n_terms
        one = 1.0 - min(0.25 / n, mu / (3.0 * steepest))
        return Rate(factor=float(one**n), words="(1 − min(1/4n, μ/3L))ⁿᵗ on average")


@dataclass(frozen=True)
class SVRG(_VarianceReduced):
    r""":math:`x \leftarrow x - \eta (\nabla f_i(x) - \nabla f_i(\tilde x) + \nabla f(\tilde x))`.

    Every epoch starts with a whole gradient at x̃; the noise fades as x and x̃ near the solution, so
    the step stays constant.

    Parameters
    ----------
    step : float in (0, inf), optional
        η; by default 1/(3L), L the steepest term's curvature.
    random_state : int, default=0

    References
    ----------
    Johnson & Zhang (2013), Accelerating stochastic gradient descent using predictive variance
    reduction, NeurIPS.

    Examples
    --------
    >>> from stylobate.losses import HalfSquared
    >>> from stylobate.optimize import EmpiricalRisk, minimize
    >>> line = EmpiricalRisk(HalfSquared(), [[1.0], [2.0], [3.0]], [2.0, 4.0, 6.5])
    >>> minimize(line, [0.0], method=SVRG()).x.round(6)
    array([2.107143])
    """

    step: float | None = None
    random_state: int = 0
    name: ClassVar[str] = "SVRG"

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        n, eta = objective.problem.smooth.n_terms, self._length(objective.problem)
        random = np.random.default_rng(self.random_state)
        x = objective.prox(start, 1.0) if objective.problem.is_constrained else start
        while True:
            yield StochasticMethod._look(objective, x, eta)
            anchor, whole = x, objective.gradient(x)
            for i in random.integers(n, size=n):
                row = [i]
                noise = objective.batch_gradient(x, row) - objective.batch_gradient(anchor, row)
                x = objective.prox(x - eta * (noise + whole), eta)


@dataclass(frozen=True)
class SAGA(_VarianceReduced):
    r"""Like SVRG, with a table of every term's last gradient instead of an anchor.

    On squared and logistic losses with an ℓ1, ℓ2 or elastic-net penalty this is the compiled engine
    of ``LogisticRegression(solver="saga")``.

    Parameters
    ----------
    step : float in (0, inf), optional
        η; by default 1/(3L), L the steepest term's curvature (compiled: 1/(2L + min(2nμ, L))).
    random_state : int, default=0

    References
    ----------
    Defazio, Bach & Lacoste-Julien (2014), SAGA: a fast incremental gradient method, NeurIPS.

    Examples
    --------
    >>> from stylobate.losses import HalfSquared
    >>> from stylobate.optimize import EmpiricalRisk, minimize
    >>> line = EmpiricalRisk(HalfSquared(), [[1.0], [2.0], [3.0]], [2.0, 4.0, 6.5])
    >>> minimize(line, [0.0], method=SAGA()).x.round(6)
    array([2.107143])
    """

    step: float | None = None
    random_state: int = 0
    name: ClassVar[str] = "SAGA"

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        penalty = _compiled_penalty(objective.problem)
        if penalty is not None:
            yield from self._compiled(objective, start, *penalty)
            return
        n, eta = objective.problem.smooth.n_terms, self._length(objective.problem)
        random = np.random.default_rng(self.random_state)
        x = objective.prox(start, 1.0) if objective.problem.is_constrained else start
        table = np.stack([objective.batch_gradient(x, [i]) for i in range(n)])
        mean = table.mean(axis=0)
        while True:
            yield StochasticMethod._look(objective, x, eta)
            for i in random.integers(n, size=n):
                g = objective.batch_gradient(x, [i])
                change = g - table[i]
                x = objective.prox(x - eta * (change + mean), eta)
                mean = mean + change / n
                table[i] = g

    def _compiled(
        self, objective: Objective, start: Array, l1: float, l2: float
    ) -> Iterator[State]:
        risk = objective.problem.smooth
        yield StochasticMethod._look(objective, start, 0.0)
        for x, eta in saga_points(
            risk.X, risk.y, loss=risk.loss, l1=l1, l2=l2, step=self.step,
            start=start, seed=self.random_state,
        ):  # fmt: skip
            objective.evaluations["gradient"] += 1
            yield StochasticMethod._look(objective, x, eta)


def _compiled_penalty(problem: Problem) -> tuple[float, float] | None:
    """The ℓ1 and ℓ2 strengths the compiled engine takes; None where it does not apply."""
    smooth, found = problem.smooth, strengths(problem.simple)
    if found is None or not isinstance(smooth, EmpiricalRisk):
        return None
    if not isinstance(smooth.loss, HalfSquared | Logistic):
        return None
    return found[0], smooth.l2 + found[1]
