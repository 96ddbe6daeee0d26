"""What some rows got wrong about a column, put right by what is known of all."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from stylobate.data.kinds.schema import Column, Kind
from stylobate.exploration.cells import Cells
from stylobate.exploration.summaries.values import value_text
from stylobate.statistics.columns.column_summary import ColumnSummary

_DIFFERENT = 0.97  # of all values, from which on they may be called all different


class Facts(NamedTuple):
    """What is known of all rows of a column; `ends` are those of numbers."""

    rows: int
    missing: int
    distinct: int
    exact: bool
    ends: tuple[float, float] | None
    pair: tuple[str, ...]

    @property
    def present(self) -> int:
        """Rows with a value."""
        return self.rows - self.missing


def facts_of(cells: Cells, summary: ColumnSummary | None) -> Facts:
    """From all rows, or from a summary of them."""
    if summary is not None:
        moments, distinct = summary.moments, summary.distinct
        pair = tuple(value_text(each.value) for each in summary.frequent.most_common(2))
        ends = (moments.low, moments.high) if summary.is_numeric else None
        rows, missing = summary.n_rows, summary.missing
        return Facts(rows, missing, round(distinct.estimate), distinct.is_exact, ends, pair)
    values = cells.values
    ends = (float(values[0]), float(values[-1])) if cells.is_numeric and len(values) else None
    pair = tuple(value_text(value) for value in values[:2])
    return Facts(len(cells.codes), cells.missing, len(values), True, ends, pair)


def settled(cells: Cells, summary: ColumnSummary | None, *, given: bool) -> Column:
    """The column with the kind and reason that all rows ask for.

    Parameters
    ----------
    cells : Cells
        The rows at hand.
    summary : ColumnSummary or None
        Of all rows, if they are not at hand.
    given : bool
        Whether the caller said what it is; the kind then stays.
    """
    facts = facts_of(cells, summary)
    seen = cells.column.n_distinct
    column = replace(
        cells.column, n_rows=facts.rows, n_missing=facts.missing, n_distinct=facts.distinct
    )
    if given:
        return column
    kind = _kind(cells, facts, seen)
    if kind != column.kind:
        return replace(column, kind=kind, reason=_reason(kind, facts), order=None)
    if kind in ("numeric", "nominal") and column.notation is None:
        return replace(column, reason=_reason(kind, facts))
    return column


def _kind(cells: Cells, facts: Facts, seen: int) -> Kind:
    kind = cells.column.kind
    amount: Kind = "numeric" if cells.is_numeric else "nominal"
    if kind in ("constant", "binary") and facts.distinct > max(seen, 1):
        if cells.is_temporal:
            return "datetime"
        return "binary" if facts.distinct == 2 else amount
    if kind == "ordinal" and cells.is_numeric and facts.distinct > seen:
        return "numeric"
    if kind == "identifier" and facts.distinct < _DIFFERENT * facts.present:
        return amount
    return kind


def _reason(kind: Kind, facts: Facts) -> str:
    if kind == "numeric" and facts.ends is not None:
        return f"numbers from {facts.ends[0]:g} to {facts.ends[1]:g}"
    if kind == "binary":
        return f"two values, {' and '.join(facts.pair)}"
    about = "" if facts.exact else "about "
    return f"{about}{facts.distinct} different values in {facts.present} rows"
