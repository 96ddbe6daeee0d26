"""Convolutions of images."""

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
    require_image,
    require_initial_bias,
    require_whole,
)
from stylobate.neural_network.layers.window import Window, window_of


@dataclass(frozen=True)
class Conv2d(Layer):
    r"""Filters that slide over an image (channels, height, width).

    .. math:: y_{f,i,j} = b_f + \sum_{c,u,v} w_{f,c,u,v}\, x_{c,\, si + du - p,\, sj + dv - p}

    with stride s, dilation d and padding p (zeros around the image).

    Parameters
    ----------
    filters : int in [1, inf)
        Channels of the output.
    kernel_size, stride, dilation : int in [1, inf) or pair of them, defaults 3, 1 and 1
        Of height and width.
    padding : int in [0, inf) or pair of them, or "same", default=0
        "same" gives a place for every `stride` entries; where that is an odd number of zeros, the
        last one is below or to the right.
    groups : int in [1, inf), default=1
        Channels and filters are cut into so many groups that do not see each other.
    initialization : str, default="he"
        "glorot", "glorot_normal", "he", "he_uniform", "lecun" or "zeros".
    bias : float or None, default=0.0
        What biases start with; None: there are none, as before a `BatchNorm`.

    References
    ----------
    LeCun et al. (1998), Gradient-based learning applied to document recognition.

    Examples
    --------
    >>> Conv2d(6, 5, padding=2).output_shape((1, 28, 28))
    (6, 28, 28)
    """

    filters: int
    kernel_size: int | tuple[int, int] = 3
    stride: int | tuple[int, int] = 1
    padding: int | tuple[int, int] | str = 0
    dilation: int | tuple[int, int] = 1
    groups: int = 1
    initialization: str = "he"
    bias: float | None = 0.0

    def __post_init__(self) -> None:
        require_whole(self, "filters", self.filters)
        require_whole(self, "groups", self.groups)
        require_initialization("Conv2d", self.initialization)
        object.__setattr__(self, "bias", require_initial_bias(self, self.bias))
        self._window()

    def _window(self, shape: Shape | None = None) -> Window:
        return Window.of(self, self.kernel_size, self.stride, self.padding, self.dilation, shape)

    def output_shape(self, shape: Shape) -> Shape:
        require_image(self, shape)
        out = self._window(shape).output(self, shape, self.filters)
        if shape[0] % self.groups or self.filters % self.groups:
            raise InvalidParameterError(
                f"Conv2d: groups={self.groups} must divide its {self.filters} filters and the "
                f"{shape[0]} channels of its input."
            )
        return out

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        size = (self.filters, shape[0] // self.groups, *self._window().size)
        return {"W": size} if self.bias is None else {"W": size, "b": (self.filters,)}

    def start(self, shape: Shape, draw: np.random.Generator) -> dict[str, NDArray[np.float64]]:
        size = self.weight_shapes(shape)["W"]
        outputs = self.filters // self.groups * prod(size[2:])
        weights = initial_weights(self.initialization, size, prod(size[1:]), outputs, draw)
        return {"W": weights, "b": np.full(self.filters, self.bias or 0.0)}

    def _asked(self, x: Rows, window: Window, shape: Shape, weights: Weights) -> tuple[Any, ...]:
        geometry = window.geometry(shape)
        return x, geometry, int(self.filters), int(self.groups), weights["W"].reshape(-1)

    def forward(self, x: Rows, shape: Shape, weights: Weights, course: Course) -> tuple[Rows, Any]:
        return self.forward_finished(x, shape, weights)

    def backward(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        return self.backward_finished(dy, kept, shape, weights)

    def backward_weights(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> dict[str, NDArray[Any]]:
        return self.backward_finished(dy, kept, shape, weights, by_images=False)[1]

    def forward_finished(
        self, x: Rows, shape: Shape, weights: Weights, finish: str = "none"
    ) -> tuple[Rows, Any]:
        """With what follows at once: "none", "rectified" or "halved" (see `FinishedConv2d`)."""
        window = window_of(self, shape)
        x = window.widened(x, shape)
        bias = np.zeros(self.filters, dtype=x.dtype) if self.bias is None else weights["b"]
        asked: tuple[Any, ...] = (*self._asked(x, window, shape, weights), bias, finish)
        y, which = map(np.asarray, _core.convolve(*asked))
        return y, (x, y, which)

    def backward_finished(
        self,
        dy: Rows,
        kept: Any,
        shape: Shape,
        weights: Weights,
        finish: str = "none",
        *,
        by_images: bool = True,
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        """The way back; the derivative by the images only if it is asked for."""
        window = window_of(self, shape)
        x, y, which = kept
        asked: tuple[Any, ...] = (
            *self._asked(x, window, shape, weights), dy, by_images, finish, y, which,
        )  # fmt: skip
        found = _core.convolve_back(*asked)
        dx, by_weights, by_bias = map(np.asarray, found)
        shaped = {"W": by_weights.reshape(weights["W"].shape), "b": by_bias[0]}
        return window.narrowed(dx, shape) if by_images else dx, shaped
