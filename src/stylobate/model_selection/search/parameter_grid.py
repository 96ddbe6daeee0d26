"""Every combination of parameter values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidParameterError


class ParameterGrid:
    """Every combination of the values of some parameters.

    Parameters
    ----------
    param_grid : dict of str to sequence, or list of such
        The values of each parameter; of several grids the combinations come one after the other.

    Examples
    --------
    >>> list(ParameterGrid({"alpha": [1, 2], "positive": [True, False]}))
    [{'alpha': 1, 'positive': True}, {'alpha': 1, 'positive': False}, {'alpha': 2, 'positive': True}, {'alpha': 2, 'positive': False}]
    >>> len(ParameterGrid([{"alpha": [1, 2, 3]}, {"solver": ["auto"]}]))
    4
    """  # noqa: E501 - printed on one line

    def __init__(self, param_grid: Any) -> None:
        self.param_grid = list(grids_of(param_grid, "param_grid"))
        for grid in self.param_grid:
            for name, values in grid.items():
                _check_values(name, values)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The combinations; parameters in alphabetical order, the last changes first."""
        for grid in self.param_grid:
            names = sorted(grid)
            for values in product(*(grid[name] for name in names)):
                yield dict(zip(names, values, strict=True))

    def __len__(self) -> int:
        """How many there are."""
        return sum(prod(len(values) for values in grid.values()) for grid in self.param_grid)

    def __getitem__(self, index: int) -> dict[str, Any]:
        """The combination of this number, without making those before it."""
        left = index
        for grid in self.param_grid:
            count = prod(len(values) for values in grid.values())
            if 0 <= left < count:
                return _combination(grid, left)
            left -= count
        raise IndexError(
            f"ParameterGrid index out of range: {index}, and there are {len(self)} combinations."
        )


def grids_of(given: Any, name: str) -> Iterable[Mapping[str, Any]]:
    """A grid or several, as a sequence of them; refuses what is neither."""
    if not isinstance(given, Mapping | Iterable) or isinstance(given, str):
        raise InvalidParameterError(
            f"Parameter grid should be a dict or a list: {name} must map names of parameters to "
            f"their values, got {given!r} of type {type(given).__name__}."
        )
    grids = [given] if isinstance(given, Mapping) else list(given)
    for grid in grids:
        if not isinstance(grid, Mapping):
            raise InvalidParameterError(
                f"Parameter grid is not a dict ({grid!r}): {name} must be a dict or a list of "
                "them, from names of parameters to their values."
            )
    return grids


def _check_values(name: str, values: Any) -> None:
    if isinstance(values, np.ndarray) and values.ndim > 1:
        raise InvalidParameterError(
            f"Parameter array for {name!r} should be one-dimensional, got an array of shape "
            f"{values.shape}."
        )
    sequence = hasattr(values, "__len__") and hasattr(values, "__getitem__")
    if not sequence or isinstance(values, str | bytes | Mapping):
        raise InvalidParameterError(
            f"Parameter grid for parameter {name!r} needs to be a list or a numpy array, but got "
            f"{values!r} (of type {type(values).__name__}) instead. Single values need to be "
            "wrapped in a list with one element."
        )
    if len(values) == 0:
        raise InvalidParameterError(
            f"Parameter grid for parameter {name!r} need a non-empty sequence, got: {values!r}."
        )


def _combination(grid: Mapping[str, Any], index: int) -> dict[str, Any]:
    """Digits of the number in the mixed base of the counts, the last parameter's first."""
    found: dict[str, Any] = {}
    for name in sorted(grid, reverse=True):
        index, digit = divmod(index, len(grid[name]))
        found[name] = grid[name][digit]
    return found
