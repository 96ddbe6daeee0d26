"""Subgradients, and mirror descent, which measures distance its own way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.methods.method import Method, Rate
from stylobate.optimize.objective import Objective
from stylobate.optimize.problem import Problem, strengths
from stylobate.optimize.sets.polyhedra import BoxSet, Simplex
from stylobate.optimize.state import State, norm
from stylobate.optimize.steps import Decaying, Ray, StepRule, step_rule
from stylobate.optimize.stopping import Stopping
from stylobate.optimize.target_level import Level


@dataclass(frozen=True)
class Subgradient(Method):
    r""":math:`x_{t+1} = P_C(x_t - \eta_t g_t)`, :math:`g_t \in \partial F(x_t)`: for kinks.

    g is the shortest subgradient where that is known: for ℓ1 and elastic-net penalties and boxes.
    The objective may rise in a step; the best point seen is the answer.

    Parameters
    ----------
    step : StepRule, default=Decaying(1.0, 0.5)
        c/√t; `Polyak(f*)` where the optimum is known, `TargetLevel()` where it is not. Lengths are
        those of the move, not of the multiple of g, for `Decaying` and `Constant`.

    References
    ----------
    Shor (1985), Minimization Methods for Non-differentiable Functions.

    Examples
    --------
    >>> from stylobate.optimize import Polyak, Smooth, minimize
    >>> kink = Smooth(lambda x: abs(x[0]) + abs(x[1]), np.sign)
    >>> found = minimize(kink, [2.0, -1.0], method=Subgradient(Polyak(0.0)), max_iter=50)
    >>> round(found.value, 6)
    0.0
    """

    step: StepRule = field(default_factory=lambda: Decaying(1.0, 0.5))
    name: ClassVar[str] = "subgradient"
    takes_simple: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "step", step_rule("Subgradient", self.step))

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        problem = objective.problem
        x = problem.prox(start, 1.0) if problem.is_constrained else start
        value, length, t = objective.value(x), 0.0, 0
        level = Level.of(self.step, problem)
        yield State(x, value)
        while True:
            t += 1
            if level is not None:
                x, value = level.look(x, value)
            g = shortest_subgradient(problem.simple, x, objective.gradient(x))
            size = norm(g)
            if size == 0.0:
                yield State(x, value, 0.0, length)
                return
            length = self._multiple(value, size, t) if level is None else level.step(size)
            x = x - length * g
            if problem.is_constrained:
                x = problem.prox(x, 1.0)
            value = objective.value(x)
            yield State(x, value, step=length)

    def _multiple(self, value: float, size: float, t: int) -> float:
        ray = Ray(lambda s: np.nan, lambda s: np.nan, value, -(size**2))
        try:
            return self.step.rate(t) / size
        except InvalidParameterError:
            found = self.step.length(ray, t, 0.0)
            return 0.0 if found is None or np.isnan(found) else found

    def rate(self, problem: Problem) -> Rate | None:
        return Rate(power=0.5, words="1/√t (best so far)") if problem.convex else None


def shortest_subgradient(simple: Any, x: Array, gradient: Array) -> Array:
    """The shortest vector in ∇f + ∂g, where it is known; one in it elsewhere.

    Examples
    --------
    >>> from stylobate.penalties import L1
    >>> shortest_subgradient(L1(1.0), np.array([0.0, 0.0, 2.0]), np.array([0.5, 3.0, 3.0]))
    array([0., 2., 4.])
    """
    if isinstance(simple, BoxSet):  # at an edge, what points out of the box is no descent
        out = ((x <= simple.low) & (gradient > 0.0)) | ((x >= simple.high) & (gradient < 0.0))
        return np.where(out, 0.0, gradient)
    if simple is None or hasattr(simple, "project"):
        return gradient
    known = strengths(simple)
    if known is None:
        return np.asarray(gradient + np.asarray(simple.gradient(x)).reshape(gradient.shape))
    l1, l2 = known
    slope = gradient + l2 * x
    at_zero = np.sign(slope) * np.maximum(np.abs(slope) - l1, 0.0)
    return np.where(x == 0.0, at_zero, slope + l1 * np.sign(x))


@dataclass(frozen=True)
class MirrorDescent(Method):
    r"""Exponentiated gradient on the simplex: :math:`x_j \leftarrow x_j e^{-\eta g_j} / Z`.

    Mirror descent with the entropy as its measure: steps are multiplied, not added, so the cost of
    n variables is log n. Starts in the middle if the start is on the edge.

    Parameters
    ----------
    step : StepRule, optional
        By default :math:`\sqrt{2 \log n} / (\|g\|_\infty \sqrt t)`.

    References
    ----------
    Nemirovski & Yudin (1983); Beck & Teboulle (2003), Mirror descent and nonlinear projected
    subgradient methods for convex optimization, Oper. Res. Letters 31.

    Examples
    --------
    >>> from stylobate.optimize import Constant, Problem, Quadratic, minimize
    >>> problem = Problem(Quadratic(np.zeros((3, 3)), [-1.0, 0.0, 0.0]), Simplex())
    >>> minimize(problem, np.ones(3) / 3, method=MirrorDescent(Constant(1.0))).x.round(4)
    array([1., 0., 0.])
    """

    step: StepRule | None = None
    name: ClassVar[str] = "mirror descent"

    def __post_init__(self) -> None:
        if self.step is not None:
            object.__setattr__(self, "step", step_rule("MirrorDescent", self.step))

    takes_simple: ClassVar[bool] = True

    def check(self, problem: Problem) -> None:
        if not isinstance(problem.simple, Simplex):
            raise InvalidParameterError(
                f"MirrorDescent: the simple part must be a Simplex, got {problem.simple!r}; use "
                "ProjectedGradient for other sets."
            )

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        total, n = objective.problem.simple.total, len(start)
        x = objective.prox(start, 1.0)
        if not (x > 0.0).all():
            x = 0.5 * x + 0.5 * total / n
        t, length = 0, 0.0
        while True:
            g = objective.gradient(x)
            # Frank and Wolfe's gap, 0 at the solution
            gap = float(g @ x) - total * float(g.min())
            yield State(x, objective.value(x), gap, length)
            t += 1
            steepest = max(float(np.ptp(g)), 1e-300)
            usual = np.sqrt(2.0 * np.log(max(n, 2)) / t) / steepest
            length = usual if self.step is None else self.step.rate(t)
            logs = np.log(np.maximum(x, 1e-300)) - length * g
            x = np.exp(logs - logs.max())
            x = x * (total / x.sum())

    def rate(self, problem: Problem) -> Rate | None:
        return Rate(power=0.5, words="√(log n / t)") if problem.convex else None
