"""Tables of the distances between their own rows, such as those of road maps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stylobate.arrays import Array
from stylobate.exploration.cells import Cells
from stylobate.exploration.maps.encoding import EncodedRows
from stylobate.exploration.rows import Scanned

_ROUNDING = 1e-9  # of the largest distance, how far a number and its mirror image may differ
_MOST_ROWS = 2_000  # all axes of more points take long to find
_NO_DIRECTION = 1e-9  # of the largest eigenvalue, below which there is no axis


def distances_of(
    scanned: Scanned, cells: Sequence[Cells], wanted: Sequence[str] | None, without: Sequence[str]
) -> dict[str, Array] | None:
    """The numbers of a table as distances between its rows; None if they are not.

    They are where they form a square, symmetric table with zeros on its diagonal and nowhere else.

    Parameters
    ----------
    scanned : Scanned
        The table.
    cells : sequence of Cells
        All its columns.
    wanted, without : sequence of str
        Columns asked for (None for all), and those that take no part.
    """
    used = [each for each in cells if each.is_numeric and each.column.name not in without]
    used = [each for each in used if wanted is None or each.column.name in wanted]
    n = len(used)
    square = n == scanned.rows and scanned.is_whole and n <= _MOST_ROWS
    if not square or any(each.missing for each in used):
        return None
    table = np.column_stack([each.numbers() for each in used])
    most = float(table.max())
    if not 0.0 < most < np.inf:
        return None
    mirrored = bool((np.abs(table - table.T) <= _ROUNDING * most).all())
    apart = bool((table + most * np.eye(n) > 0.0).all())
    if not (mirrored and apart) or np.diagonal(table).any():
        return None
    return {each.column.name: column for each, column in zip(used, table.T, strict=True)}


def placed_rows(distances: Array) -> tuple[EncodedRows, str]:
    """Points at these distances, by classical scaling along all axes, and how Euclidean they are.

    References
    ----------
    Torgerson (1952), Multidimensional scaling: I. Theory and method, Psychometrika 17.
    """
    from stylobate.manifold import ClassicalMDS

    model = ClassicalMDS(len(distances) - 1, metric="precomputed").fit(distances)
    axes = model.eigenvalues_ > _NO_DIRECTION * model.eigenvalues_[0]
    points = np.asarray(model.embedding_[:, axes], dtype=np.float64)
    names = tuple(f"axis {k + 1}" for k in range(points.shape[1]))
    return EncodedRows(points, names, np.zeros(len(names), dtype=np.intp), ()), model.verdict_
