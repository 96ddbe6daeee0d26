"""What an adaptive search draws from: every parameter as a place between 0 and 1, or a choice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import inf
from numbers import Real
from typing import Any

import numpy as np

from stylobate.model_selection.search.parameter_grid import grids_of
from stylobate.model_selection.search.parameter_sampler import check_distribution

_EDGE = 1e-9  # ends of distributions such as the normal are infinite


@dataclass(frozen=True)
class QuantileAxis:
    """A distribution; a place is a level, the value its quantile: uniform places are draws."""

    law: Any
    n_choices = 0
    size = inf

    @cached_property
    def discrete(self) -> bool:
        """Whether its values are whole numbers."""
        return hasattr(getattr(self.law, "dist", self.law), "pmf")

    def value(self, place: float) -> Any:
        """The quantile at a level."""
        found = self.law.ppf(min(max(place, _EDGE), 1.0 - _EDGE))
        return int(found) if self.discrete else float(found)

    def settled(self, place: float) -> float:
        """The same place for all that give the same value."""
        if not self.discrete:
            return place
        value = self.value(place)
        return 0.5 * float(self.law.cdf(value - 1) + self.law.cdf(value))


@dataclass(frozen=True)
class OrderedAxis:
    """Numbers in order; a place is a share of the way through them."""

    values: tuple[Any, ...]
    n_choices = 0

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.values)

    def value(self, place: float) -> Any:
        """The number at a place."""
        return self.values[self._step(place)]

    def settled(self, place: float) -> float:
        """The middle of the step."""
        return (self._step(place) + 0.5) / self.size

    def _step(self, place: float) -> int:
        return min(int(place * self.size), self.size - 1)


@dataclass(frozen=True)
class ChoiceAxis:
    """Values without an order; a place is the number of one."""

    values: tuple[Any, ...]

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.values)

    n_choices = size

    def value(self, place: float) -> Any:
        """The value of this number."""
        return self.values[int(place)]

    def settled(self, place: float) -> float:
        """The number itself."""
        return float(int(place))


@dataclass(frozen=True)
class FreeAxis:
    """Something that can only be drawn from; nothing is learnt of it."""

    law: Any
    n_choices = 1
    size = inf

    def value(self, place: float) -> Any:
        """A draw, by the place's digits as its seed."""
        seed = int(place * 2**32) % 2**32
        return self.law.rvs(random_state=np.random.RandomState(seed))

    def settled(self, place: float) -> float:
        """As it is: each draw is its own."""
        return place


Axis = QuantileAxis | OrderedAxis | ChoiceAxis | FreeAxis


@dataclass(frozen=True)
class SearchSpace:
    """The parameters of one dict of distributions, sorted by name."""

    axes: dict[str, Axis]

    @property
    def size(self) -> float:
        """How many settings there are."""
        return float(np.prod([axis.size for axis in self.axes.values()], initial=1.0))

    def setting(self, places: Any) -> dict[str, Any]:
        """The values at places."""
        pairs = zip(self.axes.items(), places, strict=True)
        return {name: axis.value(place) for (name, axis), place in pairs}

    def settled(self, places: Any) -> tuple[float, ...]:
        """The same places for the same setting."""
        pairs = zip(self.axes.values(), places, strict=True)
        return tuple(float(axis.settled(place)) for axis, place in pairs)

    def every(self) -> list[tuple[float, ...]]:
        """The places of all settings of a finite space."""
        steps = [
            [k if isinstance(axis, ChoiceAxis) else (k + 0.5) / axis.size for k in range(axis.size)]
            for axis in self.axes.values()
            if isinstance(axis, ChoiceAxis | OrderedAxis)
        ]
        return [tuple(map(float, each)) for each in product(*steps)]


def spaces_of(param_distributions: Any) -> list[SearchSpace]:
    """A space for each dict; refuses what is no list and no distribution.

    >>> space = spaces_of({"depth": range(1, 5), "kind": ["a", "b"]})[0]
    >>> space.size, space.setting((0.6, 1))
    (8.0, {'depth': 3, 'kind': 'b'})
    """
    found = []
    for grid in grids_of(param_distributions, "param_distributions"):
        for name, values in grid.items():
            check_distribution(name, values)
        found.append(SearchSpace({name: _axis(grid[name]) for name in sorted(grid)}))
    return found


def _axis(values: Any) -> Axis:
    if hasattr(values, "rvs"):
        return QuantileAxis(values) if hasattr(values, "ppf") else FreeAxis(values)
    found = tuple(values)
    return OrderedAxis(tuple(sorted(found))) if _in_order(found) else ChoiceAxis(found)


def _in_order(values: tuple[Any, ...]) -> bool:
    """Whether values are different numbers, so that near ones may be alike."""
    numbers = all(isinstance(v, Real) and not isinstance(v, bool | np.bool_) for v in values)
    return numbers and len(values) > 2 and len(set(values)) == len(values)
