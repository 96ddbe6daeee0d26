"""How variables hang together: maps of pairs, and a list to sort and search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from stylobate.exploration.association.value import WORDS
from stylobate.report import (
    Cell,
    Heading,
    Html,
    Kinds,
    Row,
    charts,
    finite,
    fixed,
    group,
    interval,
    number,
    p_value,
    section,
    table,
    tag,
)

from .room import Room

_BOUNDED = ("pearson", "spearman", "cramers_v", "correlation_ratio")
_WIDEST = 40  # variables of a map
_LONGEST = 150  # pairs of the list

Pairs = dict[tuple[str, str], float]


def measure_name(measure: Any) -> str:
    """What a measure is called in print."""
    words = WORDS.get(str(measure))
    return str(measure) if words is None else (words[:1].upper() + words[1:]).replace("'", "’")


def associations(profile: Mapping[str, Any], room: Room) -> Html | None:
    """Maps and list of the associations found."""
    listed = [
        each for each in profile.get("associations") or [] if finite(each.get("value")) is not None
    ]
    if not listed:
        return None
    return section(
        "associations", "Associations", _maps(listed), _list(listed, room), lead=_lead(profile)
    )


def _lead(profile: Mapping[str, Any]) -> str:
    sampled = profile.get("sampled_rows")
    start = (
        "Intervals are at 95%; p tests against no association, q adjusts p for all the tests made."
    )
    if sampled is None:
        return start
    return (
        f"{start} Pearson’s is of all rows, the others are of a sample of {number(sampled)} rows, "
        "and their intervals say what the sampling may cost."
    )


def _maps(listed: Sequence[Mapping[str, Any]]) -> Html | None:
    """A map of the measure that suits each pair, and one of every measure."""
    panels: list[tuple[str, str, Pairs]] = []
    by_measure: dict[str, Pairs] = {}
    for each in listed:
        pair = (str(each.get("a")), str(each.get("b")))
        by_measure.setdefault(str(each.get("measure")), {})[pair] = float(each["value"])
    suited: Pairs = {}
    for measure in ("spearman", "pearson", "correlation_ratio", "cramers_v"):
        suited |= by_measure.get(measure, {})
    if suited and suited not in by_measure.values():
        panels.append(("suited", "The one that suits the pair", suited))
    panels += [
        (measure, measure_name(measure), by_measure[measure])
        for measure in _BOUNDED
        if measure in by_measure
    ]
    if not panels:
        return None
    choice = tag(
        "label",
        tag("span", "Measure"),
        tag(
            "select", (tag("option", text, value=key) for key, text, _ in panels), data_switch=True
        ),
        class_="choice",
    )
    return tag(
        "div",
        choice if len(panels) > 1 else None,
        [_map(key, text, pairs) for key, text, pairs in panels],
    )


def _map(key: str, text: str, pairs: Pairs) -> Html:
    reach: dict[str, float] = {}
    for (a, b), value in pairs.items():
        for each in (a, b):
            reach[each] = max(reach.get(each, 0.0), abs(value))
    names = sorted(reach, key=lambda each: -reach[each])[:_WIDEST]
    at = {each: place for place, each in enumerate(names)}
    kept = {
        (at[a], at[b]): value for (a, b), value in pairs.items() if a in at and b in at and a != b
    }
    order = charts.similar_together(len(names), kept)
    place = {old: new for new, old in enumerate(order)}
    values = {(place[a], place[b]): value for (a, b), value in kept.items()}
    drawn = charts.heat_map(
        [names[old] for old in order], values, title=f"Map of associations: {text}"
    )
    cut = (
        f" Of {len(reach):,} variables, the {_WIDEST} with the strongest associations."
        if len(reach) > _WIDEST
        else ""
    )
    caption = tag("figcaption", _legend(), tag("span", f"Similar variables stand together.{cut}"))
    box = tag("div", drawn, class_="scroll", role="region", aria_label=f"Map: {text}", tabindex=0)
    return tag("figure", box, caption, data_panel=key)


def _legend() -> Html:
    return tag(
        "span",
        tag("span", "−1", class_="swatch down"),
        tag("span", "0", class_="swatch none"),
        tag("span", "+1", class_="swatch up"),
        class_="legend",
    )


def _list(listed: Sequence[Mapping[str, Any]], room: Room) -> Html:
    shown = sorted(listed, key=lambda each: -(strength(each) or 0.0))[:_LONGEST]
    counts: dict[str, int] = {}
    for each in shown:
        key = measure_name(each.get("measure"))
        counts[key] = counts.get(key, 0) + 1
    headings = [
        Heading("Variable"),
        Heading("With"),
        Heading("Measure"),
        *estimate_headings(),
    ]
    made = table(headings, (_row(each, room) for each in shown), caption="Associations", limit=30)
    cut = f"The {_LONGEST} strongest of {len(listed):,}; the profile itself has them all (to_dict)."
    return group(
        made,
        tag("p", cut, class_="quiet") if len(listed) > _LONGEST else None,
        search="Find a variable",
        kinds=Kinds("Measure", counts),
        total=len(shown),
        noun="associations",
    )


def _row(each: Mapping[str, Any], room: Room) -> Row:
    measure = measure_name(each.get("measure"))
    return Row(
        [
            Cell(room.link(each.get("a"), 30), str(each.get("a")), text=True),
            Cell(room.link(each.get("b"), 30), str(each.get("b")), text=True),
            Cell(measure, measure),
            *estimate_cells(each),
        ],
        kind=measure,
    )


def estimate_headings() -> list[Heading]:
    """Headings above `estimate_cells`."""
    return [
        Heading("Value", numeric=True),
        Heading("Strength", hint="Sorted by size, whatever the sign"),
        Heading("Interval", numeric=True, hint="Sorted by width"),
        Heading("p", numeric=True),
        Heading("q", numeric=True, hint="p adjusted for all tests (Benjamini and Hochberg)"),
        Heading("Rows", numeric=True),
    ]


def estimate_cells(each: Mapping[str, Any]) -> list[Cell]:
    """Value, picture, interval, p-value, q-value and rows of an estimate."""
    value = finite(each.get("value"))
    low, high = finite(each.get("low")), finite(each.get("high"))
    about = "" if each.get("exact", True) or low is not None else "≈ "
    width = None if low is None or high is None else high - low
    why = each.get("reason")
    nothing = tag("span", "–", title=str(why) if why else None)
    return [
        Cell(about + fixed(value) if value is not None else nothing, value),
        Cell(_mark(each), strength(each)),
        Cell(interval(low, high), width),
        Cell(p_value(each.get("p_value")), finite(each.get("p_value"))),
        Cell(p_value(each.get("q_value")), finite(each.get("q_value"))),
        Cell(number(each.get("n")), finite(each.get("n"))),
    ]


def strength(each: Mapping[str, Any]) -> float | None:
    """How far from no association, in [0, 1]; of an AUC, how far from one half."""
    value, known = finite(each.get("value")), finite(each.get("strength"))
    if known is not None or value is None:
        return known
    return abs(2.0 * value - 1.0) if each.get("measure") == "auc" else abs(value)


def _mark(each: Mapping[str, Any]) -> Html | None:
    """Point and interval on the measure's own scale; information, which has no end, as a bar."""
    value, low, high = (finite(each.get(key)) for key in ("value", "low", "high"))
    measure = str(each.get("measure"))
    if value is None:
        return None
    if measure == "mutual_information":
        return charts.share_bar(strength(each) or 0.0, width=86)
    if measure == "auc":
        return charts.interval_mark(value, low, high, zero=0.5)
    signed = measure in ("pearson", "spearman")
    return charts.interval_mark(value, low, high, start=-1.0 if signed else 0.0)
