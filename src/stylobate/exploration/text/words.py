"""Pieces of text: names that fit, small pictures of bars, paragraphs."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import pairwise

WIDTH = 100
_BARS = " ▁▂▃▄▅▆▇█"


def printable(text: str) -> str:
    r"""Text without line breaks and control characters.

    >>> printable("a\tb\x1b[31m")
    'a b?[31m'
    """
    text = " ".join(text.split())
    return "".join(c if c.isprintable() else "?" for c in text)


def fitted(text: str, width: int) -> str:
    """Text cut or filled up to a width, wide characters counted as two.

    >>> fitted("a long name", 7), fitted("ab", 4)
    ('a long…', 'ab  ')
    """
    from rich.cells import cell_len, set_cell_size

    text = printable(text[: 4 * width + 4])
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(text, width - 1).rstrip().ljust(0) + "…" if width > 0 else ""


def padded(text: str, width: int) -> str:
    """As `fitted`, and always as wide as asked."""
    from rich.cells import set_cell_size

    return set_cell_size(fitted(text, width), width)


def width_of(text: str) -> int:
    """Cells a text takes on the screen."""
    from rich.cells import cell_len

    return cell_len(text)


def bars(heights: Sequence[float], width: int) -> str:
    """Heights as a row of bars; neighbours are put together where they are too many.

    >>> bars([0, 1, 4, 8], 4), bars([1, 1, 2, 2], 2)
    (' ▁▄█', '▄█')
    """
    if len(heights) > width:
        cuts = [round(i * len(heights) / width) for i in range(width + 1)]
        heights = [sum(heights[a:b]) / (b - a) for a, b in pairwise(cuts) if b > a]
    top = max(heights, default=0.0)
    if top <= 0:
        return " " * len(heights)
    return "".join(
        _BARS[max(round(8 * height / top), 1)] if height > 0 else " " for height in heights
    )


def paragraph(text: str, mark: str = "", indent: str = "  ") -> str:
    """Text folded at the width, its first line after a mark."""
    return textwrap.fill(
        printable(text),
        WIDTH,
        initial_indent=indent + mark,
        subsequent_indent=indent + " " * len(mark),
        break_on_hyphens=False,
    )


def number_text(value: float, digits: int = 4) -> str:
    """A number as short as it may be.

    >>> [number_text(v) for v in (29.69911, 1234567.0, 0.0001234, 3.0, -120.5, 2007.0)]
    ['29.7', '1,234,567', '0.0001234', '3', '-120.5', '2007']
    """
    if value != value:
        return "-"
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 1e9 or size < 1e-4:
        return f"{value:.{digits - 1}g}"
    if size >= 1e4:
        return f"{value:,.0f}"
    if size >= 10 ** (digits - 1):
        return f"{value:.0f}" if value == round(value) else f"{value:.1f}"
    text = f"{value:.{digits}g}"
    return text if "e" in text else text.rstrip("0").rstrip(".") if "." in text else text


def duration(seconds: float) -> str:
    """A span of time in its natural unit.

    >>> duration(3600.0), duration(86400.0), duration(90.0), duration(0.5)
    ('1 hour', '1 day', '1.5 minutes', '0.5 seconds')
    """
    for length, unit in ((86400.0, "day"), (3600.0, "hour"), (60.0, "minute"), (1.0, "second")):
        if seconds >= length or unit == "second":
            many = seconds / length
            return f"{many:.3g} {unit}{'' if many == 1 else 's'}"
    raise AssertionError
