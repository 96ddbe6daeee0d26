"""Coordinate descent: one variable at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.functions.risk import EmpiricalRisk
from stylobate.optimize.methods.compiled_sweeps import CompiledSweeps
from stylobate.optimize.methods.composite import proximal_residual
from stylobate.optimize.methods.method import Method, Rate
from stylobate.optimize.objective import Objective
from stylobate.optimize.problem import Problem
from stylobate.optimize.sets import BoxSet, LInfBall
from stylobate.optimize.state import State
from stylobate.optimize.stopping import Stopping
from stylobate.penalties.penalty import Penalty


@dataclass(frozen=True)
class CoordinateDescent(Method):
    r""":math:`x_j \leftarrow \operatorname{prox}_{g_j / L_j}(x_j - \partial_j f / L_j)`, j by j.

    An iteration is a sweep over all coordinates. On a convex `Quadratic` or a mean of squared
    losses (up to 2000 variables), with an ℓ1, ℓ2 or elastic-net penalty or none, the sweep is the
    compiled one by which `Lasso` and `ElasticNet` are fitted; on other problems it is Python's, and
    each move costs one column of a mean of losses, or a gradient of any other function.

    Parameters
    ----------
    order : {"cyclic", "random"}, default="cyclic"
        "random": as many coordinates as there are, drawn with replacement where compiled.
    random_state : int in [0, inf), default=0
        For the random order.
    accelerate : bool, default=False
        All that `Lasso` does: an iteration is then up to five sweeps, extrapolated, and a Newton
        step on the coordinates that are not zero. Only where the sweep is compiled.

    References
    ----------
    Wright (2015), Coordinate descent algorithms, Mathematical Programming 151.

    Examples
    --------
    >>> from stylobate.optimize import Quadratic, minimize
    >>> from stylobate.penalties import L1
    >>> minimize(Problem(Quadratic(np.eye(2), [-3.0, 0.5]), L1(1.0)), np.zeros(2),
    ...          method=CoordinateDescent()).x
    array([2., 0.])
    """

    order: Literal["cyclic", "random"] = "cyclic"
    random_state: int = 0
    accelerate: bool = False
    name: ClassVar[str] = "coordinate descent"
    takes_simple: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not self.random_state >= 0:
            raise InvalidParameterError(
                f"CoordinateDescent: random_state must be an integer in [0, inf), got "
                f"{self.random_state!r}."
            )
        if self.order not in ("cyclic", "random"):
            raise InvalidParameterError(
                f"CoordinateDescent: order must be 'cyclic' or 'random', got {self.order!r}."
            )

    def check(self, problem: Problem) -> None:
        if not isinstance(problem.simple, Penalty | BoxSet | LInfBall | None):
            raise InvalidParameterError(
                f"CoordinateDescent: the simple part {problem.simple!r} ties coordinates together; "
                "it must be a penalty of each, a BoxSet or an LInfBall. Use FISTA."
            )
        if self.accelerate and CompiledSweeps.of(problem) is None:
            raise InvalidParameterError(
                "CoordinateDescent: accelerate=True is for a convex Quadratic or a mean of squared "
                "losses with an ℓ1, ℓ2 or elastic-net penalty; leave it out here."
            )

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        compiled = CompiledSweeps.of(objective.problem)
        if compiled is not None:
            yield from self._compiled(objective, start, compiled)
        else:
            yield from self._moves(objective, start)

    def _compiled(
        self, objective: Objective, start: Array, sweeps: CompiledSweeps
    ) -> Iterator[State]:
        x, t = start, 0
        while True:
            residual = proximal_residual(objective, x, 1.0 / sweeps.steepest)
            yield State(x, objective.value(x), residual, 1.0 if t else 0.0)
            seed = (self.random_state << 32) + t if self.order == "random" else None
            x, t = sweeps.after(x, seed, accelerate=self.accelerate), t + 1

    def _moves(self, objective: Objective, start: Array) -> Iterator[State]:
        problem, n = objective.problem, objective.n
        x = objective.prox(start, 1.0) if problem.is_constrained else start.copy()
        bends = getattr(problem.smooth, "coordinate_lipschitz", None)
        L = np.full(n, 1.0) if bends is None else np.maximum(np.asarray(bends, dtype=float), 1e-300)
        random = np.random.default_rng(self.random_state)
        value = objective.value(x)
        yield State(x, value, proximal_residual(objective, x, 1.0 / float(L.max())))
        while True:
            moving = _view(objective, x.copy())
            places = range(n) if self.order == "cyclic" else random.permutation(n)
            for j in places:
                self._move(objective, moving, int(j), L, search=bends is None)
            x = moving.x
            value = objective.value(x)
            yield State(x, value, proximal_residual(objective, x, 1.0 / float(L.max())), 1.0)

    def _move(self, objective: Objective, moving: Any, j: int, L: Array, *, search: bool) -> None:
        slope, here = moving.partial(j), float(moving.x[j])
        before = objective.smooth_value(moving.x) if search else 0.0
        while True:
            to = _nearest(objective.problem.simple, here - slope / L[j], 1.0 / L[j], j)
            change = to - here
            if not search:
                break
            trial = moving.x.copy()
            trial[j] = to
            bound = before + slope * change + 0.5 * L[j] * change**2
            if objective.smooth_value(trial) <= bound + 1e-13 * abs(before) or L[j] > 1e300:
                break
            L[j] *= 2.0
        if change:
            moving.move(j, change)

    def rate(self, problem: Problem) -> Rate | None:
        mu, bends = problem.strong_convexity, getattr(problem.smooth, "coordinate_lipschitz", None)
        if self.order == "random" and mu > 0.0 and bends is not None:
            n = len(bends)  # n single moves a sweep, each a factor 1 − μ/(n·Lmax) in expectation
            factor = (1.0 - mu / (n * float(np.max(bends)))) ** n
            return Rate(factor=factor, words="(1 − μ/(n Lmax))ⁿᵗ on average")
        return None


class _ByGradient:
    """Coordinates of any function: a whole gradient for each."""

    def __init__(self, objective: Objective, x: Array) -> None:
        self._objective, self.x = objective, x

    def partial(self, j: int) -> float:
        return float(self._objective.gradient(self.x)[j])

    def move(self, j: int, change: float) -> None:
        self.x[j] += change


class _OfRisk:
    """Coordinates of a mean loss: predictions are kept."""

    def __init__(self, smooth: EmpiricalRisk, x: Array) -> None:
        self._smooth, self.x, self._z = smooth, x, smooth.X @ x

    def partial(self, j: int) -> float:
        risk = self._smooth
        slopes = risk.loss.gradient(risk.y, self._z)
        return float(risk.X[:, j] @ slopes) / risk.n_terms + risk.l2 * float(self.x[j])

    def move(self, j: int, change: float) -> None:
        self.x[j] += change
        self._z = self._z + change * self._smooth.X[:, j]


def _view(objective: Objective, x: Array) -> _ByGradient | _OfRisk:
    smooth = objective.problem.smooth
    return _OfRisk(smooth, x) if isinstance(smooth, EmpiricalRisk) else _ByGradient(objective, x)


def _nearest(simple: Any, v: float, step: float, j: int) -> float:
    """The proximal point of one coordinate."""
    if simple is None:
        return v
    if isinstance(simple, BoxSet):
        low, high = (np.asarray(end, dtype=float) for end in (simple.low, simple.high))
        return float(np.clip(v, low[j] if low.ndim else low, high[j] if high.ndim else high))
    return float(np.asarray(simple.prox(np.array([v]), step))[0])
