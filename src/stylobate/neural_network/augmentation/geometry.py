"""Images moved, turned and mirrored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.neural_network.augmentation.transform import ImageTransform


def sampled(
    x: NDArray[Any], rows: NDArray[Any], columns: NDArray[Any], fill: float
) -> NDArray[Any]:
    """Images read at points between their pixels, by bilinear interpolation.

    Parameters
    ----------
    x : array of shape (n, channels, height, width)
    rows, columns : arrays of shape (n, height, width)
        Where each pixel of the answer is read; `fill` is read at points outside the image.
    fill : float
    """
    n, channels, height, width = x.shape
    inside = (rows >= 0) & (rows <= height - 1) & (columns >= 0) & (columns <= width - 1)
    rows, columns = np.where(inside, rows, 0.0), np.where(inside, columns, 0.0)
    top, left = np.floor(rows).astype(np.intp), np.floor(columns).astype(np.intp)
    low, right = np.minimum(top + 1, height - 1), np.minimum(left + 1, width - 1)
    down, across = (rows - top).astype(x.dtype), (columns - left).astype(x.dtype)
    pixels = x.reshape(n, channels, height * width)

    def at(i: NDArray[Any], j: NDArray[Any]) -> NDArray[Any]:
        places = (i * width + j).reshape(n, 1, -1)
        return np.asarray(np.take_along_axis(pixels, places, axis=2)).reshape(x.shape)

    down, across = down[:, np.newaxis], across[:, np.newaxis]
    upper = at(top, left) * (1 - across) + at(top, right) * across
    lower = at(low, left) * (1 - across) + at(low, right) * across
    found = upper * (1 - down) + lower * down
    return np.asarray(np.where(inside[:, np.newaxis], found, x.dtype.type(fill)))


@dataclass(frozen=True)
class RandomShift(ImageTransform):
    r"""Every image moved by whole pixels, up to `pixels` in each direction.

    .. math:: y_{c,i,j} = x_{c,\,i-a,\,j-b}, \quad a, b \sim \text{uniform}\{-p, \dots, p\}

    Parameters
    ----------
    pixels : int in [0, inf), default=2
        p.
    fill : float, default=0.0
        What comes in from outside.
    image_shape : tuple of int, optional
        (height, width) or (channels, height, width) of one image, for rows of pixels.
    random_state : int in [0, inf), default=0

    Examples
    --------
    >>> RandomShift(1, random_state=0).transform([[[1.0, 2.0], [3.0, 4.0]]])
    array([[[0., 0.],
            [1., 2.]]])
    """

    pixels: int = 2
    fill: float = 0.0

    def __post_init__(self) -> None:
        self._require("pixels", 0, 1 << 20)

    def __call__(self, x: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
        n, channels, height, width = x.shape
        most = int(self.pixels)
        moves = random.integers(-most, most + 1, size=(2, n))
        rows = np.arange(height) - moves[0][:, np.newaxis]
        columns = np.arange(width) - moves[1][:, np.newaxis]
        inside = ((rows >= 0) & (rows < height))[:, :, np.newaxis] & (
            (columns >= 0) & (columns < width)
        )[:, np.newaxis]
        places = rows.clip(0, height - 1)[:, :, np.newaxis] * width
        places = (places + columns.clip(0, width - 1)[:, np.newaxis]).reshape(n, 1, -1)
        moved = np.take_along_axis(x.reshape(n, channels, -1), places, axis=2).reshape(x.shape)
        return np.where(inside[:, np.newaxis], moved, x.dtype.type(self.fill))


@dataclass(frozen=True)
class RandomRotation(ImageTransform):
    r"""Every image turned about its centre, by an angle uniform in ±`degrees`.

    Pixels are read by bilinear interpolation at the points they come from:
    :math:`(i - c_y, j - c_x) R(\theta) + (c_y, c_x)`.

    Parameters
    ----------
    degrees : float in [0, 180], default=10.0
    fill : float, default=0.0
        What comes in from outside.
    image_shape : tuple of int, optional
        (height, width) or (channels, height, width) of one image, for rows of pixels.
    random_state : int in [0, inf), default=0

    Examples
    --------
    >>> RandomRotation(0.0).transform([[[1.0, 2.0], [3.0, 4.0]]])
    array([[[1., 2.],
            [3., 4.]]])
    """

    degrees: float = 10.0
    fill: float = 0.0

    def __post_init__(self) -> None:
        self._require("degrees", 0.0, 180.0)

    def __call__(self, x: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
        return turned(x, random.uniform(-self.degrees, self.degrees, len(x)), self.fill)


def turned(x: NDArray[Any], degrees: NDArray[Any], fill: float = 0.0) -> NDArray[Any]:
    """Images turned counter-clockwise, each by its own angle.

    Examples
    --------
    >>> turned(np.array([[[[1.0, 2.0], [3.0, 4.0]]]]), np.array([90.0])).round(9)
    array([[[[2., 4.],
             [1., 3.]]]])
    """
    height, width = x.shape[2:]
    angle = np.deg2rad(degrees)[:, np.newaxis, np.newaxis]
    cosine, sine = np.cos(angle), np.sin(angle)
    i = (np.arange(height) - (height - 1) / 2)[:, np.newaxis]
    j = np.arange(width) - (width - 1) / 2
    rows = cosine * i + sine * j + (height - 1) / 2
    columns = cosine * j - sine * i + (width - 1) / 2
    near = [np.where(abs(p - p.round()) < 1e-9, p.round(), p) for p in (rows, columns)]
    return sampled(x, near[0], near[1], fill)


@dataclass(frozen=True)
class RandomFlip(ImageTransform):
    """Images mirrored, each with its own chance.

    Parameters
    ----------
    horizontal : float in [0, 1], default=0.5
        How often left and right are exchanged.
    vertical : float in [0, 1], default=0.0
        How often top and bottom are.
    image_shape : tuple of int, optional
        (height, width) or (channels, height, width) of one image, for rows of pixels.
    random_state : int in [0, inf), default=0

    Examples
    --------
    >>> RandomFlip(1.0).transform([[[1.0, 2.0], [3.0, 4.0]]])
    array([[[2., 1.],
            [4., 3.]]])
    """

    horizontal: float = 0.5
    vertical: float = 0.0

    def __post_init__(self) -> None:
        self._require("horizontal", 0.0, 1.0)
        self._require("vertical", 0.0, 1.0)

    def __call__(self, x: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
        across, down = random.random((2, len(x), 1, 1, 1))
        x = np.where(across < self.horizontal, x[:, :, :, ::-1], x)
        return np.where(down < self.vertical, x[:, :, ::-1], x)
