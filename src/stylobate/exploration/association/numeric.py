"""Pearson and Spearman correlations of all pairs of numeric columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.exploration.association.columns import AMOUNTS, AnyColumn, NumberColumn
from stylobate.exploration.association.grams import PairwiseCorrelations, pairwise_correlations
from stylobate.exploration.association.laws import correlation_p, fisher_interval
from stylobate.exploration.association.ranks import Ranked, pairwise_rank_correlations
from stylobate.exploration.association.value import Association, finite


@dataclass(frozen=True, slots=True, eq=False)
class ExactCorrelations:
    """Correlations of all rows of a source, however large, as its moments give them.

    Parameters
    ----------
    names : tuple of str
        Columns.
    r : array of shape (p, p)
        Pearson's correlations on the rows where both columns are present; NaN if undefined.
    n : array of shape (p, p) or int
        Rows of each.
    """

    names: tuple[str, ...]
    r: Array
    n: NDArray[np.int64] | int

    def of(self, names: Sequence[str]) -> PairwiseCorrelations:
        """Those of some columns."""
        missing = [name for name in names if name not in self.names]
        if missing:
            raise InvalidDataError(
                f"The exact correlations lack the numeric column {missing[0]!r}; they have "
                f"{', '.join(map(repr, self.names[:8]))}."
            )
        place = [self.names.index(name) for name in names]
        block = np.ix_(place, place)
        n = np.broadcast_to(np.asarray(self.n, dtype=np.int64), self.r.shape)
        return PairwiseCorrelations(self.r[block], n[block])


def exact_correlations(columns: Sequence[AnyColumn]) -> ExactCorrelations:
    """Pearson's correlations of the amounts among some columns, from all their rows."""
    amounts = [c for c in columns if isinstance(c, NumberColumn) and c.kind in AMOUNTS]
    if not amounts:
        return ExactCorrelations((), np.empty((0, 0)), 0)
    found = pairwise_correlations(np.array([column.values for column in amounts]))
    return ExactCorrelations(tuple(column.name for column in amounts), found.r, found.n)


def correlations(
    columns: Sequence[NumberColumn],
    ranked: Sequence[Ranked],
    *,
    level: float,
    exact: bool,
    moments: ExactCorrelations | None = None,
) -> list[Association]:
    """Both correlations of every pair; steps (ordinal columns) get Spearman's only."""
    if len(columns) < 2:
        return []
    amounts = [column for column in columns if column.kind in AMOUNTS]
    found: list[Association] = []
    if len(amounts) > 1:
        names = [column.name for column in amounts]
        if moments is not None:
            pearson = moments.of(names)
        else:
            pearson = pairwise_correlations(np.array([column.values for column in amounts]))
        found += _listed("pearson", names, pearson, level, exact or moments is not None)
    names = [column.name for column in columns]
    return found + _listed("spearman", names, pairwise_rank_correlations(ranked), level, exact)


def _listed(
    measure: str, names: Sequence[str], found: PairwiseCorrelations, level: float, exact: bool
) -> list[Association]:
    i, j = np.triu_indices(len(names), 1)
    r, n = found.r[i, j].copy(), found.n[i, j]
    r[n < 3] = np.nan
    p = correlation_p(r, n)
    low, high = fisher_interval(r, n, level, ranks=measure == "spearman")
    return [
        Association(
            names[a],
            names[b],
            measure,
            finite(r[k]),
            finite(low[k]),
            finite(high[k]),
            finite(p[k]),
            int(n[k]),
            exact,
            None,
            finite(r[k]),
            finite(abs(r[k])),
            _why(r[k], int(n[k])),
        )
        for k, (a, b) in enumerate(zip(i.tolist(), j.tolist(), strict=True))
    ]


def _why(r: float, n: int) -> str | None:
    if np.isfinite(r):
        return None
    if n < 3:
        return f"only {n} rows have both values; at least 3 are needed"
    return f"one of the columns is constant in the {n} rows that have both values"
