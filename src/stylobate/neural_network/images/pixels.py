"""Pixels as networks like them: every channel of mean 0 and variance 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class PixelScale:
    """Mean and spread of every channel, and the way there and back.

    Parameters
    ----------
    mean, spread : arrays of shape (channels,)

    Examples
    --------
    >>> scale = PixelScale.of(np.array([[[[0.0, 2.0]]]]))
    >>> scale.standard(np.array([[[[0.0, 2.0]]]])).tolist()
    [[[[-1.0, 1.0]]]]
    """

    mean: NDArray[np.float64]
    spread: NDArray[np.float64]

    @classmethod
    def of(cls, images: NDArray[Any], weights: NDArray[Any] | None = None) -> PixelScale:
        """Those of images (n, channels, height, width); channels of one value keep their unit."""
        mean = np.average(images.mean(axis=(2, 3), dtype=np.float64), axis=0, weights=weights)
        away = images.astype(np.float64) - mean[:, np.newaxis, np.newaxis]
        variance = np.average((away * away).mean(axis=(2, 3)), axis=0, weights=weights)
        return cls(mean, np.where(variance > 0.0, np.sqrt(variance), 1.0))

    @classmethod
    def plain(cls, channels: int) -> PixelScale:
        """That changes nothing."""
        return cls(np.zeros(channels), np.ones(channels))

    def standard(self, images: NDArray[Any]) -> NDArray[Any]:
        """Pixels as the network takes them."""
        return np.asarray((images - self._by_channel(self.mean)) / self._by_channel(self.spread))

    def raw(self, images: NDArray[Any]) -> NDArray[Any]:
        """Pixels as they came."""
        spread = self._by_channel(self.spread).astype(images.dtype)
        return np.asarray(images * spread + self._by_channel(self.mean).astype(images.dtype))

    @staticmethod
    def _by_channel(values: NDArray[Any]) -> NDArray[Any]:
        return values[:, np.newaxis, np.newaxis]


@dataclass(frozen=True, slots=True)
class PixelNetwork:
    """A network of standardised pixels, asked in the units of the pixels."""

    network: Any
    scale: PixelScale

    def input_gradient(self, images: NDArray[Any], codes: NDArray[Any]) -> NDArray[Any]:
        """Derivatives of the mean cross-entropy by the pixels."""
        rows = self.scale.standard(images)
        slopes = self.network.input_gradient(rows, codes, "cross_entropy")[1]
        return np.asarray(slopes / self.scale.spread[:, np.newaxis, np.newaxis])


@dataclass(frozen=True, slots=True)
class PixelAugmentation:
    """Augmentations in the units of the pixels, inside a training on standardised ones."""

    steps: tuple[Any, ...]
    scale: PixelScale

    @property
    def sees_network(self) -> bool:
        """Whether a step asks the network of the moment."""
        return any(getattr(step, "sees_network", False) for step in self.steps)

    def __call__(
        self, x: NDArray[Any], random: np.random.Generator, y: Any = None, network: Any = None
    ) -> NDArray[Any]:
        """A batch of standardised images, changed."""
        images = self.scale.raw(x)
        for step in self.steps:
            if getattr(step, "sees_network", False):
                images = step(images, random, y, PixelNetwork(network, self.scale))
            else:
                images = step(images, random)
        return self.scale.standard(images).astype(x.dtype)
