"""Shares of classes: one bar cut into pieces, and lines of several classes over one scale."""

from __future__ import annotations

from collections.abc import Sequence

from ..elements import Child, Html, tag
from ..numbers import percent
from .scales import Scale, drawing, px, x_axis, y_axis

HUES = 6  # classes with a colour of their own; further ones are grey


def hue(at: int) -> str:
    """The style class of the class at a place."""
    return f"hue-{at}" if at < HUES else "hue-rest"


def stacked_bar(
    shares: Sequence[float], *, labels: Sequence[str], width: float = 160, height: float = 12
) -> Html:
    """A bar of length one, cut into shares.

    Examples
    --------
    >>> str(stacked_bar([0.25, 0.75], labels=["no", "yes"])).count("<path")
    2
    """
    pieces = []
    left = 0.0
    for at, share in enumerate(shares):
        right = min(left + max(share, 0.0) * width, width)
        if right > left:
            data = f"M{px(left)} 0H{px(right)}v{px(height)}H{px(left)}z"
            pieces.append(tag("path", d=data, class_=hue(at)))
        left = right
    named = zip(labels, shares, strict=True)
    says = ", ".join(f"{label} {percent(share)}" for label, share in named if share > 0.0)
    inside = (tag("title", says), pieces)
    return tag("svg", inside, class_="stack", width=px(width), height=px(height), role="img")


def key(labels: Sequence[Child]) -> Html:
    """Which colour stands for which class."""
    entries = [
        tag("span", _dot(at), label, class_="entry") for at, label in enumerate(labels[:HUES])
    ]
    if len(labels) > HUES:
        entries.append(tag("span", _dot(HUES), f"{len(labels) - HUES:,} more", class_="entry"))
    return tag("p", entries, class_="key-line")


def _dot(at: int) -> Html:
    shape = tag("rect", width=10, height=10, rx=2, class_=hue(at))
    return tag("svg", shape, width=10, height=10, aria_hidden="true")


def overlay(
    edges: Sequence[float],
    series: Sequence[Sequence[float]],
    *,
    title: str,
    width: float = 328.0,
    height: float = 140.0,
) -> Html:
    """Histograms of several classes as outlines, each with an area of one.

    Parameters
    ----------
    edges : sequence of float
        Edges of the bins, which all classes share.
    series : sequence of sequences of float
        Counts of each class.
    title : str
        What is drawn.
    width, height : float
        Size in pixels.

    Examples
    --------
    >>> str(overlay([0, 1, 2], [[3, 1], [0, 2]], title="x")).count("stroke-")
    2
    """
    floor = height - 20.0
    across = Scale.over([edges[0], edges[-1]], 44.0, width - 6.0)
    totals = [sum(counts) or 1.0 for counts in series]
    top = max(
        (count / total for counts, total in zip(series, totals, strict=True) for count in counts),
        default=1.0,
    )
    up = Scale(0.0, 100.0 * (top or 1.0), floor, 8.0)
    lines = []
    for at, (counts, total) in reversed(list(enumerate(zip(series, totals, strict=True)))):
        bins = zip(edges[1:], counts, strict=True)
        steps = (f"V{px(up(100.0 * count / total))}H{px(across(right))}" for right, count in bins)
        data = f"M{px(across.start)} {px(floor)}{''.join(steps)}V{px(floor)}"
        lines.append(tag("path", d=data, class_=f"outline stroke-{hue(at)}"))
    return drawing(
        width,
        height,
        title,
        y_axis(up, across.start, across.end, unit="%"),
        lines,
        x_axis(across, floor),
    )
