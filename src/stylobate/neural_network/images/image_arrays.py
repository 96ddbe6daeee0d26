"""Images as callers pass them, as arrays (n, channels, height, width)."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError, InvalidParameterError

Shape = tuple[int, int, int]


def image_shape_of(given: Any, owner: str) -> Shape:
    """(channels, height, width) of (height, width) or of itself.

    Examples
    --------
    >>> image_shape_of((28, 28), "example")
    (1, 28, 28)
    """
    sizes = tuple(given) if isinstance(given, tuple | list) else ()
    whole = all(isinstance(size, int | np.integer) and size >= 1 for size in sizes)
    if len(sizes) not in (2, 3) or not whole:
        raise InvalidParameterError(
            f"{owner}: image_shape must be (height, width) or (channels, height, width), got "
            f"{given!r}."
        )
    channels, height, width = (1, *sizes) if len(sizes) == 2 else sizes
    return int(channels), int(height), int(width)


def as_images(X: Any, image_shape: Any, owner: str) -> NDArray[Any]:
    """Images (n, channels, height, width): a view of what was passed, where that is possible.

    Parameters
    ----------
    X : array-like of shape (n, height, width), (n, channels, height, width) or (n, pixels)
    image_shape : tuple of int or None
        Of one image; needed for rows of pixels.
    owner : str
        Who is named in refusals.

    Examples
    --------
    >>> as_images(np.zeros((5, 64)), (8, 8), "example").shape
    (5, 1, 8, 8)
    """
    given = np.asarray(X)
    if given.dtype.kind not in "biuf":
        raise InvalidDataError(f"{owner}: images must be numbers, got dtype {given.dtype}.")
    if given.ndim not in (2, 3, 4) or (given.ndim == 2 and image_shape is None):
        raise InvalidDataError(
            f"{owner}: images must have shape (n, height, width) or (n, channels, height, width), "
            f"or be rows of pixels with image_shape=(height, width); got {given.shape}."
        )
    found = given[:, np.newaxis] if given.ndim == 3 else given
    if image_shape is None:
        return found
    shape = image_shape_of(image_shape, owner)
    if given.ndim == 2 and given.shape[1] == prod(shape):
        return given.reshape(len(given), *shape)
    if found.shape[1:] != shape:
        raise InvalidDataError(
            f"{owner}: images must have shape (channels, height, width) = {shape}, or be rows of "
            f"{prod(shape)} pixels; got {given.shape}."
        )
    return found
