"""Runs of k-means on rows in memory: which way the compiled iterations take, and why."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.cluster.lloyd import Run, Stopping, iterate
from stylobate.cluster.starts import by_rows
from stylobate.data import Table
from stylobate.exceptions import NumericalError
from stylobate.statistics import Source

_REASONS = {
    "full": "every row is measured against every centre",
    "hamerly": "one bound for each row tells which rows stay with their centre",
    "yinyang": "bounds for each row and groups of centres, as asked for",
    "elkan": "a bound for each row and centre, as asked for",
}


def way_for(algorithm: str, k: int) -> tuple[str, str]:
    """The way that dense rows go, and why.

    >>> way_for("lloyd", 10)
    ('hamerly', 'one bound for each row tells which rows stay with their centre')
    """
    way = algorithm
    if algorithm in ("lloyd", "auto"):
        way = "hamerly"  # the others spare more distances and take longer: tiles are that quick
    elif algorithm == "elkan" and k == 1:
        way = "full"
    return way, _REASONS[way]


def best_run(
    table: Table, centers: Array, stopping: Stopping, algorithm: str, source: Source
) -> Run:
    """Iterations from one start: compiled where the rows are dense, else by passes."""
    if table.is_sparse or stopping.verbose:
        return iterate(source, centers, stopping, table.x.dtype)
    return compiled(table, centers, stopping, way_for(algorithm, len(centers))[0])


def compiled(table: Table, centers: Array, stopping: Stopping, way: str) -> Run:
    """Lloyd's iterations in the core."""
    from stylobate import _core

    start = np.ascontiguousarray(centers, dtype=np.float64)
    given = (table.weights, stopping.max_iter, stopping.tol, way)
    found = _core.lloyd(by_rows(table.x), start, *given)
    labels, moved, inertia, n_iter, strict, trace, measured = found
    if not np.isfinite(inertia):
        table.refuse_nonfinite()
        raise NumericalError(
            f"{table.owner}: squared distances of these rows exceed what double precision can hold "
            "(about 1e308). Divide the large columns by a constant first."
        )
    trace = tuple(np.asarray(trace).tolist())
    return Run(np.asarray(labels), inertia, np.asarray(moved), n_iter, strict, trace, measured)
