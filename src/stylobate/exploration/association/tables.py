"""Tables of counts of two columns, and what they say: χ², G, entropies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Integers
from stylobate.exploration.association.ranks import Ranked

MOST_BINS = 32


def bin_count(n: int) -> int:
    """Bins of a column of n numbers: the cube root, between 2 and 32."""
    return int(np.clip(round(n ** (1 / 3)), 2, MOST_BINS))


def equal_count_codes(ranked: Ranked, bins: int) -> tuple[Integers, NDArray[np.int64]]:
    """Each row's bin of about equally many rows (−1: missing), and where each bin's values end.

    A column with no more distinct values than bins keeps its values; equal values share a bin. The
    ends are places in `ranked.values`, one past the last value of each bin.

    >>> from stylobate.exploration.association.ranks import rank_column
    >>> codes, ends = equal_count_codes(rank_column(np.array([5.0, 1, 3, np.nan, 9])), 2)
    >>> codes.tolist(), ends.tolist()
    ([1, 0, 0, -1, 1], [2, 4])
    """
    levels = len(ranked.values)
    if levels <= bins:
        return ranked.places, np.arange(1, levels + 1)
    counts = np.bincount(ranked.places + 1, minlength=levels + 1)[1:]
    middle = (np.cumsum(counts) - 0.5 * counts) / counts.sum()
    wanted = np.minimum((middle * bins).astype(np.int64), bins - 1)
    fresh = np.concatenate([[True], wanted[1:] != wanted[:-1]])
    number = np.cumsum(fresh) - 1
    ends = np.append(np.flatnonzero(fresh)[1:], levels)
    return np.append(number, -1)[ranked.places], ends


def cross_counts(a: Integers, levels_a: int, b: Integers, levels_b: int) -> Integers:
    """Rows of each pair of codes; rows with a missing code (−1) take no part.

    >>> cross_counts(np.array([0, 1, -1]), 2, np.array([1, 1, 0]), 2).tolist()
    [[0, 1], [0, 1]]
    """
    cells = (a + 1) * (levels_b + 1) + (b + 1)
    table = np.bincount(cells, minlength=(levels_a + 1) * (levels_b + 1))
    return table.reshape(levels_a + 1, levels_b + 1)[1:, 1:].astype(np.int64)


@dataclass(frozen=True, slots=True)
class TableStatistics:
    """What a table of counts says; rows and columns without counts are left out.

    Parameters
    ----------
    n, rows, columns, cells : int
        Counts, and rows, columns and cells that have any.
    chi2, g : float
        Pearson's and the likelihood-ratio statistic of independence.
    entropy_a, entropy_b : float
        Entropies of the margins, nats.
    spread : float
        Variance of log p(a,b)/(p(a)p(b)): n times that of the plug-in information.
    williams : float
        Williams' factor, by which G is too large in small tables.
    """

    n: int
    rows: int
    columns: int
    cells: int
    chi2: float
    g: float
    entropy_a: float
    entropy_b: float
    spread: float
    williams: float

    @property
    def df(self) -> int:
        """Degrees of freedom of a test of independence."""
        return max(self.rows - 1, 0) * max(self.columns - 1, 0)


def table_statistics(counts: Integers) -> TableStatistics:
    """All sums one table needs.

    >>> found = table_statistics(np.array([[10, 0], [0, 10]]))
    >>> found.chi2, found.df, round(found.g / 40, 4)
    (20.0, 1, 0.6931)
    """
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    counts = counts[rows > 0][:, columns > 0]
    rows, columns = rows[rows > 0].astype(float), columns[columns > 0].astype(float)
    n = float(rows.sum())
    if n == 0:
        return TableStatistics(0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    i, j = np.nonzero(counts)
    seen = counts[i, j].astype(float)
    expected = rows[i] * columns[j] / n
    logs = np.log(seen / expected)
    information = float(seen @ logs) / n
    df = (len(rows) - 1) * (len(columns) - 1)
    over_a, over_b = float((n / rows).sum()) - 1.0, float((n / columns).sum()) - 1.0
    return TableStatistics(
        n=int(n),
        rows=len(rows),
        columns=len(columns),
        cells=len(seen),
        chi2=max(float(seen @ (seen / expected)) - n, 0.0),
        g=max(2.0 * n * information, 0.0),
        entropy_a=entropy(rows),
        entropy_b=entropy(columns),
        spread=max(float(seen @ logs**2) / n - information**2, 0.0),
        williams=1.0 + over_a * over_b / (6.0 * n * df) if df else 1.0,
    )


def entropy(counts: Array) -> float:
    """Entropy of shares, nats."""
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares @ np.log(shares))) + 0.0
