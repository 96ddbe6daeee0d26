"""Any table as batches of columns: Arrow streams, NumPy arrays, dicts of arrays, pandas frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.data.arrow_arrays import column_of_array
from stylobate.data.arrow_column import ArrowColumn
from stylobate.data.arrow_types import type_of, unit_of
from stylobate.data.interrupts import Remembered, is_interrupt
from stylobate.data.words import kind_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UnsupportedDataError

BATCH_ROWS = 65_536


@dataclass(frozen=True, slots=True, eq=False)
class ColumnBatch:
    """Some rows of a table, column by column.

    Parameters
    ----------
    columns : tuple of ArrowColumn
        All of the table's columns, in order.
    n_rows : int
        How many rows.
    start : int
        The number of the first row in the table.
    """

    columns: tuple[ArrowColumn, ...]
    n_rows: int
    start: int

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


def column_batches(source: Any, rows: int = BATCH_ROWS) -> Iterator[ColumnBatch]:
    """The rows of any table in batches of columns, none copied that need not be.

    Parameters
    ----------
    source : object
        Anything with ``__arrow_c_stream__`` (DuckDB relations, polars, pyarrow, …), pandas frames
        (columns of objects, too), NumPy arrays of one or two dimensions or with fields, dicts of
        arrays.
    rows : int, default=65536
        Most rows of a batch; batches of the source that are shorter are passed on as they are.

    Yields
    ------
    ColumnBatch
        At least one, so that names and types of a table without rows are known.

    Examples
    --------
    >>> table = {"age": np.array([31.0, np.nan, 45.0]), "name": ["Ann", None, "Bo"]}
    >>> for batch in column_batches(table, rows=2):
    ...     print(batch.start, batch.n_rows, [column.take().tolist() for column in batch.columns])
    0 2 [[31.0, nan], ['Ann', None]]
    2 1 [[45.0], ['Bo']]
    """
    if isinstance(rows, bool) or not isinstance(rows, int | np.integer) or rows < 1:
        raise InvalidParameterError(
            f"column_batches: rows must be an integer of at least 1, got {rows!r}."
        )
    return _batches(source, int(rows))


def _batches(source: Any, rows: int) -> Iterator[ColumnBatch]:
    start = 0
    for count, columns in _parts(source):
        for first in range(0, max(count, 1), rows):
            size = min(rows, count - first)
            whole = size == count
            parts = columns if whole else tuple(c.slice(first, size) for c in columns)
            yield ColumnBatch(parts, size, start)
            start += size


Part = tuple[int, tuple[ArrowColumn, ...]]


def _parts(source: Any) -> Iterator[Part]:
    """Rows and columns as the source cuts them."""
    if isinstance(source, np.ndarray):
        return iter([_from_arrays(_array_columns(source))])
    if isinstance(source, Mapping):
        return iter([_from_arrays({str(k): v for k, v in source.items()})])
    if type(source).__module__.partition(".")[0] == "pandas" and hasattr(source, "columns"):
        return _from_pandas(source)
    if hasattr(source, "to_native"):  # narwhals
        return _parts(source.to_native())
    if hasattr(source, "collect") and not hasattr(source, "__arrow_c_stream__"):
        return _parts(source.collect())  # lazy frames
    streams = source.streams() if hasattr(source, "streams") else None
    if streams is not None:  # errors of the one who makes them come as they are
        return chain.from_iterable(map(_from_stream, streams))
    if hasattr(source, "__arrow_c_stream__"):
        return _from_stream(source)
    raise UnsupportedDataError(
        f"column_batches: {kind_of(source)} is no table that can be read; pass a data frame, a "
        "DuckDB relation, a NumPy array or a dict of arrays."
    )


def _from_stream(source: Any) -> Iterator[Part]:
    with _producer(source):
        stream = _core.ArrowStream(source.__arrow_c_stream__())
        names = [name for name, _ in stream.schema()]
    seen = False
    while True:
        with _producer(source):
            batch: Any = stream.next()
        if batch is None:
            break
        seen = True
        count, cells = batch
        yield count, tuple(ArrowColumn(c, name) for c, name in zip(cells, names, strict=True))
    if not seen:
        yield (
            0,
            tuple(ArrowColumn(_empty_column(name, form), name) for name, form in stream.schema()),
        )


def _empty_column(name: str, form: str) -> _core.Column:
    if type_of(form) in ("text", "binary"):
        return _core.column_of_texts(name, [])
    kind = type_of(form)
    dtype = (
        np.int64 if unit_of(form) else kind if kind.startswith(("int", "uint", "float")) else "f8"
    )
    values = np.empty(0, np.bool_ if kind == "boolean" else dtype)
    return _core.column_of_array(name, "?" if kind == "boolean" else form, values, False)


class _producer:
    """Errors of a stream's producer become ours, with what it said."""

    def __init__(self, source: Any) -> None:
        self.source = source
        self.remembered = Remembered()

    def __enter__(self) -> None:
        self.remembered.__enter__()

    def __exit__(self, kind: type[BaseException] | None, error: Any, trace: Any) -> None:
        self.remembered.__exit__(kind, error, trace)
        if kind is not None and is_interrupt(error):
            raise KeyboardInterrupt from error
        if kind is not None and issubclass(kind, Exception) and kind is not MemoryError:
            own = getattr(self.source, "_unreadable", None)  # a relation knows its file
            said = own(error) if own else f"reading {kind_of(self.source)} failed: {error}"
            raise InvalidDataError(said if own else f"column_batches: {said}") from error


def _array_columns(array: NDArray[Any]) -> dict[str, Any]:
    if array.dtype.names:
        return {name: array[name] for name in array.dtype.names}
    if array.ndim == 1:
        return {"x0": array}
    if array.ndim != 2:
        raise InvalidDataError(
            f"column_batches: the array has {array.ndim} dimensions; a table has 2."
        )
    return {f"x{j}": array[:, j] for j in range(array.shape[1])}


def _from_arrays(arrays: Mapping[str, Any]) -> Part:
    columns = tuple(column_of(values, name) for name, values in arrays.items())
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        raise InvalidDataError(
            "column_batches: the columns differ in length: "
            + ", ".join(f"{c.name!r} has {len(c)}" for c in columns[:5])
            + "; all must have one."
        )
    return (lengths.pop() if lengths else 0), columns


def column_of(values: Any, name: str = "x0") -> ArrowColumn:
    """A column of an array, a list, a series, or anything that is one column of an Arrow stream.

    Parameters
    ----------
    values : array-like of shape (n,)
        Numbers, booleans, dates, text; objects are read as numbers if all are, else as text.
    name : str, default="x0"
        Its name.

    Examples
    --------
    >>> column_of(["a", None]).type, column_of(np.array([1, 2], "i2")).type
    ('text', 'int16')
    """
    if isinstance(values, ArrowColumn):
        return values
    if isinstance(values, np.ndarray):
        return column_of_array(values, name)
    if hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__"):
        return _of_series(values, name)
    return column_of_array(_array_of(values), name)


def _array_of(values: Any) -> NDArray[Any]:
    array = np.asarray(values)
    return np.asarray(values, dtype=object) if array.dtype.kind in "US" else array


def _of_series(values: Any, name: str) -> ArrowColumn:
    if type(values).__module__.partition(".")[0] == "pandas":
        return _of_pandas(values, name)
    if hasattr(values, "rechunk"):
        values = values.rechunk()
    elif hasattr(values, "combine_chunks"):
        values = values.combine_chunks()
    if not hasattr(values, "__arrow_c_stream__"):
        return column_of_array(_array_of(values), name)
    parts = list(_from_stream(values))
    if len(parts) != 1 or len(parts[0][1]) != 1:
        raise InvalidDataError(f"column_batches: column {name!r} is not one column in one piece.")
    return ArrowColumn(parts[0][1][0].cells, name)


def _from_pandas(frame: Any) -> Iterator[Part]:
    """Pandas by its own columns: only that sees repeated names and columns of objects."""
    columns = tuple(
        _of_pandas(frame.iloc[:, j], str(frame.columns[j])) for j in range(frame.shape[1])
    )
    yield len(frame), columns


def _of_pandas(series: Any, name: str) -> ArrowColumn:
    dtype: Any = series.dtype
    if isinstance(dtype, np.dtype):
        return column_of_array(series.to_numpy(), name)
    if dtype.kind == "M" and hasattr(dtype, "tz"):
        column = column_of_array(series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy(), name)
        form = column.cells.format + str(dtype.tz)
        values: Any = column.cells.values
        return ArrowColumn(_core.column_of_array(name, form, values, True), name)
    if dtype.kind in "iufb" and not series.isna().any() and dtype.name != "category":
        return column_of_array(
            series.to_numpy(dtype=np.dtype(dtype.name.lower().split("[")[0])), name
        )
    if dtype.kind in "iuf":
        return column_of_array(series.to_numpy(dtype=np.float64, na_value=np.nan), name)
    return column_of_array(series.astype(object).to_numpy(), name)
