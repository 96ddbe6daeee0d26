"""Which column of a pair determines the other, and what was simplified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from stylobate.exploration.association.columns import CategoryColumn
from stylobate.exploration.association.counted import corrected_information
from stylobate.exploration.association.tables import TableStatistics
from stylobate.exploration.association.value import Association

Pair = tuple[str, str]
_NEARLY = 0.95  # of the entropy or variance of a column that follows from another


def with_directions(
    found: Sequence[Association], tables: Mapping[Pair, TableStatistics]
) -> list[Association]:
    """The associations with the columns that determine their partner.

    A correlation works both ways. A category determines a number by η², and a category by the share
    of its entropy, :math:`I(a, b) / H(b)`; so does a number in bins.
    """
    return [replace(each, determines=_determines(each, tables)) for each in found]


def _determines(each: Association, tables: Mapping[Pair, TableStatistics]) -> tuple[str, ...]:
    if each.value is None:
        return ()
    if each.measure in ("pearson", "spearman"):
        return (each.a, each.b) if each.value**2 >= _NEARLY else ()
    by_a, by_b = _shares(each, tables)
    if each.measure == "correlation_ratio":
        by_a = each.value**2
    shares = ((each.a, by_a), (each.b, by_b))
    return tuple(name for name, share in shares if share >= _NEARLY)


def _shares(each: Association, tables: Mapping[Pair, TableStatistics]) -> tuple[float, float]:
    """The share of b's entropy that a explains, and of a's that b explains."""
    table = tables.get((each.a, each.b))
    turned = table is None
    if table is None:
        table = tables.get((each.b, each.a))
    if table is None or not table.n:
        return 0.0, 0.0
    known = corrected_information(table)
    of_a, of_b = (known / h if h > 0 else 0.0 for h in (table.entropy_a, table.entropy_b))
    return (of_a, of_b) if turned else (of_b, of_a)


def noted(
    found: Sequence[Association],
    whole: Mapping[str, CategoryColumn],
    used: Sequence[CategoryColumn],
) -> list[Association]:
    """The associations with a note where rare categories were put together."""
    gone = {c.name: len(whole[c.name].labels) - len(c.labels) + 1 for c in used}
    out = []
    for each in found:
        parts = [
            f"{gone[name]} rare categories of {name} put together"
            for name in (each.a, each.b)
            if gone.get(name, 1) > 1 and each.value is not None
        ]
        out.append(replace(each, note="; ".join(parts)) if parts else each)
    return out
