"""Parameter values drawn at random."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.model_selection.search.parameter_grid import ParameterGrid, grids_of
from stylobate.splits.splitter import generator


class ParameterSampler:
    """Settings of parameters drawn at random.

    Values given as lists are drawn without repeating a combination; as soon as one parameter has a
    distribution all are drawn independently.

    Parameters
    ----------
    param_distributions : dict of str to sequence or distribution, or list of such
        The values of each parameter, or an object with ``rvs(random_state=…)`` such as SciPy's
        distributions.
    n_iter : int
        How many settings.
    random_state : int, RandomState or None, default=None
        Seed.

    Examples
    --------
    >>> list(ParameterSampler({"alpha": [0.1, 1.0, 10.0]}, n_iter=2, random_state=0))
    [{'alpha': 10.0}, {'alpha': 1.0}]
    """

    def __init__(self, param_distributions: Any, n_iter: int, *, random_state: Any = None) -> None:
        grids = list(grids_of(param_distributions, "param_distributions"))
        for grid in grids:
            for name, values in grid.items():
                check_distribution(name, values)
        self.n_iter = n_iter
        self.random_state = random_state
        self.param_distributions = grids

    def _is_list(self) -> bool:
        return all(
            not hasattr(values, "rvs")
            for grid in self.param_distributions
            for values in grid.values()
        )

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The settings, drawn anew each time."""
        draw = generator(self.random_state)
        if self._is_list():
            grid = ParameterGrid(self.param_distributions)
            for number in draw_different(len(grid), self._count(len(grid)), draw):
                yield grid[int(number)]
            return
        for _ in range(self.n_iter):
            chosen = draw.choice(self.param_distributions)  # type: ignore[arg-type]
            yield {name: _drawn(chosen[name], draw) for name in sorted(chosen)}

    def _count(self, size: int) -> int:
        if size < self.n_iter:
            warnings.warn(
                f"The total space of parameters {size} is smaller than n_iter={self.n_iter}. "
                f"Running {size} iterations. For exhaustive searches, use GridSearchCV.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        return min(size, self.n_iter)

    def __len__(self) -> int:
        """How many settings there will be."""
        if not self._is_list():
            return self.n_iter
        return min(self.n_iter, len(ParameterGrid(self.param_distributions)))


def draw_different(population: int, count: int, draw: np.random.RandomState) -> Any:
    """Different numbers below ``population``; the same draws as scikit-learn's for every seed."""
    share = count / population if population else 1.0
    if 0.01 < share < 0.99:
        return draw.permutation(population)[:count]
    if share < 0.2:  # few of many: those drawn before are drawn again
        seen: dict[int, None] = {}
        while len(seen) < count:
            seen.setdefault(int(draw.randint(population)))
        return list(seen)
    reservoir = list(range(count))
    for number in range(count, population):
        place = int(draw.randint(0, number + 1))
        if place < count:
            reservoir[place] = number
    return reservoir


def check_distribution(name: str, values: Any) -> None:
    sequence = hasattr(values, "__len__") and hasattr(values, "__getitem__")
    if isinstance(values, str | bytes | Mapping) or not (sequence or hasattr(values, "rvs")):
        raise InvalidParameterError(
            f"Parameter grid for parameter {name!r} is not iterable or a distribution "
            f"(value={values!r}); give a list of values or an object with rvs."
        )
    if not hasattr(values, "rvs") and len(values) == 0:
        raise InvalidParameterError(
            f"param_distributions: {name!r} has no values, got {values!r}; give at least one."
        )


def _drawn(values: Any, draw: np.random.RandomState) -> Any:
    if hasattr(values, "rvs"):
        return values.rvs(random_state=draw)
    return values[draw.randint(len(values))]
