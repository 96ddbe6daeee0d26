"""What several sections say alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from stylobate.report import Child, Html, finite, number, percent, shortened, tag

_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.0*)?")


def block(heading: str, *content: Child) -> Html:
    """A part of a card."""
    return tag("div", tag("h4", heading), content, class_="block")


def distinct(variable: Mapping[str, Any]) -> str:
    """The number of different values, with its error where it is an estimate."""
    text = number(variable.get("distinct"))
    if variable.get("distinct_exact", True):
        return text
    error = finite(variable.get("distinct_error"))
    return f"≈ {text}" + (f" ± {percent(error)}" if error else "")


def moment(text: str) -> str:
    """A moment as short as it is exact: midnight is not said."""
    found = _MOMENT.fullmatch(text)
    if found is None:
        return shortened(text, 24)
    date, time = found.groups()
    return date if time == "00:00:00" else f"{date} {time}"
