"""The columns of a scanned table by kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from stylobate.data.kinds.inference import schema_of
from stylobate.data.kinds.schema import Column, Kind, Schema
from stylobate.data.mixed_columns import MixedColumns
from stylobate.exceptions import InvalidParameterError
from stylobate.exploration.cells import Cells, cells_of
from stylobate.exploration.corrections import settled
from stylobate.exploration.readable import SECONDS
from stylobate.exploration.rows import Scanned
from stylobate.exploration.summaries.values import value_text

_LOOKED_AT = 5_000  # rows that tell what a column is; all rows then have their say


def columns_of(scanned: Scanned, given: Schema | Mapping[str, Kind] | None) -> list[Cells]:
    """The cells of all columns at hand, each of the kind that all rows ask for."""
    values, n = scanned.sample.values, scanned.sample.n_rows
    some = values
    if n > _LOOKED_AT:
        step = np.unique(np.linspace(0, n - 1, _LOOKED_AT).astype(np.intp))
        some = tuple(each[step] for each in values)
    found = schema_of(MixedColumns(some, min(n, _LOOKED_AT), scanned.names))
    schema, kinds = _durations(found, scanned.types)
    if given is not None:
        told = {c.name: c.kind for c in given} if isinstance(given, Schema) else given
        schema, kinds = schema.with_kinds(told), {**kinds, **told}
    cells = [
        _as_given(column, each) if column.name in kinds else cells_of(column, each)
        for column, each in zip(schema, values, strict=True)
    ]
    if n <= _LOOKED_AT and scanned.summary is None:
        return cells
    summaries = scanned.summary.columns if scanned.summary else [None] * len(cells)
    return [
        replace(each, column=settled(each, summary, given=each.column.name in kinds))
        for each, summary in zip(cells, summaries, strict=True)
    ]


def _durations(schema: Schema, types: Sequence[str]) -> tuple[Schema, dict[str, Kind]]:
    """The schema in which durations are amounts whatever their values look like, and those."""
    amount: Kind = "numeric"
    columns = tuple(
        replace(column, kind=amount, reason="durations, in seconds", order=None)
        if kind.endswith(SECONDS) and column.kind != "constant"
        else column
        for column, kind in zip(schema, types, strict=True)
    )
    changed = (c.name for c, old in zip(columns, schema, strict=True) if c is not old)
    return Schema(columns), dict.fromkeys(changed, amount)


def _as_given(column: Column, series: Any) -> Cells:
    """The cells of a column whose kind the caller gave, if they can be of that kind."""
    try:
        cells = cells_of(column, series)
    except (TypeError, ValueError):  # as NumPy refuses what is no moment
        cells = cells_of(replace(column, kind="nominal", notation=None), series)
    fits = {"numeric": cells.is_numeric, "datetime": cells.is_temporal}
    if len(cells.values) and not fits.get(column.kind, True):
        thing = {"numeric": "numbers", "datetime": "moments"}[column.kind]
        example = value_text(cells.values[0])[:60]
        raise InvalidParameterError(
            f"explore: the column {column.name!r} cannot be {column.kind}: its values are no "
            f"{thing}, such as {example!r}. Leave its kind out, or correct the values."
        )
    return cells
