"""Are a network's derivatives right? And which weight is worst?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.losses import Loss
from stylobate.optimize.gradient_check import GradientCheck, check_gradient

if TYPE_CHECKING:
    from stylobate.neural_network.network import Network


@dataclass(frozen=True, slots=True)
class WeightCheck:
    """Derivatives beside central differences.

    Parameters
    ----------
    check : GradientCheck
        The largest difference, and both numbers there.
    weight : str
        The weight it is in, such as "3 Conv2d W[0, 1, 2, 2]".
    """

    check: GradientCheck
    weight: str

    @property
    def error(self) -> float:
        """The largest difference, relative to the larger of 1 and the largest derivative."""
        return self.check.error

    @property
    def right(self) -> bool:
        """Whether they agree as well as differences can tell."""
        return self.check.right

    def __str__(self) -> str:
        c = self.check
        if self.right:
            return f"The gradient agrees with {c.how} to {c.error:.1g}, worst in {self.weight}."
        return (
            f"The gradient is wrong, worst in {self.weight}: {c.given:.6g} was computed, {c.how} "
            f"say {c.found:.6g}."
        )


def check_weights(
    network: Network, x: Any, y: Any, loss: str | Loss, seed: int | None
) -> WeightCheck:
    """As `Network.gradient_check`."""
    exact = network.with_parameters(network.parameters.astype(np.float64))

    def at(theta: Any) -> tuple[float, Any]:
        if np.iscomplexobj(theta):
            raise TypeError("the passes take real numbers")
        return exact.with_parameters(theta).gradient(x, y, loss, seed=seed)

    check = check_gradient(lambda t: at(t)[0], lambda t: at(t)[1], exact.parameters)
    return WeightCheck(check, _weight_at(network, check.worst))


def _weight_at(network: Network, index: int) -> str:
    for name, array in network.weights().items():
        if index < array.size:
            place = ", ".join(str(int(k)) for k in np.unravel_index(index, array.shape))
            return f"{name}[{place}]"
        index -= array.size
    raise IndexError(index)
