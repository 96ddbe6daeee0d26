"""Dense layers, and the flattening before them."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.exceptions import InvalidParameterError
from stylobate.neural_network.layers.initialization import initial_weights, require_initialization
from stylobate.neural_network.layers.layer import (
    Course,
    Layer,
    Rows,
    Shape,
    Weights,
    require_initial_bias,
    require_whole,
)


@dataclass(frozen=True)
class Dense(Layer):
    r"""All inputs to all outputs: :math:`y = xW + b`.

    Parameters
    ----------
    units : int in [1, inf)
        Outputs.
    initialization : str, default="glorot"
        Of W: "glorot", "glorot_normal", "he", "he_uniform", "lecun" (N(0, 1/D)) or "zeros".
    bias : float or None, default=0.0
        What b starts with; a small positive number keeps ReLUs alive. None: no b.

    References
    ----------
    Rumelhart, Hinton & Williams (1986), Learning representations by back-propagating errors.

    Examples
    --------
    >>> Dense(3).output_shape((5,)), Dense(3).weight_shapes((5,))
    ((3,), {'W': (5, 3), 'b': (3,)})
    """

    units: int
    initialization: str = "glorot"
    bias: float | None = 0.0

    def __post_init__(self) -> None:
        require_whole(self, "units", self.units)
        object.__setattr__(self, "bias", require_initial_bias(self, self.bias))
        require_initialization("Dense", self.initialization)

    def output_shape(self, shape: Shape) -> Shape:
        if len(shape) != 1:
            raise InvalidParameterError(
                f"Dense takes vectors, but its input has shape {shape}; put Flatten() before it."
            )
        return (self.units,)

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        weights: dict[str, Shape] = {"W": (shape[0], self.units)}
        return weights if self.bias is None else weights | {"b": (self.units,)}

    def start(self, shape: Shape, draw: np.random.Generator) -> dict[str, NDArray[np.float64]]:
        size = (shape[0], self.units)
        weights = initial_weights(self.initialization, size, shape[0], self.units, draw)
        return {"W": weights, "b": np.full(self.units, self.bias or 0.0)}

    def forward(self, x: Rows, shape: Shape, weights: Weights, course: Course) -> tuple[Rows, Any]:
        multiply: Any = _core.matrix_multiply
        return np.asarray(multiply(x, weights["W"], weights.get("b"))), x

    def backward(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        multiply: Any = _core.matrix_multiply
        dx = np.asarray(multiply(dy, weights["W"].T, None))
        return dx, self.backward_weights(dy, kept, shape, weights)

    def backward_weights(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> dict[str, NDArray[Any]]:
        multiply: Any = _core.matrix_multiply
        sums = dy.sum(axis=0, dtype=np.float64).astype(dy.dtype)
        return {"W": np.asarray(multiply(kept.T, dy, None)), "b": sums}


@dataclass(frozen=True)
class Flatten(Layer):
    """Images as vectors: channel by channel, row by row.

    Examples
    --------
    >>> Flatten().output_shape((3, 4, 4))
    (48,)
    """

    def output_shape(self, shape: Shape) -> Shape:
        return (prod(shape),)

    def forward(self, x: Rows, shape: Shape, weights: Weights, course: Course) -> tuple[Rows, Any]:
        return x, None

    def backward(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        return dy, {}
