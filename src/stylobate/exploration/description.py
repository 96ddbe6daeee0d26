"""From the rows of a column to everything that is said about it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.data.kinds.spellings import is_missing
from stylobate.exploration.cells import Cells
from stylobate.exploration.readable import is_zoned
from stylobate.exploration.summaries.dates import summarise_moments, summarise_sketch
from stylobate.exploration.summaries.numbers import Distribution, ExactNumbers, summarise_numbers
from stylobate.exploration.summaries.sampled import SampledNumbers
from stylobate.exploration.summaries.sketched import numbers_of
from stylobate.exploration.summaries.texts import summarise_texts
from stylobate.exploration.summaries.values import count_sketch, count_values, in_order, value_text
from stylobate.exploration.variables import Variable
from stylobate.statistics.columns.column_summary import ColumnSummary
from stylobate.statistics.columns.table_summary import TableScan

if TYPE_CHECKING:
    from stylobate.exploration.partitions import PartScan

AMOUNTS = ("numeric", "geospatial")
_EXAMPLES = 5
_LONGEST = 200  # characters of an example


def describe(
    cells: Cells,
    kind: str,
    rows: int,
    percentiles: tuple[float, float],
    summary: ColumnSummary | None = None,
) -> Variable:
    """The variable a column is, from all its rows, or from a summary of them and a sample.

    Parameters
    ----------
    cells : Cells
        The rows at hand.
    kind : str
        The type the source gave it.
    rows : int
        Of the table.
    percentiles : pair of float
        Of the percentile rule for outliers.
    summary : ColumnSummary, default=None
        Of all rows; None if they are at hand.
    """
    column = cells.column
    numeric = None
    if cells.is_numeric and column.kind in (*AMOUNTS, "ordinal"):
        numeric = summarise_numbers(
            _distribution(cells, rows, summary),
            percentiles=percentiles,
            with_density=column.kind in AMOUNTS,
        )
    told = _counted(cells, rows) if summary is None else _summarised(cells, rows, summary)
    if told.get("datetime") is not None and is_zoned(kind):
        told["datetime"] = replace(told["datetime"], zone="UTC")
    if column.kind == "ordinal":
        scale = column.order or [value_text(value) for value in cells.values]
        told["counts"] = in_order(told.get("counts"), scale)
    return Variable(
        name=column.name,
        kind=column.kind,
        reason=column.reason,
        type=kind,
        rows=rows,
        numeric=numeric,
        mixed=column.mixed,
        examples=_examples(cells),
        **told,
    )


def _distribution(cells: Cells, rows: int, summary: ColumnSummary | None) -> Distribution:
    if summary is None:
        return ExactNumbers(cells.values, cells.counts)
    if summary.is_numeric:
        return numbers_of(summary, ExactNumbers(cells.values, cells.counts))
    return SampledNumbers(cells.values, cells.counts, rows / max(len(cells.codes), 1))


def _counted(cells: Cells, rows: int) -> dict[str, Any]:
    """What all rows of a column tell besides their numbers."""
    values, counts = cells.values, cells.counts
    return {
        "missing": cells.missing,
        "distinct": len(values),
        "datetime": summarise_moments(values, counts) if cells.is_temporal else None,
        "text": summarise_texts(values, counts) if _has_words(cells) else None,
        "counts": count_values(values, counts)
        if _has_counts(cells, int(counts.max(initial=0)))
        else None,
    }


def _summarised(cells: Cells, rows: int, summary: ColumnSummary) -> dict[str, Any]:
    """The same from a summary of all rows, and words from the sample."""
    frequent, spelled = _frequent(summary), _spelled_gaps(summary)
    absent = sum(each.count for each in spelled)
    kept = [each for each in frequent if each not in spelled] if spelled else frequent
    distinct = summary.distinct
    told: dict[str, Any] = {
        "missing": summary.missing + absent,
        "distinct": min(round(distinct.estimate) - len(spelled), rows - summary.missing - absent),
        "distinct_exact": distinct.is_exact,
        "distinct_error": None if distinct.is_exact else distinct.relative_error(),
    }
    if cells.is_temporal:
        dated = summary.is_numeric
        told["datetime"] = (
            summarise_sketch(summary)
            if dated
            else summarise_moments(cells.values, cells.counts, rows / max(len(cells.codes), 1))
        )
    elif _has_words(cells):
        told["text"] = summarise_texts(cells.values, cells.counts, summary.lengths)
    if kept and not cells.is_temporal and _has_counts(cells, kept[0].count):
        told["counts"] = count_sketch(kept, summary.frequent, summary.frequent.total - absent)
    return told


def has_spelled_gaps(scan: TableScan | PartScan) -> bool:
    """Whether some column of texts has values such as "NA" that stand for none."""
    return any(_spelled_gaps(summary) for summary in scan.columns)


def _spelled_gaps(summary: ColumnSummary) -> list[Any]:
    if summary.kind != "text":
        return []
    return [each for each in _frequent(summary) if is_missing(each.value)]


def _frequent(summary: ColumnSummary) -> list[Any]:
    return summary.frequent.most_common(None if summary.frequent.is_exact else 200)


def _has_words(cells: Cells) -> bool:
    return cells.column.kind in ("text", "identifier") and cells.values.dtype.kind == "O"


def _has_counts(cells: Cells, most: int) -> bool:
    """Whether some value is worth counting."""
    return most > 1 or (most == 1 and cells.column.kind not in ("text", "identifier", *AMOUNTS))


def _examples(cells: Cells) -> tuple[str, ...]:
    """The first different values, in the order of the rows."""
    head = cells.codes[:1000]
    seen = dict.fromkeys(head[head >= 0].tolist())
    if not seen:  # a column that begins with a long gap
        seen = dict.fromkeys(np.unique(cells.codes[cells.codes >= 0])[:_EXAMPLES].tolist())
    texts = (value_text(cells.values[code]) for code in list(seen)[:_EXAMPLES])
    return tuple(t if len(t) <= _LONGEST else t[: _LONGEST - 1] + "…" for t in texts)
