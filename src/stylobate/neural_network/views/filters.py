"""Filters that are known by name, and images seen through filters."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neural_network.layers.activation import Activation
from stylobate.neural_network.layers.convolution import Conv2d
from stylobate.neural_network.layers.layer import Layer
from stylobate.neural_network.network import Network

FILTERS: dict[str, list[list[float]]] = {
    "dark_bright_edge": [[-1, 1], [-1, 1]],
    "dark_corner": [[-1, 1], [-1, -1]],
    "vertical_edge": [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]],
    "horizontal_edge": [[-1, -2, -1], [0, 0, 0], [1, 2, 1]],
    "corner": [[1, -2, 1], [-2, 4, -2], [1, -2, 1]],
    "laplacian": [[0, 1, 0], [1, -4, 1], [0, 1, 0]],
    "sharpen": [[0, -1, 0], [-1, 5, -1], [0, -1, 0]],
    "mean": [[1 / 9] * 3] * 3,
    "gaussian": [[1 / 16, 2 / 16, 1 / 16], [2 / 16, 4 / 16, 2 / 16], [1 / 16, 2 / 16, 1 / 16]],
}


def image_filter(name: str) -> NDArray[np.float64]:
    """A filter by name.

    Parameters
    ----------
    name : str
        "dark_bright_edge" (dark on the left), "dark_corner" (dark but for the upper right),
        "vertical_edge" and "horizontal_edge" (Sobel's), "corner" (a second derivative in both
        directions), "laplacian", "sharpen", "mean" or "gaussian".

    Returns
    -------
    array of shape (2, 2) or (3, 3)

    Examples
    --------
    >>> image_filter("dark_bright_edge")
    array([[-1.,  1.],
           [-1.,  1.]])
    """
    if name not in FILTERS:
        raise InvalidParameterError(
            f"image_filter: name must be one of {', '.join(FILTERS)}, got {name!r}."
        )
    return np.array(FILTERS[name], dtype=np.float64)


def filter_images(
    images: Any, filters: Any, *, bias: Any = 0.0, activation: str = "identity", padding: Any = 0
) -> NDArray[np.float64]:
    r"""Images seen through given filters, as a convolutional layer sees them.

    .. math:: y_{f,i,j} = g\Bigl(b_f + \sum_{u,v} K_{f,u,v}\, x_{i+u,\, j+v}\Bigr)

    Parameters
    ----------
    images : array of shape (n, height, width) or (n, channels, height, width)
        The channels of an image are added up.
    filters : str, array of shape (size, size) or sequence of them of one size
        Names as of `image_filter`, or the numbers.
    bias : float or sequence of them, default=0.0
        b.
    activation : str, default="identity"
        g, as of `Activation`.
    padding : int, pair of int or "same", default=0
        As of `Conv2d`.

    Returns
    -------
    array of shape (n, filters, height, width)

    Examples
    --------
    >>> step = np.array([[[0.0, 0.0, 1.0, 1.0]] * 2])
    >>> filter_images(step, "dark_bright_edge", bias=-1.0, activation="relu")
    array([[[[0., 1., 0.]]]])
    """
    given = [filters] if isinstance(filters, str) or np.ndim(filters) == 2 else list(filters)
    kernels = [image_filter(k) if isinstance(k, str) else np.asarray(k, float) for k in given]
    if not kernels or len({k.shape for k in kernels}) > 1 or kernels[0].ndim != 2:
        raise InvalidParameterError("filter_images: filters must be matrices of one size.")
    x = np.asarray(images, dtype=np.float64)
    x = x[:, np.newaxis] if x.ndim == 3 else x
    if x.ndim != 4:
        raise InvalidDataError(
            "filter_images: images must have shape (n, height, width) or (n, channels, height, "
            f"width), got {np.shape(images)}."
        )
    size = kernels[0].shape
    layers: list[Layer] = [Conv2d(len(kernels), (size[0], size[1]), padding=padding)]
    layers += [] if activation == "identity" else [Activation(activation)]
    spread = np.repeat(np.stack(kernels)[:, np.newaxis], x.shape[1], axis=1)
    offsets = np.broadcast_to(np.asarray(bias, dtype=np.float64), (len(kernels),))
    network = Network(layers, x.shape[1:])
    return network.with_parameters(np.concatenate([spread.ravel(), offsets])).predict(x)
