"""Descent: the one loop of every method that goes along a direction.

A descent is made of an *oracle* (a point → its value and derivatives there), a *direction* (asked
at every point; it remembers what it likes) and a *step rule*. Gradient descent, conjugate
gradients, BFGS, L-BFGS and Newton's method are directions. `minimize` walks it with an oracle made
of a `Problem`; logistic regression and the generalised linear models walk it with oracles that read
their rows once for all derivatives. When to end is the business of who walks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.state import dot
from stylobate.optimize.steps import Ray, StepRule


class Evaluated(Protocol):
    """A point with the function's value and gradient there."""

    @property
    def theta(self) -> Array: ...

    @property
    def value(self) -> float: ...

    @property
    def gradient(self) -> Array: ...


E = TypeVar("E", bound=Evaluated)


class Stand(Generic[E]):
    """Where a descent stands, and where it will go on to.

    Parameters
    ----------
    point : evaluated point
    length : float
        Of the step that led here; 0 at the start.
    find : callable
        Finds the direction, once it is asked for.
    """

    __slots__ = ("_direction", "_find", "length", "point")

    def __init__(self, point: E, length: float, find: Callable[[E], Array]) -> None:
        self.point, self.length = point, length
        self._find, self._direction = find, None

    _direction: Array | None

    @property
    def direction(self) -> Array:
        """Of the next step; who walks may put a better one in its place."""
        if self._direction is None:
            with np.errstate(over="ignore", invalid="ignore"):  # a run that diverges says so
                self._direction = self._find(self.point)
        return self._direction

    @direction.setter
    def direction(self, better: Array) -> None:
        self._direction = better


def descend(
    at: Callable[[Array], E],
    start: E,
    find: Callable[[E], Array],
    rule: StepRule,
    *,
    grows: bool = False,
) -> Iterator[Stand[E]]:
    r"""The points of :math:`\theta \leftarrow \theta + \eta d`; ends where no step helps.

    Parameters
    ----------
    at : callable
        The oracle: evaluates a point.
    start : evaluated point
    find : callable
        An evaluated point → the direction d there.
    rule : StepRule
        How far to go along it.
    grows : bool, default=False
        Whether the search for a step begins near the last one's length; directions with a length of
        their own begin at 1.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from stylobate.optimize.steps import Constant
    >>> def parabola(x):
    ...     return SimpleNamespace(theta=x, value=float(x @ x), gradient=2 * x)
    >>> start = parabola(np.array([2.0]))
    >>> course = descend(parabola, start, lambda at: -at.gradient, Constant(0.25))
    >>> [float(next(course).point.theta[0]) for _ in range(3)]
    [2.0, 1.0, 0.5]
    """
    here, t = Stand(start, 0.0, find), 0
    while True:
        yield here
        t += 1
        d = here.direction
        if not d.any():
            return
        line = _Line(at, here.point, d)
        with np.errstate(over="ignore", invalid="ignore"):
            slope = dot(here.point.gradient, d)
        ray = Ray(line.value, line.slope, here.point.value, slope)
        length = rule.length(ray, t, here.length if grows else 0.0)
        if length is None:
            return
        moved = line.at(length)
        if moved is here.point:
            return
        here = Stand(moved, length, find)


class _Line(Generic[E]):
    """The function along a direction; the last point looked at is kept."""

    __slots__ = ("_at", "_direction", "_last", "_start")

    def __init__(self, at: Callable[[Array], E], start: E, direction: Array) -> None:
        self._at, self._start, self._direction = at, start, direction
        self._last: tuple[float, E] | None = None

    def at(self, length: float) -> E:
        if self._last is None or self._last[0] != length:
            with np.errstate(over="ignore", invalid="ignore"):
                theta = self._start.theta + length * self._direction
                same = bool((theta == self._start.theta).all())  # too short to be a step at all
                self._last = (length, self._start if same else self._at(theta))
        return self._last[1]

    def value(self, length: float) -> float:
        return self.at(length).value

    def slope(self, length: float) -> float:
        return dot(self.at(length).gradient, self._direction)
