"""A measure, its interval and its test."""

from __future__ import annotations

from typing import NamedTuple

from stylobate.exploration.association.value import Association


class Verdict(NamedTuple):
    """The measure that speaks for a feature, or the reason why there is none."""

    measure: str
    value: float | None
    low: float | None
    high: float | None
    p_value: float | None
    reason: str | None = None


def verdict_of(found: Association) -> Verdict:
    """That of an association."""
    return Verdict(found.measure, found.value, found.low, found.high, found.p_value, found.reason)
