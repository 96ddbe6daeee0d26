"""Methods made of a direction and a step along it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.methods.method import Method
from stylobate.optimize.objective import Objective
from stylobate.optimize.state import State, norm
from stylobate.optimize.steps import Ray, StepRule, step_rule
from stylobate.optimize.stopping import Stopping

Array = NDArray[np.float64]
# Called at every iterate with the point and the gradient there; remembers what it likes.
Direction = Callable[[Array, Array], Array]


class LineSearchMethod(Method):
    """x ← x + ηd: a direction of descent, and a rule for how far to go along it."""

    step: StepRule

    def __post_init__(self) -> None:
        object.__setattr__(self, "step", step_rule(type(self).__name__, self.step))

    @abstractmethod
    def direction(self, objective: Objective) -> Direction:
        """A new direction finder, with a memory of its own."""

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        x, value, gradient = start, objective.smooth_value(start), objective.gradient(start)
        yield State(x, value, norm(gradient))
        find, length, t = self.direction(objective), 0.0, 0
        while True:
            t += 1
            with np.errstate(over="ignore", invalid="ignore"):  # a run that diverges says so
                d = find(x, gradient)
                slope = float(gradient @ d)
            here = _Line(objective, x, d)
            ray = Ray(here.value, here.slope, value, slope)
            found = self.step.length(ray, t, self._before(length))
            if found is None or not np.any(d):
                yield State(x, value, norm(gradient), stalled=True)
                return
            length = found
            x, value, gradient = here.point(length), here.value(length), here.gradient(length)
            yield State(x, value, norm(gradient), length)

    def _before(self, length: float) -> float:
        """The length the next search starts from; directions with a scale of their own say 0."""
        return length


class _Line:
    """The objective along x + ηd; what was computed at the last η is kept."""

    def __init__(self, objective: Objective, x: Array, d: Array) -> None:
        self._objective, self._x, self._d = objective, x, d
        self._at: dict[str, tuple[float, Array | float]] = {}

    def point(self, length: float) -> Array:
        return self._x + length * self._d

    def value(self, length: float) -> float:
        return float(self._kept("value", length, self._objective.smooth_value))

    def gradient(self, length: float) -> Array:
        return np.asarray(self._kept("gradient", length, self._objective.gradient))

    def slope(self, length: float) -> float:
        return float(self.gradient(length) @ self._d)

    def _kept(
        self, name: str, length: float, compute: Callable[[Array], Array | float]
    ) -> Array | float:
        if name not in self._at or self._at[name][0] != length:
            self._at[name] = (length, compute(self.point(length)))
        return self._at[name][1]
