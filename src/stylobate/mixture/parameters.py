"""Annotations of the parameters mixtures share, and checks of arrays that are given to start."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval, Numbers, Options
from stylobate.exceptions import InvalidParameterError

COVARIANCE_TYPES = ("full", "tied", "diag", "spherical")

Components = Annotated[int, Interval(1, inf)]
Covariances = Annotated[str, Options(*COVARIANCE_TYPES)]
NotNegative = Annotated[float, Interval(0, inf)]
Positive = Annotated[float, Interval(0, inf, closed="neither")]
Iterations = Annotated[int, Interval(0, inf)]
Starts = Annotated[int, Interval(1, inf)]
FirstMemberships = Annotated[str, Options("kmeans", "k-means++", "random", "random_from_data")]
Verbose = Annotated[int, Interval(0, inf)] | bool
Vector = Annotated[Any, Numbers(ndim=1)]
Matrix = Annotated[Any, Numbers(ndim=2)]
Cube = Annotated[Any, Numbers(ndim=3)]


def given_array(value: Any, shape: tuple[int, ...], name: str, owner: str) -> Array:
    """An array that was given, of the shape it must have."""
    array = np.asarray(value, dtype=np.float64)
    if array.shape != shape:
        raise InvalidParameterError(
            f"{owner}: The parameter '{name}' should have the shape of {shape}, but got "
            f"{array.shape}"
        )
    return np.ascontiguousarray(array)


def given_weights(value: Any, components: int, owner: str) -> Array:
    """Weights that were given: shares of 1."""
    weights = given_array(value, (components,), "weights", owner)
    if (weights < 0.0).any() or (weights > 1.0).any():
        raise InvalidParameterError(
            f"{owner}: The parameter 'weights' should be in the range [0, 1], but got max value "
            f"{weights.min():.5f}, min value {weights.max():.5f}"
        )
    allowed = 1e-6 if np.asarray(value).dtype == np.float32 else 1e-8
    if abs(1.0 - weights.sum()) > allowed:
        raise InvalidParameterError(
            f"{owner}: The parameter 'weights' should be normalized, but got sum(weights) = "
            f"{weights.sum():.5f}"
        )
    return weights
