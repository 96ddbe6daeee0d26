"""Steps of a network's parameters by the methods of `stylobate.optimize`, in the compiled core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.exceptions import InvalidParameterError
from stylobate.neural_network.layout import Place, walk
from stylobate.optimize.methods.adaptive import AdaGrad, Adam, RMSProp
from stylobate.optimize.methods.stochastic import SGD
from stylobate.optimize.steps import step_rule

BY_BATCHES = (SGD, AdaGrad, RMSProp, Adam)


class Updates:
    """What a method remembers between steps, and the steps; parameters move in place.

    Parameters
    ----------
    method : SGD, AdaGrad, RMSProp or Adam
    parameters : array of shape (p,)
        Whose size and precision count.
    places : sequence of Place
        Weights named W are pulled to zero, others are not.
    weight_decay : float in [0, inf)
        α of the penalty ½α‖W‖².

    Examples
    --------
    >>> theta, steps = np.ones(2), Updates(SGD(0.5), np.ones(2), [], 0.0)
    >>> penalty = steps.step(theta, np.array([1.0, -1.0]))
    >>> theta
    array([0.5, 1.5])
    """

    def __init__(
        self, method: Any, parameters: NDArray[Any], places: Sequence[Place], weight_decay: float
    ) -> None:
        if getattr(method, "average", False):
            raise InvalidParameterError(
                "Network: SGD(average=True) is not meant for losses with several minima; use "
                "average=False."
            )
        self.method, self.count = method, 0
        self.rule = step_rule(type(method).__name__, method.step)
        self.adaptive = not isinstance(method, SGD)
        self.first = np.zeros_like(parameters)
        self.second = np.zeros_like(parameters) if self.adaptive else parameters[:0].copy()
        self._ends, self._decays = decay_segments(places, len(parameters), weight_decay)

    def step(self, parameters: NDArray[Any], gradient: NDArray[Any]) -> float:
        """Move along a gradient; returns the penalty of before."""
        if not len(parameters):
            return 0.0
        self.count += 1
        move: Any = _core.step_parameters
        return float(
            move(parameters, gradient, self.first, self.second, self.adaptive, self._options(),
                 self._ends, self._decays)
        )  # fmt: skip

    def _options(self) -> dict[str, Any]:
        method, t = self.method, self.count
        rate = float(self.rule.rate(t))
        if isinstance(method, SGD):
            return _options(rate, first=method.momentum, nesterov=method.nesterov)
        if isinstance(method, Adam):  # both averages corrected for their start
            of_second = (1.0 - method.beta2**t) ** 0.5
            rate *= of_second / (1.0 - method.beta1**t)
            return _options(rate, method.beta1, method.beta2, method.epsilon * of_second)
        if isinstance(method, RMSProp):
            return _options(rate, 0.0, method.decay, method.epsilon)
        return _options(rate, 0.0, 1.0, method.epsilon, forgets=False)


def _options(
    rate: float,
    first: float = 0.0,
    second: float = 0.0,
    epsilon: float = 0.0,
    *,
    nesterov: bool = False,
    forgets: bool = True,
) -> dict[str, Any]:
    return {
        "rate": rate,
        "first": float(first),
        "second": float(second),
        "epsilon": float(epsilon),
        "nesterov": bool(nesterov),
        "forgets": forgets,
    }


def decay_segments(
    places: Sequence[Place], size: int, weight_decay: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Where parts of the parameters end, and how strongly each is pulled to zero."""
    decays = np.zeros(size)
    for place in walk(places):
        for name, (at, shape) in place.weights.items():
            if name.startswith("W"):
                decays[at : at + int(np.prod(shape))] = weight_decay
    changes = np.flatnonzero(np.diff(decays)) + 1
    ends = np.append(changes, size).astype(np.int64)
    return ends, decays[ends - 1]
