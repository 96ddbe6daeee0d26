"""From values to places in a drawing, for any range of doubles: one point, or all of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ..elements import Child, Html, tag
from ..numbers import short


@dataclass(frozen=True)
class Scale:
    """A straight map of [low, high] to [start, end]; values outside are put at the ends.

    Examples
    --------
    >>> scale = Scale.over([0.0, 10.0], 0.0, 100.0)
    >>> scale(5.0), scale(20.0), scale.ticks(3)
    (50.0, 100.0, [0.0, 5.0, 10.0])
    """

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Iterable[float], start: float, end: float) -> Scale:
        """The scale of these values; a single value stands in the middle."""
        known = [value for value in values if math.isfinite(value)]
        low, high = (min(known), max(known)) if known else (0.0, 1.0)
        if low == high:
            margin = abs(low) * 0.5 or 0.5
            low, high = _clipped(low - margin), _clipped(high + margin)
        return cls(low, high, start, end)

    def __call__(self, value: float) -> float:
        # Halves, because high − low may leave the range of doubles.
        share = (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2 or 1.0)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def step(self, count: int) -> float:
        """A distance of 1, 2 or 5 times a power of ten that gives about ``count`` ticks."""
        rough = (self.high / 2 - self.low / 2) / max(count - 1, 1) * 2
        if not 0.0 < rough < math.inf:
            return 0.0
        power = math.floor(math.log10(rough))
        if not -300 < power < 300:
            return 0.0
        unit = 10.0**power
        return unit * min((1.0, 2.0, 5.0, 10.0), key=lambda m: abs(math.log(m * unit / rough)))

    def ticks(self, count: int = 4) -> list[float]:
        """Round numbers within the range, about ``count`` of them; else its ends."""
        step = self.step(count)
        first = math.ceil(self.low / step - 1e-9) if step else 0
        last = math.floor(self.high / step + 1e-9) if step else -1
        if last < first or last - first > 4 * count or abs(first) > 2**50:
            return [self.low, self.high]
        return [at * step for at in range(first, last + 1)]


def px(value: float) -> str:
    """A coordinate with one decimal and no needless zero."""
    return f"{value:.1f}".removesuffix(".0")


def path(points: Iterable[tuple[float, float]]) -> str:
    """A broken line through the points, as path data."""
    return "M" + "L".join(f"{px(x)} {px(y)}" for x, y in points)


def drawing(width: float, height: float, title: str, *content: Child, class_: str = "") -> Html:
    """An SVG picture with a name for those who cannot see it."""
    return tag(
        "svg",
        content,
        class_=f"chart {class_}".rstrip(),
        viewBox=f"0 0 {px(width)} {px(height)}",
        width=px(width),
        height=px(height),
        role="img",
        aria_label=title,
    )


def x_axis(scale: Scale, y: float, count: int = 5) -> Html:
    """A base line with ticks and their numbers below it."""
    ticks = scale.ticks(count)
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 0.0
    texts = [short(tick, step if math.isfinite(step) and step > 0.0 else None) for tick in ticks]
    if sum(len(text) for text in texts) * 6.5 > scale.end - scale.start:  # they would touch
        ticks, texts = [ticks[0], ticks[-1]], [texts[0], texts[-1]]
    return tag(
        "g",
        tag("path", d=f"M{px(scale.start)} {px(y)}H{px(scale.end)}"),
        (
            tag("text", text, x=px(scale(tick)), y=px(y + 14), text_anchor=anchor(scale, tick))
            for tick, text in zip(ticks, texts, strict=True)
        ),
        class_="axis",
    )


def y_axis(scale: Scale, left: float, right: float, count: int = 3, unit: str = "") -> Html:
    """Faint lines across with their numbers on the left."""
    ticks = scale.ticks(count)
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 0.0
    good = step if math.isfinite(step) and step > 0.0 else None
    return tag(
        "g",
        tag("path", d="".join(f"M{px(left)} {px(scale(tick))}H{px(right)}" for tick in ticks)),
        (
            tag(
                "text",
                short(tick, good) + unit,
                x=px(left - 5),
                y=px(scale(tick) + 3.5),
                text_anchor="end",
            )
            for tick in ticks
        ),
        class_="grid",
    )


def anchor(scale: Scale, value: float) -> str:
    """Where a label at ``value`` hangs, so that none leaves the drawing."""
    place = (scale(value) - scale.start) / ((scale.end - scale.start) or 1.0)
    return "start" if place < 0.06 else "end" if place > 0.94 else "middle"


def _clipped(value: float) -> float:
    limit = 1.7e308
    return min(max(value, -limit), limit)
