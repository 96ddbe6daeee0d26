"""Any table as batches of columns: Arrow streams, NumPy arrays, dicts of arrays, pandas frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.data.arrow_types import format_of, type_of, unit_of
from stylobate.data.words import kind_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UnsupportedDataError

Rows = NDArray[np.int64]
BATCH_ROWS = 65_536


@dataclass(frozen=True, slots=True, eq=False)
class ArrowColumn:
    """Cells of one type with a name, in the memory of whoever made them.

    Parameters
    ----------
    cells : _core.Column
        What the sketches read.
    name : str
        The column's name.
    """

    cells: _core.Column
    name: str

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def type(self) -> str:
        """The type of the values in words: "float64", "text", "timestamp[us, UTC]" …"""
        return type_of(self.cells.value_format)

    @property
    def unit(self) -> str | None:
        """NumPy's unit of dates, times and durations ("D", "s", "ms", "us", "ns"), else None."""
        return unit_of(self.cells.value_format)

    @property
    def is_text(self) -> bool:
        return self.cells.is_text

    @property
    def is_number(self) -> bool:
        """Whether cells are numbers: dates, decimals and booleans are."""
        return self.cells.is_number

    @property
    def is_dictionary(self) -> bool:
        """Whether cells are stored as positions in a list of values."""
        return self.cells.dictionary is not None

    @property
    def null_count(self) -> int:
        """Cells missing by Arrow's validity alone; NaN is not among them."""
        return self.cells.null_count

    @property
    def values(self) -> NDArray[Any] | None:
        """The stored numbers (codes of a dictionary), shared; anything where missing."""
        found: Any = self.cells.values
        if found is None or self.is_dictionary:
            return found  # type: ignore[no-any-return]
        if self.cells.format == "?":
            return found.view(np.bool_)  # type: ignore[no-any-return]
        return found.view(np.float16) if self.cells.format == "e" else found  # type: ignore[no-any-return]

    @property
    def validity(self) -> tuple[NDArray[np.uint8], int] | None:
        """Arrow's bitmap, shared, and the bit of the first cell; None where all are there."""
        found: Any = self.cells.validity
        return found  # type: ignore[no-any-return]

    @property
    def offsets(self) -> NDArray[Any] | None:
        """Where each text begins in `bytes`, and where the last ends; shared."""
        found: Any = self.cells.offsets
        return found  # type: ignore[no-any-return]

    @property
    def bytes(self) -> NDArray[np.uint8] | None:
        """The bytes of the texts, shared."""
        found: Any = self.cells.bytes
        return found  # type: ignore[no-any-return]

    def numbers(self, rows: Rows | None = None) -> NDArray[np.float64]:
        """The cells (of some rows) as doubles, NaN where missing; dates are counts."""
        return np.asarray(self.cells.numbers(rows))

    def there(self, rows: Rows | None = None) -> NDArray[np.bool_]:
        """Which cells (of some rows) the validity says are there."""
        return np.asarray(self.cells.there(rows)).view(np.bool_)

    def take(self, rows: Rows | None = None) -> NDArray[Any]:
        """Some rows as NumPy knows them, all by default.

        Returns
        -------
        ndarray
            Numbers and decimals: float64 with NaN, or their own integer dtype where nothing is
            missing. Dates: datetime64 or timedelta64 with NaT. Booleans without gaps: bool. Text,
            booleans with gaps and the rest: objects, None where missing.
        """
        kind, unit = self.type, self.unit
        if self.is_text:
            return _objects(self.cells.texts(rows))
        if not self.is_number:
            count = len(self) if rows is None else len(rows)
            return np.full(count, None, dtype=object)
        if unit is not None or kind == "boolean" or kind.startswith(("int", "uint")):
            found, there = (np.asarray(part) for part in self.cells.wholes(rows))
            return _wholes(found, there.view(np.bool_), kind, unit)
        return self.numbers(rows)

    def slice(self, first: int, count: int) -> ArrowColumn:
        """Rows first … first + count − 1, sharing memory."""
        return ArrowColumn(_core.slice_column(self.cells, first, count), self.name)


def _objects(values: list[Any]) -> NDArray[Any]:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def _wholes(
    found: NDArray[Any], there: NDArray[np.bool_], kind: str, unit: str | None
) -> NDArray[Any]:
    whole = bool(there.all())
    if unit is not None:
        found = np.where(there, found, np.iinfo(np.int64).min)
        span = kind.startswith(("duration", "time["))
        return found.view(f"{'m8' if span else 'M8'}[{unit}]")
    if kind == "boolean":
        if whole:
            return found.astype(np.bool_)
        return _objects([bool(v) if t else None for v, t in zip(found, there, strict=True)])
    if kind == "uint64":
        found = found.view(np.uint64)
    return found.astype(kind) if whole else np.where(there, found.astype(np.float64), np.nan)


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
            batch = stream.next()
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

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: Any, trace: Any) -> None:
        if kind is not None and issubclass(kind, Exception) and kind is not MemoryError:
            raise InvalidDataError(
                f"column_batches: reading {kind_of(self.source)} failed: {error}"
            ) from error


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
        return _of_array(values, name)
    if hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__"):
        return _of_series(values, name)
    return _of_array(_array_of(values), name)


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
        return _of_array(_array_of(values), name)
    parts = list(_from_stream(values))
    if len(parts) != 1 or len(parts[0][1]) != 1:
        raise InvalidDataError(f"column_batches: column {name!r} is not one column in one piece.")
    return ArrowColumn(parts[0][1][0].cells, name)


def _of_array(array: NDArray[Any], name: str) -> ArrowColumn:
    if array.ndim != 1:
        raise InvalidDataError(
            f"column_batches: column {name!r} has {array.ndim} dimensions; a column has 1."
        )
    if isinstance(array, np.ma.MaskedArray):
        array = array.astype(object).filled(None)
    kind = array.dtype.kind
    if kind in "mM":
        return _of_moments(array, name)
    if kind in "OSUT":
        return _of_objects(array, name)
    if kind not in "biuf" or array.dtype.itemsize > 8:
        if kind != "f":
            raise UnsupportedDataError(
                f"column_batches: column {name!r} is of dtype {array.dtype}, which is not read; "
                "convert it to numbers or text first."
            )
        array = array.astype(np.float64)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    array = np.asarray(array)
    return ArrowColumn(_core.column_of_array(name, format_of(array.dtype), array, False), name)


_UNITS = {"s": "s", "ms": "m", "us": "u", "ns": "n"}


def _of_moments(array: NDArray[Any], name: str) -> ArrowColumn:
    unit = np.datetime_data(array.dtype)[0]
    if array.dtype.kind == "M" and unit in ("Y", "M", "W", "D", "generic"):
        array, form = array.astype("M8[D]"), "tdD"
    else:
        if unit not in _UNITS or np.datetime_data(array.dtype)[1] != 1:
            unit = "us" if unit not in _UNITS else unit
            array = array.astype(f"{array.dtype.kind}8[{unit}]")
        form = f"ts{_UNITS[unit]}:" if array.dtype.kind == "M" else f"tD{_UNITS[unit]}"
    return ArrowColumn(_core.column_of_array(name, form, array.view(np.int64), True), name)


def _of_objects(array: NDArray[Any], name: str) -> ArrowColumn:
    """Text and None; numbers if all that is there are numbers; the rest as it prints."""
    values = array.tolist()
    if array.dtype.kind == "O":
        there = [value for value in values if not _is_missing(value)]
        if (
            there
            and all(isinstance(v, bool | np.bool_) for v in there)
            and len(there) == len(values)
        ):
            return _of_array(array.astype(np.bool_), name)
        if there and all(
            isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in there
        ):
            numbers = [np.nan if _is_missing(v) else float(v) for v in values]
            return _of_array(np.array(numbers), name)
        values = [None if _is_missing(value) else _as_text(value) for value in values]
    elif array.dtype.kind == "S":
        values = [_as_text(value) for value in values]
    return ArrowColumn(_core.column_of_texts(name, values), name)


def _as_text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas.NA has no truth value; arrays have several
        return type(value).__name__ == "NAType"


def _from_pandas(frame: Any) -> Iterator[Part]:
    """Pandas by its own columns: only that sees repeated names and columns of objects."""
    columns = tuple(
        _of_pandas(frame.iloc[:, j], str(frame.columns[j])) for j in range(frame.shape[1])
    )
    yield len(frame), columns


def _of_pandas(series: Any, name: str) -> ArrowColumn:
    dtype: Any = series.dtype
    if isinstance(dtype, np.dtype):
        return _of_array(series.to_numpy(), name)
    if dtype.kind == "M" and hasattr(dtype, "tz"):
        column = _of_moments(series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy(), name)
        form = column.cells.format + str(dtype.tz)
        values: Any = column.cells.values
        return ArrowColumn(_core.column_of_array(name, form, values, True), name)
    if dtype.kind in "iufb" and not series.isna().any() and dtype.name != "category":
        return _of_array(series.to_numpy(dtype=np.dtype(dtype.name.lower().split("[")[0])), name)
    if dtype.kind in "iuf":
        return _of_array(series.to_numpy(dtype=np.float64, na_value=np.nan), name)
    return _of_array(series.astype(object).to_numpy(), name)
