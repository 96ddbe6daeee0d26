"""How variables hang together: maps of pairs, and a list to sort and search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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

MEASURES = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "cramers_v": "Cramér’s V",
    "correlation_ratio": "Correlation ratio",
    "mutual_information": "Mutual information",
}
_BOUNDED = ("pearson", "spearman", "cramers_v", "correlation_ratio")
_WIDEST = 40  # variables of a map
_LONGEST = 200  # pairs of the list

Pairs = dict[tuple[str, str], float]


def measure_name(measure: Any) -> str:
    """What a measure is called in print."""
    return MEASURES.get(str(measure), str(measure).replace("_", " "))


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
    start = "Intervals are at 95%; p-values test against no association, each by itself."
    if sampled is None:
        return start
    return (
        f"{start} Pearson’s is of all rows, the others are of a sample of {number(sampled)} rows, "
        "and their intervals say what the sampling may cost."
    )


def strongest(listed: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Associations by strength; mutual information, which has no upper end, after the others."""

    def order(each: Mapping[str, Any]) -> tuple[bool, float]:
        return each.get("measure") not in _BOUNDED, -abs(finite(each.get("value")) or 0.0)

    return sorted(listed, key=order)


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
    if len([measure for measure in by_measure if measure in _BOUNDED]) > 1:
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
    shown = strongest(listed)[:_LONGEST]
    counts: dict[str, int] = {}
    for each in shown:
        key = measure_name(each.get("measure"))
        counts[key] = counts.get(key, 0) + 1
    headings = [
        Heading("Variable"),
        Heading("With"),
        Heading("Measure"),
        Heading("Value", numeric=True),
        Heading("Strength", hint="Sorted by size, whatever the sign"),
        Heading("Interval", numeric=True),
        Heading("p", numeric=True),
        Heading("Rows", numeric=True),
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
            Cell(number(each.get("n")), finite(each.get("n"))),
        ],
        kind=measure,
    )


def estimate_cells(each: Mapping[str, Any]) -> list[Cell]:
    """Value, picture, interval and p-value of an estimate."""
    value = finite(each.get("value"))
    low, high = finite(each.get("low")), finite(each.get("high"))
    about = "" if each.get("exact", True) or low is not None else "≈ "
    signed = str(each.get("measure")) in ("pearson", "spearman")
    mark = None
    if value is not None and str(each.get("measure")) != "mutual_information":
        mark = charts.interval_mark(value, low, high, start=-1.0 if signed else 0.0)
    width = None if low is None or high is None else high - low
    return [
        Cell(about + fixed(value), value),
        Cell(mark, None if value is None else abs(value)),
        Cell(interval(low, high), width),
        Cell(p_value(each.get("p_value")), finite(each.get("p_value"))),
    ]
