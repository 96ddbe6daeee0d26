"""The columns of a scanned table by kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from stylobate.data.kinds.inference import schema_of
from stylobate.data.kinds.schema import Kind, Schema
from stylobate.data.mixed_columns import MixedColumns
from stylobate.exploration.cells import Cells, cells_of
from stylobate.exploration.rows import Scanned
from stylobate.exploration.settling import settled

_LOOKED_AT = 5_000  # rows that tell what a column is; all rows then have their say


def columns_of(scanned: Scanned, given: Schema | Mapping[str, Kind] | None) -> list[Cells]:
    """The cells of all columns at hand, each of the kind that all rows ask for."""
    values, n = scanned.sample.values, scanned.sample.n_rows
    some = values
    if n > _LOOKED_AT:
        step = np.unique(np.linspace(0, n - 1, _LOOKED_AT).astype(np.intp))
        some = tuple(each[step] for each in values)
    schema = schema_of(MixedColumns(some, min(n, _LOOKED_AT), scanned.names))
    kinds: Mapping[str, Kind] = {}
    if given is not None:
        kinds = {c.name: c.kind for c in given} if isinstance(given, Schema) else given
        schema = schema.with_kinds(kinds)
    cells = [cells_of(column, each) for column, each in zip(schema, values, strict=True)]
    if n <= _LOOKED_AT and scanned.summary is None:
        return cells
    summaries = scanned.summary.columns if scanned.summary else [None] * len(cells)
    return [
        replace(each, column=settled(each, summary, given=each.column.name in kinds))
        for each, summary in zip(cells, summaries, strict=True)
    ]
