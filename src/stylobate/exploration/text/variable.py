"""One column in detail."""

from __future__ import annotations

from collections.abc import Iterator

from stylobate.exploration.advice import share_text
from stylobate.exploration.text.words import (
    bars,
    duration,
    fitted,
    number_text,
    padded,
    paragraph,
    width_of,
)
from stylobate.exploration.variables import (
    Bounds,
    DatetimeSummary,
    NumericSummary,
    TextSummary,
    ValueCounts,
    Variable,
)

_PICTURE = 60
_BAR = 30
_FEW = 12  # values of a column of numbers that are all listed
_OFTEN = 0.05  # share of a number that is listed


def variable_text(v: Variable) -> str:
    """Everything about a column, in paragraphs."""
    lines = [f"{fitted(v.name, 80).rstrip()}: {v.kind} ({v.type})"]
    lines.append(paragraph(v.reason))
    if v.mixed:
        lines.append(paragraph(f"mixed: {v.mixed}"))
    missing = (
        f"{v.missing:,} missing ({share_text(v.missing_share)})" if v.missing else "none missing"
    )
    about = "" if v.distinct_exact else "about "
    error = "" if not v.distinct_error else f" (± {share_text(v.distinct_error)})"
    lines.append(f"  {v.rows:,} rows, {missing}, {about}{v.distinct:,} distinct{error}")
    present = v.rows - v.missing
    if v.numeric is not None:
        lines += ["", *_numeric(v.numeric, present)]
    if v.datetime is not None:
        lines += ["", *_datetime(v.datetime)]
    if v.text is not None:
        lines += ["", *_text(v.text)]
    if v.counts is not None and v.kind != "datetime" and _tell_apart(v):
        lines += ["", *_counts(v.counts)]
    if v.examples and v.kind in ("text", "identifier"):
        lines += ["", "  for example", *(paragraph(each, "- ") for each in v.examples[:3])]
    return "\n".join(lines)


def _tell_apart(v: Variable) -> bool:
    """Whether single values matter: always, unless there are many numbers and none is frequent."""
    often = v.counts is not None and max(each.share for each in v.counts.values) >= _OFTEN
    return v.numeric is None or v.distinct <= _FEW or often


def _numeric(numeric: NumericSummary, present: int) -> Iterator[str]:
    histogram = numeric.histogram
    edges = histogram.edges
    yield "  " + bars(histogram.counts, _PICTURE)
    low, high = number_text(edges[0]), number_text(edges[-1])
    width = min(len(histogram.counts), _PICTURE)
    yield f"  {low}{high.rjust(max(width - len(low), len(high) + 1))}"
    outside = histogram.below + histogram.above
    if outside:
        yield f"  {outside:,} values lie outside of this picture"
    pairs = [("mean", numeric.mean), ("sd", numeric.sd), ("skewness", numeric.skewness)]
    pairs.append(("kurtosis", numeric.kurtosis))
    yield "  " + "   ".join(f"{name} {number_text(value)}" for name, value in pairs)
    counts = [("zero", numeric.zeros), ("negative", numeric.negatives)]
    counts.append(("infinite", numeric.infinite))
    told = [f"{count:,} {name} ({share_text(count / present)})" for name, count in counts if count]
    if told:
        yield "  " + ", ".join(told)
    yield ""
    ends = [("min", numeric.min)]
    ends += [(f"{100 * q:g} %", value) for q, value in numeric.quantiles.items()]
    ends.append(("max", numeric.max))
    cells = [(name, number_text(value)) for name, value in ends]
    widths = [max(len(name), len(value)) for name, value in cells]
    yield "  " + "  ".join(n.rjust(w) for (n, _), w in zip(cells, widths, strict=True))
    yield "  " + "  ".join(t.rjust(w) for (_, t), w in zip(cells, widths, strict=True))
    if numeric.rank_error:
        yield f"  quantiles are right up to {share_text(numeric.rank_error)} of the rows"
    yield ""
    yield "  outliers"
    yield _bounds("box plot (quartiles ∓ 1.5 IQR)", numeric.outliers.box, present)
    yield _bounds("percentiles", numeric.outliers.percentile, present)


def _bounds(name: str, bounds: Bounds, present: int) -> str:
    both = bounds.below + bounds.above
    return (
        f"    {name}: {bounds.below:,} below {number_text(bounds.lower)}, {bounds.above:,} above "
        f"{number_text(bounds.upper)} ({share_text(both / present)})"
    )


def _datetime(moments: DatetimeSummary) -> Iterator[str]:
    zone = f" {moments.zone}" if moments.zone else ""
    yield f"  from {moments.first}{zone} to {moments.last}{zone}"
    if moments.median_step is not None:
        gaps = "" if moments.gaps is None else f", {moments.gaps:,} gaps"
        yield f"  {duration(moments.median_step)} between neighbours (median){gaps}"
    yield f"  rows per {moments.per}: {bars([each.count for each in moments.trend], _PICTURE)}"


def _text(text: TextSummary) -> Iterator[str]:
    lengths = f"{text.min_length:,} to {text.max_length:,} characters"
    yield f"  {lengths}, {number_text(text.mean_length, 3)} on average"
    if text.words:
        words = ", ".join(f"{each.word} {each.count:,}" for each in text.words[:12])
        yield paragraph(f"frequent words: {words}")


def _counts(counts: ValueCounts) -> Iterator[str]:
    shown = counts.values[:12]
    label = min(max(8, *(width_of(each.value[:160]) for each in shown)), 40)
    top = max(each.share for each in shown)
    for each in shown:
        bar = "█" * max(round(_BAR * each.share / top), 1)
        told = f"{padded(each.value, label)}  {each.count:>10,}  {share_text(each.share):>7}"
        yield f"  {told}  {bar}"
    others = counts.others + sum(each.count for each in counts.values[12:])
    if others:
        yield f"  {padded('(others)', label)}  {others:>10,}"
    if not counts.exact:
        yield f"  counts are right up to {counts.error:,}"
