"""Activations and dropout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.exceptions import InvalidParameterError
from stylobate.neural_network.layers.layer import (
    Course,
    Layer,
    Rows,
    Shape,
    Weights,
    require_share,
)

CURVES = ("identity", "sigmoid", "tanh", "relu", "leaky_relu", "selu", "mish", "softmax")


@dataclass(frozen=True)
class Activation(Layer):
    r"""A function of every entry, or the softmax of every vector.

    sigmoid :math:`1/(1+e^{-x})`; relu :math:`\max(x, 0)`; leaky_relu :math:`\max(x, ax)`; selu
    :math:`\lambda x` above zero and :math:`\lambda\alpha(e^x - 1)` below; mish
    :math:`x \tanh \log(1 + e^x)`.

    Parameters
    ----------
    kind : {"identity", "sigmoid", "tanh", "relu", "leaky_relu", "selu", "mish", "softmax"}
    slope : float in [0, 1), default=0.01
        a of "leaky_relu".

    References
    ----------
    Klambauer et al. (2017), Self-normalizing neural networks. Misra (2020), Mish.

    Examples
    --------
    >>> Activation("relu").forward(np.array([[-1.0, 2.0]]), (2,), {}, Course())[0]
    array([[0., 2.]])
    """

    kind: str
    slope: float = 0.01

    def __post_init__(self) -> None:
        require_share(self, "slope", self.slope)
        if self.kind not in CURVES:
            raise InvalidParameterError(
                f"Activation: kind must be one of {', '.join(CURVES)}, got {self.kind!r}."
            )

    def output_shape(self, shape: Shape) -> Shape:
        if self.kind == "softmax" and len(shape) != 1:
            raise InvalidParameterError(
                f"Activation('softmax') takes vectors, but its input has shape {shape}; put "
                "Flatten() before it."
            )
        return shape

    def forward(self, x: Rows, shape: Shape, weights: Weights, course: Course) -> tuple[Rows, Any]:
        activate: Any = _core.activate
        y = np.asarray(activate(x, self.kind, float(self.slope)))
        return y, (x, y)

    def backward(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        back: Any = _core.activate_back
        return np.asarray(back(*kept, dy, self.kind, float(self.slope))), {}


@dataclass(frozen=True)
class PReLU(Layer):
    r"""Parametric ReLU: :math:`y = \max(x, 0) + a \min(x, 0)` with a slope a that is learnt.

    Parameters
    ----------
    slope : float in [0, 1), default=0.25
        What a starts with.
    shared : bool, default=False
        Whether there is one a for all; otherwise one for every feature, or channel of images.

    References
    ----------
    He et al. (2015), Delving deep into rectifiers.

    Examples
    --------
    >>> PReLU().forward(np.array([[-4.0, 2.0]]), (2,), {"a": np.full(2, 0.25)}, Course())[0]
    array([[-1.,  2.]])
    """

    slope: float = 0.25
    shared: bool = False

    def __post_init__(self) -> None:
        require_share(self, "slope", self.slope)

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        return {"a": (1,) if self.shared else shape[:1]}

    def start(self, shape: Shape, draw: np.random.Generator) -> dict[str, NDArray[np.float64]]:
        return {"a": np.full(self.weight_shapes(shape)["a"], float(self.slope))}

    def forward(self, x: Rows, shape: Shape, weights: Weights, course: Course) -> tuple[Rows, Any]:
        rectify: Any = _core.parametric_relu
        return np.asarray(rectify(x, weights["a"])), x

    def backward(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        back: Any = _core.parametric_relu_back
        dx, by_slope = map(np.asarray, back(kept, weights["a"], dy))
        return dx, {"a": by_slope[0]}


@dataclass(frozen=True)
class Dropout(Layer):
    r"""Entries set to zero at random while training, the others divided by :math:`1 - p`.

    Predictions drop nothing, and the expected entry is the same in both.

    Parameters
    ----------
    rate : float in [0, 1), default=0.5
        p.

    References
    ----------
    Srivastava et al. (2014), Dropout, JMLR 15.

    Examples
    --------
    >>> Dropout(0.5).forward(np.ones((1, 2)), (2,), {}, Course(training=False))[0]
    array([[1., 1.]])
    """

    rate: float = 0.5

    def __post_init__(self) -> None:
        require_share(self, "rate", self.rate)

    def forward(self, x: Rows, shape: Shape, weights: Weights, course: Course) -> tuple[Rows, Any]:
        if not course.training:
            return x, None
        seed = int(course.random.integers(2**63))
        return self._drop(x, seed), seed

    def backward(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        return (dy if kept is None else self._drop(dy, kept)), {}

    def _drop(self, x: Rows, seed: int) -> Rows:
        """The entries that a seed keeps: derivatives on the way back are those of the same ones."""
        drop: Any = _core.drop_entries
        return np.asarray(drop(x, float(self.rate), seed))
