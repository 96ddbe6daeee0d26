"""States of random generators: compiled code indexes by their numbers, so each is checked."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np

from stylobate.exceptions import ModelFileError

Check = Callable[[Any], bool]


def _whole(limit: int) -> Check:
    return lambda value: type(value) is int and 0 <= value < limit


def _odd(limit: int) -> Check:
    return lambda value: _whole(limit)(value) and value % 2 == 1


def _words(dtype: Any, count: int) -> Check:
    return lambda value: (
        isinstance(value, np.ndarray) and value.dtype == dtype and value.shape == (count,)
    )


def _mersenne_words(value: Any) -> bool:
    # a state of zeros (but for the one bit that does not count) gives zeros for ever
    return _words(np.uint32, 624)(value) and bool(value[0] >> 31 or value[1:].any())


_SPARE = {"has_uint32": _whole(2), "uinteger": _whole(2**32)}
_STATES: dict[str, dict[str, Any]] = {
    "MT19937": {"state": {"key": _mersenne_words, "pos": _whole(625)}},
    "PCG64": {"state": {"state": _whole(2**128), "inc": _odd(2**128)}, **_SPARE},
    "PCG64DXSM": {"state": {"state": _whole(2**128), "inc": _odd(2**128)}, **_SPARE},
    "Philox": {
        "state": {"counter": _words(np.uint64, 4), "key": _words(np.uint64, 2)},
        "buffer": _words(np.uint64, 4),
        "buffer_pos": _whole(5),
        **_SPARE,
    },
    "SFC64": {"state": {"state": _words(np.uint64, 4)}, **_SPARE},
}
_NORMAL = {
    "has_gauss": _whole(2),
    "gauss": lambda value: type(value) in (int, float) and isfinite(value),
}


def _accepts(checks: Any, value: Any) -> bool:
    """Whether a state has exactly the announced parts, each of them possible."""
    if not isinstance(checks, dict):
        return bool(checks(value))
    return (
        isinstance(value, dict)
        and value.keys() == checks.keys()
        and all(_accepts(check, value[name]) for name, check in checks.items())
    )


def _bits(parts: Any, further: dict[str, Check]) -> Any:
    """A bit generator in the state of a file."""
    name = parts.get("bit_generator") if isinstance(parts, dict) else None
    checks = _STATES.get(name) if isinstance(name, str) else None
    own = {key: each for key, each in parts.items() if key != "bit_generator"} if checks else {}
    if checks is None or not _accepts(checks | further, own):
        raise ModelFileError(
            "The file holds a random generator that is not one: its state cannot be."
        )
    bits = getattr(np.random, str(name))(0)
    bits.state = {"bit_generator": name} | {key: own[key] for key in checks}
    return bits


def random_state(parts: Any) -> np.random.RandomState:
    """A `RandomState` from what ``get_state(legacy=False)`` gives, once checked.

    >>> parts = np.random.RandomState(3).get_state(legacy=False)
    >>> random_state(parts).randint(100), np.random.RandomState(3).randint(100)
    (24, 24)
    """
    state = np.random.RandomState(_bits(parts, _NORMAL))
    state.set_state(parts)
    return state


def generator(parts: Any) -> np.random.Generator:
    """A `Generator` from the state of its bit generator, once checked."""
    return np.random.Generator(_bits(parts, {}))
