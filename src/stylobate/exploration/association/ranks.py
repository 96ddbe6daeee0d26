"""Ranks of columns: sorted once, ranked again on any part of the rows without sorting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.exploration.association.grams import PairwiseCorrelations, pairwise_correlations

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """A column's distinct values in order, and each row's place among them (−1: missing)."""

    values: Array
    places: Places

    @property
    def present(self) -> Mask:
        """Rows with a value."""
        return self.places >= 0

    def ranks(self, rows: Mask | None = None) -> Array:
        """Average ranks (from 1) among some rows; NaN elsewhere and where missing."""
        places = self.places + 1
        if rows is not None:
            places = np.where(rows, places, 0)
        counts = np.bincount(places, minlength=len(self.values) + 1)[1:]
        table = np.empty(len(self.values) + 1)
        table[0] = np.nan
        table[1:] = np.cumsum(counts) - 0.5 * (counts - 1)
        return table[places]


def rank_column(values: Array) -> Ranked:
    """Sort a column once.

    >>> rank_column(np.array([5.0, np.nan, 1.0, 5.0])).ranks().tolist()
    [2.5, nan, 1.0, 2.5]
    """
    order = np.argsort(values)  # NaN last
    n = len(values) - int(np.isnan(values).sum())
    ordered = values[order[:n]]
    starts = np.ones(n, dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=starts[1:])
    places = np.full(len(values), -1, dtype=np.int64)
    places[order[:n]] = np.cumsum(starts) - 1
    return Ranked(ordered[starts], places)


def pairwise_rank_correlations(columns: Sequence[Ranked]) -> PairwiseCorrelations:
    """Spearman's ρ of every pair on the rows where both are present, ties at their average rank.

    Columns that lack the same rows are ranked together: one product of matrices for each pair of
    patterns of missing values rather than for each pair of columns.

    >>> pair = [rank_column(np.array([1.0, 2, 3, 4])), rank_column(np.array([1.0, 4, 9, 2]))]
    >>> float(pairwise_rank_correlations(pair).r[0, 1].round(3))
    0.4
    """
    p = len(columns)
    r, n = np.full((p, p), np.nan), np.zeros((p, p), dtype=np.int64)
    groups: dict[bytes, list[int]] = {}
    for j, column in enumerate(columns):
        groups.setdefault(np.packbits(column.present).tobytes(), []).append(j)
    parts = list(groups.values())
    full = {j: column.ranks() for j, column in enumerate(columns)}
    for first, one in enumerate(parts):
        for other in parts[first:]:
            together = one if other is one else one + other
            found = pairwise_correlations(_common_ranks(columns, one, other, full))
            block = np.ix_(together, together)
            if other is one:
                r[block], n[block] = found.r, found.n
                continue
            k = len(one)
            r[np.ix_(one, other)], n[np.ix_(one, other)] = found.r[:k, k:], found.n[:k, k:]
            r[np.ix_(other, one)], n[np.ix_(other, one)] = found.r[k:, :k], found.n[k:, :k]
    return PairwiseCorrelations(r, n)


def _common_ranks(
    columns: Sequence[Ranked], one: list[int], other: list[int], full: dict[int, Array]
) -> Array:
    """Ranks of two groups of columns on the rows both have, only those rows."""
    if one is other:
        kept = columns[one[0]].present
        ranks = [full[j] for j in one]
        return np.array(ranks if kept.all() else [each[kept] for each in ranks])
    mine, theirs = columns[one[0]].present, columns[other[0]].present
    rows = mine & theirs
    count = int(rows.sum())
    ranks = []
    for group, present in ((one, mine), (other, theirs)):
        again = int(present.sum()) > count  # else the common rows are all it has
        ranks += [(columns[j].ranks(rows) if again else full[j])[rows] for j in group]
    return np.array(ranks)
