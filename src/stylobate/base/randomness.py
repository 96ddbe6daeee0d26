"""From ``random_state`` to a seed of the core's random numbers."""

from __future__ import annotations

import sys
from typing import Any


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


def generator_of(random_state: Any) -> Any:
    """NumPy's own generator, as scikit-learn makes it, where its very draws are wanted.

    Parameters
    ----------
    random_state : int, RandomState, Generator or None
        A generator is passed on; None is NumPy's global one.

    Examples
    --------
    >>> generator_of(7).randint(10)
    4
    """
    from numpy import random

    if random_state is None:
        return random.mtrand._rand
    if isinstance(random_state, random.RandomState | random.Generator):
        return random_state
    return random.RandomState(random_state)
