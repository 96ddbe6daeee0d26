"""One row put on top of others, in their container and types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from stylobate.data.columns import Columns, read_columns
from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError, InvalidParameterError

_OWNER = "explain_row"


def row_on_top(x: Any, background: Columns, names: list[str]) -> Columns:
    """The table whose first row is x and whose others are the background's."""
    values = values_of(x, names)
    native = background.native
    if is_sparse(native):
        native = native.toarray()
    if not background.origin.is_frame:
        top = np.array([[values[name] for name in names]], dtype=_common(native, values))
        return read_columns(np.vstack([top, native]), owner=_OWNER)
    if background.origin.kind == "pandas":
        return read_columns(_pandas(values, native), owner=_OWNER)
    join = _arrow if background.origin.kind.startswith("pyarrow") else _narwhals
    return read_columns(join(values, native), owner=_OWNER)


def values_of(x: Any, names: list[str]) -> dict[str, Any]:
    """The value of every column: from a mapping, a row of a frame, or a vector."""
    if isinstance(x, Mapping):
        return _from_mapping({str(key): value for key, value in x.items()}, names)
    if hasattr(x, "index") and hasattr(x, "iloc") and getattr(x, "ndim", 2) == 1:  # a pandas row
        labels = [str(label) for label in x.index]
        if set(names) <= set(labels):
            return {name: x.iloc[labels.index(name)] for name in names}
        return dict(zip(names, _counted(list(x), names), strict=True))
    if isinstance(x, list | tuple | np.ndarray) and np.ndim(np.asarray(x, dtype=object)) == 1:
        return dict(zip(names, _counted(list(x), names), strict=True))
    columns = read_columns(x, owner=_OWNER)
    if columns.n_rows != 1:
        raise InvalidDataError(
            f"{_OWNER}: x must be one row, got {columns.n_rows}; pick one, e.g. X.iloc[[3]]."
        )
    found = [_scalar(columns.take(np.array([k]), vector=True)) for k in range(columns.n_columns)]
    if columns.names is not None and set(names) <= set(columns.names):
        by_name = dict(zip(columns.names, found, strict=True))
        return {name: by_name[name] for name in names}
    return dict(zip(names, _counted(found, names), strict=True))


def _from_mapping(given: dict[str, Any], names: list[str]) -> dict[str, Any]:
    unknown = sorted(set(given) - set(names))
    if unknown:
        from difflib import get_close_matches

        close = get_close_matches(unknown[0], names, 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise InvalidParameterError(
            f"{_OWNER}: the model knows no column {unknown[0]!r}{hint} It has "
            f"{', '.join(names[:12])}{', …' if len(names) > 12 else ''}."
        )
    return {name: given.get(name) for name in names}


def _counted(values: list[Any], names: list[str]) -> list[Any]:
    if len(values) != len(names):
        raise InvalidDataError(
            f"{_OWNER}: x has {len(values)} values and the model {len(names)} columns; they need "
            "to be as many."
        )
    return values


def _scalar(column: Any) -> Any:
    if is_sparse(column):
        return float(column.toarray().reshape(-1)[0])
    first = column.iloc[0] if hasattr(column, "iloc") else column[0]
    return first.as_py() if hasattr(first, "as_py") else first


def _common(array: Any, values: Mapping[str, Any]) -> Any:
    if array.dtype.kind not in "biuf":
        return array.dtype
    numbers = [np.nan if value is None else value for value in values.values()]
    return np.result_type(array.dtype, np.asarray(numbers).dtype)


def _pandas(values: Mapping[str, Any], frame: Any) -> Any:
    import pandas as pd

    parts = {}
    for name, kind in zip(values, frame.dtypes, strict=True):
        one = pd.Series([values[name]])
        if isinstance(kind, pd.CategoricalDtype):
            known = values[name] in kind.categories or pd.isna(values[name])
            kind = kind if known else pd.CategoricalDtype([*kind.categories, values[name]])
            parts[name] = one.astype(kind)
            continue
        try:
            parts[name] = one.astype(kind)
        except (TypeError, ValueError):  # such as a missing whole number
            parts[name] = one
    top = pd.DataFrame(parts)
    top.columns = frame.columns
    columns = {k: _joined_pandas(top.iloc[:, k], frame.iloc[:, k]) for k in range(frame.shape[1])}
    whole = pd.DataFrame(columns)
    whole.columns = frame.columns
    return whole


def _joined_pandas(one: Any, rest: Any) -> Any:
    import pandas as pd

    if one.isna().all() and one.dtype != rest.dtype:
        one = pd.Series([None], dtype=rest.dtype if rest.dtype.kind == "f" else object)
    if isinstance(one.dtype, pd.CategoricalDtype) and one.dtype != rest.dtype:
        rest = rest.astype(one.dtype)
    if one.dtype != rest.dtype:
        both = (
            np.result_type(one.dtype, rest.dtype)
            if {getattr(one.dtype, "kind", "O"), getattr(rest.dtype, "kind", "O")} <= set("biuf")
            else object
        )
        one, rest = one.astype(both), rest.astype(both)
    return pd.concat([one, rest.reset_index(drop=True)], ignore_index=True)


def _narwhals(values: Mapping[str, Any], native: Any) -> Any:
    import narwhals as nw

    frame: Any = nw.from_native(native, eager_only=True)
    parts = []
    for name in frame.columns:
        kind, value = frame.schema[name], values[name]
        if hasattr(value, "item"):
            value = value.item()
        try:
            one = nw.new_series(name, [value], dtype=kind, backend=frame.implementation)
        except Exception as error:  # every library has its own
            raise InvalidDataError(
                f"{_OWNER}: {name}={value!r} does not fit the column, which is {kind}."
            ) from error
        parts.append(one)
    top = frame.head(1).with_columns(*parts)
    return nw.concat([top, frame], how="vertical").to_native()


def _arrow(values: Mapping[str, Any], table: Any) -> Any:
    import pyarrow as pa

    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        kind = column.type
        if pa.types.is_dictionary(kind):  # a value may be none of its categories
            kind = kind.value_type
            column = column.cast(kind)
        value = values[name].item() if hasattr(values[name], "item") else values[name]
        try:
            top = pa.array([value], type=kind, from_pandas=True)
        except pa.ArrowException as error:
            raise InvalidDataError(
                f"{_OWNER}: {name}={value!r} does not fit the column, which is {kind}."
            ) from error
        columns.append(pa.chunked_array([top, *column.chunks], type=kind))
    return pa.Table.from_arrays(columns, names=table.column_names)
