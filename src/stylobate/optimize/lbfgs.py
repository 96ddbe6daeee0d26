"""Limited-memory BFGS for smooth functions, with a scaling of the caller's."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.descent import E, Evaluated, descend
from stylobate.optimize.state import dot, norm
from stylobate.optimize.steps import Wolfe
from stylobate.optimize.trace import Trace


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


class QuasiNewton:
    """The direction of L-BFGS: remembers the steps it is shown, and starts anew where it must.

    Parameters
    ----------
    size, scaling
        As of `Memory`.
    """

    def __init__(self, size: int, scaling: Callable[[Array], Array] | None = None) -> None:
        self._size, self._scaling = size, scaling
        self._known = Memory(size, scaling)
        self._last: Evaluated | None = None

    def __call__(self, point: Evaluated) -> Array:
        last, self._last = self._last, point
        if last is not None:
            self._known.remember(point.theta - last.theta, point.gradient - last.gradient)
        direction = -self._known.times(point.gradient)
        if not dot(direction, point.gradient) < 0.0:  # rounding: start the memory anew
            self._known = Memory(self._size, self._scaling)
            direction = -self._known.times(point.gradient)
        return direction


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

    The same direction, step rule and loop as the public `LBFGS`.

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
    point, steps = start, 0
    course = descend(function, start, QuasiNewton(memory, scaling), Wolfe(strong=False))
    for steps, here in enumerate(course):
        point = here.point
        if steps:
            trace.record(
                objective=point.value, gradient_norm=norm(point.gradient), step=here.length
            )
        if steps >= max_iter or done(point):
            break
    return point, steps
