"""Statistics of overlapping parts of the rows, from one pass over the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, Generic

import numpy as np

from stylobate.arrays import Indices
from stylobate.data.indexing import as_slice
from stylobate.statistics.atoms import atoms_of
from stylobate.statistics.moments.moments import Moments
from stylobate.statistics.moments.stack import MomentsStack
from stylobate.statistics.source import Recipe, S, Source


@dataclass(frozen=True)
class PartStatistics(Generic[S]):
    """The statistic of each part of several divisions of the rows.

    The rows are cut into atoms, the largest sets that every part holds whole or not at all (for K
    folds: the folds). Each atom is read once and a part is its atoms, merged; as nothing is
    subtracted, no digits are lost.

    Parameters
    ----------
    atoms : sequence of statistics
    owners : list of arrays
        For each division, the part that holds each atom (−1: none).
    complete : bool
        Whether the atoms are all rows, each once.
    """

    atoms: Sequence[S]
    owners: list[Indices]
    complete: bool

    @classmethod
    def of(
        cls, source: Source, recipe: Recipe[S], divisions: Sequence[Sequence[Indices]], n: int
    ) -> PartStatistics[S]:
        """Read the parts: row numbers (or masks), those of one division without common rows."""
        found = atoms_of(divisions, n)
        if found is not None:
            return cls(source.compute_parts(recipe, found.rows), found.owners, complete=True)
        chosen = [as_slice(rows) for parts in divisions for rows in parts]  # each its own atom
        owners, first = [], 0
        for parts in divisions:
            owner = np.full(len(chosen), -1)
            owner[first : first + len(parts)] = range(len(parts))
            owners.append(owner)
            first += len(parts)
        return cls(source.compute_parts(recipe, chosen), owners, complete=False)

    @classmethod
    def of_folds(cls, folds: Sequence[S]) -> PartStatistics[S]:
        """Of known statistics of folds, the divisions into all folds but one and that one."""
        numbers = np.arange(len(folds))
        owners = [(numbers == k).astype(np.intp) for k in range(len(folds))]
        stacked: Any = folds
        if isinstance(folds[0], Moments):
            stacked = MomentsStack.stacked(folds)  # type: ignore[arg-type]  # all are, if one is
        return cls(stacked, owners, complete=True)

    @cached_property
    def parts(self) -> list[list[S]]:
        """The statistic of each part of each division."""
        return self._merged(
            [[np.flatnonzero(owner == k) for k in range(owner.max() + 1)] for owner in self.owners]
        )

    @cached_property
    def whole(self) -> S | None:
        """The statistic of all rows, if the atoms are all rows."""
        return self._merged([[np.arange(len(self.atoms))]])[0][0] if self.complete else None

    def growing(self) -> tuple[list[list[S]], list[S]]:
        """Of each division: its parts but the last, each with those before it; its last part."""
        unions = []
        for owner in self.owners:
            last, by_part = owner.max(), np.where(owner < 0, len(owner), owner)
            grown = [np.flatnonzero(by_part <= k) for k in range(last)]
            unions.append([*grown, np.flatnonzero(owner == last)])
        merged = self._merged(unions)
        return [parts[:-1] for parts in merged], [parts[-1] for parts in merged]

    def _merged(self, unions: Sequence[Sequence[Indices]]) -> list[list[S]]:
        """The statistics of atoms put together."""
        flat = [each for group in unions for each in group]
        together = getattr(self.atoms, "unions", None)
        if together is not None:
            merged = iter(together(flat))
        else:
            merger = _Merger(self.atoms)
            merged = iter([merger.merged(each) for each in flat])
        return [[next(merged) for _ in group] for group in unions]


class _Merger(Generic[S]):
    """Merges atoms; all but a run of them in one step, from merged beginnings and ends."""

    def __init__(self, atoms: Sequence[S]) -> None:
        self.atoms = atoms
        self.heads: list[Any] = [None]  # the first k atoms, merged
        for atom in atoms:
            self.heads.append(_both(self.heads[-1], atom))
        self.tails: list[Any] = [None]  # the last k atoms, merged
        for atom in reversed(atoms):
            self.tails.append(_both(atom, self.tails[-1]))

    def merged(self, chosen: Indices) -> S:
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
