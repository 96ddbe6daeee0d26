"""Every measure of every pair of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.kinds import Schema
from stylobate.exploration.association.collection import Associations
from stylobate.exploration.association.columns import (
    AnyColumn,
    CategoryColumn,
    NumberColumn,
    check_columns,
    sample_rows,
)
from stylobate.exploration.association.counted import cramers, informations
from stylobate.exploration.association.directions import noted, with_directions
from stylobate.exploration.association.frames import SKIPPED, columns_of
from stylobate.exploration.association.laws import benjamini_hochberg
from stylobate.exploration.association.numeric import (
    ExactCorrelations,
    correlations,
    exact_correlations,
)
from stylobate.exploration.association.ranks import Ranked, rank_columns
from stylobate.exploration.association.ratio import correlation_ratios
from stylobate.exploration.association.tables import (
    TableStatistics,
    bin_count,
    cross_counts,
    equal_count_codes,
    table_statistics,
)
from stylobate.exploration.association.value import Association
from stylobate.inference.distributions import check_level

Coding = tuple[NDArray[np.int64], int]


def associations(
    frame: Any,
    schema: Schema | None = None,
    *,
    level: float = 0.95,
    max_rows: int | None = 100_000,
) -> Associations:
    """How strongly every two columns of a table go together, with intervals and tests.

    Two numeric columns: Pearson's r and Spearman's ρ. Two categories: Cramér's V. A category and a
    numeric column: the correlation ratio η over all categories. Every pair: mutual information,
    which also sees what is neither a line nor a rise. Each pair uses the rows where both columns
    have a value. Tables of counts put categories of fewer than five rows together, and those beyond
    the 511 commonest; `note` says so.

    Parameters
    ----------
    frame : data frame or array-like of shape (n, p)
        Any table; text columns, identifiers and constants are left out.
    schema : Schema, optional
        What the columns are (`stylobate.data.kinds.infer_schema`); found from the values by
        default.
    level : float in (0, 1), default=0.95
        Of the intervals.
    max_rows : int or None, default=100_000
        Of a longer table all measures but Pearson's are those of so many rows drawn at random
        (`exact` is False then, and the intervals say what that costs); None for all rows.

    Returns
    -------
    Associations
        Prints the strongest pairs.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0.0, 3.0, 50)
    >>> found = associations(np.column_stack([x, x**2, np.sin(7 * x)]))
    >>> found.strongest(1)[0].strength
    1.0
    """
    columns, schema = columns_of(frame, schema, owner="associations")
    left_out = {c.name: c.kind for c in schema if c.kind in SKIPPED}
    sampled = sample_rows(columns, max_rows)
    exact = not columns or len(sampled[0]) == len(columns[0])
    moments = None if exact else exact_correlations(columns)
    found = associate(sampled, level=level, exact=exact, moments=moments)
    return replace(found, left_out={**left_out, **found.left_out})


def associate(
    columns: Sequence[AnyColumn],
    *,
    level: float = 0.95,
    exact: bool = True,
    moments: ExactCorrelations | None = None,
) -> Associations:
    """Every measure of every pair of columns in memory.

    Parameters
    ----------
    columns : sequence of NumberColumn and CategoryColumn
        All of the same number of rows.
    level : float in (0, 1), default=0.95
        Of the intervals.
    exact : bool, default=True
        False if the rows are a sample of more.
    moments : ExactCorrelations, optional
        Pearson's correlations from all rows, where the columns are a sample.

    Returns
    -------
    Associations
    """
    check_level(level)
    n = check_columns(columns, "associations")
    whole = {column.name: column for column in columns if isinstance(column, CategoryColumn)}
    columns, left_out = _comparable(columns)
    numbers = [column for column in columns if isinstance(column, NumberColumn)]
    categories = [column for column in columns if isinstance(column, CategoryColumn)]
    ranked = rank_columns([column.values for column in numbers])
    found = correlations(numbers, ranked, level=level, exact=exact, moments=moments)
    groups = [whole[column.name].repeated() for column in categories]  # η costs the same for many
    found += noted(correlation_ratios(groups, numbers, level=level, exact=exact), whole, groups)
    counted, tables = _counted(columns, categories, numbers, ranked, level=level, exact=exact)
    found = with_directions(found + noted(counted, whole, categories), tables)
    q = benjamini_hochberg([np.nan if a.p_value is None else a.p_value for a in found])
    entries = [
        replace(each, q_value=None if np.isnan(adjusted) else float(adjusted))
        for each, adjusted in zip(found, q, strict=True)
    ]
    kinds = {column.name: column.kind for column in columns}
    return Associations(tuple(kinds), tuple(entries), n, level, kinds, left_out)


def _comparable(columns: Sequence[AnyColumn]) -> tuple[list[AnyColumn], dict[str, str]]:
    """Columns whose rare labels are put together; those with hardly a repeated label left out."""
    kept: list[AnyColumn] = []
    left_out: dict[str, str] = {}
    for column in columns:
        if not isinstance(column, CategoryColumn):
            kept.append(column)
            continue
        fewer = column.comparable()
        if len(fewer.labels) < min(len(column.labels), 2):
            left_out[column.name] = f"{len(column.labels)} labels, hardly any repeated"
        else:
            kept.append(fewer)
    return kept, left_out


def _counted(
    columns: Sequence[AnyColumn],
    categories: Sequence[CategoryColumn],
    numbers: Sequence[NumberColumn],
    ranked: Sequence[Ranked],
    *,
    level: float,
    exact: bool,
) -> tuple[list[Association], dict[tuple[str, str], TableStatistics]]:
    """Mutual information of all pairs, Cramér's V of categories, and the tables of both."""
    codings: dict[str, Coding] = {c.name: (c.codes, len(c.labels)) for c in categories}
    for column, order in zip(numbers, ranked, strict=True):
        bins = bin_count(int(order.present.sum()))
        codes, ends = equal_count_codes(order, bins)
        codings[column.name] = (codes, len(ends))
    named = {category.name for category in categories}
    names = [column.name for column in columns]
    pairs, tables = [], []
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            pairs.append((a, b))
            tables.append(pair_table(codings[a], codings[b]))
    both = [k for k, (a, b) in enumerate(pairs) if a in named and b in named]
    found = cramers([pairs[k] for k in both], [tables[k] for k in both], level=level, exact=exact)
    found += informations(pairs, tables, level=level, exact=exact)
    return found, dict(zip(pairs, tables, strict=True))


def pair_table(a: Coding, b: Coding) -> TableStatistics:
    """What the counts of two coded columns say."""
    return table_statistics(cross_counts(a[0], a[1], b[0], b[1]))
