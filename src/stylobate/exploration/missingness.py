"""Which values are missing together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from stylobate.statistics.columns.table_summary import TableScan

if TYPE_CHECKING:
    from stylobate.exploration.partitions import PartScan

MOST_PATTERNS = 12
_WORTH = 0.1  # correlations below are left out
_MOST_CORRELATIONS = 200


@dataclass(frozen=True, slots=True)
class Pattern:
    """Columns that are missing together (and no other), and in how many rows."""

    columns: tuple[str, ...]
    rows: int
    share: float


@dataclass(frozen=True, slots=True)
class MissingCorrelation:
    """Correlation of the indicators of being missing of two columns."""

    a: str
    b: str
    value: float


@dataclass(frozen=True, slots=True)
class Missingness:
    """Complete rows, the most frequent patterns, and what is missing together.

    `exact` is False where counts are those of a sample, scaled to all rows.
    """

    complete_rows: int
    patterns: tuple[Pattern, ...] = ()
    correlations: tuple[MissingCorrelation, ...] = ()
    exact: bool = True

    def scaled(self, rows: int, missing: Mapping[str, int]) -> Missingness:
        """The same of a table of so many rows from which these were drawn.

        Parameters
        ----------
        rows : int
            Of the table.
        missing : mapping of str to int
            Gaps in each column of the whole table, which bound what is told of rows: none is
            complete that lacks the emptiest column. Gaps in one column alone tell everything.
        """
        n = self.complete_rows + sum(pattern.rows for pattern in self.patterns)
        n = round(self.patterns[0].rows / self.patterns[0].share) if self.patterns else n
        times = rows / max(n, 1)
        gaps = {name: count for name, count in missing.items() if count}
        most = rows - max(gaps.values(), default=0)
        least = max(rows - sum(gaps.values()), 0)
        if len(gaps) <= 1:
            alone = (Pattern((name,), count, count / rows) for name, count in gaps.items())
            return replace(self, complete_rows=most, patterns=tuple(alone))
        patterns = []
        for each in self.patterns:
            room = min(missing.get(name, rows) for name in each.columns)
            patterns.append(replace(each, rows=min(round(each.rows * times), room)))
        complete = min(max(round(self.complete_rows * times), least), most)
        return replace(self, complete_rows=complete, patterns=tuple(patterns), exact=False)


def missingness_of(
    names: Sequence[str], patterns: NDArray[np.bool_], counts: NDArray[np.int64]
) -> Missingness:
    r"""What patterns of missing columns and their counts tell.

    The correlation of two indicators is φ = (n n₁₁ - n₁. n.₁) / √(n₁. n₀. n.₁ n.₀).

    Parameters
    ----------
    names : sequence of str
        Of the columns.
    patterns : array of shape (k, p)
        Distinct rows of the table of what is missing.
    counts : array of shape (k,)
        How often each occurs.

    Examples
    --------
    >>> seen = np.array([[False, False], [True, True], [True, False]])
    >>> round(missingness_of(["a", "b"], seen, np.array([6, 3, 1])).correlations[0].value, 4)
    0.8018
    """
    n = int(counts.sum())
    some = patterns.any(axis=1)
    found = sorted(
        zip(counts[some].tolist(), patterns[some].tolist(), strict=True),
        key=lambda pair: (-pair[0], pair[1]),
    )[:MOST_PATTERNS]
    listed = tuple(
        Pattern(
            tuple(name for name, gone in zip(names, row, strict=True) if gone), count, count / n
        )
        for count, row in found
    )
    return Missingness(int(counts[~some].sum()), listed, _correlations(names, patterns, counts))


def missingness_of_scan(names: Sequence[str], scan: TableScan | PartScan) -> Missingness:
    """The same from a pass over all rows; patterns beyond the most frequent are not told apart."""
    found = scan.patterns
    patterns = np.zeros((len(found) + 1, len(names)), dtype=bool)
    for k, pattern in enumerate(found):
        patterns[k, list(pattern.columns)] = True
    counts = np.array([*(pattern.rows for pattern in found), scan.complete_rows], dtype=np.int64)
    return missingness_of(names, patterns, counts)


def _correlations(
    names: Sequence[str], patterns: NDArray[np.bool_], counts: NDArray[np.int64]
) -> tuple[MissingCorrelation, ...]:
    n = float(counts.sum())
    seen = patterns.astype(np.float64)
    total = counts @ seen
    varying = np.flatnonzero((total > 0) & (total < n))
    seen, total = seen[:, varying], total[varying]
    together = (seen * counts[:, None]).T @ seen
    spread = np.sqrt(total * (n - total))
    phi = (n * together - np.outer(total, total)) / np.outer(spread, spread)
    first, second = np.triu_indices(len(varying), 1)
    value = np.clip(phi[first, second], -1.0, 1.0)
    order = np.argsort(-np.abs(value), kind="stable")[:_MOST_CORRELATIONS]
    return tuple(
        MissingCorrelation(names[varying[first[k]]], names[varying[second[k]]], float(value[k]))
        for k in order
        if abs(value[k]) >= _WORTH
    )
