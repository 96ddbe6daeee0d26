"""The kind of each column from its values; every verdict comes with its reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from stylobate.data.kinds.places import pair_coordinates
from stylobate.data.kinds.schema import Column, Schema
from stylobate.data.kinds.values import Values, values_of
from stylobate.data.kinds.verdict import verdict
from stylobate.data.mixed_columns import MixedColumns, read_mixed_columns


def infer_schema(frame: Any) -> Schema:
    """What each column of a table is: binary, numeric, ordinal, nominal and so on.

    Only the distinct values of a column are looked at in Python.

    Parameters
    ----------
    frame : data frame, relation or array-like of shape (n, p)
        pandas, polars, pyarrow or another frame narwhals knows; what `stylobate.read` gives, which
        is not collected; an array or list of rows.

    Returns
    -------
    Schema
        Prints as a table; `Schema.with_kinds` overrides.

    Examples
    --------
    >>> rows = [["4.5", "a", "no"], ["?", "b", "yes"], ["1,200", "a", "no"], ["7", "c", "no"]]
    >>> [column.kind for column in infer_schema(rows)]
    ['numeric', 'nominal', 'binary']
    """
    schema = getattr(frame, "schema", None)  # a relation knows its own
    if isinstance(schema, Schema):
        return schema
    return schema_of(read_mixed_columns(frame, owner="infer_schema", min_rows=0, min_features=0))


def schema_of(columns: MixedColumns) -> Schema:
    """The schema of columns that have been read."""
    names = columns.names or tuple(f"x{j}" for j in range(columns.n_features))
    found = schema_of_values(
        values_of(name, each) for name, each in zip(names, columns.values, strict=True)
    )
    if not columns.spans:
        return found
    return Schema(
        tuple(
            replace(column, reason=f"{column.reason}, durations in seconds")
            if j in columns.spans
            else column
            for j, column in enumerate(found)
        )
    )


def schema_of_values(found: Iterable[Values]) -> Schema:
    """The schema of columns of which the different values are known, each held while it is told."""
    told, ends = [], []
    for values in found:
        told.append(verdict(values))
        ends.append(_ends(values, told[-1]))
    columns = pair_coordinates(told, ends)
    return Schema(
        tuple(
            replace(column, reason=f"{column.reason}; about {column.n_distinct} different values")
            if values.estimated
            else column
            for column, values in zip(columns, ends, strict=True)
        )
    )


def _ends(values: Values, column: Column) -> Values:
    """Of numbers the smallest and the largest, which tell coordinates; of others nothing."""
    plain = column.kind == "numeric" and not column.notation
    kept = list(values.ends) if plain else []
    return replace(values, present=kept, weights=None)
