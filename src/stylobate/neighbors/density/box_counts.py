"""How many points lie in which box of a grid: a statistic of the boxes that hold some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Integers
from stylobate.data import Table
from stylobate.statistics.rows import counted

BLOCK = 65_536  # rows at a time: their boxes are never held together


@dataclass(frozen=True, slots=True, eq=False)
class BoxCounts:
    """The boxes that hold points.

    Parameters
    ----------
    shape : tuple of int
        Bins of each column.
    cells : array of int of shape (n_cells, columns)
        The bins of each box, in order.
    mass : array of shape (n_cells,)
        How many points it holds, or their weight.

    Examples
    --------
    >>> one = BoxCounts((2,), np.array([[1]]), np.array([3.0]))
    >>> both = one.merge(BoxCounts((2,), np.array([[0], [1]]), np.array([1.0, 2.0])))
    >>> both.cells.ravel(), both.mass
    (array([0, 1]), array([1., 5.]))
    """

    shape: tuple[int, ...]
    cells: Integers
    mass: Array

    subtractable: ClassVar[bool] = False

    @classmethod
    def joined(cls, shape: tuple[int, ...], cells: Integers, mass: Array) -> Self:
        """Of boxes that may be named more than once."""
        found, place = distinct(cells, shape)
        return cls(shape, found, np.asarray(np.bincount(place, mass), dtype=np.float64))

    def merge(self, other: Self) -> Self:
        """Of the points of both parts."""
        cells, mass = ((self.cells, other.cells), (self.mass, other.mass))
        return self.joined(self.shape, np.concatenate(cells), np.concatenate(mass))

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.mass).all())

    def column_lengths(self) -> Array:
        return np.empty(0)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"shape": np.array(self.shape), "cells": self.cells, "mass": self.mass}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        shape = tuple(arrays["shape"].tolist())
        return cls(shape, np.array(arrays["cells"]), np.array(arrays["mass"]))


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """A grid whose boxes are to be counted.

    Parameters
    ----------
    edges : sequence of arrays
        Ends of the bins of each column, rising.

    Examples
    --------
    >>> Boxes([np.array([0.0, 1.0, 2.0])]).cells(np.array([[0.5], [2.0], [3.0]])).ravel()
    array([ 0,  1, -1])
    """

    edges: Sequence[Array]

    @property
    def shape(self) -> tuple[int, ...]:
        """Bins of each column."""
        return tuple(len(edges) - 1 for edges in self.edges)

    def of(self, table: Table) -> BoxCounts:
        """The counts of the rows of a table, all of which must be inside."""
        table = counted(table)
        return self.count(np.asarray(table.x, dtype=np.float64), table.weights)

    def count(self, points: Array, weights: Array | None) -> BoxCounts:
        """The boxes that hold points, and how many."""
        none = np.empty((0, len(self.edges)), dtype=np.int64)
        kept = [BoxCounts(self.shape, none, np.empty(0))]
        held = settled = 0
        for start in range(0, len(points), BLOCK):
            some = slice(start, start + BLOCK)
            cells = self.cells(points[some])
            mass = np.ones(len(cells)) if weights is None else weights[some]
            kept.append(BoxCounts.joined(self.shape, cells, mass))
            held += len(kept[-1].cells)
            if held > 2 * settled + BLOCK:
                kept = [self._together(kept)]
                held = settled = len(kept[0].cells)
        return self._together(kept)

    def _together(self, parts: list[BoxCounts]) -> BoxCounts:
        cells = np.concatenate([part.cells for part in parts])
        return BoxCounts.joined(self.shape, cells, np.concatenate([part.mass for part in parts]))

    def cells(self, points: Array) -> Integers:
        """The bins of each point, -1 outside; the last bin holds its upper end."""
        cells = np.empty(points.shape, dtype=np.int64)
        for j, edges in enumerate(self.edges):
            column = points[:, j]
            found = np.searchsorted(edges, column, side="right") - 1
            found[column == edges[-1]] = len(edges) - 2
            cells[:, j] = np.where((column >= edges[0]) & (column <= edges[-1]), found, -1)
        return cells

    def volumes(self, cells: Integers) -> Array:
        """The volume of each box."""
        volumes = np.ones(len(cells))
        for j, edges in enumerate(self.edges):
            volumes *= np.diff(edges)[cells[:, j]]
        return volumes


def distinct(cells: Integers, shape: tuple[int, ...]) -> tuple[Integers, Integers]:
    """The different boxes of a grid in order, and which each one is.

    Examples
    --------
    >>> distinct(np.array([[1], [0], [1]]), (2,))[1]
    array([1, 0, 1])
    """
    if np.prod(shape, dtype=np.float64) < 2.0**62:
        numbers, place = np.unique(np.ravel_multi_index(cells.T, shape), return_inverse=True)
        return np.stack(np.unravel_index(numbers, shape), axis=1), place
    found, place = np.unique(cells, axis=0, return_inverse=True)
    return found, place.ravel()
