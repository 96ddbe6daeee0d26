"""Groups of rows: a cloud of points in colours, silhouettes, and a grid of effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..characters import shortened
from ..elements import Html, tag
from ..numbers import number
from .curves import Axes, Curve, Pair, axis_names, axis_scales
from .heat import LETTERS, SIDE
from .scales import Scale, drawing, px, x_axis, y_axis
from .stacked import hue

_BAR = 2.0  # pixels of a group's gap


def clouds(groups: Sequence[Sequence[Pair]], *, title: str, axes: Axes) -> Html:
    """Points of several groups, each in its colour.

    Parameters
    ----------
    groups : sequence of sequences of (float, float)
        The points of each group; those of a later one are drawn on top.
    title : str
        What is drawn.
    axes : Axes
        Names and ends of the axes, and the size.

    Examples
    --------
    >>> str(clouds([[(0, 0), (1, 1)], [(2, 2)]], title="x", axes=Axes())).count('class="dots')
    2
    """
    across, up = axis_scales([Curve(points) for points in groups], axes)
    drawn = [
        tag(
            "path",
            d="".join(f"M{px(across(x))} {px(up(y))}h0" for x, y in points),
            class_=f"dots stroke-{hue(at)}",
        )
        for at, points in enumerate(groups)
        if points
    ]
    return drawing(
        axes.width,
        axes.height,
        title,
        y_axis(up, across.start, across.end, 5),
        drawn,
        axis_names(axes, across),
        x_axis(across, up.start),
    )


def silhouettes(
    groups: Sequence[Sequence[float]], *, title: str, width: float = 328.0, height: float = 240.0
) -> Html:
    """The silhouettes of the rows of each group, sorted, as bars side by side.

    Parameters
    ----------
    groups : sequence of sequences of float
        Values in [−1, 1].
    title : str
        What is drawn.
    width, height : float
        Size in pixels.

    Examples
    --------
    >>> str(silhouettes([[0.5, 0.7], [0.1]], title="x")).count("hue-")
    2
    """
    floor = height - 20.0
    lowest = min((value for values in groups for value in values), default=0.0)
    across = Scale(min(lowest, 0.0), 1.0, 44.0, width - 10.0)
    total = sum(map(len, groups)) or 1
    step = (floor - 8.0 - _BAR * max(len(groups) - 1, 0)) / total
    zero, y, shapes = px(across(0.0)), 8.0, []
    for at, values in enumerate(groups):
        places = []
        for k, value in enumerate(sorted(values, reverse=True)):
            places.append(f"V{px(y + k * step)}H{px(across(value))}")
        bottom = y + len(values) * step
        if values:
            data = f"M{zero} {px(y)}{''.join(places)}V{px(bottom)}H{zero}z"
            shapes.append(tag("path", d=data, class_=hue(at)))
        y = bottom + _BAR
    base = tag("path", d=f"M{zero} 4V{px(floor)}", class_="guide")
    return drawing(width, height, title, shapes, base, x_axis(across, floor))


def effect_grid(
    rows: Sequence[str], columns: Mapping[str, Sequence[float]], *, title: str, full: float = 2.0
) -> Html:
    """Effects as a grid of colours: a row for each trait, a column for each group.

    Parameters
    ----------
    rows : sequence of str
        Names of the groups.
    columns : mapping of str to sequence of float
        For each trait its effect in every group.
    title : str
        What is drawn.
    full : float
        The effect of the fullest colour.

    Examples
    --------
    >>> str(effect_grid(["0", "1"], {"age": [1.0, -1.0]}, title="x")).count("<rect")
    2
    """
    names = [shortened(name, 2 * LETTERS) for name in columns]
    left = 12.0 + 6.6 * max(map(len, names), default=0)
    below = SIDE * len(names)
    cells = [
        tag(
            "rect",
            tag("title", f"{shortened(name, 60)}, {group}: {number(float(value), 2)}"),
            x=px(left + k * SIDE),
            y=px(at * SIDE),
            fill_opacity=f"{min(abs(value) / full, 1.0):.2f}",
            class_="down" if value < 0 else "up",
        )
        for at, (name, values) in enumerate(columns.items())
        for k, (group, value) in enumerate(zip(rows, values, strict=True))
    ]
    labels = [
        tag("text", text, x=px(left - 6), y=px((at + 0.5) * SIDE + 3), text_anchor="end")
        for at, text in enumerate(names)
    ]
    heads = [
        tag(
            "text", shortened(text, 6), x=px(left + (k + 0.5) * SIDE), y=px(below + 14),
            text_anchor="middle",
        )
        for k, text in enumerate(rows)
    ]  # fmt: skip
    return drawing(
        left + SIDE * len(rows) + 8,
        below + 20,
        title,
        tag("g", cells),
        tag("g", labels, heads, class_="labels"),
        class_="heat",
    )
