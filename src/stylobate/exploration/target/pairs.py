"""What two features together say about the target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exploration.target.cells import GroupMean, GroupShares
from stylobate.inference.summary.text import number, p_value

Cells = tuple[tuple[int, int, GroupMean | GroupShares], ...]


@dataclass(frozen=True, slots=True, repr=False)
class PairEffect:
    """The target by two features at once, and what the pair knows beyond the two apart.

    Parameters
    ----------
    a, b : str
        The features.
    gain : float
        The interaction: the share of the target's variance (numeric) or entropy (classes) that
        cells explain beyond the additive model of both features, less what chance adds.
    explains : float
        The share that the cells explain in all, less what chance adds.
    alone : tuple of float
        The share that each of the two explains by itself, on the same groups and rows. Groups are
        ten bins of numbers, up to 50 categories of five rows or more (the others together), and
        missing values if they are 1 % or more.
    p_value, q_value : float or None
        Of no interaction (F test, or G test of no three-way interaction); adjusted for the number
        of pairs looked at.
    n : int
        Rows looked at.
    groups_a, groups_b : tuple of str
        The fewer groups of both that are shown.
    cells : tuple of (int, int, GroupMean or GroupShares)
        The place of each cell shown that has rows, and the target in it.
    """

    a: str
    b: str
    gain: float
    explains: float
    p_value: float | None
    n: int
    groups_a: tuple[str, ...]
    groups_b: tuple[str, ...]
    cells: Cells
    q_value: float | None = None
    alone: tuple[float, float] = (0.0, 0.0)

    def matrix(self) -> Array:
        """Means, or shares of the last class, by group of a (rows) and of b; NaN without rows."""
        out = np.full((len(self.groups_a), len(self.groups_b)), np.nan)
        for i, j, cell in self.cells:
            out[i, j] = cell.mean if isinstance(cell, GroupMean) else cell.shares[-1].share
        return out

    def counts(self) -> NDArray[np.int64]:
        """Rows of each cell."""
        out = np.zeros((len(self.groups_a), len(self.groups_b)), dtype=np.int64)
        for i, j, cell in self.cells:
            out[i, j] = cell.n
        return out

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        plain = ("a", "b", "gain", "explains", "p_value", "q_value", "n")
        return {
            **{name: getattr(self, name) for name in plain},
            "alone": [*self.alone],
            "groups_a": [*self.groups_a],
            "groups_b": [*self.groups_b],
            "cells": [{"row": i, "column": j, **cell.to_dict()} for i, j, cell in self.cells],
        }

    def __repr__(self) -> str:
        p = p_value(float("nan") if self.p_value is None else self.p_value)
        alone = " and ".join(f"{100 * share:.3g}" for share in self.alone)
        head = (
            f"{self.a} and {self.b} together explain {100 * self.explains:.3g} % of the target "
            f"(alone {alone} %), "
            f"{100 * self.gain:.2g} % beyond their sum (p {p if p[0] == '<' else '= ' + p}), "
            f"{self.n} rows"
        )
        return "\n".join([head, *_grid(self)])


def _grid(pair: PairEffect) -> list[str]:
    from stylobate.data.words import aligned

    values, counts = pair.matrix(), pair.counts()
    rows = [("", *(f"{pair.b}: {group}" for group in pair.groups_b))]
    for i, group in enumerate(pair.groups_a):
        cells = (
            "-" if not n else f"{number(v, 3)} ({n})"
            for v, n in zip(values[i].tolist(), counts[i].tolist(), strict=True)
        )
        rows.append((f"  {pair.a}: {group}", *cells))
    return aligned(rows, words=1)
