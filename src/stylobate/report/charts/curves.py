"""Lines over two axes: curves of rates, of learning, of dependence; and clouds of points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..elements import Child, Html, tag
from .scales import Scale, drawing, path, px, x_axis, y_axis
from .stacked import hue

Pair = tuple[float, float]
_DOTS = 40  # points up to which each is marked


@dataclass(frozen=True)
class Curve:
    """A line: its points, the band around it, and how it is drawn.

    ``low`` and ``high`` are the ends of the band at each point, or empty; ``dots`` marks points.
    """

    points: Sequence[Pair]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    hue: int = 0
    dots: bool = False
    steps: bool = False


@dataclass(frozen=True)
class Axes:
    """What the axes show: names, and ends where they are fixed."""

    x: str = ""
    y: str = ""
    x_range: Pair | None = None
    y_range: Pair | None = None
    diagonal: bool = False
    width: float = 328.0
    height: float = 240.0
    extra: Sequence[float] = field(default=())  # values the y axis holds besides


def curves(lines: Sequence[Curve], *, title: str, axes: Axes) -> Html:
    """Lines with their bands over a grid.

    Parameters
    ----------
    lines : sequence of Curve
        The last is drawn on top.
    title : str
        What is drawn.
    axes : Axes
        Names and ends of the axes, size, and whether the diagonal is drawn.

    Returns
    -------
    Html

    Examples
    --------
    >>> line = Curve([(0.0, 0.0), (0.2, 0.7), (1.0, 1.0)])
    >>> made = curves([line], title="ROC", axes=Axes(x_range=(0, 1), y_range=(0, 1)))
    >>> str(made).count('class="outline')
    1
    """
    across, up = axis_scales(lines, axes)
    return drawing(
        axes.width,
        axes.height,
        title,
        y_axis(up, across.start, across.end, 5),
        _diagonal(across, up) if axes.diagonal else None,
        [_band(line, across, up) for line in lines],
        [_line(line, across, up) for line in lines],
        axis_names(axes, across),
        x_axis(across, up.start),
    )


def cloud(points: Sequence[Pair], *, title: str, axes: Axes, level: float | None = None) -> Html:
    """Points, with the diagonal or a level line through them."""
    good = [each for each in points if all(map(math.isfinite, each))]
    across, up = axis_scales([Curve(good)], axes)
    data = "".join(f"M{px(across(x))} {px(up(y))}h0" for x, y in good)
    line = None
    if level is not None:
        line = tag(
            "path", d=f"M{px(across.start)} {px(up(level))}H{px(across.end)}", class_="guide"
        )
    return drawing(
        axes.width,
        axes.height,
        title,
        y_axis(up, across.start, across.end, 5),
        _diagonal(across, up) if axes.diagonal else None,
        line,
        tag("path", d=data, class_="cloud") if data else None,
        axis_names(axes, across),
        x_axis(across, up.start),
    )


def axis_scales(lines: Sequence[Curve], axes: Axes) -> tuple[Scale, Scale]:
    """Scales that hold all lines and their bands."""
    xs = list(axes.x_range or [x for line in lines for x, _ in line.points])
    ys = list(axes.y_range or ())
    if not ys:
        ys = [y for line in lines for _, y in line.points] + list(axes.extra)
        ys += [end for line in lines for end in (*line.low, *line.high)]
    floor = axes.height - (36.0 if axes.x else 20.0)
    return Scale.over(xs, 44.0, axes.width - 10.0), Scale.over(ys, floor, 24.0 if axes.y else 8.0)


def _diagonal(across: Scale, up: Scale) -> Html:
    """The line of equal values, where both axes show it."""
    low, high = max(across.low, up.low), min(across.high, up.high)
    data = f"M{px(across(low))} {px(up(low))}L{px(across(high))} {px(up(high))}"
    return tag("path", d=data if low < high else "M0 0", class_="guide")


def _band(line: Curve, across: Scale, up: Scale) -> Html | None:
    if not line.low or len(line.low) != len(line.points) or len(line.high) != len(line.points):
        return None
    xs = [across(x) for x, _ in line.points]
    there = [(x, up(y)) for x, y in zip(xs, line.high, strict=True)]
    back = [(x, up(y)) for x, y in zip(xs, line.low, strict=True)]
    data = path(there + back[::-1]) + "Z"
    return tag("path", d=data, class_=hue(line.hue), fill_opacity="0.18")


def _line(line: Curve, across: Scale, up: Scale) -> list[Child]:
    places = [(across(x), up(y)) for x, y in line.points]
    if not places:
        return []
    data = path(places)
    if line.steps:
        x, y = places[0]
        data = f"M{px(x)} {px(y)}" + "".join(f"H{px(x)}V{px(y)}" for x, y in places[1:])
    made: list[Child] = []
    if len(places) > 1:
        made.append(tag("path", d=data, class_=f"outline stroke-{hue(line.hue)}"))
    if line.dots and len(places) <= _DOTS:
        dots = (tag("circle", cx=px(x), cy=px(y), r=2.8) for x, y in places)
        made.append(tag("g", dots, class_=hue(line.hue)))
    return made


def axis_names(axes: Axes, across: Scale) -> list[Child]:
    """What the axes show, in words."""
    middle = (across.start + across.end) / 2
    made: list[Child] = []
    if axes.x:
        made.append(tag("text", axes.x, x=px(middle), y=px(axes.height - 4), text_anchor="middle"))
    if axes.y:
        made.append(tag("text", axes.y, x=2, y=9))
    return made
