"""Named counts as bars: a small table whose numbers stay readable as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..elements import Child, Html, tag
from ..numbers import number, percent
from .small import share_bar


@dataclass(frozen=True)
class Bar:
    """A bar: what it counts, how many, which share of all, and the style it is drawn in.

    ``bar`` for values, ``gap`` for what is missing, ``rest`` for what is left over.
    """

    label: Child
    count: float
    share: float | None
    style: Literal["bar", "gap", "rest"] = "bar"


def bars(items: Sequence[Bar], *, title: str, about: str = "") -> Html:
    """Bars in the order given, the longest filling the width.

    Parameters
    ----------
    items : sequence of Bar
        What to draw.
    title : str
        Caption for those who cannot see the bars.
    about : str
        Put before every count that is not exact, such as "≈ ".

    Examples
    --------
    >>> str(bars([Bar("a", 3, 0.75), Bar("b", 1, 0.25)], title="x")).count("<tr")
    2
    """
    # What is left over does not set the scale, or the values would be too small to see.
    longest = max((item.count for item in items if item.style != "rest"), default=0) or 1
    rows = (
        tag(
            "tr",
            tag("th", item.label, scope="row"),
            tag("td", share_bar(item.count / longest, width=120, height=10, class_=item.style)),
            tag("td", about, number(item.count), class_="n"),
            tag("td", percent(item.share), class_="n") if item.share is not None else tag("td"),
        )
        for item in items
    )
    return tag("table", tag("caption", title), tag("tbody", rows), class_="bars")
