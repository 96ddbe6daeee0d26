"""Methods made of a direction and a step along it: `descend` with a problem as its oracle."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import ClassVar

from stylobate.arrays import Array
from stylobate.optimize.descent import descend
from stylobate.optimize.methods.method import Method
from stylobate.optimize.objective import Objective, PointOf
from stylobate.optimize.state import State, norm
from stylobate.optimize.steps import StepRule, step_rule
from stylobate.optimize.stopping import Stopping

# Called at every iterate with the point and the derivatives there; remembers what it likes.
Direction = Callable[[PointOf], Array]


class LineSearchMethod(Method):
    """x ← x + ηd: a direction of descent, and a rule for how far to go along it."""

    step: StepRule
    _grows: ClassVar[bool] = (
        False  # whether a search begins near the last length, for want of a scale
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "step", step_rule(type(self).__name__, self.step))

    @abstractmethod
    def direction(self, objective: Objective) -> Direction:
        """A new direction finder, with a memory of its own."""

    def oracle(self, objective: Objective) -> Callable[[Array], PointOf]:
        """Evaluates points, each derivative when it is asked for."""
        return objective.at

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        at, find = self.oracle(objective), self.direction(objective)
        for here in descend(at, at(start), find, self.step, grows=self._grows):
            point = here.point
            yield State(point.theta, point.value, norm(point.gradient), here.length)
        yield State(point.theta, point.value, norm(point.gradient), stalled=True)
