"""Which columns are missing together: a row of marks for every pattern, a bar for its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..characters import shortened
from ..elements import Html, tag
from ..numbers import number, percent
from .scales import drawing, px

SIDE = 20.0
REACH = 120.0  # pixels of the longest bar


@dataclass(frozen=True)
class Pattern:
    """Columns that are missing together, by their place, and in how many rows."""

    columns: frozenset[int]
    rows: int
    share: float


def patterns(labels: Sequence[str], items: Sequence[Pattern], *, title: str) -> Html:
    """Marks and bars of patterns.

    Parameters
    ----------
    labels : sequence of str
        Names of the columns.
    items : sequence of Pattern
        Patterns in the order to draw.
    title : str
        What is drawn.

    Returns
    -------
    Html

    Examples
    --------
    >>> str(patterns(["a"], [Pattern(frozenset([0]), 3, 0.3)], title="x")).count("<rect")
    2
    """
    shown = [shortened(label, 18) for label in labels]
    top = 14.0 + 6.6 * max(map(len, shown), default=0)
    side = SIDE * len(labels)
    longest = max((item.share for item in items), default=0.0) or 1.0
    heads = (
        tag(
            "text",
            text,
            transform=f"translate({px((at + 0.5) * SIDE + 4)} {px(top - 6)}) rotate(-90)",
        )
        for at, text in enumerate(shown)
    )
    rows = [
        _row(item, shown, top + at * SIDE, side, REACH * item.share / longest)
        for at, item in enumerate(items)
    ]
    width = side + REACH + 130
    return drawing(
        width,
        top + SIDE * len(items) + 2,
        title,
        tag("g", heads, class_="labels"),
        rows,
        class_="patterns",
    )


def _row(item: Pattern, labels: Sequence[str], y: float, side: float, reach: float) -> Html:
    names = ", ".join(labels[at] for at in sorted(item.columns)) or "nothing"
    marks = (
        tag(
            "rect",
            x=px(at * SIDE),
            y=px(y),
            width=px(SIDE - 2),
            height=px(SIDE - 2),
            class_="gap" if at in item.columns else "track",
        )
        for at in range(len(labels))
    )
    bar = tag("rect", x=px(side + 8), y=px(y + 3), width=px(max(reach, 1.0)), height=px(SIDE - 8))
    says = f"{number(item.rows)} ({percent(item.share)})"
    return tag(
        "g",
        tag("title", f"Missing: {names}: {says}"),
        marks,
        tag("g", bar, class_="bar"),
        tag("text", says, x=px(side + 14 + reach), y=px(y + 13), class_="value"),
    )
