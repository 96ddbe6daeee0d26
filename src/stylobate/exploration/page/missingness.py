"""What is missing, and what is missing together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from stylobate.report import (
    Cell,
    Heading,
    Html,
    Row,
    charts,
    finite,
    fixed,
    number,
    percent,
    section,
    table,
    tag,
)

from .room import Room

_COLUMNS = 30  # of the picture of patterns
_BARS = 30
_PAIRS = 50


def missingness(profile: Mapping[str, Any], room: Room) -> Html | None:
    """Shares, patterns and correlations of missing values."""
    found = profile.get("missingness") or {}
    gone = [
        each for each in profile.get("variables") or [] if (finite(each.get("missing")) or 0.0) > 0
    ]
    if not gone:
        return section("missing", "Missing values", tag("p", "None.", class_="quiet"))
    rows, complete = profile.get("rows"), found.get("complete_rows")
    lead = None
    if complete is not None and rows:
        lead = (
            f"{number(complete)} of {number(rows)} rows ({percent(complete / rows)}) are complete; "
            f"{number(len(gone))} of {number(len(profile['variables']))} columns have gaps."
        )
    return section(
        "missing",
        "Missing values",
        tag("div", _shares(gone, room), _patterns(found.get("patterns") or []), class_="pair"),
        _pairs(found.get("correlations") or [], room),
        lead=lead,
    )


def _shares(gone: Sequence[Mapping[str, Any]], room: Room) -> Html:
    ordered = sorted(gone, key=lambda each: -(finite(each.get("missing")) or 0.0))
    items = [
        charts.Bar(
            room.link(each.get("name"), 24),
            each["missing"],
            finite(each.get("missing_share")),
            "gap",
        )
        for each in ordered[:_BARS]
    ]
    more = len(ordered) - _BARS
    return tag(
        "div",
        tag("h3", "By column"),
        charts.bars(items, title="Missing values by column"),
        tag("p", f"And {more:,} more columns with fewer gaps.", class_="quiet")
        if more > 0
        else None,
    )


def _patterns(listed: Sequence[Mapping[str, Any]]) -> Html | None:
    """Marks for the columns that take part, widest patterns cut where they would not fit."""
    names: dict[str, int] = {}
    for each in listed:
        for column in each.get("columns") or []:
            if str(column) not in names and len(names) < _COLUMNS:
                names[str(column)] = len(names)
    items = [
        charts.Pattern(
            frozenset(
                names[str(column)] for column in each.get("columns") or [] if str(column) in names
            ),
            int(each.get("rows") or 0),
            finite(each.get("share")) or 0.0,
        )
        for each in listed
    ]
    if not items or not names:
        return None
    everything = {str(column) for each in listed for column in each.get("columns") or []}
    cut = f"{len(everything) - len(names):,} further columns are not drawn."
    drawn = charts.patterns(list(names), items, title="Patterns of missing values")
    return tag(
        "div",
        tag("h3", "Together in a row"),
        tag(
            "div",
            drawn,
            class_="scroll",
            role="region",
            aria_label="Patterns of missing values",
            tabindex=0,
        ),
        tag("p", cut, class_="quiet") if len(everything) > len(names) else None,
    )


def _pairs(listed: Sequence[Mapping[str, Any]], room: Room) -> Html | None:
    if not listed:
        return None
    headings = [
        Heading("Variable"),
        Heading("With"),
        Heading("Correlation", numeric=True),
        Heading("Strength"),
    ]
    rows = []
    for each in listed[:_PAIRS]:
        value = finite(each.get("value")) or 0.0
        rows.append(
            Row(
                [
                    Cell(room.link(each.get("a")), str(each.get("a")), text=True),
                    Cell(room.link(each.get("b")), str(each.get("b")), text=True),
                    Cell(fixed(value), value),
                    Cell(charts.interval_mark(value, None, None, start=-1.0), abs(value)),
                ]
            )
        )
    return tag(
        "div",
        tag("h3", "Columns whose gaps come together"),
        table(headings, rows, caption="Correlations of missing values", limit=10),
    )
