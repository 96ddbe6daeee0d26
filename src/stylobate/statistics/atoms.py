"""Atoms of divisions of the rows: the largest sets that every part holds whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]
Numbers = NDArray[np.intp]

_MOST_ATOMS = 512  # more would be merged slower than the rows are read again
_MOST_RUNS = 256  # runs of consecutive rows that may be atoms, without sorting


class Atoms(NamedTuple):
    """The rows of each atom, and the atoms (increasing numbers) of each part of each division."""

    rows: list[Rows | slice]
    members: list[list[Numbers]]


class _Runs(NamedTuple):
    """Runs of consecutive rows in increasing order, and the part that each is of."""

    starts: Numbers
    stops: Numbers
    parts: Numbers


def atoms_of(divisions: Sequence[Sequence[Rows]], n: int) -> Atoms | None:
    """The atoms of divisions of n rows into parts (row numbers or masks).

    None where there are too many, a row is twice in a division, or a part is empty.

    Examples
    --------
    >>> atoms = atoms_of([[np.array([0, 1]), np.array([2, 3, 4])], [np.arange(4)]], 5)
    >>> atoms.rows
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    >>> [[part.tolist() for part in parts] for parts in atoms.members]
    [[[0], [1, 2]], [[0, 1]]]
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
    rows: list[Rows | slice] = [
        slice(a, b) for a, b in zip(starts.tolist(), cuts[1:].tolist(), strict=True)
    ]
    members = []
    for found, parts in zip(runs, divisions, strict=True):
        at = np.searchsorted(found.starts, starts, side="right") - 1
        inside = (at >= 0) & (starts < found.stops[at])
        owner = np.where(inside, found.parts[at], -1)
        members.append([np.flatnonzero(owner == k) for k in range(len(parts))])
    return Atoms(rows, members)


def _runs(parts: Sequence[Rows], n: int) -> _Runs | None:
    """The runs of a division; None if they are too many to be atoms."""
    starts, stops, owners, count = [], [], [], 0
    for number, part in enumerate(parts):
        rows = _numbers(part, n)
        breaks = np.flatnonzero(rows[1:] - rows[:-1] != 1)
        count += len(breaks) + 1
        if count > _MOST_RUNS:
            return None
        starts += [rows[:1], rows[breaks + 1]]
        stops += [rows[breaks] + 1, rows[-1:] + 1]
        owners.append(np.full(len(breaks) + 1, number))
    first, last = np.concatenate(starts), np.concatenate(stops)
    if first.min() < 0 or last.max() > n:
        raise IndexError(f"rows {first.min()} … {last.max() - 1} of {n}")
    order = np.argsort(first, kind="stable")
    return _Runs(first[order], last[order], np.concatenate(owners)[order])


def _numbers(part: Rows, n: int) -> Rows:
    """Row numbers from 0 on."""
    if part.dtype == bool:
        return np.flatnonzero(part)
    return np.where(part < 0, part + n, part) if part.min() < 0 else part


def _from_labels(divisions: Sequence[Sequence[Rows]], n: int) -> Atoms | None:
    """Atoms of rows that lie anywhere."""
    labels = _labels(divisions, n)
    code = None if labels is None else _codes(labels)
    if labels is None or code is None:
        return None
    order = np.argsort(code.astype(np.uint16), kind="stable")  # few bits are sorted by digits
    firsts = np.concatenate([[0], np.cumsum(np.bincount(code))[:-1]])
    at = labels[:, order[firsts]]  # divisions × atoms: the part that holds the atom, or 0
    members = [
        [np.flatnonzero(owner == k + 1) for k in range(len(parts))]
        for owner, parts in zip(at, divisions, strict=True)
    ]
    return Atoms(list(np.split(order, firsts[1:])), members)


def _labels(divisions: Sequence[Sequence[Rows]], n: int) -> NDArray[np.int32] | None:
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
