"""Pictures the size of a word, for the cells of a table: bars, shares, intervals."""

from __future__ import annotations

from collections.abc import Sequence

from ..elements import Html, tag
from .scales import Scale, drawing, px


def spark_bars(
    values: Sequence[float], *, title: str, width: float = 96, height: float = 22
) -> Html:
    """Bars without axes.

    Examples
    --------
    >>> str(spark_bars([1, 2], title="x")).count("<path")
    1
    """
    top = max([*values, 1e-300])
    step = width / max(len(values), 1)
    wide = max(step - (1.0 if step > 3.0 else 0.2), 0.5)
    parts = []
    for at, value in enumerate(values):
        if value > 0:
            tall = max(value / top * (height - 1.0), 0.8)
            parts.append(f"M{px(at * step)} {px(height)}v{px(-tall)}h{px(wide)}v{px(tall)}")
    return drawing(
        width, height, title, tag("path", d="".join(parts), class_="bar"), class_="spark"
    )


def spark_line(
    values: Sequence[float], *, title: str, width: float = 96, height: float = 22
) -> Html:
    """A line without axes."""
    up = Scale.over(values, height - 2.0, 2.0)
    across = Scale(0.0, max(len(values) - 1, 1), 1.0, width - 1.0)
    points = "L".join(f"{px(across(at))} {px(up(value))}" for at, value in enumerate(values))
    return drawing(width, height, title, tag("path", d=f"M{points}", class_="line"), class_="spark")


def share_bar(share: float, *, width: float = 56, height: float = 6, class_: str = "bar") -> Html:
    """A share of one as a filled part of a track; the number itself stands beside it."""
    part = min(max(share, 0.0), 1.0) * width
    return tag(
        "svg",
        tag("rect", width=px(width), height=px(height), rx=1, class_="track"),
        tag("rect", width=px(max(part, 1.0)), height=px(height), rx=1, class_=class_)
        if part > 0
        else None,
        class_="share",
        viewBox=f"0 0 {px(width)} {px(height)}",
        width=px(width),
        height=px(height),
        aria_hidden="true",
    )


def interval_mark(
    value: float,
    low: float | None,
    high: float | None,
    *,
    start: float = 0.0,
    end: float = 1.0,
    zero: float = 0.0,
) -> Html:
    """An estimate as a point on its interval, on a scale with a mark at ``zero``."""
    width, height = 96.0, 14.0
    across = Scale(start, end, 5.0, width - 5.0)
    return tag(
        "svg",
        tag(
            "path",
            d=f"M{px(across.start)} 7H{px(across.end)}M{px(across(zero))} 2v10",
            class_="track",
        ),
        tag("path", d=f"M{px(across(low))} 7H{px(across(high))}", class_="reach")
        if low is not None and high is not None
        else None,
        tag("circle", cx=px(across(value)), cy=7, r=3.5, class_="point"),
        class_="mark",
        width=px(width),
        height=px(height),
        aria_hidden="true",
    )
