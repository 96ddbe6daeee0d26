"""Values that lie far out, and the rules that found them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stylobate.report import Cell, Heading, Html, Row, finite, number, section, shortened, table

from .room import Room

_LISTED = 100
_FOLDED = 10


def outliers(profile: Mapping[str, Any], room: Room) -> Html | None:
    """A table of rows, columns, values and rules."""
    found = profile.get("outliers") or {}
    values = found.get("values") or []
    if not values:
        return None
    headings = [
        Heading("Row", numeric=True),
        Heading("Variable"),
        Heading("Value"),
        Heading("Why"),
    ]
    rows = [
        Row(
            [
                Cell(number(each.get("row")), finite(each.get("row"))),
                Cell(room.link(each.get("column")), str(each.get("column")), text=True),
                Cell(shortened(str(each.get("value")), 60), str(each.get("value")), text=True),
                Cell(shortened(str(each.get("words")), 300), str(each.get("words")), text=True),
            ]
        )
        for each in values[:_LISTED]
    ]
    lead = (
        f"{number(found.get('n_found'))} values of {number(found.get('n_rows'))} rows lie far out. "
        "They are values to look at, not errors; rows are numbered from 0."
    )
    content = table(headings, rows, caption="Outlying values by rule", limit=_FOLDED)
    return section("outliers", "Outlying values", content, lead=lead)
