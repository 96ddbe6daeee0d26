"""Networks trained on examples that are changed to fool them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidParameterError
from stylobate.neural_network.adversaries.attacks import projected_gradient, require_attack


@dataclass(frozen=True)
class AdversarialTraining:
    r"""Half of every batch (or another share) replaced by its adversaries, for ``augment=``.

    .. math:: \min_\theta \; (1 - \alpha)\, \ell(f_\theta(x), y) + \alpha \max_{\|\delta\|_\infty
              \le \varepsilon} \ell(f_\theta(x + \delta), y)

    the maximum approximated by gradient signs at the network of the moment.

    Parameters
    ----------
    epsilon : float in [0, inf)
        In units of what the network is trained on.
    steps : int in [1, inf), default=1
        1: the fast gradient sign; more: its iterated form, begun at a random point.
    share : float in [0, 1], default=0.5
        α, of the rows of a batch.
    bounds : (float, float), optional
        Smallest and largest entry there may be.

    References
    ----------
    Goodfellow, Shlens & Szegedy (2015); Madry et al. (2018).

    Examples
    --------
    >>> from stylobate.neural_network import Activation, Dense, Network
    >>> network = Network([Dense(1), Activation("sigmoid")], 2)
    >>> x, y = [[0.0, 0.0], [1.0, 1.0]] * 4, np.array([0, 1] * 4)
    >>> trained = network.train(x, y, "cross_entropy", augment=AdversarialTraining(0.1))
    >>> trained.best_epoch
    10
    """

    epsilon: float
    steps: int = 1
    share: float = 0.5
    bounds: tuple[float, float] | None = None
    sees_network: bool = True

    def __post_init__(self) -> None:
        require_attack(self.epsilon, self.steps, None, self.bounds)
        if not 0.0 <= self.share <= 1.0:
            raise InvalidParameterError(
                f"AdversarialTraining: share must be a number in [0, 1], got {self.share!r}."
            )

    def __call__(
        self, x: NDArray[Any], random: np.random.Generator, y: NDArray[Any], network: Any
    ) -> NDArray[Any]:
        """The batch with its first rows replaced; rows come in random order."""
        count = round(self.share * len(x))
        if count == 0:
            return x
        seed = int(random.integers(1 << 31)) if self.steps > 1 else None
        length = self.epsilon if self.steps == 1 else None
        fooled = projected_gradient(
            network, x[:count], y[:count], self.epsilon, steps=self.steps, step=length,
            random_state=seed, bounds=self.bounds,
        )  # fmt: skip
        return np.concatenate([fooled, x[count:]])
