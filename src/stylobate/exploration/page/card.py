"""The card of one variable: pictures on the left, numbers on the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from stylobate.report import (
    Child,
    Html,
    charts,
    facts,
    finite,
    name,
    number,
    percent,
    shortened,
    tag,
)

from .numeric import numeric_blocks
from .parts import block, distinct, moment
from .room import Room


def card(at: int, variable: Mapping[str, Any], room: Room, *, late: bool) -> Html:
    """A card that opens when asked to."""
    kind = str(variable.get("kind"))
    missing = finite(variable.get("missing_share")) or 0.0
    summary = tag(
        "summary",
        tag("span", name(variable.get("name"), 160), class_="name", data_text=True),
        tag("span", kind, class_="kind"),
        tag("span", f"{percent(missing)} missing", class_="warn") if missing else None,
    )
    blocks: list[Child] = [_about(variable)]
    if variable.get("numeric"):
        blocks += numeric_blocks(variable, room)
    if variable.get("datetime"):
        blocks += _datetime(variable)
    if variable.get("text"):
        blocks += _text(variable["text"], room)
    if variable.get("counts"):
        most = 5 if variable.get("numeric") else room.values
        blocks.append(_counts(variable["counts"], most))
    if not variable.get("numeric") and (finite(variable.get("distinct")) or 0.0) > room.values:
        blocks.append(_examples(variable.get("examples") or []))
    body = tag("div", blocks, class_="card")
    return tag(
        "details",
        summary,
        body if room.detailed else tag("template", body),
        id=f"v-{at}",
        class_="late" if late else None,
        data_kind=kind,
    )


def _about(variable: Mapping[str, Any]) -> Html:
    missing = f"{number(variable.get('missing'))} ({percent(variable.get('missing_share'))})"
    pairs: list[tuple[Child, Child]] = [
        ("Kind", [str(variable.get("kind")), tag("small", " ", str(variable.get("reason") or ""))]),
        ("Type", name(variable.get("type"), 40)),
        ("Missing", missing),
        ("Distinct", distinct(variable)),
    ]
    if variable.get("mixed"):
        pairs.append(("Does not fit", name(variable["mixed"], 200)))
    return block("About", facts(pairs))


def _datetime(variable: Mapping[str, Any]) -> list[Child]:
    found = variable["datetime"]
    zone = f" {found['zone']}" if found.get("zone") else ""
    pairs: list[tuple[Child, Child]] = [
        ("First", moment(str(found.get("first") or "–")) + zone),
        ("Last", moment(str(found.get("last") or "–")) + zone),
        ("Median step", _step(found.get("median_step"))),
        ("Gaps", number(found.get("gaps"))),
    ]
    blocks: list[Child] = [block("Moments", facts(pairs))]
    points = [
        charts.Point(str(each.get("start")), count)
        for each in found.get("trend") or []
        if (count := finite(each.get("count"))) is not None
    ]
    if points:
        per = str(found.get("per"))
        title = f"Rows per {per} of {shortened(str(variable.get('name')), 60)}"
        blocks.append(block(f"Rows per {per}", charts.band(points, title=title, from_zero=True)))
    return blocks


def _step(seconds: Any) -> str:
    known = finite(seconds)
    if known is None:
        return str(seconds) if seconds else "–"
    for unit, size in (("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if known >= size:
            return f"{number(known / size, 3)} {unit}"
    return f"{number(known, 3)} seconds"


def _text(found: Mapping[str, Any], room: Room) -> list[Child]:
    pairs: list[tuple[Child, Child]] = [
        ("Shortest", number(found.get("min_length"))),
        ("Mean", number(found.get("mean_length"), 3)),
        ("Longest", number(found.get("max_length"))),
    ]
    blocks: list[Child] = [block("Length in characters", facts(pairs))]
    words = [
        charts.Bar(name(each.get("word"), 24), count, None)
        for each in (found.get("words") or [])[: room.values]
        if (count := finite(each.get("count"))) is not None
    ]
    if words:
        blocks.append(block("Frequent words", charts.bars(words, title="Frequent words")))
    return blocks


def _counts(counts: Mapping[str, Any], most: int) -> Html:
    listed = counts.get("values") or []
    shown = listed[:most]
    items = [
        charts.Bar(_value(each.get("value")), each["count"], finite(each.get("share")))
        for each in shown
        if finite(each.get("count")) is not None
    ]
    others = (finite(counts.get("others")) or 0.0) + sum(
        finite(each.get("count")) or 0.0 for each in listed[most:]
    )
    total = others + sum(item.count for item in items)
    if others:
        items.append(charts.Bar(tag("em", "other values"), int(others), others / total, "rest"))
    exact = counts.get("exact", True)
    about = "" if exact else "≈ "
    off = f"Counts are estimates, off by at most {number(counts.get('error'))}."
    return block(
        "Most frequent values",
        charts.bars(items, title="Most frequent values", about=about),
        None if exact else tag("p", off, class_="quiet"),
    )


def _value(value: Any) -> Html:
    return tag("em", "missing") if value is None else name(value, 24)


def _examples(examples: Sequence[Any]) -> Html | None:
    if not examples:
        return None
    items = (tag("li", name(each, 120)) for each in examples[:5])
    return block("Examples", tag("ul", items, class_="examples"))
