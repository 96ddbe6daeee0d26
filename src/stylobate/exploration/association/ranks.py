"""Ranks of columns: sorted once, ranked again on any part of the rows without sorting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Integers, Mask
from stylobate.exploration.association.grams import PairwiseCorrelations


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """A column's distinct values in order, and each row's place among them (−1: missing)."""

    values: Array
    places: Integers

    @property
    def present(self) -> Mask:
        """Rows with a value."""
        return self.places >= 0

    def ranks(self) -> Array:
        """Average ranks (from 1); NaN where missing."""
        return np.append(self._table(self.places[self.present]), np.nan)[self.places]

    def _table(self, places: Integers) -> Array:
        """The rank of each value, where the rows have these places."""
        counts = np.bincount(places, minlength=len(self.values))
        return np.asarray(np.cumsum(counts) - 0.5 * (counts - 1))


def rank_column(values: Array) -> Ranked:
    """Sort a column once.

    >>> rank_column(np.array([5.0, np.nan, 1.0, 5.0])).ranks().tolist()
    [2.5, nan, 1.0, 2.5]
    """
    return rank_columns([values])[0]


def rank_columns(columns: Sequence[Array]) -> list[Ranked]:
    """Sort columns once, on all threads."""
    listed = [np.ascontiguousarray(values, dtype=np.float64) for values in columns]
    pairs: Any = _core.code_reals(listed)
    return [Ranked(v[first], places) for v, (first, places) in zip(listed, pairs, strict=True)]


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
    for first, one in enumerate(parts):
        for other in parts[first:]:
            rows = columns[one[0]].present & columns[other[0]].present
            mine = _ranks_among([columns[j] for j in one], rows)
            theirs = mine if other is one else _ranks_among([columns[j] for j in other], rows)
            found = _correlations_of_ranks(mine, theirs)
            r[np.ix_(one, other)], r[np.ix_(other, one)] = found, found.T
            n[np.ix_(one, other)] = n[np.ix_(other, one)] = mine.shape[1]
    return PairwiseCorrelations(r, n)


def _ranks_among(columns: Sequence[Ranked], rows: Mask) -> Array:
    """Average ranks less their mean, of some rows only; all of them must be present."""
    levels = [len(column.values) for column in columns]
    return np.asarray(_core.centred_ranks([column.places for column in columns], levels, rows))


def _correlations_of_ranks(a: Array, b: Array) -> Array:
    """Correlations of rows of ranks less their mean; NaN where all are equal."""
    own, other = (np.einsum("ij,ij->i", x, x) for x in (a, b))
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (a @ b.T) / np.sqrt(np.outer(own, other))
    r[~np.isfinite(r)] = np.nan
    return np.asarray(np.clip(r, -1.0, 1.0))
