"""What augmentations share: images in, changed images of the same layout out."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neural_network.images.image_arrays import as_images


@dataclass(frozen=True, kw_only=True)
class ImageTransform:
    """A random change of images, the same for the same seed.

    Alone it has scikit-learn's surface (`fit`, `transform`, `fit_transform`, `get_params`); inside
    training it is called with a batch and the generator of the training.
    """

    image_shape: tuple[int, ...] | None = None
    random_state: int = 0

    def __call__(self, x: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
        """Images (n, channels, height, width), changed: what `Network.train(augment=…)` calls."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None) -> Self:
        """Nothing is learnt; images that do not fit are refused.

        Parameters
        ----------
        X : array-like
            As of `transform`.
        y : ignored

        Returns
        -------
        self
        """
        self._images(X)
        return self

    def transform(self, X: Any) -> NDArray[Any]:
        """Changed images, in the layout they came in; the same ones for the same `random_state`.

        Parameters
        ----------
        X : array-like of shape (n, height, width), (n, channels, height, width) or (n, pixels)
            Rows of pixels need `image_shape`.

        Returns
        -------
        array of the shape of X
        """
        images = self._images(X)
        return self(images, np.random.default_rng(self.random_state)).reshape(np.shape(X))

    def fit_transform(self, X: Any, y: Any = None) -> NDArray[Any]:
        """As `transform`.

        Parameters
        ----------
        X, y
            As of `fit`.
        """
        return self.transform(X)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name.

        Parameters
        ----------
        deep : bool, default=True
            For scikit-learn; there is nothing deeper.
        """
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def with_random_state(self, seed: int) -> Self:
        """The same change with another seed.

        Parameters
        ----------
        seed : int in [0, inf)
        """
        return replace(self, random_state=seed)

    def _images(self, X: Any) -> NDArray[Any]:
        images = as_images(X, self.image_shape, type(self).__name__)
        if images.dtype.kind != "f":
            images = images.astype(np.float64)
        if not np.isfinite(images).all():
            raise InvalidDataError(f"{type(self).__name__}: X holds NaN or infinity.")
        return images

    def _require(self, name: str, low: float, high: float) -> None:
        value = getattr(self, name)
        known = isinstance(value, int | float | np.integer | np.floating)
        if not (known and low <= value <= high):
            raise InvalidParameterError(
                f"{type(self).__name__}: {name} must be a number in [{low:g}, {high:g}], got "
                f"{value!r}."
            )


@dataclass(frozen=True)
class AugmentationChain(ImageTransform):
    """Changes one behind the other.

    Parameters
    ----------
    steps : sequence of transforms
    image_shape : tuple of int, optional
        Of one image, for rows of pixels.
    random_state : int in [0, inf), default=0
        Seeds all steps, in order; their own seeds are not used.

    Examples
    --------
    >>> from stylobate.neural_network import RandomFlip, RandomShift
    >>> chain = AugmentationChain((RandomShift(1), RandomFlip()))
    >>> chain.transform(np.zeros((2, 8, 8))).shape
    (2, 8, 8)
    """

    steps: tuple[ImageTransform, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", tuple(self.steps))
        for step in self.steps:
            if not callable(step):
                raise InvalidParameterError(
                    f"AugmentationChain: {step!r} is no augmentation; take RandomShift(2), say."
                )

    def __call__(self, x: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
        for step in self.steps:
            x = step(x, random)
        return x
