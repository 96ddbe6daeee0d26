"""Losses of a margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stylobate.losses.loss import Loss


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
    targets: ClassVar[str] = "in [0, 1]"


@dataclass(frozen=True, slots=True)
class Hinge(Loss):
    r""":math:`\max(0, 1 - yz)` for y = ±1: what support vector machines minimise.

    Examples
    --------
    >>> Hinge().value(1.0, [-1.0, 0.5, 2.0])
    array([2. , 0.5, 0. ])
    """

    name: ClassVar[str] = "hinge"
    targets: ClassVar[str] = "-1 or 1"
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
    targets: ClassVar[str] = "-1 or 1"
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
    targets: ClassVar[str] = "-1 or 1"


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
    targets: ClassVar[str] = "-1 or 1"
