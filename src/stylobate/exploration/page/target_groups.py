"""The target by groups of one variable: shares of classes, or means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from stylobate.report import Child, Html, charts, finite, interval, name, number, percent, tag

from .parts import block

_MOST = 6  # variables

Group = Mapping[str, Any]


def group_cards(features: Sequence[Mapping[str, Any]]) -> Html | None:
    """A card for each of the variables that explain most."""
    known = [each for each in features if each.get("table")]
    if not known:
        return None
    cards = [
        tag(
            "details",
            tag("summary", tag("span", "By ", name(each.get("name")), class_="name")),
            tag("div", _blocks(each), class_="card"),
        )
        for each in known[:_MOST]
    ]
    more = len(known) - _MOST
    return tag(
        "div",
        tag("h3", "The target by groups"),
        tag("div", cards, class_="cards"),
        tag("p", f"And {more:,} more, in the profile itself (to_dict).", class_="quiet")
        if more > 0
        else None,
    )


def _blocks(feature: Mapping[str, Any]) -> list[Child]:
    groups = [each for each in feature["table"] if isinstance(each, Mapping)]
    picture = _distributions(feature)
    made = _shares(groups) if any(each.get("shares") for each in groups) else _means(groups)
    return [block("By group", made), picture]


def _shares(groups: Sequence[Group]) -> Html:
    """Shares of two classes are one share; of more, a bar in pieces."""
    labels = [str(each.get("label")) for each in groups[0].get("shares") or []]
    two = len(labels) == 2
    heads = ["Group", "Rows", f"Share of {labels[-1]}" if two else "Shares", ""]
    rows: list[list[Child]] = []
    for each in groups:
        shares = each.get("shares") or []
        values = [finite(share.get("share")) or 0.0 for share in shares]
        start: list[Child] = [name(each.get("group"), 28), number(each.get("n"))]
        if two and len(shares) == 2:
            low, high = finite(shares[1].get("low")), finite(shares[1].get("high"))
            rows.append([*start, percent(values[1]), charts.interval_mark(values[1], low, high)])
        else:
            named = [str(share.get("label")) for share in shares]
            rows.append([*start, charts.stacked_bar(values, labels=named), None])
    made = small_table(heads, rows, "Shares of the classes by group")
    return made if two else tag("div", charts.key([name(label, 24) for label in labels]), made)


def _means(groups: Sequence[Group]) -> Html:
    ends = [
        value
        for each in groups
        for key in ("low", "high", "mean")
        if (value := finite(each.get(key))) is not None
    ]
    start, end = (min(ends), max(ends)) if ends else (0.0, 1.0)
    rows: list[list[Child]] = []
    for each in groups:
        mean, low, high = (finite(each.get(key)) for key in ("mean", "low", "high"))
        mark = None
        if mean is not None and start < end:
            mark = charts.interval_mark(mean, low, high, start=start, end=end)
        span = tag("span", number(mean), title=interval(low, high))
        rows.append([name(each.get("group"), 28), number(each.get("n")), span, mark])
    return small_table(["Group", "Rows", "Mean", ""], rows, "Means by group")


def small_table(heads: Sequence[str], rows: Sequence[Sequence[Child]], caption: str) -> Html:
    """A table within a card: first a name, then numbers and pictures."""
    head = tag(
        "tr",
        (tag("th", text, scope="col", class_="n" if at else None) for at, text in enumerate(heads)),
    )
    body = (
        tag(
            "tr",
            tag("th", row[0], scope="row"),
            (tag("td", cell, class_="n") for cell in row[1:]),
        )
        for row in rows
    )
    return tag(
        "table", tag("caption", caption), tag("thead", head), tag("tbody", body), class_="plain"
    )


def _distributions(feature: Mapping[str, Any]) -> Html | None:
    """A numeric variable within each class."""
    edges = [edge for each in feature.get("edges") or [] if (edge := finite(each)) is not None]
    classes = feature.get("classes") or []
    series = [[finite(count) or 0.0 for count in each.get("counts") or []] for each in classes]
    if len(edges) < 2 or not series or any(len(counts) != len(edges) - 1 for counts in series):
        return None
    picture = charts.overlay(
        edges, series[: charts.HUES], title="Distribution within each class, in percent of its rows"
    )
    return block(
        "Within each class", charts.key([name(each.get("label"), 24) for each in classes]), picture
    )
