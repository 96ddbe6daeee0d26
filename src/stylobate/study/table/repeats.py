"""Rows that repeat others, exactly or but for one cell, more often than chance would have it.

A model that has seen a row predicts its repetition by heart. Two rows agree by chance too: with n
rows and columns in which two rows agree with probabilities Pⱼ, about C(n, 2) ∏ Pⱼ pairs would, were
the columns independent. They are not, so the product is taken over measured numbers alone and must
be far below one: rows of a few categories are alike and yet about different people.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices
from stylobate.data.coding import code_column
from stylobate.study.table.table import StudyTable

_FEWEST, _LEAST_SHARE = 10, 0.02  # rows that repeat another, and their share
_CHANCE, _NEAR_CHANCE = 1e-3, 1e-4  # pairs expected by chance, up to which they are repetitions
_MEASURED = 20  # different values, from which numbers are measured
_FINE = 1000.0  # steps of a standard deviation, within which numbers are the same


@dataclass(frozen=True, eq=False)
class Repeats:
    """Rows that repeat others: `groups` numbers them alike, `rows` counts those that repeat."""

    groups: Indices
    rows: int
    exact: int

    @property
    def words(self) -> str:
        """What was noticed."""
        near = self.rows - self.exact
        said = f"{self.rows:,} rows repeat others"
        return f"{said}, {near:,} of them but for one cell" if near else said


def repeated_rows(
    table: StudyTable, rows: NDArray[np.intp], without: tuple[str | None, ...] = ()
) -> Repeats | None:
    """Rows that repeat others, far more of them than by chance; None if there are hardly any.

    Parameters
    ----------
    table : StudyTable
    rows : array of int
        The rows that take part.
    without : tuple of str
        Columns that do not count; identifiers never do.
    """
    n_rows = len(rows)
    names = [
        each.name
        for each in table.schema
        if each.kind not in ("constant", "identifier") and each.name not in without
    ]
    if n_rows < _FEWEST or len(names) < 3:
        return None
    hashes, agreement = [], []
    for place, name in enumerate(names):
        codes = _codes(table.columns[name][rows])
        shares = np.bincount(codes) / n_rows
        measured = table.columns[name].dtype.kind in "iuf" and len(shares) > _MEASURED
        alike = max(float(np.sum(shares**2)) - 1 / n_rows, 1e-12)
        agreement.append(alike if measured else 1.0)
        hashes.append(_hashed(codes, place))
    logs = np.log(agreement)
    pairs = np.log(max(n_rows * (n_rows - 1) / 2, 1.0))
    if pairs + logs.sum() > np.log(_CHANCE):
        return None
    whole = np.add.reduce(np.array(hashes), axis=0)
    links = [_chained(whole)]
    exact = len(links[0][0])
    for place in range(len(names)):
        if pairs + logs.sum() - logs[place] <= np.log(_NEAR_CHANCE):
            links.append(_chained(whole - hashes[place]))
    groups = _components(links, n_rows)
    repeated = n_rows - int(groups.max()) - 1
    if repeated < _FEWEST or repeated < _LEAST_SHARE * n_rows:
        return None
    return Repeats(groups, repeated, exact)


def _codes(values: NDArray[Any]) -> Indices:
    """Numbers of the different values; numbers that hardly differ are the same."""
    if values.dtype.kind == "f":
        known = np.isfinite(values)
        spread = float(np.std(values[known])) if known.any() else 0.0
        if spread > 0:
            values = np.where(known, np.rint(values / spread * _FINE), np.nan)
    return code_column(values).codes


def _hashed(codes: Indices, place: int) -> NDArray[np.uint64]:
    """A random number for each code of a column, which add up to one for each row."""
    drawn = np.random.default_rng(place).integers(0, 2**63, int(codes.max()) + 1, np.uint64)
    return np.asarray(drawn[codes] * np.uint64(2) + np.uint64(1))


def _chained(keys: NDArray[np.uint64]) -> tuple[Indices, Indices]:
    """Pairs of rows with equal keys, each row with the one before it."""
    order = np.argsort(keys, kind="stable")
    same = np.flatnonzero(np.diff(keys[order]) == 0)
    return order[same], order[same + 1]


def _components(links: list[tuple[Indices, Indices]], n_rows: int) -> Indices:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    first = np.concatenate([pair[0] for pair in links])
    second = np.concatenate([pair[1] for pair in links])
    graph = coo_array((np.ones(len(first)), (first, second)), shape=(n_rows, n_rows))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.intp)
