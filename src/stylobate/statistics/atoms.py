"""Atoms of divisions of the rows: the largest sets that every part holds whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Indices

_MOST_ATOMS = 512  # more would be merged slower than the rows are read again
_MOST_RUNS = 256  # runs of consecutive rows that may be atoms, without sorting


class Atoms(NamedTuple):
    """The rows of each atom, and the part of each division that holds it (−1: none)."""

    rows: list[Indices | slice]
    owners: list[Indices]


class _Runs(NamedTuple):
    """Runs of consecutive rows in increasing order, and the part that each is of."""

    starts: Indices
    stops: Indices
    parts: Indices


def atoms_of(divisions: Sequence[Sequence[Indices]], n: int) -> Atoms | None:
    """The atoms of divisions of n rows into parts (row numbers or masks).

    None where there are too many, a row is twice in a division, or a part is empty.

    Examples
    --------
    >>> atoms = atoms_of([[np.array([0, 1]), np.array([2, 3, 4])], [np.arange(4)]], 5)
    >>> atoms.rows
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    >>> [owner.tolist() for owner in atoms.owners]
    [[0, 1, 1], [0, 0, -1]]
    """
    if any(len(part) == 0 for parts in divisions for part in parts):
        return None
    runs = []
    for parts in divisions:
        found = _runs(parts, n)
        if found is None:
            return _from_labels(divisions, n)
        if (found.starts[1:] < found.stops[:-1]).any():  # a row is there twice
            return None
        runs.append(found)
    cuts = np.unique(np.concatenate([[0, n], *(np.concatenate(each[:2]) for each in runs)]))
    if len(cuts) > _MOST_RUNS + 1:
        return _from_labels(divisions, n)
    starts = cuts[:-1]
    rows: list[Indices | slice] = [
        slice(a, b) for a, b in zip(starts.tolist(), cuts[1:].tolist(), strict=True)
    ]
    owners = []
    for found in runs:
        at = np.searchsorted(found.starts, starts, side="right") - 1
        inside = (at >= 0) & (starts < found.stops[at])
        owners.append(np.where(inside, found.parts[at], -1))
    return Atoms(rows, owners)


def _runs(parts: Sequence[Indices], n: int) -> _Runs | None:
    """The runs of a division; None if they are too many to be atoms."""
    found, most = [], _MOST_RUNS
    for part in parts:
        bounds = _core.runs(_numbers(part), most)
        if bounds is not None and bounds[:, 0].min() < 0:  # numbers from the end
            bounds = _core.runs(_numbers(np.where(part < 0, part + n, part)), most)
        if bounds is None:
            return None
        found.append(bounds)
        most -= len(bounds)
    starts, stops = np.concatenate(found).T
    if starts.min() < 0 or stops.max() > n:
        raise IndexError(f"rows {starts.min()} … {stops.max() - 1} of {n}")
    order = np.argsort(starts, kind="stable")
    owners = np.repeat(np.arange(len(parts)), [len(bounds) for bounds in found])
    return _Runs(starts[order], stops[order], owners[order])


def _numbers(part: Indices) -> NDArray[np.int64]:
    rows = np.flatnonzero(part) if part.dtype == bool else part
    return np.ascontiguousarray(rows, dtype=np.int64)


def _from_labels(divisions: Sequence[Sequence[Indices]], n: int) -> Atoms | None:
    """Atoms of rows that lie anywhere."""
    labels = _labels(divisions, n)
    code = None if labels is None else _codes(labels)
    if labels is None or code is None:
        return None
    order = np.argsort(code.astype(np.uint16), kind="stable")  # few bits are sorted by digits
    firsts = np.concatenate([[0], np.cumsum(np.bincount(code))[:-1]])
    owners = labels[:, order[firsts]] - 1
    return Atoms(list(np.split(order, firsts[1:])), list(owners))


def _labels(divisions: Sequence[Sequence[Indices]], n: int) -> NDArray[np.int32] | None:
    """For each division the number (from 1) of the part that holds each row, 0 if none does."""
    labels = np.zeros((len(divisions), n), dtype=np.int32)
    for row, parts in zip(labels, divisions, strict=True):
        for number, part in enumerate(parts):
            row[part] = number + 1
        counts = np.bincount(row, minlength=len(parts) + 1)[1:]
        sizes = [int(p.sum()) if p.dtype == bool else len(p) for p in map(np.asarray, parts)]
        if counts.tolist() != sizes or 0 in sizes:
            return None
    return labels


def _codes(labels: NDArray[np.int32]) -> NDArray[np.intp] | None:
    """A number of each row that tells how all divisions treat it; None if there are too many."""
    code = np.zeros(labels.shape[1], dtype=np.intp)
    for row in labels:
        code = code * (int(row.max()) + 1) + row
        known = np.bincount(code) > 0
        if np.count_nonzero(known) > _MOST_ATOMS:
            return None
        code = (np.cumsum(known) - 1)[code]
    return code
