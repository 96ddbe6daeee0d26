"""Stochastic methods with a step of its own for every coordinate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.methods.method import Method
from stylobate.optimize.methods.stochastic import StochasticMethod, Update
from stylobate.optimize.objective import Objective
from stylobate.optimize.problem import Problem
from stylobate.optimize.steps import StepRule, step_rule


@dataclass(frozen=True)
class AdaGrad(StochasticMethod):
    r"""Steps :math:`\eta / \sqrt{\sum_{s \le t} g_{sj}^2}`: long where gradients have been small.

    Parameters
    ----------
    step : float or StepRule, default=0.1
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

    step: float | StepRule = 0.1
    batch: int = 1
    random_state: int = 0
    name: ClassVar[str] = "AdaGrad"
    epsilon: ClassVar[float] = 1e-10  # beside the roots of squares

    def check(self, problem: Problem) -> None:
        super().check(problem)
        _no_simple(self, problem)

    def update(self, objective: Objective, start: Array) -> tuple[Update, Callable[[int], float]]:
        squares, rule = np.zeros_like(start), step_rule(self._title, self.step)

        def move(g: Array, t: int) -> Array:
            nonlocal squares
            squares = squares + g * g
            return np.asarray(-rule.rate(t) * g / (np.sqrt(squares) + self.epsilon))

        return move, rule.rate


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
    >>> from stylobate.optimize import Decaying, EmpiricalRisk, minimize
    >>> line = EmpiricalRisk(HalfSquared(), [[1.0], [2.0], [3.0]], [2.0, 4.0, 6.0])
    >>> minimize(line, [0.0], method=RMSProp(Decaying(0.5, 0.5)), max_iter=200).x.round(2)
    array([2.])
    """

    step: float | StepRule = 0.01
    decay: float = 0.9
    batch: int = 1
    random_state: int = 0
    name: ClassVar[str] = "RMSProp"
    epsilon: ClassVar[float] = 1e-8

    def check(self, problem: Problem) -> None:
        super().check(problem)
        _no_simple(self, problem)

    def update(self, objective: Objective, start: Array) -> tuple[Update, Callable[[int], float]]:
        squares, rule = np.zeros_like(start), step_rule(self._title, self.step)

        def move(g: Array, t: int) -> Array:
            nonlocal squares
            squares = self.decay * squares + (1.0 - self.decay) * g * g
            return np.asarray(-rule.rate(t) * g / (np.sqrt(squares) + self.epsilon))

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
    epsilon: ClassVar[float] = 1e-8

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
            return np.asarray(-rule.rate(t) * mean / (size + self.epsilon))

        return move, rule.rate


def _no_simple(method: Method, problem: Problem) -> None:
    if problem.simple is not None and not problem.is_constrained:
        raise InvalidParameterError(
            f"{type(method).__name__}: each coordinate has a step of its own, so a penalty has no "
            "proximal step here; use SGD, SVRG or SAGA."
        )
