"""Coordinate descent: one variable at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.functions.quadratic import Quadratic
from stylobate.optimize.functions.risk import EmpiricalRisk
from stylobate.optimize.methods.composite import proximal_residual
from stylobate.optimize.methods.method import Method, Rate
from stylobate.optimize.objective import Objective
from stylobate.optimize.problem import Problem
from stylobate.optimize.sets import BoxSet, LInfBall
from stylobate.optimize.state import State
from stylobate.optimize.stopping import Stopping
from stylobate.penalties.penalty import Penalty

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CoordinateDescent(Method):
    r""":math:`x_j \leftarrow \operatorname{prox}_{g_j / L_j}(x_j - \partial_j f / L_j)`, j by j.

    An iteration is a sweep over all coordinates. On a `Quadratic` or a mean of squared losses each
    move is exact and costs one column. What `Lasso` uses, there compiled and with screening.

    Parameters
    ----------
    order : {"cyclic", "random"}, default="cyclic"
    random_state : int, default=0
        For the random order.

    References
    ----------
    Wright (2015), Coordinate descent algorithms, Mathematical Programming 151.

    Examples
    --------
    >>> from stylobate.optimize import minimize
    >>> from stylobate.penalties import L1
    >>> minimize(Problem(Quadratic(np.eye(2), [-3.0, 0.5]), L1(1.0)), np.zeros(2),
    ...          method=CoordinateDescent()).x
    array([2., 0.])
    """

    order: Literal["cyclic", "random"] = "cyclic"
    random_state: int = 0
    name: ClassVar[str] = "coordinate descent"
    takes_simple: ClassVar[bool] = True

    def __post_init__(self) -> None:
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

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
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


class _OfQuadratic:
    """Coordinates of a quadratic: the gradient is kept."""

    def __init__(self, smooth: Quadratic, x: Array) -> None:
        self._smooth, self.x, self._gradient = smooth, x, smooth.gradient(x)

    def partial(self, j: int) -> float:
        return float(self._gradient[j])

    def move(self, j: int, change: float) -> None:
        self.x[j] += change
        self._gradient = self._gradient + change * self._smooth.A[j]


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


def _view(objective: Objective, x: Array) -> _ByGradient | _OfQuadratic | _OfRisk:
    smooth = objective.problem.smooth
    if isinstance(smooth, Quadratic):
        return _OfQuadratic(smooth, x)
    return _OfRisk(smooth, x) if isinstance(smooth, EmpiricalRisk) else _ByGradient(objective, x)


def _nearest(simple: Any, v: float, step: float, j: int) -> float:
    """The proximal point of one coordinate."""
    if simple is None:
        return v
    if isinstance(simple, BoxSet):
        low, high = (np.asarray(end, dtype=float) for end in (simple.low, simple.high))
        return float(np.clip(v, low[j] if low.ndim else low, high[j] if high.ndim else high))
    return float(np.asarray(simple.prox(np.array([v]), step))[0])
