"""The layers of autoencoders: there and back, two parts, and the closed form of linear ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stylobate.arrays import Array
from stylobate.neural_network.autoencoders.certificate import LinearCode
from stylobate.neural_network.layers.activation import Activation
from stylobate.neural_network.layers.dense import Dense
from stylobate.neural_network.layers.layer import Layer
from stylobate.neural_network.network import Network
from stylobate.neural_network.views.splitting import split_network
from stylobate.parallel import one_blas_thread

_STARTS = {"relu": "he", "leaky_relu": "he", "mish": "he", "selu": "lecun"}


def mirrored_layers(
    columns: int, hidden: Sequence[int], units: int, curve: str, middle: str, last: str
) -> list[Layer]:
    """Dense layers to the bottleneck and back, with their activations.

    >>> layers = mirrored_layers(4, [3], 1, "tanh", "identity", "sigmoid")
    >>> [type(layer).__name__ for layer in layers]
    ['Dense', 'Activation', 'Dense', 'Dense', 'Activation', 'Dense', 'Activation']
    """
    sizes = [*hidden, units, *reversed(hidden), columns]
    curves = [*[curve] * len(hidden), middle, *[curve] * len(hidden), last]
    layers: list[Layer] = []
    for size, kind in zip(sizes, curves, strict=True):
        layers.append(Dense(size, _STARTS.get(kind, "glorot")))
        if kind != "identity":
            layers.append(Activation(kind))
    return layers


def parted(network: Network) -> tuple[Network, Network]:
    """Encoder and decoder: the layers up to the middle one, and those behind it."""
    dense = [place for place, layer in enumerate(network.layers) if isinstance(layer, Dense)]
    middle = dense[len(dense) // 2 - 1]
    cut = middle + 1
    if not isinstance(network.layers[cut], Dense):
        cut += 1  # its activation
    return split_network(network, cut)


def closed_form(network: Network, code: LinearCode, units: int) -> Network:
    """The weights of the best linear autoencoder: principal directions, and ones on diagonals."""
    kept = min(units, len(code.squares))
    theta = np.zeros(network.n_parameters)
    view = network.with_parameters(theta)
    matrices = [array.shape for name, array in view.weights().items() if name.endswith(" W")]
    parts: list[Array] = []
    for place, (rows, columns) in enumerate(matrices):
        block = np.zeros((rows, columns))
        if place == 0:
            block[:, :kept] = code.directions[:kept].T
        elif place == len(matrices) - 1:
            block[:kept] = code.directions[:kept]
        else:
            block[np.arange(kept), np.arange(kept)] = 1.0
        parts += [block.ravel(), np.zeros(columns)]
    found = np.concatenate(parts).astype(network.parameters.dtype)
    return network.with_parameters(found)


def linear_maps(encoder: Network, decoder: Network) -> Array:
    """Rows that span where a linear autoencoder reconstructs."""
    with one_blas_thread():
        inward, outward = _product(encoder), _product(decoder)
        triangle = np.linalg.qr(inward, mode="r")
        _, values, directions = np.linalg.svd(triangle @ outward, full_matrices=False)
    floor = max(directions.shape) * np.finfo(np.float64).eps * values.max(initial=0.0)
    return np.asarray(directions[values > floor])


def _product(network: Network) -> Array:
    found = np.eye(network.input_shape[0])
    for name, weights in network.weights().items():
        if name.endswith(" W"):
            found = found @ weights.astype(np.float64)
    return found
