"""Tables of the distances between their own rows, such as those of road maps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stylobate.arrays import Array
from stylobate.exploration.cells import Cells
from stylobate.exploration.maps.encoding import EncodedRows

_ROUNDING = 1e-9  # of the largest distance, how far a number and its mirror image may differ
_MOST_ROWS = 2_000  # all axes of more points take long to find
_NO_DIRECTION = 1e-9  # of the largest eigenvalue, below which there is no axis


def distances_of(cells: Sequence[Cells]) -> Array | None:
    """The table as distances: square, symmetric, zeros on its diagonal alone; None if it is not.

    Parameters
    ----------
    cells : sequence of Cells
        The columns rows are compared by.
    """
    n = len(cells)
    if n > _MOST_ROWS or any(
        not each.is_numeric or each.missing or len(each.codes) != n for each in cells
    ):
        return None
    table = np.column_stack([each.numbers() for each in cells])
    most = float(table.max())
    mirrored = bool((np.abs(table - table.T) <= _ROUNDING * most).all())
    apart = bool((table + most * np.eye(n) > 0.0).all())
    return table if mirrored and apart and not np.diagonal(table).any() else None


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
