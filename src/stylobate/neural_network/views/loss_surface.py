"""The loss around trained weights, along two directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.losses import Loss
from stylobate.neural_network.conversion import as_network
from stylobate.neural_network.network import Network

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False)
class LossSurface:
    """Mean losses of networks on a grid of two directions around one.

    Parameters
    ----------
    steps : array of shape (m,)
        Multiples of the directions, the same along both.
    losses : array of shape (m, m)
        Entry (i, j): i steps along the second direction, j along the first; infinite where the
        loss leaves the range of numbers.
    directions : array of shape (2, n_parameters)
    """

    steps: Array
    losses: Array
    directions: Array

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the level lines.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        matplotlib Axes
        """
        from stylobate.plot import plot_loss_surface

        return plot_loss_surface(self, ax=ax)


def loss_surface(
    model: Any, x: Any, y: Any, loss: str | Loss = "squared", *, directions: Any = None,
    reach: float = 1.0, n_steps: int = 25, random_state: int = 0,
) -> LossSurface:  # fmt: skip
    r"""Mean losses :math:`L(\theta + a\,d_1 + b\,d_2)` for a and b on a grid.

    Parameters
    ----------
    model : Network, MLPClassifier or MLPRegressor
        θ.
    x, y, loss
        As of `Network.loss`.
    directions : pair of arrays of shape (n_parameters,), optional
        d₁ and d₂. By default random ones whose parts have the length of the filter (or of a unit's
        weights) they change, so that surfaces of different networks compare; biases, scales and
        shifts stay.
    reach : float in (0, inf), default=1.0
        a and b go from −reach to reach.
    n_steps : int in [2, inf), default=25
        Points along each direction; an odd number has the network itself in the middle.
    random_state : int, default=0
        Draws the directions.

    Returns
    -------
    LossSurface

    References
    ----------
    Li, Xu, Taylor, Studer & Goldstein (2018), Visualizing the loss landscape of neural nets.

    Examples
    --------
    >>> from stylobate.neural_network import Dense, Network
    >>> network = Network([Dense(1, bias=None)], 2).with_parameters([1.0, 2.0])
    >>> x = np.eye(2)
    >>> ways = ([1.0, 0.0], [0.0, 1.0])
    >>> loss_surface(network, x, [1.0, 2.0], directions=ways, n_steps=3).losses
    array([[0.5 , 0.25, 0.5 ],
           [0.25, 0.  , 0.25],
           [0.5 , 0.25, 0.5 ]])
    """
    network = as_network(model)
    if not 0.0 < reach < np.inf or int(n_steps) != n_steps or n_steps < 2:
        raise InvalidParameterError(
            "loss_surface: reach must be in (0, inf) and n_steps a whole number in [2, inf), got "
            f"{reach!r} and {n_steps!r}."
        )
    if directions is None:
        draw = np.random.default_rng(random_state)
        directions = [filter_normalized(network, draw) for _ in range(2)]
    ways = np.array([np.asarray(each, dtype=np.float64) for each in directions])
    if ways.shape != (2, network.n_parameters):
        raise InvalidParameterError(
            f"loss_surface: directions must have shape (2, {network.n_parameters}), got "
            f"{ways.shape}."
        )
    steps = np.linspace(-reach, reach, int(n_steps))
    losses = np.empty((len(steps), len(steps)))
    base, dtype = network.parameters.astype(np.float64), network.parameters.dtype
    for i, up in enumerate(steps):
        for j, across in enumerate(steps):
            theta = (base + across * ways[0] + up * ways[1]).astype(dtype)
            with np.errstate(over="ignore", invalid="ignore"):
                value = network.with_parameters(theta).loss(x, y, loss)
            losses[i, j] = value if np.isfinite(value) else np.inf
    return LossSurface(steps, losses, ways)


def filter_normalized(network: Network, draw: np.random.Generator) -> NDArray[np.float64]:
    """A random direction each filter of which is as long as the network's."""
    numbers = np.arange(network.n_parameters, dtype=np.float64)
    places = network.with_parameters(numbers).weights()
    direction = np.zeros(network.n_parameters)
    for name, weights in network.weights().items():
        if weights.ndim < 2:
            continue
        axes = (0,) if weights.ndim == 2 else tuple(range(1, weights.ndim))
        drawn = draw.standard_normal(weights.shape)
        drawn *= _lengths(weights, axes) / np.maximum(_lengths(drawn, axes), 1e-300)
        direction[places[name].astype(np.int64).ravel()] = drawn.ravel()
    return direction


def _lengths(array: NDArray[Any], axes: tuple[int, ...]) -> Any:
    return np.sqrt((array.astype(np.float64) ** 2).sum(axis=axes, keepdims=True))
