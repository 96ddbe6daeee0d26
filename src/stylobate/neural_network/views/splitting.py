"""Parts of networks."""

from __future__ import annotations

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.neural_network.layout import walk
from stylobate.neural_network.network import Network


def split_network(network: Network, at: int) -> tuple[Network, Network]:
    """The first layers as a network, and the others as another.

    Parameters
    ----------
    network : Network
    at : int in [1, number of layers)
        How many layers the first one has.

    Returns
    -------
    (Network, Network)

    Examples
    --------
    >>> from stylobate.neural_network import Activation, Dense
    >>> first, rest = split_network(Network([Dense(3), Activation("tanh"), Dense(1)], 2), 2)
    >>> x = np.array([[1.0, -1.0]])
    >>> rest.predict(first.predict(x)).shape
    (1, 1)
    """
    if not 1 <= at < len(network.layers):
        raise InvalidParameterError(
            f"split_network: at must be in [1, {len(network.layers)}), got {at!r}."
        )
    dtype, places = network.parameters.dtype, network._places
    first = Network(network.layers[:at], network.input_shape, dtype=dtype)
    rest = Network(network.layers[at:], places[at - 1].output, dtype=dtype)
    cut = first.n_parameters
    moments = sum(
        int(np.prod(shape)) for place in walk(places[:at]) for _, shape in place.state.values()
    )
    return (
        first.with_parameters(network.parameters[:cut], network.state[:moments]),
        rest.with_parameters(network.parameters[cut:], network.state[moments:]),
    )
