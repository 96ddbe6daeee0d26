"""Windows that slide over images: how many places they have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.neural_network.layers.layer import Layer, Rows, Shape, pair, require_image


@dataclass(frozen=True, slots=True)
class Window:
    """Height and width of a window, and how it moves.

    `extra` is padding below and to the right of the image beyond `padding`, which "same" needs
    where it cannot be shared out evenly.

    Examples
    --------
    >>> Window((3, 3), (2, 2), (1, 1), (1, 1)).places((8, 9))
    (4, 5)
    """

    size: tuple[int, int]
    stride: tuple[int, int]
    padding: tuple[int, int]
    dilation: tuple[int, int]
    extra: tuple[int, int] = (0, 0)

    @classmethod
    def of(
        cls,
        owner: Layer,
        size: Any,
        stride: Any,
        padding: Any,
        dilation: Any = 1,
        shape: Shape | None = None,
    ) -> Window:
        """Each a whole number for both directions, or a pair; padding may be "same".

        Parameters
        ----------
        shape : tuple of int, optional
            Of the images, on which "same" depends; without it "same" is no padding.
        """
        same = isinstance(padding, str)
        if same and padding != "same":
            raise InvalidParameterError(
                f"{type(owner).__name__}: padding must be a whole number, a pair or 'same', got "
                f"{padding!r}."
            )
        window = cls(
            pair(owner, "kernel_size", size),
            pair(owner, "stride", stride),
            (0, 0) if same else pair(owner, "padding", padding, 0),
            pair(owner, "dilation", dilation),
        )
        return window._same(shape) if same and shape is not None else window

    def _same(self, shape: Shape) -> Window:
        """Padded so that there is a place for every `stride` entries of the image."""
        before, extra = [], []
        for length, size, stride, dilation in zip(
            shape[1:], self.size, self.stride, self.dilation, strict=True
        ):
            places = -(-length // stride)
            total = max((places - 1) * stride + dilation * (size - 1) + 1 - length, 0)
            before.append(total // 2)
            extra.append(total % 2)
        return Window(
            self.size, self.stride, (before[0], before[1]), self.dilation, (extra[0], extra[1])
        )

    def places(self, image: tuple[int, int]) -> tuple[int, int]:
        """Rows and columns of places in an image of this height and width."""
        found = [
            (length + extra + 2 * padding - dilation * (size - 1) - 1) // stride + 1
            for length, size, stride, padding, dilation, extra in zip(
                image, self.size, self.stride, self.padding, self.dilation, self.extra, strict=True
            )
        ]
        return found[0], found[1]

    def output(self, owner: Layer, shape: Shape, channels: int) -> Shape:
        """The shape behind the layer; refuses images that are smaller than the window."""
        require_image(owner, shape)
        places = self.places((shape[1], shape[2]))
        if min(places) < 1:
            raise InvalidParameterError(
                f"{type(owner).__name__}: the window of {self.size[0]} × {self.size[1]} (dilation "
                f"{self.dilation}) is larger than its input of shape {shape} with padding "
                f"{self.padding}."
            )
        return (channels, *places)

    def geometry(self, shape: Shape) -> list[int]:
        """As the core takes it, for images that are `widened`."""
        channels, height, width = shape
        image = [channels, height + self.extra[0], width + self.extra[1]]
        return [*image, *self.size, *self.stride, *self.padding, *self.dilation]

    def widened(self, x: Rows, shape: Shape, value: float = 0.0) -> Rows:
        """Images with the extra padding."""
        if self.extra == (0, 0):
            return x
        beyond = [(0, 0), (0, 0), (0, self.extra[0]), (0, self.extra[1])]
        images = np.pad(x.reshape(len(x), *shape), beyond, constant_values=value)
        return images.reshape(len(x), -1)

    def narrowed(self, dx: Rows, shape: Shape) -> Rows:
        """Derivatives by the images themselves, given those by widened ones."""
        if self.extra == (0, 0):
            return dx
        channels, height, width = shape
        images = dx.reshape(len(dx), channels, height + self.extra[0], width + self.extra[1])
        return np.ascontiguousarray(images[:, :, :height, :width]).reshape(len(dx), -1)


class _Slides(Protocol):
    def _window(self, shape: Shape) -> Window: ...


@lru_cache(maxsize=1024)
def window_of(layer: _Slides, shape: Shape) -> Window:
    """That of a layer on images of this shape; every batch asks for it."""
    return layer._window(shape)
