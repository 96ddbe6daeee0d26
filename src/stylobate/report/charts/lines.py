"""A value over time, or any other order: a line in the band of its interval."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..characters import shortened
from ..elements import Html, tag
from .scales import Scale, drawing, path, px, y_axis


@dataclass(frozen=True)
class Point:
    """A value at a place (a date or a label), with its interval where it has one."""

    at: str
    value: float
    low: float | None = None
    high: float | None = None


def band(
    points: Sequence[Point],
    *,
    title: str,
    from_zero: bool = False,
    width: float = 328.0,
    height: float = 130.0,
) -> Html:
    """A line through the points and a band around it.

    Parameters
    ----------
    points : sequence of Point
        In order. Dates are placed by time, other labels at equal distances.
    title : str
        What is drawn.
    from_zero : bool
        Whether the scale starts at zero, as it should for counts.
    width, height : float
        Size in pixels.

    Returns
    -------
    Html

    Examples
    --------
    >>> days = [Point("2024-01-01", 1.0, 0.5, 1.5), Point("2024-01-02", 2.0, 1.5, 2.5)]
    >>> str(band(days, title="x")).count("<path")
    4
    """
    floor = height - 20.0
    limits = [limit for p in points for limit in (p.value, p.low, p.high) if limit is not None]
    up = Scale.over([*limits, 0.0] if from_zero else limits, floor, 8.0)
    places = _places(points)
    across = Scale.over(places, 46.0, width - 8.0)
    xs = [across(place) for place in places]
    return drawing(
        width,
        height,
        title,
        y_axis(up, across.start, across.end),
        _band(points, xs, up),
        tag(
            "path", d=path((x, up(p.value)) for x, p in zip(xs, points, strict=True)), class_="line"
        )
        if len(points) > 1
        else None,
        _dots(points, xs, up) if len(points) <= 30 else None,
        _ends(points, across, floor),
    )


def _places(points: Sequence[Point]) -> list[float]:
    stamps = [_stamp(point.at) for point in points]
    known = [stamp for stamp in stamps if stamp is not None]
    return known if len(known) == len(stamps) else [float(at) for at in range(len(points))]


def _stamp(text: str) -> float | None:
    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    # The same for all points, whatever the machine's own zone.
    return moment.replace(tzinfo=moment.tzinfo or datetime.UTC).timestamp()


def _band(points: Sequence[Point], xs: Sequence[float], up: Scale) -> Html:
    """The band, in pieces where an interval is unknown."""
    pieces: list[list[tuple[float, float, float]]] = [[]]
    for x, point in zip(xs, points, strict=True):
        if point.low is None or point.high is None:
            pieces.append([])
        else:
            pieces[-1].append((x, up(point.low), up(point.high)))
    data = "".join(
        path([(x, y) for x, y, _ in piece] + [(x, y) for x, _, y in reversed(piece)]) + "Z"
        for piece in pieces
        if piece
    )
    return tag("path", d=data, class_="reach")


def _dots(points: Sequence[Point], xs: Sequence[float], up: Scale) -> Html:
    return tag(
        "g",
        (
            tag(
                "circle",
                tag("title", f"{point.at}: {point.value:g}"),
                cx=px(x),
                cy=px(up(point.value)),
                r=2.2,
            )
            for x, point in zip(xs, points, strict=True)
            if math.isfinite(point.value)
        ),
        class_="point",
    )


def _ends(points: Sequence[Point], across: Scale, floor: float) -> Html:
    base = tag("path", d=f"M{px(across.start)} {px(floor)}H{px(across.end)}")
    texts = [
        tag("text", shortened(point.at, 19), x=px(x), y=px(floor + 14), text_anchor=where)
        for point, x, where in (
            (points[0], across.start, "start"),
            (points[-1], across.end, "end"),
        )[: 1 if len(points) == 1 else 2]
    ]
    return tag("g", base, texts, class_="axis")
