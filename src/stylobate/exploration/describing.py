"""From the cells of a column to everything that is said about it."""

from __future__ import annotations

from stylobate.exploration.cells import Cells
from stylobate.exploration.summaries.moments import summarise_moments
from stylobate.exploration.summaries.numbers import ExactNumbers, summarise_numbers
from stylobate.exploration.summaries.sampled import SampledNumbers
from stylobate.exploration.summaries.texts import summarise_texts
from stylobate.exploration.summaries.values import count_values, value_text
from stylobate.exploration.variables import Variable

AMOUNTS = ("numeric", "geospatial")
_EXAMPLES = 5
_LONGEST = 200  # characters of an example


def describe(cells: Cells, kind: str, rows: int, percentiles: tuple[float, float]) -> Variable:
    """The variable a column is, from all its rows or a sample of them.

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
    """
    column, values, counts = cells.column, cells.values, cells.counts
    scale = rows / max(len(cells.codes), 1)
    whole = len(cells.codes) == rows
    numeric = datetime = text = frequent = None
    if cells.is_numeric and column.kind in (*AMOUNTS, "ordinal"):
        numeric = summarise_numbers(
            ExactNumbers(values, counts) if whole else SampledNumbers(values, counts, scale),
            percentiles=percentiles,
            with_density=column.kind in AMOUNTS,
        )
    if cells.is_temporal:
        datetime = summarise_moments(values, counts)
    elif column.kind in ("text", "identifier") and not cells.is_numeric:
        text = summarise_texts(values, counts)
    if len(counts) and (counts.max() > 1 or column.kind not in ("text", "identifier", *AMOUNTS)):
        frequent = count_values(values, counts)
    return Variable(
        name=column.name,
        kind=column.kind,
        reason=column.reason,
        type=kind,
        rows=rows,
        missing=round(cells.missing * scale),
        distinct=len(values),
        distinct_exact=whole,
        numeric=numeric,
        counts=frequent,
        datetime=datetime,
        text=text,
        mixed=column.mixed,
        examples=_examples(cells),
    )


def _examples(cells: Cells) -> tuple[str, ...]:
    """The first different values, in the order of the rows."""
    seen = dict.fromkeys(cells.codes[cells.codes >= 0][:1000].tolist())
    texts = (value_text(cells.values[code]) for code in list(seen)[:_EXAMPLES])
    return tuple(t if len(t) <= _LONGEST else t[: _LONGEST - 1] + "…" for t in texts)
