"""Poolings of images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.exceptions import InvalidParameterError
from stylobate.neural_network.layers.layer import Course, Layer, Rows, Shape, Weights, require_image
from stylobate.neural_network.layers.window import Window, window_of


class Pooling(Layer):
    """The largest or the mean entry of every window."""

    largest: ClassVar[bool]

    def _window(self, shape: Shape) -> Window:
        raise NotImplementedError

    def output_shape(self, shape: Shape) -> Shape:
        require_image(self, shape)
        return self._window(shape).output(self, shape, shape[0])

    def forward(self, x: Rows, shape: Shape, weights: Weights, course: Course) -> tuple[Rows, Any]:
        window = window_of(self, shape)
        x = window.widened(x, shape, -np.inf if self.largest else 0.0)
        asked: tuple[Any, ...] = (x, self.largest, window.geometry(shape))
        return np.asarray(_core.pool(*asked)), x

    def backward(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        window = window_of(self, shape)
        asked: tuple[Any, ...] = (kept, self.largest, window.geometry(shape), dy)
        return window.narrowed(np.asarray(_core.pool_back(*asked)), shape), {}


@dataclass(frozen=True)
class SlidingPooling(Pooling):
    """A window that slides."""

    kernel_size: int | tuple[int, int] = 2
    stride: int | tuple[int, int] | None = None
    padding: int | tuple[int, int] | str = 0

    def __post_init__(self) -> None:
        window = self._window(())
        if any(2 * p > size for p, size in zip(window.padding, window.size, strict=True)):
            raise InvalidParameterError(
                f"{type(self).__name__}: padding must be at most half of kernel_size="
                f"{self.kernel_size!r}, got {self.padding!r}."
            )

    def _window(self, shape: Shape) -> Window:
        stride = self.kernel_size if self.stride is None else self.stride
        return Window.of(self, self.kernel_size, stride, self.padding, shape=shape or None)


@dataclass(frozen=True)
class MaxPool2d(SlidingPooling):
    """The largest entry of every window.

    Parameters
    ----------
    kernel_size : int in [1, inf) or pair of them, default=2
        Height and width of the window.
    stride : int in [1, inf) or pair of them, optional
        That of the window's size by default: windows side by side.
    padding : int in [0, kernel_size / 2] or pair of them, or "same", default=0
        Never the largest. "same": a place for every `stride` entries.

    Examples
    --------
    >>> MaxPool2d(2).output_shape((6, 28, 28))
    (6, 14, 14)
    """

    largest: ClassVar[bool] = True

    @property
    def halves(self) -> bool:
        """Whether windows are 2 × 2 side by side."""
        window = window_of(self, ())
        return self.padding != "same" and window == Window((2, 2), (2, 2), (0, 0), (1, 1))


@dataclass(frozen=True)
class MinPool2d(SlidingPooling):
    """The smallest entry of every window.

    Parameters
    ----------
    kernel_size : int in [1, inf) or pair of them, default=2
        Height and width of the window.
    stride : int in [1, inf) or pair of them, optional
        That of the window's size by default: windows side by side.
    padding : int in [0, kernel_size / 2] or pair of them, or "same", default=0
        Never the smallest. "same": a place for every `stride` entries.

    Examples
    --------
    >>> MinPool2d(2).forward(np.array([[3.0, 1.0, 2.0, 4.0]]), (1, 2, 2), {}, Course())[0]
    array([[1.]])
    """

    largest: ClassVar[bool] = True  # of −x

    def forward(self, x: Rows, shape: Shape, weights: Weights, course: Course) -> tuple[Rows, Any]:
        y, kept = super().forward(-x, shape, weights, course)
        return -y, kept


@dataclass(frozen=True)
class AvgPool2d(SlidingPooling):
    """The mean entry of every window.

    Parameters
    ----------
    kernel_size : int in [1, inf) or pair of them, default=2
        Height and width of the window.
    stride : int in [1, inf) or pair of them, optional
        That of the window's size by default: windows side by side.
    padding : int in [0, kernel_size / 2] or pair of them, or "same", default=0
        Zeros around the image. "same": a place for every `stride` entries.
    count_include_pad : bool, default=True
        Whether padding counts as entries of a window; if not, means are of the image alone.

    Examples
    --------
    >>> AvgPool2d(3, stride=2, padding=1).output_shape((4, 9, 9))
    (4, 5, 5)
    """

    count_include_pad: bool = True
    largest: ClassVar[bool] = False

    def _factors(self, shape: Shape, dtype: Any) -> NDArray[Any]:
        """1 / the share of every window that lies within the image."""
        window, ones = self._window(shape), np.ones((1, shape[1] * shape[2]), dtype=dtype)
        plane = (1, shape[1], shape[2])
        asked: tuple[Any, ...] = (window.widened(ones, plane), False, window.geometry(plane))
        return np.tile(1.0 / np.asarray(_core.pool(*asked)), (1, shape[0]))

    def _counts_all(self, shape: Shape) -> bool:
        window = self._window(shape)
        return self.count_include_pad or (window.padding == window.extra == (0, 0))

    def forward(self, x: Rows, shape: Shape, weights: Weights, course: Course) -> tuple[Rows, Any]:
        y, kept = super().forward(x, shape, weights, course)
        return (y if self._counts_all(shape) else y * self._factors(shape, y.dtype)), kept

    def backward(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        if not self._counts_all(shape):
            dy = dy * self._factors(shape, dy.dtype)
        return super().backward(dy, kept, shape, weights)


class GlobalPooling(Pooling):
    """One window over all of a channel."""

    def _window(self, shape: Shape) -> Window:
        return Window.of(self, (shape[1], shape[2]), 1, 0)

    def output_shape(self, shape: Shape) -> Shape:
        return super().output_shape(shape)[:1]


@dataclass(frozen=True)
class GlobalAvgPool2d(GlobalPooling):
    """The mean of every channel.

    Examples
    --------
    >>> GlobalAvgPool2d().output_shape((64, 7, 7))
    (64,)
    """

    largest: ClassVar[bool] = False


@dataclass(frozen=True)
class GlobalMaxPool2d(GlobalPooling):
    """The largest entry of every channel.

    Examples
    --------
    >>> GlobalMaxPool2d().output_shape((64, 7, 7))
    (64,)
    """

    largest: ClassVar[bool] = True
