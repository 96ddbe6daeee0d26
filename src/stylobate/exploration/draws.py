"""Whether a sample and a seed can be drawn with."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.exceptions import InvalidParameterError


def check_whole(owner: str, name: str, value: Any, least: int) -> None:
    """Refuse what is no whole number from a least one on."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InvalidParameterError(
            f"{owner}: {name} must be a whole number from {least} on, got {value!r}."
        )


def check_draw(owner: str, sample: Any, random_state: Any, least: int) -> None:
    """Refuse a sample of too few rows, and a seed that is none."""
    check_whole(owner, "sample", sample, least)
    seed = random_state
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**31:
        raise InvalidParameterError(
            f"{owner}: random_state must be a whole number from 0 to 2³¹ − 1, got {seed!r}."
        )
