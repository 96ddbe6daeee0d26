"""Means over time, small and side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stylobate.report import Html, charts, finite, section, shortened, tag

from .room import Room

_MOST = 24


def trends(profile: Mapping[str, Any], room: Room) -> Html | None:
    """A line in its band for each column that has one."""
    listed = [each for each in profile.get("trends") or [] if each.get("points")]
    if not listed:
        return None
    figures = [figure for each in listed[:_MOST] if (figure := _figure(each, room)) is not None]
    cut = f" The first {_MOST} of {len(listed):,} are drawn." if len(listed) > _MOST else ""
    return section(
        "trends",
        "Trends",
        tag("div", figures, class_="multiples"),
        lead=f"Means per period, in the band of their 95% intervals.{cut}",
    )


def _figure(trend: Mapping[str, Any], room: Room) -> Html | None:
    points = [
        charts.Point(
            str(each.get("start")), mean, finite(each.get("low")), finite(each.get("high"))
        )
        for each in trend["points"]
        if (mean := finite(each.get("mean"))) is not None
    ]
    if not points:
        return None
    column, time = trend.get("column"), trend.get("time")
    title = f"{shortened(str(column), 60)} over {shortened(str(time), 60)}"
    caption = tag(
        "figcaption",
        room.link(column),
        tag("small", f" per {trend.get('per')} of ", room.link(time)),
    )
    return tag("figure", caption, charts.band(points, title=title))
