"""Stochastic methods for means of many terms; an iteration is one pass over the terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.methods.composite import proximal_residual
from stylobate.optimize.methods.gradient import require_momentum
from stylobate.optimize.methods.method import Method, Rate
from stylobate.optimize.objective import Objective
from stylobate.optimize.problem import Problem
from stylobate.optimize.state import State
from stylobate.optimize.steps import Decaying, StepRule, step_rule
from stylobate.optimize.stopping import Stopping

Array = NDArray[np.float64]
# (gradient of the batch, step number from 1) → the change of x before the proximal step
Update = Callable[[Array, int], Array]


class StochasticMethod(Method):
    """Epochs of steps on batches, in a new random order each; proximal with a simple part."""

    takes_simple: ClassVar[bool] = True
    needs_sum: ClassVar[bool] = True
    batch: int
    random_state: int

    def __post_init__(self) -> None:
        if not (self.batch >= 1 and int(self.batch) == self.batch):
            raise InvalidParameterError(
                f"{type(self).__name__}: batch must be an integer in [1, inf), got {self.batch!r}."
            )

    def update(self, objective: Objective, start: Array) -> tuple[Update, Callable[[int], float]]:
        """A new update rule with its own memory, and the step's length for proximal points."""
        raise NotImplementedError

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        n = objective.problem.smooth.n_terms
        random = np.random.default_rng(self.random_state)
        move, length = self.update(objective, start)
        x = mean = objective.prox(start, 1.0) if objective.problem.is_constrained else start
        yield self._look(objective, x, 0.0)
        t, average = 0, bool(getattr(self, "average", False))
        while True:
            order = random.permutation(n)
            for first in range(0, n, self.batch):
                t += 1
                g = objective.batch_gradient(x, order[first : first + self.batch])
                x = objective.prox(x + move(g, t), length(t))
                if average:
                    mean = mean + (x - mean) / t
            yield self._look(objective, mean if average else x, length(t))

    @staticmethod
    def _look(objective: Objective, x: Array, length: float) -> State:
        """The whole objective after an epoch: one pass more, for the trace and the tests."""
        value = objective.value(x)
        L = objective.problem.lipschitz
        residual = proximal_residual(objective, x, 1.0 / L if L else 1e-3)
        return State(x, value, residual, length)


@dataclass(frozen=True)
class SGD(StochasticMethod):
    r""":math:`x \leftarrow x - \eta_t \nabla f_B(x)` on random batches B of the terms.

    Parameters
    ----------
    step : StepRule or float, default=Decaying(1.0, 0.5)
        η of step t (a batch, not an epoch): `Constant`, `Decaying(c)` or `Decaying(c, 0.5)`.
    batch : int in [1, inf), default=1
        Terms in a batch.
    momentum : float in [0, 1), default=0.0
    average : bool, default=False
        Whether the answer is the mean of all points so far (Polyak and Ruppert).
    random_state : int, default=0

    References
    ----------
    Robbins & Monro (1951), A stochastic approximation method; Polyak & Juditsky (1992),
    Acceleration of stochastic approximation by averaging.

    Examples
    --------
    >>> from stylobate.losses import HalfSquared
    >>> from stylobate.optimize import Constant, EmpiricalRisk, minimize
    >>> line = EmpiricalRisk(HalfSquared(), [[1.0], [2.0], [3.0]], [2.0, 4.0, 6.0])
    >>> minimize(line, [0.0], method=SGD(Constant(0.1)), max_iter=60).x.round(6)
    array([2.])
    """

    step: StepRule = field(default_factory=lambda: Decaying(1.0, 0.5))
    batch: int = 1
    momentum: float = 0.0
    average: bool = False
    random_state: int = 0
    name: ClassVar[str] = "SGD"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_momentum("SGD", self.momentum)
        object.__setattr__(self, "step", step_rule("SGD", self.step))

    def update(self, objective: Objective, start: Array) -> tuple[Update, Callable[[int], float]]:
        speed = np.zeros_like(start)

        def move(g: Array, t: int) -> Array:
            nonlocal speed
            speed = self.momentum * speed - self.step.rate(t) * g
            return speed

        return move, self.step.rate

    def rate(self, problem: Problem) -> Rate | None:
        return Rate(power=0.5, words="1/√t, t steps") if problem.convex else None


@dataclass(frozen=True)
class AdaGrad(StochasticMethod):
    r"""Steps :math:`\eta / \sqrt{\sum_{s \le t} g_{sj}^2}`: long where gradients have been small.

    Parameters
    ----------
    step : float in (0, inf), default=0.1
        η.
    batch : int in [1, inf), default=1
    random_state : int, default=0

    References
    ----------
    Duchi, Hazan & Singer (2011), Adaptive subgradient methods for online learning, JMLR 12.

    Examples
    --------
    >>> from stylobate.losses import HalfSquared
    >>> from stylobate.optimize import EmpiricalRisk, minimize
    >>> line = EmpiricalRisk(HalfSquared(), [[1.0], [2.0], [3.0]], [2.0, 4.0, 6.0])
    >>> minimize(line, [0.0], method=AdaGrad(1.0), max_iter=60).x.round(4)
    array([2.])
    """

    step: float = 0.1
    batch: int = 1
    random_state: int = 0
    name: ClassVar[str] = "AdaGrad"

    def check(self, problem: Problem) -> None:
        super().check(problem)
        _no_simple(self, problem)

    def update(self, objective: Objective, start: Array) -> tuple[Update, Callable[[int], float]]:
        squares = np.zeros_like(start)

        def move(g: Array, t: int) -> Array:
            nonlocal squares
            squares = squares + g * g
            return np.asarray(-self.step * g / (np.sqrt(squares) + 1e-10))

        return move, lambda t: self.step


@dataclass(frozen=True)
class RMSProp(StochasticMethod):
    r"""AdaGrad that forgets: :math:`v \leftarrow \rho v + (1 - \rho) g^2`.

    Parameters
    ----------
    step : float or StepRule, default=0.01
    decay : float in [0, 1), default=0.9
        ρ.
    batch : int in [1, inf), default=1
    random_state : int, default=0

    References
    ----------
    Tieleman & Hinton (2012), lecture 6.5 of Neural Networks for Machine Learning.

    Examples
    --------
    >>> from stylobate.losses import HalfSquared
    >>> from stylobate.optimize import EmpiricalRisk, minimize
    >>> line = EmpiricalRisk(HalfSquared(), [[1.0], [2.0], [3.0]], [2.0, 4.0, 6.0])
    >>> minimize(line, [0.0], method=RMSProp(Decaying(0.5, 0.5)), max_iter=200).x.round(2)
    array([2.])
    """

    step: float | StepRule = 0.01
    decay: float = 0.9
    batch: int = 1
    random_state: int = 0
    name: ClassVar[str] = "RMSProp"

    def check(self, problem: Problem) -> None:
        super().check(problem)
        _no_simple(self, problem)

    def update(self, objective: Objective, start: Array) -> tuple[Update, Callable[[int], float]]:
        squares, rule = np.zeros_like(start), step_rule(self._title, self.step)

        def move(g: Array, t: int) -> Array:
            nonlocal squares
            squares = self.decay * squares + (1.0 - self.decay) * g * g
            return np.asarray(-rule.rate(t) * g / (np.sqrt(squares) + 1e-8))

        return move, rule.rate


@dataclass(frozen=True)
class Adam(StochasticMethod):
    r"""Momentum over the root of a moving average of squares, both corrected for their start.

    Parameters
    ----------
    step : float or StepRule, default=0.001
    beta1, beta2 : float in [0, 1), defaults 0.9 and 0.999
        Of the two averages.
    batch : int in [1, inf), default=1
    random_state : int, default=0

    References
    ----------
    Kingma & Ba (2015), Adam: a method for stochastic optimization, ICLR.

    Examples
    --------
    >>> from stylobate.losses import HalfSquared
    >>> from stylobate.optimize import EmpiricalRisk, minimize
    >>> line = EmpiricalRisk(HalfSquared(), [[1.0], [2.0], [3.0]], [2.0, 4.0, 6.0])
    >>> minimize(line, [0.0], method=Adam(0.05), max_iter=400).x.round(4)
    array([2.])
    """

    step: float | StepRule = 0.001
    beta1: float = 0.9
    beta2: float = 0.999
    batch: int = 1
    random_state: int = 0
    name: ClassVar[str] = "Adam"

    def check(self, problem: Problem) -> None:
        super().check(problem)
        _no_simple(self, problem)

    def update(self, objective: Objective, start: Array) -> tuple[Update, Callable[[int], float]]:
        first, second, rule = (
            np.zeros_like(start),
            np.zeros_like(start),
            step_rule(self._title, self.step),
        )

        def move(g: Array, t: int) -> Array:
            nonlocal first, second
            first = self.beta1 * first + (1.0 - self.beta1) * g
            second = self.beta2 * second + (1.0 - self.beta2) * g * g
            mean = first / (1.0 - self.beta1**t)
            size = np.sqrt(second / (1.0 - self.beta2**t))
            return np.asarray(-rule.rate(t) * mean / (size + 1e-8))

        return move, rule.rate


def _no_simple(method: Method, problem: Problem) -> None:
    if problem.simple is not None and not problem.is_constrained:
        raise InvalidParameterError(
            f"{type(method).__name__}: each coordinate has a step of its own, so a penalty has no "
            "proximal step here; use SGD, SVRG or SAGA."
        )
