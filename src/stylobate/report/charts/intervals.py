"""Estimates with their intervals on one scale, one to a row of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..elements import Html, tag
from ..numbers import finite, short
from .scales import Scale, anchor, px

WIDE = 220.0
_TALL = 22.0
_LEAST = 2  # values a scale needs to have a width


@dataclass(frozen=True)
class Estimate:
    """A value, the ends of its interval, and single values it is the mean of."""

    value: float | None
    low: float | None = None
    high: float | None = None
    singles: Sequence[float] = ()

    def known(self) -> list[float]:
        """Every finite number of it."""
        listed = (self.value, self.low, self.high, *self.singles)
        return [number for each in listed if (number := finite(each)) is not None]


@dataclass(frozen=True)
class Lane:
    """One scale for many rows, with marks at places worth seeing.

    Examples
    --------
    >>> lane = Lane.over([Estimate(0.8, 0.7, 0.9), Estimate(0.5)], reference=0.5)
    >>> str(lane.mark(Estimate(0.8, 0.7, 0.9))).count("<circle")
    1
    """

    scale: Scale
    reference: float | None = None

    @classmethod
    def over(
        cls, estimates: Iterable[Estimate], reference: float | None = None, width: float = WIDE
    ) -> Lane:
        """The scale that holds all estimates, and the reference."""
        values = [value for each in estimates for value in each.known()]
        if finite(reference) is not None:
            values.append(float(reference))  # type: ignore[arg-type]
        if len(values) >= _LEAST:
            room = 0.04 * (max(values) - min(values))
            values += [min(values) - room, max(values) + room]
        return cls(Scale.over(values, 6.0, width - 6.0), finite(reference))

    @property
    def width(self) -> float:
        """Pixels."""
        return self.scale.end + 6.0

    def mark(self, estimate: Estimate, *, strong: bool = False, weak: bool = False) -> Html:
        """A dot on its interval; strong for the row that matters, weak for those within noise."""
        middle, across = _TALL / 2, self.scale
        value, low, high = (finite(each) for each in (estimate.value, estimate.low, estimate.high))
        rail = f"M{px(across.start)} {px(middle)}H{px(across.end)}"
        if self.reference is not None:
            rail += f"M{px(across(self.reference))} 1V{px(_TALL - 1)}"
        singles = "".join(
            f"M{px(across(each))} {px(middle - 4)}v8"
            for each in estimate.singles
            if finite(each) is not None
        )
        return tag(
            "svg",
            tag("path", d=rail, class_="track"),
            tag("path", d=singles, class_="tally") if singles else None,
            tag("path", d=f"M{px(across(low))} {px(middle)}H{px(across(high))}", class_="reach")
            if low is not None and high is not None
            else None,
            tag("circle", cx=px(across(value)), cy=px(middle), r=5 if strong else 4, class_="point")
            if value is not None
            else None,
            class_="mark lane" + (" strong" if strong else "") + (" weak" if weak else ""),
            viewBox=f"0 0 {px(self.width)} {px(_TALL)}",
            width=px(self.width),
            height=px(_TALL),
            aria_hidden="true",
        )

    def axis(self, count: int = 4) -> Html:
        """The numbers of the scale, to stand above or below the marks."""
        ticks = self.scale.ticks(count)
        step = ticks[1] - ticks[0] if len(ticks) > 1 else None
        texts = (
            tag(
                "text",
                short(tick, step if step and step > 0 else None),
                x=px(self.scale(tick)),
                y=11,
                text_anchor=anchor(self.scale, tick),
            )
            for tick in ticks
        )
        return tag(
            "svg",
            texts,
            class_="chart lane",
            viewBox=f"0 0 {px(self.width)} 14",
            width=px(self.width),
            height=14,
            aria_hidden="true",
        )
