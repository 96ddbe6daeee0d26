"""`stylobate.explore`: from a table to its profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from stylobate.data.kinds.inference import schema_of
from stylobate.data.kinds.schema import Kind, Schema
from stylobate.data.mixed_columns import read_mixed_columns
from stylobate.exploration.cells import Cells, cells_of
from stylobate.exploration.describing import describe
from stylobate.exploration.duplicates import duplicates_of
from stylobate.exploration.missingness import Missingness, missingness_of
from stylobate.exploration.profile import Profile
from stylobate.exploration.trends import Trend, trend_of


def explore(
    table: Any,
    target: str | None = None,
    *,
    schema: Schema | Mapping[str, Kind] | None = None,
    seed: int = 0,
    percentiles: tuple[float, float] = (0.03, 0.97),
) -> Profile:
    """What a table is like: columns, gaps, repetitions, associations, and what to mind."""
    started = perf_counter()
    columns = read_mixed_columns(table, owner="explore", min_rows=0, min_features=0)
    found = schema_of(columns)
    if schema is not None:
        kinds = {c.name: c.kind for c in schema} if isinstance(schema, Schema) else schema
        found = found.with_kinds(kinds)
    cells = [cells_of(c, v) for c, v in zip(found, columns.values, strict=True)]
    return Profile(
        source="table",
        rows=columns.n_rows,
        columns=columns.n_features,
        sampled_rows=None,
        seconds=perf_counter() - started,
        notes=(),
        warnings=(),
        variables=tuple(describe(each, percentiles) for each in cells),
        duplicates=duplicates_of(cells),
        missingness=_missingness(cells, columns.n_rows),
        trends=_trends(cells),
    )


def _missingness(columns: Sequence[Cells], n: int) -> Missingness:
    if not columns:
        return Missingness(n)
    gone = np.column_stack([cells.codes < 0 for cells in columns])
    packed = np.packbits(gone, axis=1)
    _, first, counts = np.unique(packed, axis=0, return_index=True, return_counts=True)
    return missingness_of([c.column.name for c in columns], gone[first], counts)


def _trends(columns: Sequence[Cells]) -> tuple[Trend, ...]:
    found = []
    for time in (each for each in columns if each.is_temporal):
        moments = np.append(time.values, np.datetime64("NaT"))[time.codes]
        for cells in columns:
            if cells.column.kind in ("numeric", "binary") and cells.is_numeric:
                trend = trend_of(time.column.name, moments, cells.column.name, cells.numbers())
                if trend is not None:
                    found.append(trend)
    return tuple(found)
