"""The first look: how much, how whole, and what to mind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from stylobate.report import (
    Cell,
    Child,
    Heading,
    Html,
    Row,
    charts,
    finite,
    name,
    number,
    percent,
    section,
    shortened,
    table,
    tag,
    tiles,
)
from stylobate.report import warnings as listed
from stylobate.report.tables import LEVELS

from .room import Room

_SHOWN = 12  # warnings before the rest is folded away
_WIDE = 12  # columns shown of an example row


def overview(profile: Mapping[str, Any], room: Room) -> Html:
    """Warnings first, then the table's size and kinds."""
    warnings = _warnings(profile.get("warnings") or [], room)
    return section(
        "overview",
        "Overview",
        _tiles(profile),
        tag("div", warnings, _kinds(profile.get("variables") or []), class_="aside"),
        _duplicates(profile.get("duplicates") or {}, room),
    )


def _tiles(profile: Mapping[str, Any]) -> Html:
    rows, columns = finite(profile.get("rows")), finite(profile.get("columns"))
    gone = sum(finite(each.get("missing")) or 0.0 for each in profile.get("variables") or [])
    cells = (rows or 0.0) * (columns or 0.0)
    duplicates = profile.get("duplicates") or {}
    repeated = finite(duplicates.get("rows"))
    sampled = profile.get("sampled_rows")
    figures: list[tuple[str, str, str]] = [
        ("Rows", number(profile.get("rows")), _sample_text(sampled)),
        ("Columns", number(profile.get("columns")), ""),
        ("Missing cells", percent(gone / cells if cells else 0.0), f"{number(int(gone))} cells"),
    ]
    if repeated is not None:
        about = "" if duplicates.get("exact", True) else "≈ "
        share = percent(repeated / rows) if rows else "0%"
        figures.append(
            ("Duplicate rows", about + number(duplicates["rows"]), f"{share} of the rows")
        )
    complete = (profile.get("missingness") or {}).get("complete_rows")
    if complete is not None and rows:
        figures.append(("Complete rows", percent(complete / rows), f"{number(complete)} rows"))
    return tiles(figures)


def _sample_text(sampled: Any) -> str:
    return "all of them read" if sampled is None else f"{number(sampled)} sampled for ranks"


def _warnings(warnings: Sequence[Mapping[str, Any]], room: Room) -> Html:
    if not warnings:
        nothing = tag("p", "Nothing found that asks for action.", class_="quiet")
        return tag("div", tag("h3", "What to mind"), nothing)
    items = [_warning(each, room) for each in warnings]
    rest = items[_SHOWN:]
    return tag(
        "div",
        tag("h3", "What to mind ", tag("small", f"{len(items):,}")),
        listed(items[:_SHOWN]),
        tag(
            "details",
            tag("summary", f"{len(rest):,} more"),
            listed(rest),
            class_="rest",
        )
        if rest
        else None,
    )


def _warning(warning: Mapping[str, Any], room: Room) -> tuple[str, list[Child]]:
    level = str(warning.get("level"))
    text = shortened(str(warning.get("text", "")), 2000)
    sentence = _sentence(text, warning.get("columns") or [], room)
    return level if level in LEVELS else "info", sentence


def _sentence(text: str, columns: Sequence[Any], room: Room) -> list[Child]:
    """The sentence, with links where it quotes its columns, or after it if it names none."""
    if not columns:
        return [text]
    quoted = {repr(str(column)): str(column) for column in columns}
    ordered = sorted(quoted, key=len, reverse=True)  # a name may hold another
    pieces = re.split(f"({'|'.join(map(re.escape, ordered))})", text)
    if len(pieces) == 1:
        return [text, " ", tag("small", room.links(columns))]
    return [room.link(quoted[each]) if each in quoted else each for each in pieces]


def _kinds(variables: Sequence[Mapping[str, Any]]) -> Html | None:
    counted = Counter(str(each.get("kind")) for each in variables)
    if not counted:
        return None
    items = [
        charts.Bar(kind, count, count / len(variables)) for kind, count in counted.most_common()
    ]
    return tag("div", tag("h3", "Kinds of columns"), charts.bars(items, title="Columns by kind"))


def _duplicates(duplicates: Mapping[str, Any], room: Room) -> Html | None:
    examples = [each for each in duplicates.get("examples") or [] if isinstance(each, Mapping)]
    same = duplicates.get("columns") or []
    if not examples and not same:
        return None
    return tag(
        "div",
        tag("h3", "Repetitions"),
        _example_rows(examples, room) if examples else None,
        tag(
            "ul",
            (tag("li", "Columns with the same values: ", room.links(group)) for group in same[:20]),
        )
        if same
        else None,
    )


def _example_rows(examples: Sequence[Mapping[str, Any]], room: Room) -> Html:
    """Rows that occur most often, in as many columns as fit."""
    rows = [(each.get("values") or {}, each.get("count")) for each in examples]
    names = list(rows[0][0])[:_WIDE]
    more = len(rows[0][0]) - len(names)
    headings = [Heading("Times", numeric=True)] + [
        Heading(_title(each), sortable=False) for each in names
    ]
    made = [
        Row([Cell(number(count), finite(count)), *(Cell(_value(row.get(each))) for each in names)])
        for row, count in rows
    ]
    return tag(
        "div",
        table(headings, made, caption="Rows that occur most often", limit=None),
        tag("p", f"The first {_WIDE} columns; {more:,} more are not shown.", class_="quiet")
        if more
        else None,
    )


def _title(text: Any) -> str:
    shown = str(text)
    return shown if len(shown) <= 24 else shown[:23] + "…"


def _value(value: Any) -> Html:
    return tag("em", "missing") if value is None else name(value, 40)
