"""Seeds, orders and sizes that all generators share."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidParameterError


def drawer(random_state: Any) -> Any:
    """The generator a seed means; ``None`` draws from NumPy's global state, as in scikit-learn."""
    if random_state is None:
        return np.random.mtrand._rand
    if isinstance(random_state, np.random.RandomState):
        return random_state
    whole = isinstance(random_state, Integral) and not isinstance(random_state, bool)
    if whole and 0 <= int(random_state) < 2**32:
        return np.random.RandomState(int(random_state))
    raise InvalidParameterError(
        "random_state must be an integer in [0, 2**32), a numpy.random.RandomState or None, got "
        f"{random_state!r}."
    )


def shuffled(draw: Any, *arrays: NDArray[Any]) -> list[NDArray[Any]]:
    """Rows of all arrays in one drawn order."""
    order = np.arange(len(arrays[0]))
    draw.shuffle(order)
    return [array[order] for array in arrays]


def distinct_integers(draw: Any, population: int, size: int) -> NDArray[Any]:
    """Distinct integers below `population`: few are tried one by one, many are a permutation."""
    share = size / population
    if share >= 0.99:  # a reservoir: each later one replaces an earlier one by chance
        chosen = np.arange(size, dtype=np.int64)
        for late in range(size, population):
            place = draw.randint(0, late + 1)
            if place < size:
                chosen[place] = late
        return chosen
    if share >= 0.01:
        return np.asarray(draw.permutation(population)[:size], dtype=np.int64)
    seen: dict[int, None] = {}
    while len(seen) < size:
        seen.setdefault(int(draw.randint(population)))
    return np.fromiter(seen, dtype=np.int64, count=size)


def check_counts(function: str, **counts: Any) -> None:
    """Refuse counts that are not integers of at least 1 (0 where the name says ``_or_0``)."""
    for name, value in counts.items():
        least = 0 if name.endswith("_or_0") else 1
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not whole or value < least:
            raise InvalidParameterError(
                f"{function}: {name.removesuffix('_or_0')} must be an integer of at least {least}, "
                f"got {value!r}."
            )


def check_numbers(function: str, low: float, high: float, **values: Any) -> None:
    """Refuse values that are not finite numbers within [low, high]."""
    for name, value in values.items():
        real = isinstance(value, Real) and not isinstance(value, bool)
        if not real or not low <= value <= high or not np.isfinite(value):
            raise InvalidParameterError(
                f"{function}: {name} must be a number in [{low:g}, {high:g}], got {value!r}."
            )


def two_sizes(function: str, n_samples: Any) -> tuple[int, int]:
    """Numbers of rows of two groups, from their sum or as a pair."""
    if isinstance(n_samples, Integral) and not isinstance(n_samples, bool):
        check_counts(function, n_samples_or_0=n_samples)
        first = int(n_samples) // 2
        return first, int(n_samples) - first
    if isinstance(n_samples, Iterable):
        pair = list(n_samples)
        if len(pair) == 2:
            check_counts(function, **{"n_samples[0]_or_0": pair[0], "n_samples[1]_or_0": pair[1]})
            return int(pair[0]), int(pair[1])
    raise InvalidParameterError(
        f"{function}: n_samples must be an integer, or a tuple of exactly two elements, the sizes "
        f"of the two groups; got {n_samples!r}."
    )
