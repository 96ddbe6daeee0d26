"""The distribution of numbers: histogram, density line and a box strip on one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..elements import Html, tag
from ..numbers import number
from .scales import Scale, drawing, path, px, x_axis, y_axis


@dataclass(frozen=True)
class Box:
    """Five numbers of a box strip: whiskers, quartiles, median."""

    low: float
    first: float
    median: float
    third: float
    high: float


def histogram(
    edges: Sequence[float],
    counts: Sequence[float],
    *,
    title: str,
    density: tuple[Sequence[float], Sequence[float]] | None = None,
    box: Box | None = None,
    detailed: bool = True,
    width: float = 328.0,
    height: float = 150.0,
) -> Html:
    """Counts in bins, with a density line over them and a box strip below.

    Bins of unequal width are drawn by their density, so that areas are shares.

    Parameters
    ----------
    edges : sequence of float
        Edges of the bins, one more than there are counts, ascending.
    counts : sequence of float
        Rows in each bin.
    title : str
        What is drawn.
    density : pair of sequences of float, optional
        A density that integrates to one: places and values.
    box : Box, optional
        Drawn below on the same scale.
    detailed : bool
        Whether each bar says its bin and count when pointed at.
    width, height : float
        Size in pixels.

    Returns
    -------
    Html

    Examples
    --------
    >>> str(histogram([0, 1, 2], [3, 5], title="x")).count("<rect")
    2
    """
    floor = height - 20.0 - (18.0 if box else 0.0)
    across = Scale.over([edges[0], edges[-1]], 38.0, width - 6.0)
    heights = _heights(edges, counts)
    line = _line(edges, counts, density)
    top = max([*heights, *(y for _, y in line)]) or 1.0
    up = Scale(0.0, top, floor, 8.0)
    return drawing(
        width,
        height,
        title,
        y_axis(up, across.start, across.end),
        _bars(edges, counts, heights, across, up, detailed),
        tag("path", d=path((across(x), up(y)) for x, y in line), class_="line") if line else None,
        _strip(box, across, floor + 9.0) if box else None,
        x_axis(across, floor + (18.0 if box else 0.0)),
    )


def _heights(edges: Sequence[float], counts: Sequence[float]) -> list[float]:
    """Counts, or counts per typical width of a bin where widths differ."""
    typical = edges[-1] / len(counts) - edges[0] / len(counts)
    widths = [right - left for left, right in pairwise(edges)]
    if all(width > 0.0 for width in widths):
        heights = [c * (typical / width) for c, width in zip(counts, widths, strict=True)]
        if all(map(math.isfinite, heights)):
            return heights
    return [float(count) for count in counts]


def _line(
    edges: Sequence[float],
    counts: Sequence[float],
    density: tuple[Sequence[float], Sequence[float]] | None,
) -> list[tuple[float, float]]:
    """The density as counts per bin, cut to the range of the bins."""
    if density is None or not counts:
        return []
    scale = sum(counts) * (edges[-1] / len(counts) - edges[0] / len(counts))
    points = zip(*density, strict=True)
    line = [(x, y * scale) for x, y in points if edges[0] <= x <= edges[-1]]
    return line if line and all(0.0 <= y < float("inf") for _, y in line) else []


def _bars(
    edges: Sequence[float],
    counts: Sequence[float],
    heights: Sequence[float],
    across: Scale,
    up: Scale,
    detailed: bool,
) -> Html:
    bars = []
    for left, right, count, height in zip(edges[:-1], edges[1:], counts, heights, strict=True):
        if count <= 0:
            continue
        x, y = across(left), up(height)
        wide, tall = max(across(right) - x - 0.8, 0.6), max(up.start - y, 0.8)
        bars.append(
            (
                x,
                up.start - tall,
                wide,
                tall,
                f"{number(float(left))} to {number(float(right))}: {number(count)}",
            )
        )
    if not detailed:
        data = "".join(
            f"M{px(x)} {px(up.start)}v{px(-h)}h{px(w)}v{px(h)}" for x, _, w, h, _ in bars
        )
        return tag("path", d=data, class_="bar")
    return tag(
        "g",
        (
            tag("rect", tag("title", says), x=px(x), y=px(y), width=px(w), height=px(h))
            for x, y, w, h, says in bars
        ),
        class_="bar",
    )


def _strip(box: Box, across: Scale, middle: float) -> Html:
    low, first, median, third, high = (
        across(value) for value in (box.low, box.first, box.median, box.third, box.high)
    )
    quartiles = ", ".join(number(float(each)) for each in (box.first, box.median, box.third))
    whiskers = f"M{px(low)} {px(middle)}H{px(first)}M{px(third)} {px(middle)}H{px(high)}"
    ends = "".join(f"M{px(x)} {px(middle - 3)}v6" for x in (low, high))
    return tag(
        "g",
        tag("title", f"Quartiles {quartiles}"),
        tag("path", d=whiskers + ends),
        tag("rect", x=px(first), y=px(middle - 4.5), width=px(max(third - first, 1.0)), height=9),
        tag("path", d=f"M{px(median)} {px(middle - 4.5)}v9", class_="median"),
        class_="box",
    )
