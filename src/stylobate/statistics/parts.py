"""Statistics of overlapping parts of the rows, from one pass over the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from stylobate.data.indexing import as_slice
from stylobate.statistics.source import Recipe, S, Source

Rows = NDArray[np.intp]
_MOST_ATOMS = 512  # more would be merged slower than the rows are read again
_MOST_RUNS = 256  # runs of consecutive rows that may be atoms, without sorting


@dataclass(frozen=True, slots=True)
class PartStatistics(Generic[S]):
    """The statistic of each part of several divisions of the rows.

    The rows are cut into atoms, the largest sets that every part holds whole or not at all (for K
    folds: the folds). Each atom is read once and a part is its atoms, merged; as nothing is
    subtracted, no digits are lost.

    Parameters
    ----------
    parts : list of lists
        The statistic of each part of each division.
    whole : statistic or None
        That of all rows, if the atoms are all rows.
    """

    parts: list[list[S]]
    whole: S | None

    @classmethod
    def of(
        cls, source: Source, recipe: Recipe[S], divisions: Sequence[Sequence[Rows]], n: int
    ) -> PartStatistics[S]:
        """Read the parts: row numbers (or masks), those of one division without common rows."""
        labels = _labels(divisions, n)
        atoms = None if labels is None else _atoms(labels)
        if labels is None or atoms is None:
            chosen = [[as_slice(rows) for rows in parts] for parts in divisions]
            return cls([source.compute_parts(recipe, parts) for parts in chosen], None)
        statistics = source.compute_parts(recipe, [rows for rows, _ in atoms])
        merger = _Merger(statistics)
        first = np.array([row for _, row in atoms])
        at = labels[:, first]  # divisions × atoms: the part that holds the atom, or 0
        parts = [
            [merger.merged(np.flatnonzero(at[d] == k + 1)) for k in range(len(division))]
            for d, division in enumerate(divisions)
        ]
        return cls(parts, merger.merged(np.arange(len(atoms))))


def _labels(divisions: Sequence[Sequence[Rows]], n: int) -> NDArray[np.int32] | None:
    """For each division the number (from 1) of the part that holds each row, 0 if none does.

    None where a row is twice in a part or in two parts of a division, or a part is empty.
    """
    labels = np.zeros((len(divisions), n), dtype=np.int32)
    for row, parts in zip(labels, divisions, strict=True):
        for number, part in enumerate(parts):
            row[part] = number + 1
        counts = np.bincount(row, minlength=len(parts) + 1)[1:]
        sizes = [int(p.sum()) if p.dtype == bool else len(p) for p in map(np.asarray, parts)]
        if counts.tolist() != sizes or 0 in sizes:
            return None
    return labels


def _atoms(labels: NDArray[np.int32]) -> list[tuple[Rows | slice, int]] | None:
    """Rows that all divisions treat alike, and the first of them; None if there are too many."""
    n = labels.shape[1]
    change = np.zeros(n - 1, dtype=bool)
    for row in labels:
        change |= row[1:] != row[:-1]
    starts = np.concatenate([[0], np.flatnonzero(change) + 1])
    if len(starts) <= _MOST_RUNS:
        stops = np.append(starts[1:], n)
        return [(slice(int(a), int(b)), int(a)) for a, b in zip(starts, stops, strict=True)]
    code = np.zeros(n, dtype=np.int64)
    for row in labels:
        code = np.unique(code * (int(row.max()) + 1) + row, return_inverse=True)[1].reshape(-1)
        if code.max() >= _MOST_ATOMS:
            return None
    order = np.argsort(code, kind="stable")
    groups = np.split(order, np.cumsum(np.bincount(code))[:-1])
    return [(group, int(group[0])) for group in groups]


class _Merger(Generic[S]):
    """Merges atoms; all but a run of them in one step, from merged beginnings and ends."""

    def __init__(self, atoms: list[S]) -> None:
        self.atoms = atoms
        self.heads: list[Any] = [None]  # the first k atoms, merged
        for atom in atoms:
            self.heads.append(_both(self.heads[-1], atom))
        self.tails: list[Any] = [None]  # the last k atoms, merged
        for atom in reversed(atoms):
            self.tails.append(_both(atom, self.tails[-1]))

    def merged(self, chosen: NDArray[np.intp]) -> S:
        """The statistic of these atoms (increasing numbers) together."""
        count = len(self.atoms)
        listed = chosen.tolist()
        # the longest beginning and end of all atoms that are among the chosen
        head = next((k for k, atom in enumerate(listed) if atom != k), len(listed))
        if head == count:
            return self.heads[count]  # type: ignore[no-any-return]  # None only without atoms
        rest = listed[head:]
        backwards = enumerate(reversed(rest))
        tail = next((k for k, atom in backwards if atom != count - 1 - k), len(rest))
        middle = [self.atoms[k] for k in rest[: len(rest) - tail]]
        whole: S = reduce(_both, [self.heads[head], *middle, self.tails[tail]])
        return whole


def _both(a: Any, b: Any) -> Any:
    if a is None or b is None:
        return b if a is None else a
    return a.merge(b)
