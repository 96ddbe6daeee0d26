"""What a sample got wrong about a column, put right by the summary of all rows."""

from __future__ import annotations

from dataclasses import replace

from stylobate.data.kinds.schema import Column, Kind
from stylobate.exploration.cells import Cells
from stylobate.exploration.summaries.values import value_text
from stylobate.statistics.column_summary import ColumnSummary

_DIFFERENT = 0.97  # of all values, from which on they may be called all different


def settled(cells: Cells, summary: ColumnSummary, *, given: bool) -> Column:
    """The column with the kind and reason that all rows ask for.

    Parameters
    ----------
    cells : Cells
        Of the sample.
    summary : ColumnSummary
        Of all rows.
    given : bool
        Whether the caller said what it is; the kind then stays.
    """
    column = cells.column
    counts = summary.n_rows, summary.missing, round(summary.distinct.estimate)
    column = replace(column, n_rows=counts[0], n_missing=counts[1], n_distinct=counts[2])
    if given:
        return column
    kind = _kind(cells, summary)
    if kind != column.kind:
        return replace(column, kind=kind, reason=_reason(kind, cells, summary), order=None)
    if kind in ("numeric", "nominal") and column.notation is None:
        return replace(column, reason=_reason(kind, cells, summary))
    return column


def _kind(cells: Cells, summary: ColumnSummary) -> Kind:
    kind = cells.column.kind
    distinct = summary.distinct.estimate
    seen = len(cells.values)
    present = summary.n_rows - summary.missing
    amount: Kind = "numeric" if cells.is_numeric else "nominal"
    if kind in ("constant", "binary") and distinct > max(seen, 1) + 0.5:
        return "binary" if distinct < 2.5 else amount
    if kind == "ordinal" and cells.is_numeric and distinct > seen + 0.5:
        return "numeric"
    if kind == "identifier" and distinct < _DIFFERENT * present:
        return amount
    return kind


def _reason(kind: Kind, cells: Cells, summary: ColumnSummary) -> str:
    distinct = round(summary.distinct.estimate)
    if kind == "numeric" and summary.is_numeric:
        return f"numbers from {summary.moments.low:g} to {summary.moments.high:g}"
    if kind == "binary":
        pair = " and ".join(value_text(each.value) for each in summary.frequent.most_common(2))
        return f"two values, {pair}"
    about = "" if summary.distinct.is_exact else "about "
    return f"{about}{distinct:,} different values in {summary.n_rows - summary.missing:,} rows"
