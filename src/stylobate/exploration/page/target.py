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
    group,
    name,
    number,
    percent,
    section,
    table,
    tag,
)

from .associations import estimate_cells, estimate_headings, measure_name
from .room import Room
from .target_groups import group_cards
from .target_pairs import pair_cards


def target(profile: Mapping[str, Any], room: Room) -> Html | None:
    """Suspects, balance, features by what they tell, the target by groups, and pairs."""
    found = profile.get("target")
    if not found:
        return None
    features = [each for each in found.get("features") or [] if isinstance(each, Mapping)]
    pairs = [each for each in found.get("pairs") or [] if isinstance(each, Mapping)]
    return section(
        "target",
        "Target",
        tag("ul", (tag("li", str(note)) for note in found.get("notes") or []), class_="notes"),
        _suspects(found.get("suspects") or [], room),
        _balance(found.get("balance") or {}),
        _features(features, room),
        _words(found.get("words") or [], str(found.get("name"))),
        group_cards(features),
        pair_cards(pairs, room),
        lead=_lead(found, room, finite(profile.get("sampled_rows"))),
    )


def _lead(found: Mapping[str, Any], room: Room, sampled: float | None) -> list[Html | str]:
    parts: list[Html | str] = [
        tag("strong", room.link(found.get("name"))),
        f", {found.get('kind') or 'of unknown kind'}",
    ]
    if finite(found.get("rows")) is not None:
        whole = "" if sampled is None else f" of a sample of {number(sampled)}"
        parts.append(f": known in {number(found['rows'])}{whole} rows")
    if found.get("missing"):
        parts.append(f", missing in {number(found['missing'])}")
    return [*parts, "."]


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
    heading = tag("h3", "Columns a model should not have")
    return tag("div", heading, tag("ul", items, class_="warnings"))


def _balance(balance: Mapping[str, Any]) -> Html | None:
    listed = balance.get("classes") or []
    items = [
        charts.Bar(name(each.get("label"), 24), each["count"], finite(each.get("share")))
        for each in listed[:20]
        if finite(each.get("count")) is not None
    ]
    if not items:
        return None
    more = len(listed) - len(items)
    return tag(
        "div",
        tag("h3", "Balance"),
        charts.bars(items, title="Balance of the classes"),
        tag("p", f"And {more:,} more classes.", class_="quiet") if more > 0 else None,
        tag("p", str(balance["sentence"]), class_="quiet") if balance.get("sentence") else None,
    )


def _features(features: Sequence[Mapping[str, Any]], room: Room) -> Html | None:
    if not features:
        return None
    explains = "Share of the target’s variance or entropy that its groups explain, less chance’s"
    headings = [
        Heading("Variable"),
        Heading("Explains", numeric=True, hint=explains),
        Heading("Measure"),
        *estimate_headings(),
    ]
    rows = [
        Row(
            [
                Cell(room.link(each.get("name")), str(each.get("name")), text=True, heads=True),
                _explained(each),
                Cell(measure_name(each.get("measure")), measure_name(each.get("measure"))),
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


def _words(words: Sequence[Mapping[str, Any]], target: str) -> Html | None:
    """Words of texts, and what the target is with and without them."""
    if not words:
        return None
    headings = [
        Heading("Word"),
        Heading("Column"),
        Heading("Rows", numeric=True),
        Heading("Goes with"),
        Heading("With it", numeric=True, hint=f"Share of the class, or mean of {target}"),
        Heading("Without", numeric=True),
        Heading("z", numeric=True, hint="The difference in standard errors"),
    ]
    rows = [
        Row(
            [
                Cell(name(each["word"], 40), str(each["word"]), text=True, heads=True),
                Cell(name(each["column"], 24), str(each["column"])),
                Cell(number(each["rows"]), each["rows"]),
                Cell(name(each["of_class"] or ("more" if each["z"] > 0 else "less"), 24)),
                _told(each["with_it"], each["of_class"]),
                _told(each["without"], each["of_class"]),
                Cell(number(each["z"], 3), each["z"]),
            ]
        )
        for each in words
    ]
    made = table(headings, rows, caption="Words and the target", limit=20)
    return tag(
        "div",
        tag("h3", "Words that go with it"),
        group(made, search="Find a word", total=len(rows), noun="words"),
    )


def _told(value: float, of_class: Any) -> Cell:
    return Cell(number(value, 3) if of_class is None else percent(value), value)


def _explained(each: Mapping[str, Any]) -> Cell:
    share = finite(each.get("explains"))
    if share is None:
        return Cell("–")
    return Cell([charts.share_bar(share, width=36), percent(share)], share)
