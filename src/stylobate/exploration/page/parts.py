"""What several sections say alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stylobate.report import Child, Html, finite, number, percent, shortened, tag


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
    return shortened(text.replace("T00:00:00", "").replace(" 00:00:00", "").replace("T", " "), 19)
