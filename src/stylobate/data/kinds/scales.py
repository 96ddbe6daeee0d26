"""Texts that are steps: scales known by their words, and ranges of numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from math import inf

SCALES: tuple[tuple[str, ...], ...] = (
    ("very low", "low", "medium", "high", "very high"),
    ("low", "moderate", "high"),
    ("low", "middle", "high"),
    ("xs", "s", "m", "l", "xl", "xxl"),
    ("small", "medium", "large", "extra large"),
    ("very poor", "poor", "fair", "good", "very good", "excellent"),
    ("fair", "good", "very good", "premium", "ideal"),  # cuts of diamonds
    ("poor", "average", "good"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("first", "second", "third"),
    ("1st", "2nd", "3rd", "4th", "5th"),
    ("i1", "si2", "si1", "vs2", "vs1", "vvs2", "vvs1", "if"),  # clarity of diamonds
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    ("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    ("mon", "tues", "wed", "thur", "fri", "sat", "sun"),
    (
        *("january", "february", "march", "april", "may", "june", "july", "august"),
        *("september", "october", "november", "december"),
    ),
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
)
_MOST_RANGES = 60
_AMOUNT = r"[$€£]?\s*(\d[\d,]*(?:\.\d+)?)\s*([kKmM]?)"
_BELOW = r"under|below|less than|up to|<=|<"
_ABOVE = r"\+|and over|and above|or more|or older"
_RANGE = re.compile(
    rf"^({_BELOW}|over|above|more than|>=|>)?\s*{_AMOUNT}(?:\s*(?:-|–|to)\s*{_AMOUNT})?\s*"
    rf"({_ABOVE})?(?:\s*years?)?$",
    re.IGNORECASE,
)
_TIMES = {"": 1.0, "k": 1e3, "m": 1e6}


def scale_of(texts: Sequence[str]) -> tuple[str, ...] | None:
    """The scale all of some texts belong to, as they are written; None if there is none.

    >>> scale_of(["High", "Low", "Medium"])
    ('Low', 'Medium', 'High')
    """
    written = {text.strip().lower(): text for text in texts}
    for scale in SCALES:
        if written.keys() <= set(scale):
            return tuple(written[step] for step in scale if step in written)
    return None


_CODE = re.compile(r"0\d")  # what begins with a zero is no amount


def ranges_of(texts: Sequence[str]) -> tuple[str, ...] | None:
    """Ranges of numbers from low to high, if all of some texts are such and none overlap.

    >>> ranges_of(["65+", "18-24", "25-64", "under 18"])
    ('under 18', '18-24', '25-64', '65+')
    """
    if len(texts) > _MOST_RANGES:
        return None
    found = [(_range_of(text.strip()), text) for text in texts]
    bounds = [pair for pair, _ in found if pair is not None]
    if len(bounds) < len(found) or all(low == high for low, high in bounds):
        return None
    if any(_CODE.match(text.strip()) for text in texts):
        return None  # 05000335 is a name, though it has digits only
    ranked = sorted((pair, text) for pair, text in found if pair is not None)
    if any(high > low for ((_, high), _), ((low, _), _) in pairwise(ranked)):
        return None
    return tuple(text for _, text in ranked)


def _range_of(text: str) -> tuple[float, float] | None:
    match = _RANGE.match(text)
    if match is None:
        return None
    before, one, times, other, more, after = match.groups()
    low = float(one.replace(",", "")) * _TIMES[(times or more or "").lower()]
    if other is not None:
        high = float(other.replace(",", "")) * _TIMES[(more or "").lower()]
        return (low, high) if low < high and not before and not after else None
    if before is not None:
        below = re.fullmatch(_BELOW, before, re.IGNORECASE)
        return (-inf, low) if below else (low, inf)
    return (low, inf) if after else (low, low)
