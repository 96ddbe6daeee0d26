"""What the other columns say about the target: alone, and two by two."""

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
    group,
    name,
    number,
    section,
    table,
    tag,
)

from .associations import estimate_cells, measure_name
from .room import Room

_TABLES = 20


def target(profile: Mapping[str, Any], room: Room) -> Html | None:
    """Balance, features by what they tell, tables of the first few, pairs, and suspects."""
    found = profile.get("target")
    if not found:
        return None
    features = [each for each in found.get("features") or [] if isinstance(each, Mapping)]
    pairs = [each for each in found.get("pairs") or [] if isinstance(each, Mapping)]
    return section(
        "target",
        "Target",
        _suspects(found.get("suspects") or [], room),
        _balance(found.get("balance") or []),
        _features(features, room),
        _tables(features),
        _pairs(pairs, room),
        lead=[name(found.get("name")), f", {found.get('kind') or 'of unknown kind'}"],
    )


def _suspects(suspects: Sequence[Mapping[str, Any]], room: Room) -> Html | None:
    if not suspects:
        return None
    items = (
        tag(
            "li",
            tag("span", "Suspect", class_="level high"),
            tag("span", room.link(each.get("column")), ": ", str(each.get("reason") or "")),
        )
        for each in suspects
    )
    return tag("div", tag("h3", "May give the answer away"), tag("ul", items, class_="warnings"))


def _balance(balance: Sequence[Any]) -> Html | None:
    items = [
        charts.Bar(
            name(each.get("value", each.get("class")), 24), each["count"], finite(each.get("share"))
        )
        for each in balance
        if isinstance(each, Mapping) and finite(each.get("count")) is not None
    ]
    if not items:
        return None
    return tag("div", tag("h3", "Balance"), charts.bars(items, title="Balance of the target"))


def _features(features: Sequence[Mapping[str, Any]], room: Room) -> Html | None:
    if not features:
        return None
    headings = [
        Heading("Variable"),
        Heading("Measure"),
        Heading("Value", numeric=True),
        Heading("Strength"),
        Heading("Interval", numeric=True),
        Heading("p", numeric=True),
    ]
    rows = [
        Row(
            [
                Cell(room.link(each.get("name")), str(each.get("name")), text=True, heads=True),
                Cell(measure_name(each.get("measure")), str(each.get("measure"))),
                *estimate_cells(each),
            ]
        )
        for each in features
    ]
    made = table(headings, rows, caption="Variables and the target", limit=30)
    return tag(
        "div",
        tag("h3", "One factor"),
        group(made, search="Find a variable", total=len(rows), noun="variables"),
    )


def _tables(features: Sequence[Mapping[str, Any]]) -> Html | None:
    drawn = [
        tag(
            "details",
            tag("summary", tag("span", name(each.get("name")), class_="name")),
            tag("div", made, class_="card"),
        )
        for each in features[:_TABLES]
        if (made := records(each.get("table"), f"Target by {each.get('name')}")) is not None
    ]
    return tag("div", drawn, class_="cards") if drawn else None


def _pairs(pairs: Sequence[Mapping[str, Any]], room: Room) -> Html | None:
    if not pairs:
        return None
    headings = [Heading("Variable"), Heading("With"), Heading("Gain", numeric=True)]
    rows = [
        Row(
            [
                Cell(room.link(each.get("a")), str(each.get("a")), text=True),
                Cell(room.link(each.get("b")), str(each.get("b")), text=True),
                Cell(fixed(each.get("gain")), finite(each.get("gain"))),
            ]
        )
        for each in pairs
    ]
    return tag(
        "div",
        tag("h3", "Two factors"),
        table(headings, rows, caption="Pairs of variables and the target", limit=20),
    )


def records(found: Any, caption: str) -> Html | None:
    """Any list of records as a table: its keys in the order they first occur."""
    if isinstance(found, Mapping):
        columns = list(found.values())
        if not columns or not all(isinstance(each, list) for each in columns):
            return None
        found = [dict(zip(found, row, strict=False)) for row in zip(*columns, strict=False)]
    if not isinstance(found, list) or not all(isinstance(each, Mapping) for each in found):
        return None
    keys = list(dict.fromkeys(str(key) for each in found for key in each))
    if not keys:
        return None
    numeric = {key: all(_plain_number(each.get(key)) for each in found) for key in keys}
    headings = [Heading(key.replace("_", " "), numeric=numeric[key]) for key in keys]
    rows = [Row([_record_cell(each.get(key)) for key in keys]) for each in found]
    return table(headings, rows, caption=caption, limit=None)


def _plain_number(value: Any) -> bool:
    return value is None or finite(value) is not None


def _record_cell(value: Any) -> Cell:
    if _plain_number(value):
        return Cell(number(value), finite(value))
    return Cell(name(value, 40), str(value))
