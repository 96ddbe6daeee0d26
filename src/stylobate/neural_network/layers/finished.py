"""Convolutions that do at once what follows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from stylobate.neural_network.layers.activation import Activation
from stylobate.neural_network.layers.convolution import Conv2d
from stylobate.neural_network.layers.layer import Course, Layer, Rows, Shape, Weights
from stylobate.neural_network.layers.pooling import MaxPool2d


@dataclass(frozen=True)
class FinishedConv2d(Layer):
    """A convolution, ReLU and perhaps the largest of 2 × 2 places, in one pass over the images.

    The results are those of the layers one by one: the largest entry is found first, since ReLU
    does not change the order.

    Parameters
    ----------
    convolution : Conv2d
    finish : {"rectified", "halved"}
    """

    convolution: Conv2d
    finish: str

    def forward(self, x: Rows, shape: Shape, weights: Weights, course: Course) -> tuple[Rows, Any]:
        return self.convolution.forward_finished(x, shape, weights, self.finish)

    def backward(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        return self.convolution.backward_finished(dy, kept, shape, weights, self.finish)

    def backward_weights(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> dict[str, NDArray[Any]]:
        return self.convolution.backward_finished(
            dy, kept, shape, weights, self.finish, by_images=False
        )[1]


def finished(layers: Sequence[Layer]) -> tuple[Layer, int]:
    """The first layer with as many of those behind it as one pass does, and how many that are.

    Examples
    --------
    >>> layers = [Conv2d(6, 5), Activation("relu"), MaxPool2d(2), Activation("relu")]
    >>> finished(layers)[1], finished(layers[1:])[1]
    (3, 1)
    """
    first = layers[0]
    behind = layers[1] if len(layers) > 1 else None
    if not (isinstance(first, Conv2d) and isinstance(behind, Activation) and behind.kind == "relu"):
        return first, 1
    if len(layers) > 2 and isinstance(layers[2], MaxPool2d) and layers[2].halves:
        return FinishedConv2d(first, "halved"), 3
    return FinishedConv2d(first, "rectified"), 2
