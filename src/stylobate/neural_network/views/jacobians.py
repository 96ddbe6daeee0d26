"""What every layer makes of an example, and its derivatives there."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError
from stylobate.neural_network.conversion import as_network
from stylobate.neural_network.passes import backward, forward

LARGEST = 2**26  # numbers of one Jacobian


def layer_outputs(model: Any, x: Any) -> dict[str, NDArray[Any]]:
    """What comes out behind every layer, by the layer's name.

    Parameters
    ----------
    model : Network, MLPClassifier or MLPRegressor
    x : array of shape (n, *input_shape)
        Examples.

    Returns
    -------
    dict of str to array of shape (n, *output shape of the layer)

    Examples
    --------
    >>> from stylobate.neural_network import Activation, Dense, Network
    >>> network = Network([Dense(3), Activation("relu")], 2)
    >>> {name: a.shape for name, a in layer_outputs(network, np.ones((5, 2))).items()}
    {'1 Dense': (5, 3), '2 Activation': (5, 3)}
    """
    network = as_network(model)
    rows, found = network._rows(x), {}
    for stage in network._bound():
        rows, _ = forward([stage], rows, None)
        found[stage.place.name] = rows.reshape(len(rows), *stage.place.output)
    return found


def layer_jacobians(model: Any, x: Any) -> dict[str, NDArray[Any]]:
    r"""The derivatives of every layer's outputs by its inputs, at one example.

    By the chain rule their product, the last one first, is that of the whole network:
    :math:`J = J_L \cdots J_2 J_1`.

    Parameters
    ----------
    model : Network, MLPClassifier or MLPRegressor
    x : array of shape input_shape
        One example.

    Returns
    -------
    dict of str to array of shape (outputs, inputs)
        Entries of images side by side: channel by channel, row by row.

    References
    ----------
    Rumelhart, Hinton & Williams (1986), Learning representations by back-propagating errors.

    Examples
    --------
    >>> from stylobate.neural_network import Activation, Dense, Network
    >>> network = Network([Dense(2), Activation("relu"), Dense(1)], 2)
    >>> network = network.with_parameters([1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 5.0, 6.0, 0.0])
    >>> for name, jacobian in layer_jacobians(network, [1.0, -1.0]).items():
    ...     print(name, jacobian.tolist())
    1 Dense [[1.0, 3.0], [2.0, 4.0]]
    2 Activation [[0.0, 0.0], [0.0, 0.0]]
    3 Dense [[5.0, 6.0]]
    """
    network = as_network(model)
    rows = network._rows(np.asarray(x)[np.newaxis])
    found = {}
    for stage in network._bound():
        outputs, _ = forward([stage], rows, None)
        count = outputs.shape[1]
        if count * rows.shape[1] > LARGEST:
            raise InvalidDataError(
                f"layer_jacobians: that of layer {stage.place.name} would have {count} × "
                f"{rows.shape[1]} entries; take smaller images."
            )
        again, kept = forward([stage], np.repeat(rows, count, axis=0), None)
        slopes = backward([stage], np.eye(count, dtype=again.dtype), kept, by_input=True)
        assert slopes is not None
        found[stage.place.name] = slopes
        rows = outputs
    return found


def jacobian(model: Any, x: Any) -> NDArray[Any]:
    """The derivatives of a network's outputs by the entries of one example.

    Parameters
    ----------
    model : Network, MLPClassifier or MLPRegressor
    x : array of shape input_shape
        One example.

    Returns
    -------
    array of shape (outputs, inputs)

    Examples
    --------
    >>> from stylobate.neural_network import Dense, Network
    >>> network = Network([Dense(1)], 2).with_parameters([3.0, 4.0, 0.0])
    >>> jacobian(network, [1.0, 1.0])
    array([[3., 4.]])
    """
    network = as_network(model)
    rows = network._rows(np.asarray(x)[np.newaxis])
    outputs, _ = forward(network._bound(), rows, None)
    again, kept = forward(network._bound(), np.repeat(rows, outputs.shape[1], axis=0), None)
    slopes = backward(
        network._bound(), np.eye(outputs.shape[1], dtype=again.dtype), kept, by_input=True
    )
    assert slopes is not None
    return slopes
