"""Losses of a margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from stylobate.losses.domain import SHARES, SIGNS, Domain
from stylobate.losses.links import LOGIT, Link
from stylobate.losses.loss import Loss, weighted_mean


@dataclass(frozen=True, slots=True)
class Logistic(Loss):
    r""":math:`\log(1 + e^z) - yz`, the negative log-likelihood of y ∈ [0, 1] at log-odds z.

    Examples
    --------
    >>> round(float(Logistic().value(1.0, 0.0)), 6)
    0.693147
    >>> float(Logistic().value(0.0, 1e4)), float(Logistic().gradient(1.0, 800.0))
    (10000.0, -0.0)
    """

    name: ClassVar[str] = "logistic"
    alias: ClassVar[str] = "log_loss"
    domain: ClassVar[Domain] = SHARES
    link: ClassVar[Link] = LOGIT

    @property
    def steepest(self) -> float:
        return 0.25

    def baseline(self, y: Any, weights: Any = None) -> float:
        """Log-odds of the mean, a last place within (0, 1)."""
        tiny = float(np.finfo(np.float64).eps)
        mean = min(max(weighted_mean(y, weights), tiny), 1.0 - tiny)
        return float(np.log(mean / (1.0 - mean)))


@dataclass(frozen=True, slots=True)
class Hinge(Loss):
    r""":math:`\max(0, 1 - yz)` for y = ±1: what support vector machines minimise.

    Examples
    --------
    >>> Hinge().value(1.0, [-1.0, 0.5, 2.0])
    array([2. , 0.5, 0. ])
    """

    name: ClassVar[str] = "hinge"
    domain: ClassVar[Domain] = SIGNS
    smooth: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Perceptron(Loss):
    r""":math:`\max(0, -yz)` for y = ±1: the perceptron's loss.

    Examples
    --------
    >>> Perceptron().value(1.0, [-1.0, 0.5])
    array([1., 0.])
    """

    name: ClassVar[str] = "perceptron"
    domain: ClassVar[Domain] = SIGNS
    smooth: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class SquaredHinge(Loss):
    r""":math:`\max(0, 1 - yz)^2` for y = ±1.

    Examples
    --------
    >>> float(SquaredHinge().value(-1.0, 1.0))
    4.0
    """

    name: ClassVar[str] = "squared_hinge"
    domain: ClassVar[Domain] = SIGNS

    @property
    def steepest(self) -> float:
        return 2.0


@dataclass(frozen=True, slots=True)
class ModifiedHuber(Loss):
    r""":math:`\max(0, 1 - yz)^2` where :math:`yz \ge -1`, the tangent :math:`-4yz` below; y = ±1.

    Examples
    --------
    >>> ModifiedHuber().value(1.0, [-2.0, 0.0])
    array([8., 1.])

    References
    ----------
    Zhang (2004), Solving large scale linear prediction problems using stochastic gradient descent
    algorithms, ICML.
    """

    name: ClassVar[str] = "modified_huber"
    domain: ClassVar[Domain] = SIGNS

    @property
    def steepest(self) -> float:
        return 2.0
