"""From ``random_state`` to a seed of the core's random numbers, or to NumPy's stream of them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


def seed_of(random_state: Any) -> int:
    """A 64-bit seed: the integer given, a draw from the generator given, or a fresh one.

    Parameters
    ----------
    random_state : int, RandomState, Generator or None
        A generator moves on by one draw; None takes the operating system's randomness.

    Examples
    --------
    >>> seed_of(7)
    7
    """
    if random_state is None:
        import secrets

        return secrets.randbits(63)
    random = sys.modules.get("numpy.random")
    if random is not None and isinstance(random_state, random.Generator):
        return int(random_state.integers(2**63))
    if random is not None and isinstance(random_state, random.RandomState):
        return int(random_state.randint(2**31 - 1))
    return int(random_state)


def stream_of(random_state: Any) -> np.random.RandomState:
    """The stream of random numbers that ``random_state`` stands for, NumPy's `RandomState`.

    It is the one scikit-learn draws from, so the same seed draws the same rows there and here. A
    `Generator` gives a seed for it; None takes the operating system's randomness.

    >>> stream_of(0).randint(10, size=3).tolist()
    [5, 0, 3]
    """
    from numpy.random import Generator, RandomState

    if isinstance(random_state, RandomState):
        return random_state
    if isinstance(random_state, Generator):
        return RandomState(int(random_state.integers(2**32)))
    return RandomState(random_state)
