"""The target by two variables at once: tables whose cells are shaded by what they hold."""

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
    name,
    number,
    p_value,
    percent,
    shortened,
    table,
    tag,
)

from .room import Room

_MOST = 3  # pairs with a table of cells
_SHADES = 9


def pair_cards(pairs: Sequence[Mapping[str, Any]], room: Room) -> Html | None:
    """A list of pairs by what they know together, and the cells of the first few."""
    if not pairs:
        return None
    headings = [
        Heading("Variable"),
        Heading("With"),
        Heading("Gain", numeric=True, hint="What the two explain beyond the sum of both"),
        Heading("Explains", numeric=True, hint="What the two explain in all"),
        Heading("p", numeric=True),
        Heading("q", numeric=True, hint="p adjusted for the number of pairs looked at"),
    ]
    rows = [
        Row(
            [
                Cell(room.link(each.get("a")), str(each.get("a")), text=True),
                Cell(room.link(each.get("b")), str(each.get("b")), text=True),
                Cell(percent(each.get("gain")), finite(each.get("gain"))),
                Cell(percent(each.get("explains")), finite(each.get("explains"))),
                Cell(p_value(each.get("p_value")), finite(each.get("p_value"))),
                Cell(p_value(each.get("q_value")), finite(each.get("q_value"))),
            ]
        )
        for each in pairs
    ]
    cards = [_card(each) for each in pairs[:_MOST] if each.get("cells")]
    return tag(
        "div",
        tag("h3", "Two factors"),
        table(headings, rows, caption="Pairs of variables and the target", limit=10),
        tag("div", cards, class_="cards spaced") if cards else None,
    )


def _card(pair: Mapping[str, Any]) -> Html:
    title = tag("span", "By ", name(pair.get("a")), " and ", name(pair.get("b")), class_="name")
    return tag("details", tag("summary", title), tag("div", _cells(pair), class_="card whole"))


def _cells(pair: Mapping[str, Any]) -> Html:
    rows, columns = pair.get("groups_a") or [], pair.get("groups_b") or []
    found = {(each.get("row"), each.get("column")): each for each in pair["cells"]}
    values = {place: value for place, each in found.items() if (value := _value(each)) is not None}
    low, high = (min(values.values()), max(values.values())) if values else (0.0, 1.0)
    head = tag(
        "tr", tag("td"), (tag("th", name(text, 24), scope="col", class_="n") for text in columns)
    )
    body = (
        tag(
            "tr",
            tag("th", name(text, 24), scope="row"),
            (_shaded(found.get((i, j)), low, high) for j in range(len(columns))),
        )
        for i, text in enumerate(rows)
    )
    what = _what(pair["cells"])
    labels = _labels(pair["cells"])
    key = charts.key([name(label, 24) for label in labels]) if len(labels) > 2 else None
    caption = tag("caption", f"{what} by {pair.get('a')} and {pair.get('b')}")
    inside = tag("table", caption, tag("thead", head), tag("tbody", body), class_="cells")
    box = tag("div", inside, class_="scroll", role="region", aria_label=what, tabindex=0)
    return tag("div", tag("p", f"{what}, and the rows of each cell.", class_="quiet"), key, box)


def _labels(cells: Sequence[Mapping[str, Any]]) -> list[str]:
    return [str(each.get("label")) for each in (cells[0].get("shares") or [])] if cells else []


def _what(cells: Sequence[Mapping[str, Any]]) -> str:
    labels = _labels(cells)
    if len(labels) > 2:
        return "Shares of the classes"
    return f"Share of {shortened(labels[-1], 40)}" if labels else "Mean of the target"


def _value(cell: Mapping[str, Any]) -> float | None:
    shares = cell.get("shares")
    return finite(shares[-1].get("share")) if shares else finite(cell.get("mean"))


def _shaded(cell: Mapping[str, Any] | None, low: float, high: float) -> Html:
    value = None if cell is None else _value(cell)
    if cell is None or value is None:
        return tag("td", "–", class_="n")
    rows = tag("small", number(cell.get("n")))
    shares = cell.get("shares") or []
    if len(shares) > 2:
        values = [finite(each.get("share")) or 0.0 for each in shares]
        named = [str(each.get("label")) for each in shares]
        return tag("td", charts.stacked_bar(values, labels=named, width=80), rows, class_="n")
    place = (value / 2 - low / 2) / ((high / 2 - low / 2) or 1.0)
    text = percent(value) if shares else number(value)
    shade = round(min(max(place, 0.0), 1.0) * _SHADES)
    return tag("td", text, rows, class_=f"n shade-{shade}")
