"""All variables at a glance, and a card for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from stylobate.report import (
    Cell,
    Child,
    Heading,
    Html,
    Kinds,
    Row,
    cards,
    charts,
    finite,
    group,
    name,
    number,
    percent,
    section,
    shortened,
    table,
    tag,
)
from stylobate.report.tables import PAGE

from .card import card
from .parts import distinct, moment
from .room import DENSE, FULL, MOST, Room

_HEADINGS = (
    Heading("#", numeric=True, hint="Place in the table"),
    Heading("Name"),
    Heading("Kind"),
    Heading("Missing", numeric=True),
    Heading("Distinct", numeric=True),
    Heading("Min", numeric=True, hint="Smallest or first"),
    Heading("Typical", numeric=True, hint="The median of numbers, else the most frequent value"),
    Heading("Max", numeric=True, hint="Largest or last"),
    Heading("Distribution", sortable=False),
    Heading("Notes", numeric=True, hint="How many warnings name it"),
)


def variables(profile: Mapping[str, Any], room: Room) -> Html | None:
    """A table of all variables and their cards, searched and filtered together."""
    everything: Sequence[Mapping[str, Any]] = profile.get("variables") or []
    listed = everything[:MOST]
    if not listed:
        return None
    named = Counter(
        str(column)
        for warning in profile.get("warnings") or []
        for column in warning.get("columns") or []
    )
    rows = [_row(at, each, room, named[str(each.get("name"))]) for at, each in enumerate(listed)]
    made = [card(at, each, room, late=at >= PAGE) for at, each in enumerate(listed)]
    kinds = Counter(str(each.get("kind")) for each in listed)
    content = group(
        table(_HEADINGS, rows, caption="Variables"),
        cards("One by one", made),
        search="Find a variable",
        kinds=Kinds("Kind", dict(kinds.most_common())),
        total=len(listed),
        noun="variables",
    )
    return section("variables", "Variables", content, lead=_lead(len(everything)))


def _lead(count: int) -> str | None:
    if count <= FULL:
        return None
    if count <= DENSE:
        return "With this many columns, cards are drawn when they are opened."
    cut = f" The first {MOST:,} of them are listed." if count > MOST else ""
    return (
        f"With {count:,} columns the cards are kept short: histograms without density lines and "
        f"the five most frequent values. Everything is in the profile itself (to_dict).{cut}"
    )


def _row(at: int, variable: Mapping[str, Any], room: Room, warned: int) -> Row:
    kind = str(variable.get("kind"))
    title = tag("a", name(variable.get("name"), 36), href=f"#v-{at}")
    least, typical, most = _three(variable)
    return Row(
        [
            Cell(number(at + 1), at + 1),
            Cell(title, str(variable.get("name")), text=True, heads=True),
            Cell(tag("span", kind, class_="kind"), kind),
            _missing(variable),
            Cell(distinct(variable), finite(variable.get("distinct"))),
            least,
            typical,
            most,
            Cell(_spark(variable)),
            Cell(number(warned) if warned else "", warned),
        ],
        kind=kind,
    )


def _missing(variable: Mapping[str, Any]) -> Cell:
    share = finite(variable.get("missing_share"))
    if share is None:
        return Cell(number(variable.get("missing")), finite(variable.get("missing")))
    shown: Child = [charts.share_bar(share, width=36, class_="gap"), percent(share)]
    return Cell(shown if share else tag("span", "0%", class_="quiet"), share)


def _three(variable: Mapping[str, Any]) -> tuple[Cell, Cell, Cell]:
    """Least, typical and greatest value, as far as the kind has them."""
    numeric, moments = variable.get("numeric"), variable.get("datetime")
    least = typical = most = Cell("")
    if numeric:
        median = (numeric.get("quantiles") or {}).get("0.5")
        about = "≈ " if finite(numeric.get("rank_error")) else ""
        least, most = (Cell(number(numeric.get(k)), finite(numeric.get(k))) for k in ("min", "max"))
        typical = Cell(about + number(median), finite(median))
    elif moments:
        first, last = str(moments.get("first") or ""), str(moments.get("last") or "")
        least, most = Cell(moment(first), first), Cell(moment(last), last)
    values = (variable.get("counts") or {}).get("values") or []
    if not numeric and values:
        text = str(max(values, key=lambda each: finite(each.get("count")) or 0).get("value"))
        typical = Cell(name(text, 18), text)
    return least, typical, most


def _spark(variable: Mapping[str, Any]) -> Html | None:
    heights: list[Any] = []
    if histogram := (variable.get("numeric") or {}).get("histogram"):
        heights = histogram.get("counts") or []
    elif moments := variable.get("datetime"):
        heights = [each.get("count") for each in moments.get("trend") or []]
    elif counts := variable.get("counts"):
        heights = [each.get("count") for each in (counts.get("values") or [])[:12]]
    known = [finite(height) or 0.0 for height in heights[:60]]
    title = f"Distribution of {shortened(str(variable.get('name')), 60)}"
    return charts.spark_bars(known, title=title) if known else None
