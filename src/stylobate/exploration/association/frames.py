"""The columns of a table by kind, as numbers and codes."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.coding import Coded, code_column
from stylobate.data.kinds import Column, Schema
from stylobate.data.kinds.inference import schema_of
from stylobate.data.kinds.spellings import POINT, date_of, is_missing, number_of
from stylobate.data.mixed_columns import read_mixed_columns
from stylobate.exceptions import InvalidDataError
from stylobate.exploration.association.columns import (
    AnyColumn,
    CategoryColumn,
    NumberColumn,
    number_column,
)

SKIPPED = ("text", "identifier", "constant")
_DAY = np.timedelta64(1, "D")


def columns_of(
    frame: Any, schema: Schema | None = None, *, owner: str, gaps: bool = False
) -> tuple[list[AnyColumn], Schema]:
    """The columns of a table that can be compared, and its schema.

    Parameters
    ----------
    frame : data frame or array-like of shape (n, p)
        Any table.
    schema : Schema, optional
        What its columns are; found from the values by default.
    owner : str
        Who is asking; named in refusals.
    gaps : bool, default=False
        Whether text, identifiers and constants that lack values in some rows are read as well, as
        categories: that they do may say something.

    Returns
    -------
    columns : list
    schema : Schema
    """
    mixed = read_mixed_columns(frame, owner=owner, min_rows=0, min_features=0)
    schema = schema_of(mixed) if schema is None else schema
    names = mixed.names or tuple(f"x{j}" for j in range(mixed.n_features))
    _check_schema(schema, names, owner)
    known = dict(zip(names, mixed.values, strict=True))
    chosen = [c for c in schema if c.kind not in SKIPPED or (gaps and c.n_missing)]
    return [read_column(known[c.name], c) for c in chosen], schema


def _check_schema(schema: Schema, names: tuple[str, ...], owner: str) -> None:
    unknown = [name for name in schema.names if name not in names]
    if unknown:
        raise InvalidDataError(
            f"{owner}: the schema names a column {unknown[0]!r} that the table does not have; it "
            f"has {', '.join(map(repr, names[:8]))}{' …' if len(names) > 8 else ''}."
        )


def read_column(values: Any, column: Column) -> AnyColumn:
    """One column as numbers or codes, as its kind asks."""
    if column.kind in ("numeric", "geospatial") and _is_numeric(values):
        return number_column(column.name, _floats(values), column.kind)
    coded = code_column(values)
    if column.kind in ("numeric", "geospatial"):
        return number_column(column.name, _numbers(coded, column)[coded.codes], column.kind)
    if column.kind == "datetime":
        return NumberColumn(column.name, _days(coded, column)[coded.codes], "datetime")
    if column.kind == "ordinal":
        return _ordinal(coded, column)
    return _category(coded, column)


def _is_numeric(values: Any) -> bool:
    """Numbers by type."""
    if isinstance(values, np.ndarray):
        return values.dtype.kind in "fiub"
    return bool(values.dtype.is_numeric())


def _floats(values: Any) -> Array:
    if isinstance(values, np.ndarray):
        return values.astype(np.float64)
    import narwhals as nw

    return np.asarray(values.cast(nw.Float64).to_numpy(), dtype=np.float64)


def _numbers(coded: Coded, column: Column) -> Array:
    notation = column.notation or POINT
    values = coded.values.tolist()
    found = [np.nan if is_missing(v) else number_of(v, notation) for v in values]
    return np.array(found, dtype=np.float64)


def _days(coded: Coded, column: Column) -> Array:
    """Days since 1970 of each distinct value."""
    if coded.values.dtype.kind == "M":
        moments = coded.values.astype("datetime64[us]")
        days = (moments - np.datetime64(0, "us")) / _DAY
        return np.where(np.isnat(moments), np.nan, days)
    out = np.full(len(coded.values), np.nan)
    for i, value in enumerate(coded.values.tolist()):
        moment = value
        if isinstance(value, str):
            moment = date_of(value, column.notation) if column.notation else None
        if is_missing(moment):
            continue
        try:
            out[i] = (np.datetime64(moment, "us") - np.datetime64(0, "us")) / _DAY
        except (TypeError, ValueError):
            continue  # a time of day, or a date with a zone that NumPy does not read
    return out


def _ordinal(coded: Coded, column: Column) -> AnyColumn:
    if column.order is None:
        return number_column(column.name, _numbers(coded, column)[coded.codes], "ordinal")
    steps = {step: float(i) for i, step in enumerate(column.order)}
    found = [np.nan if is_missing(v) else steps.get(str(v), np.nan) for v in coded.values.tolist()]
    values = np.array(found, dtype=np.float64)[coded.codes]
    return NumberColumn(column.name, values, "ordinal", column.order)


def _category(coded: Coded, column: Column) -> CategoryColumn:
    listed = coded.values.tolist()
    labels = [value for value in listed if not is_missing(value, column.missing)]
    if all(isinstance(label, float) and label.is_integer() for label in labels):
        listed = [value if is_missing(value, column.missing) else int(value) for value in listed]
        labels = [int(label) for label in labels]  # 0 and 1, made 0.0 and 1.0 by a gap
    try:
        labels.sort()
    except TypeError:
        labels.sort(key=str)
    number = {label: i for i, label in enumerate(labels)}
    codes = [-1 if is_missing(value, column.missing) else number[value] for value in listed]
    kind = "binary" if len(labels) == 2 else "nominal"
    place = np.array(codes, dtype=np.int64) if codes else np.zeros(0, dtype=np.int64)
    return CategoryColumn(column.name, place[coded.codes], tuple(labels), kind)
