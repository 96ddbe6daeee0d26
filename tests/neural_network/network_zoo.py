"""Networks with every layer, for tests of what is done to whole networks."""

from __future__ import annotations

import numpy as np

from stylobate.neural_network import (
    Activation,
    AvgPool2d,
    BatchNorm,
    Conv2d,
    Dense,
    Dropout,
    Embedding,
    Flatten,
    GlobalAvgPool2d,
    GlobalMaxPool2d,
    LayerNorm,
    LocalResponseNorm,
    MaxPool2d,
    MinPool2d,
    Network,
    Parallel,
    PReLU,
    Residual,
)
from stylobate.neural_network.layers.activation import CURVES

IMAGE = (4, 6, 7)
LAYERS = {
    "convolution": [Conv2d(6, (3, 2), stride=(2, 1), padding="same", groups=2)],
    "dilation": [Conv2d(4, 3, padding=1, dilation=2, bias=None), BatchNorm(scale=False)],
    "largest": [MaxPool2d(3, 2, "same"), MinPool2d(2, 1)],
    "mean": [AvgPool2d(3, 2, 1)],
    "mean within": [AvgPool2d(3, 2, "same", count_include_pad=False)],
    "global mean": [GlobalAvgPool2d(), Dense(3)],
    "global largest": [GlobalMaxPool2d(), Dense(3, bias=None)],
    "layer norm": [LayerNorm(), PReLU(), Flatten(), LayerNorm()],
    "local response": [LocalResponseNorm(3, alpha=0.5, beta=0.7, k=2.0)],
    "batch norm": [BatchNorm(), PReLU(shared=True)],
    "branches": [
        Parallel([[Conv2d(2, 1)], [MaxPool2d(3, 1, 1)], []]),
        Residual([Conv2d(3, 1), Activation("mish")], [Conv2d(3, 1)], scale=0.3),
    ],
}
VECTORS = {
    "sums": [
        Parallel([[Dense(4)], []], join="add"),
        Residual([Dense(4), Activation("selu"), Dense(4), BatchNorm()], scale=0.17),
        Dropout(0.3),
        Dense(3),
        Activation("softmax"),
    ],
    "embedding": [Embedding({1: 3, 2: 2}, size=2), LayerNorm(), Dense(2), Activation("mish")],
    **{kind: [Dense(5), Activation(kind, 0.2)] for kind in CURVES},
}
ALL = {**LAYERS, **VECTORS}


def example(name, dtype="float64"):
    """A network whose numbers are all drawn, and rows for it."""
    draw = np.random.default_rng(len(name))
    shape = IMAGE if name in LAYERS else (4,)
    network = Network(ALL[name], shape, dtype=dtype)
    parameters = network.parameters + draw.normal(0.0, 0.2, network.n_parameters)
    state = network.state + np.abs(draw.normal(0.0, 0.5, network.state.shape))
    x = 2.0 * draw.normal(size=(5, *shape))
    if name == "embedding":
        x[:, 1], x[:, 2] = [0, 1, 2, 0, 1], [0, 1, 0, 1, 1]
    return network.with_parameters(parameters.astype(dtype), state), x.astype(dtype)
