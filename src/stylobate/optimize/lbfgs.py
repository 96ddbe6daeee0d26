"""Limited-memory BFGS for smooth functions, with a scaling of the caller's."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.steps import Ray, Wolfe
from stylobate.optimize.trace import Trace

Array = NDArray[np.float64]


def dot(a: Array, b: Array) -> float:
    """a·b without BLAS, whose threads would spin between two passes over the rows."""
    return float(np.einsum("i,i->", a, b))


class Evaluated(Protocol):
    """A point with the function's value and gradient there."""

    @property
    def theta(self) -> Array: ...

    @property
    def value(self) -> float: ...

    @property
    def gradient(self) -> Array: ...


E = TypeVar("E", bound=Evaluated)


class Memory:
    """The last few steps and changes of the gradient, as an approximate inverse Hessian.

    Parameters
    ----------
    size : int, >= 1
        How many steps are remembered.
    scaling : callable or None
        The inverse Hessian where nothing is remembered; a multiple of the identity by default.
    """

    def __init__(self, size: int, scaling: Callable[[Array], Array] | None = None) -> None:
        self._pairs: deque[tuple[Array, Array, float]] = deque(maxlen=size)
        self._scaling = scaling

    def remember(self, step: Array, change: Array) -> None:
        """Take in a step and the change of the gradient along it, if it curves upwards."""
        curvature = dot(step, change)
        if curvature > 1e-12 * (dot(step, step) * dot(change, change)) ** 0.5:
            self._pairs.append((step, change, 1.0 / curvature))

    def times(self, gradient: Array) -> Array:
        """The approximate inverse Hessian times a gradient (two loops over the memory)."""
        direction, factors = gradient.copy(), []
        for step, change, inverse in reversed(self._pairs):
            factor = inverse * dot(step, direction)
            factors.append(factor)
            direction -= factor * change
        direction = self._scaled(direction)
        for (step, change, inverse), factor in zip(self._pairs, reversed(factors), strict=True):
            direction += (factor - inverse * dot(change, direction)) * step
        return direction

    def _scaled(self, direction: Array) -> Array:
        if self._scaling is not None:
            return self._scaling(direction)
        if not self._pairs:
            return direction / max(float(np.abs(direction).sum()), 1.0)
        _, change, inverse = self._pairs[-1]
        return direction / (inverse * dot(change, change))


def minimize_lbfgs(
    function: Callable[[Array], E],
    start: E,
    done: Callable[[E], bool],
    *,
    max_iter: int,
    trace: Trace,
    memory: int = 10,
    scaling: Callable[[Array], Array] | None = None,
) -> tuple[E, int]:
    """Minimise a smooth function; returns the last point and the number of steps.

    Parameters
    ----------
    function : callable
        Evaluates a point: its result has ``theta``, ``value`` and ``gradient``.
    start : evaluated point
        Where to begin.
    done : callable
        Asked at every point whether it is good enough.
    max_iter : int
        Most steps.
    trace : Trace
        Records them.
    memory : int, default=10
        Steps remembered.
    scaling : callable, optional
        An approximate inverse Hessian, applied to a vector.

    References
    ----------
    Liu & Nocedal (1989), On the limited memory BFGS method, Mathematical Programming 45.
    """
    point, known = start, Memory(memory, scaling)
    for iteration in range(max_iter):
        if done(point):
            return point, iteration
        direction = known.times(point.gradient)
        if not dot(direction, point.gradient) > 0.0:  # rounding: start the memory anew
            known = Memory(memory, scaling)
            direction = known.times(point.gradient)
        length, moved = _search(function, point, direction)
        if moved is None:
            return point, iteration
        known.remember(moved.theta - point.theta, moved.gradient - point.gradient)
        trace.record(
            objective=moved.value,
            gradient_norm=dot(moved.gradient, moved.gradient) ** 0.5,
            step=length,
        )
        point = moved
    return point, max_iter


def _search(function: Callable[[Array], E], point: E, direction: Array) -> tuple[float, Any]:
    """A step along −direction with a sufficient decrease and a flatter slope (weak Wolfe)."""
    last: tuple[float, E] | None = None

    def at(length: float) -> E:
        nonlocal last
        if last is None or last[0] != length:
            last = (length, function(point.theta - length * direction))
        return last[1]

    ray = Ray(
        value_at=lambda length: at(length).value,
        slope_at=lambda length: -dot(direction, at(length).gradient),
        value=point.value,
        slope=-dot(direction, point.gradient),
    )
    length = Wolfe(strong=False).length(ray, 1, 0.0)
    return (0.0, None) if length is None else (length, at(length))
