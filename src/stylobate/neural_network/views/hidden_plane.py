"""Rows as a hidden layer of two units sees them, with the separator in both planes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neural_network.conversion import as_network
from stylobate.neural_network.layers.dense import Dense
from stylobate.neural_network.network import Network
from stylobate.neural_network.views.splitting import split_network

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True, eq=False)
class DecidedPlane:
    """Points of a plane, and what is decided on a grid around them.

    Parameters
    ----------
    points : array of shape (n, 2)
    across, up : array of shape (resolution,)
        The grid.
    decided : array of shape (resolution, resolution)
        Class numbers; rows are those of `up`.
    """

    points: Array
    across: Array
    up: Array
    decided: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class HiddenPlane:
    """The plane of inputs and that of a hidden layer, each with points and decisions.

    Parameters
    ----------
    inputs, hidden : DecidedPlane
        In the hidden plane the separator of a last dense layer is straight.
    labels : array of shape (n,)
        Of the points.
    layer : str
        Behind which layer the hidden plane is.
    """

    inputs: DecidedPlane
    hidden: DecidedPlane
    labels: NDArray[Any]
    layer: str

    def plot(self, *, axes: Any = None) -> NDArray[Any]:
        """Draw both planes side by side.

        Parameters
        ----------
        axes : array of two matplotlib Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        array of two matplotlib Axes
        """
        from stylobate.plot import plot_hidden_plane

        return plot_hidden_plane(self, axes=axes)


def hidden_plane(
    model: Any, x: Any, y: Any, *, layer: int | None = None, threshold: float = 0.5,
    resolution: int = 300,
) -> HiddenPlane:  # fmt: skip
    """What a hidden layer of two units makes of rows of two columns.

    Parameters
    ----------
    model : Network or MLPClassifier
        Of two inputs, with a layer that gives two numbers.
    x : array of shape (n, 2)
        Rows.
    y : array of shape (n,)
        Their labels.
    layer : int in [1, number of layers), optional
        Behind which layer to look; by default before the last dense one.
    threshold : float, default=0.5
        Above which a single output stands for the second class; of several the largest counts.
    resolution : int in [2, inf), default=300
        Points of the grids along each axis.

    Returns
    -------
    HiddenPlane

    Examples
    --------
    >>> from stylobate.neural_network import MLPClassifier
    >>> X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0]
    >>> model = MLPClassifier((2,), "tanh", solver="lbfgs", random_state=4).fit(X, y)
    >>> found = hidden_plane(model, X, y, resolution=20)
    >>> found.layer, found.hidden.points.shape
    ('2 Activation', (4, 2))
    """
    network = as_network(model)
    at = _before_last_dense(network) if layer is None else layer
    first, rest = split_network(network, at)
    if network.input_shape != (2,) or first.output_shape != (2,):
        raise InvalidParameterError(
            "hidden_plane needs two inputs and a hidden layer of two units, got "
            f"{network.input_shape} and {first.output_shape}."
        )
    labels, rows = np.asarray(y), np.asarray(x, dtype=network.parameters.dtype)
    if labels.shape != (len(rows),):
        raise InvalidDataError(f"hidden_plane: x has {len(rows)} rows, y shape {labels.shape}.")
    return HiddenPlane(
        _decided(network, rows, threshold, resolution),
        _decided(rest, first.predict(rows), threshold, resolution),
        labels,
        network._places[at - 1].name,
    )


def _before_last_dense(network: Network) -> int:
    dense = [k for k, layer in enumerate(network.layers) if isinstance(layer, Dense)]
    if not dense or dense[-1] == 0:
        raise InvalidParameterError("hidden_plane: the network has no hidden layer.")
    return dense[-1]


def _decided(network: Network, points: Any, threshold: float, resolution: int) -> DecidedPlane:
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.maximum(0.12 * (high - low), 1e-6)
    across, up = (
        np.linspace(low[k] - room[k], high[k] + room[k], resolution, dtype=np.float64)
        for k in range(2)
    )
    grid = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    outputs = network.predict(grid).reshape(len(grid), -1)
    codes = outputs.argmax(axis=1) if outputs.shape[1] > 1 else outputs[:, 0] > threshold
    shape = (resolution, resolution)
    return DecidedPlane(points.astype(np.float64), across, up, codes.astype(int).reshape(shape))
