"""Numbers on a variable's card: distribution, moments, quantiles, outliers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from stylobate.report import Child, Html, charts, facts, finite, number, percent, shortened, tag

from .parts import block
from .room import Room

_POINTS = 100  # of a density line


def numeric_blocks(variable: Mapping[str, Any], room: Room) -> list[Child]:
    """Blocks of a card for a column of numbers."""
    found = variable["numeric"]
    picture = _picture(variable, room)
    return [
        block("Distribution", picture, _outside(found)) if picture else None,
        block("Moments", facts(_moments(found), two=True)),
        block("Quantiles", _quantiles(found), _rank_error(found)),
        block("Outliers", _outliers(found.get("outliers") or {}))
        if found.get("outliers")
        else None,
    ]


def _picture(variable: Mapping[str, Any], room: Room) -> Html | None:
    found = variable["numeric"]
    bins = found.get("histogram") or {}
    edges = [finite(each) for each in bins.get("edges") or []]
    counts = [finite(each) for each in bins.get("counts") or []]
    known = [edge for edge in edges if edge is not None]
    heights = [count for count in counts if count is not None]
    if len(known) < 2 or len(known) != len(edges) or len(heights) != len(known) - 1:
        return None
    return charts.histogram(
        known,
        heights,
        title=f"Histogram of {shortened(str(variable.get('name')), 60)}",
        density=_density(found.get("density") or {}) if room.densities else None,
        box=_box(found),
        detailed=room.detailed,
    )


def _density(curve: Mapping[str, Any]) -> tuple[list[float], list[float]] | None:
    points = [
        (x, y)
        for x, y in zip(curve.get("x") or [], curve.get("y") or [], strict=False)
        if finite(x) is not None and finite(y) is not None
    ]
    every = max(1, len(points) // _POINTS)
    kept = points[::every]
    return ([x for x, _ in kept], [y for _, y in kept]) if len(kept) > 1 else None


def _box(found: Mapping[str, Any]) -> charts.Box | None:
    """Whiskers end at the box rule's bounds, or at the extremes where these lie within."""
    quantiles = found.get("quantiles") or {}
    quartiles = [finite(quantiles.get(key)) for key in ("0.25", "0.5", "0.75")]
    ends = [finite(found.get("min")), finite(found.get("max"))]
    rule = (found.get("outliers") or {}).get("box") or {}
    lower, upper = finite(rule.get("lower")), finite(rule.get("upper"))
    first, median, third = quartiles
    low, high = ends
    if first is None or median is None or third is None or low is None or high is None:
        return None
    low = low if lower is None else max(low, lower)
    high = high if upper is None else min(high, upper)
    return charts.Box(low, first, median, third, high)


def _outside(found: Mapping[str, Any]) -> Html | None:
    bins = found.get("histogram") or {}
    below, above = finite(bins.get("below")) or 0.0, finite(bins.get("above")) or 0.0
    if not below and not above:
        return None
    text = f"Not drawn: {number(int(below))} smaller and {number(int(above))} larger values."
    return tag("p", text, class_="quiet")


def _moments(found: Mapping[str, Any]) -> list[tuple[Child, Child]]:
    pairs: list[tuple[Child, Child]] = [
        ("Mean", number(found.get("mean"))),
        ("Std. deviation", number(found.get("sd"))),
        ("Skewness", number(found.get("skewness"), 3)),
        ("Ex. kurtosis", number(found.get("kurtosis"), 3)),
        ("Zeros", number(found.get("zeros"))),
        ("Negative", number(found.get("negatives"))),
    ]
    if found.get("infinite"):
        pairs.append(("Infinite", number(found["infinite"])))
    return pairs


def _quantiles(found: Mapping[str, Any]) -> Html:
    listed = found.get("quantiles") or {}
    pairs: list[tuple[Child, Child]] = [("Min", number(found.get("min")))]
    for key in sorted(listed, key=float):
        share = float(key)
        pairs.append((_quantile_name(share), number(listed[key])))
    pairs.append(("Max", number(found.get("max"))))
    return facts(pairs, two=True)


def _quantile_name(share: float) -> str:
    named = {0.25: "Quartile 1", 0.5: "Median", 0.75: "Quartile 3"}
    return named.get(share) or f"{100.0 * share:g}%"


def _rank_error(found: Mapping[str, Any]) -> Html | None:
    error = finite(found.get("rank_error"))
    if not error:
        return None
    text = f"Estimated: the rank of each is off by at most {percent(error)} of the rows."
    return tag("p", text, class_="quiet")


def _outliers(outliers: Mapping[str, Any]) -> Html:
    rules: Sequence[tuple[str, str]] = (
        ("Box rule (1.5 IQR)", "box"),
        ("Percentile rule", "percentile"),
    )
    head = tag(
        "tr", (tag("th", text, scope="col") for text in ("Rule", "Bounds", "Below", "Above"))
    )
    rows = []
    for title, key in rules:
        rule = outliers.get(key)
        if rule:
            bounds = f"{number(rule.get('lower'))} to {number(rule.get('upper'))}"
            counts = (number(rule.get("below")), number(rule.get("above")))
            rows.append(
                tag(
                    "tr",
                    tag("th", title, scope="row"),
                    tag("td", bounds, class_="n"),
                    (tag("td", text, class_="n") for text in counts),
                )
            )
    caption = tag("caption", "Outliers by rule")
    return tag("table", caption, tag("thead", head), tag("tbody", rows), class_="plain")
