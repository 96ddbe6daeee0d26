"""Tables with some columns changed, in the container they came in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices
from stylobate.data.column_table import ColumnTable
from stylobate.data.columns import Columns, read_columns
from stylobate.data.indexing import take_rows
from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidParameterError


def names_of(columns: Columns, estimator: Any = None) -> list[str]:
    """A name for every column: its own, the one of `fit`, or x0, x1, …."""
    if columns.names is not None:
        return list(columns.names)
    seen = getattr(estimator, "feature_names_in_", None)
    if seen is not None and len(seen) == columns.n_columns:
        return [str(name) for name in seen]
    return [f"x{k}" for k in range(columns.n_columns)]


def position_of(feature: Any, names: Sequence[str], owner: str) -> int:
    """The place of a column by its number (from 0, or from the end) or its name."""
    if isinstance(feature, int | np.integer) and not isinstance(feature, bool | np.bool_):
        place = int(feature) + (len(names) if feature < 0 else 0)
        if 0 <= place < len(names):
            return place
        raise InvalidParameterError(
            f"{owner}: all features must be in [0, {len(names) - 1}], got {feature!r}; X has "
            f"{len(names)} columns."
        )
    if feature in names:
        return list(names).index(feature)
    from difflib import get_close_matches

    close = get_close_matches(str(feature), names, 1)
    hint = (
        f"; did you mean {close[0]!r}?"
        if close
        else f"; X has {', '.join(names[:8])}" + (", …." if len(names) > 8 else ".")
    )
    raise InvalidParameterError(f"{owner}: Feature {feature!r} not in feature_names{hint}")


def with_rows_of(columns: Columns, positions: Sequence[int], rows: Indices) -> Any:
    """The table whose columns at these positions hold what they hold in other rows."""
    return replaced(columns, {at: picked(columns, at, rows) for at in positions})


def picked(columns: Columns, position: int, rows: Indices) -> Any:
    """One column's values of these rows, in their own type."""
    return take_rows(columns.take(np.array([position]), vector=True), rows)


def repeated(columns: Columns, times: int, owner: str) -> Columns:
    """The whole table, so many times over."""
    if times == 1:
        return columns
    rows = np.tile(np.arange(columns.n_rows), times)
    return read_columns(take_rows(columns.native, rows), owner=owner)


def replaced(columns: Columns, values: Mapping[int, Any]) -> Any:
    """The table with other columns at some positions; the given one is not touched."""
    native, kind = columns.native, columns.origin.kind
    if is_sparse(native):
        return _sparse_replaced(native, values)
    if not columns.origin.is_frame:
        return _array_replaced(native, values)
    if kind == ColumnTable.kind:
        return native.with_columns({native.columns[at]: new for at, new in values.items()})
    if kind == "pandas":
        frame = native.copy(deep=False)
        for position, column in values.items():
            frame.isetitem(position, getattr(column, "array", column))
        return frame
    if kind.startswith("pyarrow"):
        for position, column in values.items():
            native = native.set_column(position, native.schema.names[position], _arrow(column))
        return native
    import narwhals as nw

    frame = nw.from_native(native)
    names = frame.columns
    new = [_series(frame, names[position], column) for position, column in values.items()]
    return frame.with_columns(*new).to_native()


def _array_replaced(array: NDArray[Any], values: Mapping[int, Any]) -> NDArray[Any]:
    kinds = [np.asarray(column).dtype for column in values.values()]
    wanted = np.result_type(array.dtype, *kinds) if array.dtype.kind in "biuf" else array.dtype
    if wanted.kind == "f" and array.dtype.kind == "f":
        wanted = array.dtype  # float32 stays so
    changed = array.astype(wanted)
    for position, column in values.items():
        changed[:, position] = column
    return changed


def _sparse_replaced(matrix: Any, values: Mapping[int, Any]) -> Any:
    from scipy import sparse

    parts, start = [], 0
    by_column = matrix.tocsc()
    for position in sorted(values):
        column = values[position]
        whole = column if is_sparse(column) else np.asarray(column, dtype=float).reshape(-1, 1)
        parts += [by_column[:, start:position], sparse.csc_array(whole)]
        start = position + 1
    parts.append(by_column[:, start:])
    return sparse.hstack(parts, format=matrix.format)


def _arrow(column: Any) -> Any:
    import pyarrow as pa

    return pa.array(column) if isinstance(column, np.ndarray) else column


def _series(frame: Any, name: str, column: Any) -> Any:
    import narwhals as nw

    if isinstance(column, np.ndarray):
        return nw.new_series(name, column, backend=frame.implementation)
    return nw.from_native(column, series_only=True).alias(name)
