"""Neighbours of rows: how alike in a target they are, and rows that have none nearby."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.exploration.cells import Cells
from stylobate.exploration.clusters.traits import amounts, is_amount
from stylobate.exploration.maps.encoding import EncodedRows
from stylobate.exploration.summaries.values import value_text

_FAR = 3.0  # quartile distances above the upper quartile: "far out" in Tukey's words
_MOST = 20  # outlying rows that are told
_FEW_GROUPS = 30


@dataclass(frozen=True, slots=True)
class OutlyingRow:
    """A row far from its nearest neighbours.

    Attributes
    ----------
    row : int
        Its number in the table, the first being 0.
    place : int
        Its place among the rows of the map.
    ratio : float
        Its mean distance to its neighbours over that of the median row.
    columns : dict from str to str
        Its values in the columns in which it is unlike them.
    """

    row: int
    place: int
    ratio: float
    columns: dict[str, str]


def nearest_rows(rows: Array, k: int) -> tuple[Array, Indices]:
    """Distances to the k nearest other rows, and which they are."""
    from stylobate.neighbors import NearestNeighbors

    distances, places = NearestNeighbors(n_neighbors=k).fit(rows).kneighbors()
    return np.asarray(distances, dtype=np.float64), np.asarray(places, dtype=np.intp)


def outlying_rows(
    encoded: EncodedRows,
    cells: tuple[Cells, ...],
    distances: Array,
    neighbors: Indices,
    numbers: Indices,
) -> tuple[OutlyingRow, ...]:
    """Rows whose mean distance to their neighbours is far out among all, the farthest first.

    On the scale of logarithms, more than three quartile distances above the upper quartile.

    References
    ----------
    Ramaswamy, Rastogi & Shim (2000), Efficient algorithms for mining outliers, SIGMOD.
    """
    mean = distances.mean(axis=1)
    typical = float(np.median(mean))
    if not typical > 0:
        return ()
    size = np.log(np.maximum(mean, 1e-3 * typical))
    low, high = np.percentile(size, [25.0, 75.0])
    far = np.flatnonzero(size > high + _FAR * max(high - low, 0.05))
    found = far[np.argsort(-mean[far], kind="stable")][:_MOST]
    return tuple(
        OutlyingRow(
            int(numbers[at]),
            int(at),
            float(mean[at] / typical),
            _unlike(encoded, cells, int(at), neighbors[at]),
        )
        for at in found.tolist()
    )


def _unlike(
    encoded: EncodedRows, cells: tuple[Cells, ...], at: int, neighbors: Indices
) -> dict[str, str]:
    """The two columns in which a row differs most from its neighbours, with its values there."""
    if not cells:
        return {}
    off = encoded.matrix[at] - encoded.matrix[neighbors].mean(axis=0)
    by_column = np.bincount(encoded.owners, weights=off**2, minlength=len(cells))
    first = np.argsort(-by_column, kind="stable")[:2]
    return {cells[j].column.name: cell_text(cells[j], at) for j in first if by_column[j] > 0}


def cell_text(cells: Cells, row: int) -> str:
    """A cell in words."""
    code = int(cells.codes[row])
    return "missing" if code < 0 else value_text(cells.values[code])


@dataclass(frozen=True, slots=True)
class Separation:
    """How far neighbours agree in a target.

    Attributes
    ----------
    target : str
    measure : {"purity", "explained variance"}
        The share of neighbours of a row's own group, or what the mean of the neighbours says of a
        number: 1 minus the mean squared error over the variance.
    chance : float
        What neighbours drawn at random would have.
    among_rows : float
        With all columns.
    by_map : dict from str to float
        On each map.
    groups : dict from str to (int, float)
        Rows and purity, with all columns, of the largest groups.
    """

    target: str
    measure: str
    chance: float
    among_rows: float
    by_map: dict[str, float]
    groups: dict[str, tuple[int, float]]


def separation_of(
    cells: Cells, among_rows: Indices, by_map: dict[str, Indices]
) -> Separation | None:
    """How far neighbours agree in a column; None where it has no two values."""
    known = np.flatnonzero(cells.codes >= 0)
    if len(np.unique(cells.codes[known])) < 2:
        return None
    name = cells.column.name
    if is_amount(cells):
        values = amounts(cells)
        values = np.where(np.isfinite(values), values, np.nanmean(values))
        measured = {key: _explained(values, near) for key, near in by_map.items()}
        whole = _explained(values, among_rows)
        return Separation(name, "explained variance", 0.0, whole, measured, {})
    codes = cells.codes
    counts = np.bincount(codes + 1).astype(np.float64)
    n = counts.sum()
    chance = float((counts * (counts - 1)).sum() / (n * (n - 1)))
    same = (codes[among_rows] == codes[:, None]).mean(axis=1)
    largest = np.argsort(-cells.counts, kind="stable")[:_FEW_GROUPS]
    groups = {
        value_text(cells.values[at]): (int((codes == at).sum()), float(same[codes == at].mean()))
        for at in largest.tolist()
    }
    measured = {key: float((codes[near] == codes[:, None]).mean()) for key, near in by_map.items()}
    return Separation(name, "purity", chance, float(same.mean()), measured, groups)


def _explained(values: Array, near: Indices) -> float:
    error = values - values[near].mean(axis=1)
    return 1.0 - float((error**2).mean()) / (float(values.var()) or 1.0)
