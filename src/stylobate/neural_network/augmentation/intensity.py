"""Images made brighter, of other contrast, or noisy."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.neural_network.augmentation.transform import ImageTransform


@dataclass(frozen=True)
class RandomBrightness(ImageTransform):
    r"""Every image brighter or darker, and of more or less contrast.

    .. math:: y = \bar x + (1 + v)(x - \bar x) + u, \quad
              u \sim U[-\text{spread}, \text{spread}], \; v \sim U[-\text{contrast},
              \text{contrast}]

    with :math:`\bar x` the mean pixel of the image.

    Parameters
    ----------
    spread : float in [0, inf), default=0.2
        In units of the pixels.
    contrast : float in [0, 1], default=0.0
    image_shape : tuple of int, optional
        (height, width) or (channels, height, width) of one image, for rows of pixels.
    random_state : int in [0, inf), default=0

    Examples
    --------
    >>> changed = RandomBrightness(0.5).transform([[[1.0, 2.0], [3.0, 4.0]]])
    >>> bool(np.ptp(changed) == 3.0)
    True
    """

    spread: float = 0.2
    contrast: float = 0.0

    def __post_init__(self) -> None:
        self._require("spread", 0.0, inf)
        self._require("contrast", 0.0, 1.0)

    def __call__(self, x: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
        size = (len(x), 1, 1, 1)
        more = random.uniform(-self.spread, self.spread, size).astype(x.dtype)
        factor = 1 + random.uniform(-self.contrast, self.contrast, size).astype(x.dtype)
        mean = x.mean(axis=(1, 2, 3), keepdims=True)
        return np.asarray(mean + factor * (x - mean) + more)


@dataclass(frozen=True)
class RandomNoise(ImageTransform):
    r"""Normal noise on every pixel: :math:`y = x + \sigma z`.

    Parameters
    ----------
    spread : float in [0, inf), default=0.1
        σ, in units of the pixels.
    image_shape : tuple of int, optional
        (height, width) or (channels, height, width) of one image, for rows of pixels.
    random_state : int in [0, inf), default=0

    Examples
    --------
    >>> RandomNoise(0.0).transform([[[1.0, 2.0]]])
    array([[[1., 2.]]])
    """

    spread: float = 0.1

    def __post_init__(self) -> None:
        self._require("spread", 0.0, inf)

    def __call__(self, x: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
        kind = np.float32 if x.dtype == np.float32 else np.float64
        noise = random.standard_normal(x.shape, dtype=kind)
        return np.asarray(x + x.dtype.type(self.spread) * noise)
