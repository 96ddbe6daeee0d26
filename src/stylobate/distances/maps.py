"""From the core's measures (squares, sums of powers) to a metric's own numbers, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError


class Map(NamedTuple):
    """A function of the core applied to every value: kind with its numbers a, b and p.

    Examples
    --------
    >>> Map("exponential", a=-0.5)
    Map(kind='exponential', a=-0.5, b=0.0, p=1.0)
    """

    kind: str = "identity"
    a: float = 1.0
    b: float = 0.0
    p: float = 1.0

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The monotone maps of distances, of an array already at hand."""
        if self.kind == "identity":
            return values
        if self.kind == "scale":
            return np.multiply(values, self.a, out=values)
        if self.kind == "root":
            return np.sqrt(values, out=values)
        if self.kind == "power_root":
            return np.power(values, 1.0 / self.p, out=values)
        if self.kind == "share":
            return self.a * values / (self.b + values)
        return 2.0 * np.arcsin(np.sqrt(np.minimum(values, 1.0)))  # arc

    def inverse(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The measure's value at which a radius in the metric's own unit lies."""
        if self.kind == "scale":
            return np.where(values < 0.0, -1.0, values / self.a)
        if self.kind == "root":
            return np.where(values < 0.0, -1.0, values * values)
        if self.kind == "power_root":
            return np.where(values < 0.0, -1.0, np.abs(values) ** self.p)
        if self.kind == "share":  # a little more than it is: sums of weights are far apart
            below = np.minimum(values, self.a * (1.0 - 1e-15))
            return np.where(
                values < self.a, below * self.b / (self.a - below) * (1 + 1e-14), np.inf
            )
        if self.kind == "arc":
            return np.where(values < 0.0, -1.0, np.sin(np.minimum(values, np.pi) / 2.0) ** 2)
        return values


IDENTITY = Map()
ROOT = Map("root")


class Increasing(NamedTuple):
    """A function of the caller's own of ``scale`` times the measure, which must not decrease.

    Examples
    --------
    >>> Increasing(np.sqrt, 4.0)(np.array([0.25, 1.0]))
    array([1., 2.])
    >>> Increasing(np.sqrt, 4.0).inverse(np.array([1.0]))
    array([0.25])
    """

    function: Callable[[Any], Any]
    scale: float = 1.0

    def __call__(self, values: Array) -> Array:
        """The function of an array of measures."""
        made = np.asarray(self.function(self.scale * values), dtype=np.float64)
        if made.shape != np.shape(values):
            raise InvalidParameterError(
                f"The function of the sums of distances must work entry by entry; of an array of "
                f"shape {np.shape(values)} it made one of {made.shape}."
            )
        return made

    def inverse(self, values: Array) -> Array:
        """The largest measure that is mapped to at most each value; -1 if there is none."""
        wanted = np.atleast_1d(np.asarray(values, dtype=np.float64))
        # doubles that are not negative are ordered as their bits are: 63 halvings find the last
        low = np.zeros(wanted.shape, dtype=np.int64)
        high = np.full(wanted.shape, np.finfo(np.float64).max).view(np.int64)
        while (low < high).any():
            middle = low + (high - low + 1) // 2
            with np.errstate(over="ignore"):
                inside = self(middle.view(np.float64)) <= wanted
            low, high = np.where(inside, middle, low), np.where(inside, high, middle - 1)
        none = self(np.zeros(wanted.shape)) > wanted
        return np.where(none, -1.0, low.view(np.float64)).reshape(np.shape(values))
