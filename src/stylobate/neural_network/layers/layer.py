"""What a layer is: shapes in and out, weights, a pass forward and one back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidParameterError

Shape = tuple[int, ...]
Weights = Mapping[str, NDArray[Any]]
Rows = NDArray[Any]  # one example a row, its entries side by side


@dataclass(frozen=True, slots=True)
class Course:
    """What a layer may know of the pass it takes part in.

    Parameters
    ----------
    training : bool
        Whether entries are dropped and moments are those of the batch.
    random : numpy Generator, optional
        Draws what is dropped; needed while training.
    state : mapping of str to array
        What the layer remembers of training; changed in place by a training pass.
    """

    training: bool = False
    random: Any = None
    state: Weights = field(default_factory=dict)


class Layer:
    """One step of a network. Subclasses are frozen dataclasses: comparable, printable, reusable."""

    def _check_loaded(self) -> None:
        """Hold the values of a model file against the limits that the constructor has."""
        checks = getattr(self, "__post_init__", None)
        if checks is not None:
            checks()

    def output_shape(self, shape: Shape) -> Shape:
        """The shape of one example behind the layer; refuses shapes that do not fit."""
        return shape

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        """Names and shapes of what is learnt, given the shape of an input."""
        return {}

    def state_start(self, shape: Shape) -> dict[str, NDArray[np.float64]]:
        """What is remembered but not learnt by gradients, at the start."""
        return {}

    def start(self, shape: Shape, draw: np.random.Generator) -> dict[str, NDArray[np.float64]]:
        """First weights, drawn."""
        return {}

    def forward(self, x: Rows, shape: Shape, weights: Weights, course: Course) -> tuple[Rows, Any]:
        """Outputs, and what the way back needs."""
        raise NotImplementedError

    def backward(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        """Derivatives by the inputs and by the weights, given those by the outputs."""
        raise NotImplementedError

    def backward_weights(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> dict[str, NDArray[Any]]:
        """Those by the weights alone, for a first layer; cheaper where a layer says how."""
        return self.backward(dy, kept, shape, weights)[1]


def require_whole(owner: Layer, name: str, value: Any, least: int = 1) -> None:
    """Refuse a size that is not a whole number."""
    if not isinstance(value, Integral) or isinstance(value, bool) or int(value) < least:
        raise InvalidParameterError(
            f"{type(owner).__name__}: {name} must be a whole number in [{least}, inf), got "
            f"{value!r}."
        )


def require_share(owner: Layer, name: str, value: Any, high: float = 1.0) -> None:
    """Refuse a number outside [0, high)."""
    if not 0.0 <= float(value) < high:
        raise InvalidParameterError(
            f"{type(owner).__name__}: {name} must be a number in [0, {high:g}), got {value!r}."
        )


def require_positive(owner: Layer, name: str, value: Any) -> None:
    """Refuse a number outside (0, inf)."""
    if not 0.0 < float(value) < float("inf"):
        raise InvalidParameterError(
            f"{type(owner).__name__}: {name} must be a number in (0, inf), got {value!r}."
        )


def require_initial_bias(owner: Layer, bias: Any) -> float | None:
    """What biases start with; None where there are none (None or False)."""
    if bias is None or bias is False:
        return None
    if isinstance(bias, bool):
        return 0.0
    if not isinstance(bias, Real) or not isfinite(bias):
        raise InvalidParameterError(
            f"{type(owner).__name__}: bias must be a finite number to start with, or None for no "
            f"biases, got {bias!r}."
        )
    return float(bias)


def require_image(owner: Layer, shape: Shape) -> None:
    """Refuse examples that are not (channels, height, width)."""
    if len(shape) != 3:
        raise InvalidParameterError(
            f"{type(owner).__name__} takes images (channels, height, width), but its input has "
            f"shape {shape}."
        )


def pair(owner: Layer, name: str, value: Any, least: int = 1) -> tuple[int, int]:
    """One number for both directions, or two of them."""
    both = value if isinstance(value, tuple) else (value, value)
    if len(both) != 2:
        raise InvalidParameterError(
            f"{type(owner).__name__}: {name} must be a whole number or a pair, got {value!r}."
        )
    for one in both:
        require_whole(owner, name, one, least)
    return int(both[0]), int(both[1])
