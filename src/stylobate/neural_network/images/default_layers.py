"""Layers for images: what a `ConvNetClassifier` is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stylobate.neural_network.layers.activation import Activation
from stylobate.neural_network.layers.convolution import Conv2d
from stylobate.neural_network.layers.dense import Dense, Flatten
from stylobate.neural_network.layers.layer import Layer
from stylobate.neural_network.layers.pooling import MaxPool2d
from stylobate.neural_network.layout import places_of


def default_layers(shape: tuple[int, int, int]) -> tuple[Layer, ...]:
    """Two or three convolutions of 3 × 3, each with a rectifier and a pooling; 128 dense units.

    Examples
    --------
    >>> [type(layer).__name__ for layer in default_layers((1, 8, 8))][:4]
    ['Conv2d', 'Activation', 'MaxPool2d', 'Conv2d']
    """
    layers: list[Layer] = []
    _, height, width = shape
    for filters in (16, 32, 64):
        if filters == 64 and min(height, width) < 8:
            break
        pool = (2 if height > 1 else 1, 2 if width > 1 else 1)
        layers += [Conv2d(filters, 3, padding=1), Activation("relu"), MaxPool2d(pool)]
        height, width = height // pool[0], width // pool[1]
    return (*layers, Flatten(), Dense(128, "he"), Activation("relu"))


def with_outputs(layers: Sequence[Any], shape: tuple[int, ...], classes: int) -> tuple[Layer, ...]:
    """Layers that end in probabilities of so many classes: what is missing is added.

    Examples
    --------
    >>> [type(layer).__name__ for layer in with_outputs([Conv2d(4)], (1, 8, 8), 10)]
    ['Conv2d', 'Flatten', 'Dense', 'Activation']
    """
    found = tuple(layers)
    last = found[-1] if found else None
    if isinstance(last, Activation) and last.kind == "softmax":
        return found
    output = places_of(found, shape)[-1].output if found else shape
    flat = () if len(output) == 1 else (Flatten(),)
    return (*found, *flat, Dense(classes), Activation("softmax"))
