"""One line per column: name, kind, gaps, distinct values, a small picture, a few words."""

from __future__ import annotations

from collections.abc import Sequence

from stylobate.exploration.advice import share_text
from stylobate.exploration.summaries.values import value_text
from stylobate.exploration.text.words import (
    WIDTH,
    bars,
    fitted,
    number_text,
    padded,
    width_of,
)
from stylobate.exploration.variables import Variable

MOST_LINES = 80
_NAME = 24
_PICTURE = 14


def columns_text(variables: Sequence[Variable]) -> str:
    """The table of columns; very wide tables are cut."""
    shown = variables[:MOST_LINES]
    name = min(max([width_of(v.name[: 4 * _NAME]) for v in shown], default=4), _NAME)
    name = max(name, 6)
    heads = ("column", "kind", "missing", "distinct", "distribution")
    lines = [_line(name, *heads, "smallest · median · largest")]
    for v in shown:
        missing = share_text(v.missing_share) if v.missing else "-"
        about = "" if v.distinct_exact else "~"
        picture, words = picture_of(v, _PICTURE), words_of(v)
        lines.append(_line(name, v.name, v.kind, missing, f"{about}{v.distinct:,}", picture, words))
    if len(variables) > MOST_LINES:
        rest = len(variables) - MOST_LINES
        lines.append(f"  … and {rest:,} more columns; profile[name] tells of each")
    return "\n".join(lines)


def _line(
    width: int, name: str, kind: str, missing: str, distinct: str, picture: str, words: str
) -> str:
    left = f"  {padded(name, width)}  {kind:<10}  {missing:>7}  {distinct:>10}  "
    left += padded(picture, _PICTURE) if picture.strip() else " " * _PICTURE
    return f"{left}  {fitted(words, WIDTH - width_of(left) - 2)}".rstrip()


def picture_of(v: Variable, width: int) -> str:
    """Bars of the histogram, of rows per period, or of the most frequent values."""
    if v.numeric is not None and v.kind != "ordinal":
        return bars(v.numeric.histogram.counts, width)
    if v.datetime is not None:
        return bars([each.count for each in v.datetime.trend], width)
    if v.counts is not None and v.kind in ("binary", "nominal", "ordinal"):
        return bars([each.count for each in v.counts.values[:width]], width)
    return ""


def words_of(v: Variable) -> str:
    """The few words about a column that tell most."""
    if v.distinct == 0:
        return "no value"
    if v.datetime is not None:
        zone = f" {v.datetime.zone}" if v.datetime.zone else ""
        return f"{v.datetime.first:%Y-%m-%d} … {v.datetime.last:%Y-%m-%d}{zone}"
    if v.numeric is not None and v.kind != "ordinal":
        ends = (v.numeric.min, v.numeric.quantiles[0.5], v.numeric.max)
        return " · ".join(number_text(end) for end in ends)
    if v.kind in ("text", "identifier"):
        return " | ".join(v.examples[:3])
    if v.counts is not None:
        if v.kind == "constant":
            return f"always {v.counts.values[0].value}"
        return ", ".join(f"{each.value} {share_text(each.share)}" for each in v.counts.values[:5])
    return " | ".join(value_text(each) for each in v.examples[:3])
