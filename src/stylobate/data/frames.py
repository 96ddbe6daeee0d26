"""Data frames and series of every library narwhals knows → numbers, names and origin."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.data.column_table import ColumnTable
from stylobate.data.containers import Unpacked
from stylobate.data.numbers import FLOAT32, as_numbers, common_float, refuse_column
from stylobate.data.origin import Origin
from stylobate.data.pandas_frames import from_pandas_frame, from_pandas_series
from stylobate.data.words import Input, kind_of, library


def from_frame(thing: Any, source: Input) -> Unpacked | None:
    """Numbers of a data frame or series of any library; None if `thing` is neither.

    Lazy frames are collected. Objects that only offer Arrow's stream interface are read through
    pyarrow. pandas is read by itself: only its own interface sees repeated and non-text column
    names and gives a view of a frame kept in one block.

    Parameters
    ----------
    thing : object
        Anything that is not a NumPy array, a list or a sparse array.
    source : Input
        Named in refusals.

    Returns
    -------
    Unpacked or None

    Examples
    --------
    >>> import polars
    >>> from_frame(polars.DataFrame({"a": [1, 2]}), Input("Ridge", "X")).names
    ('a',)
    """
    if isinstance(thing, ColumnTable):
        return _from_columns(thing, source)
    import narwhals as nw

    if isinstance(thing, nw.DataFrame | nw.LazyFrame | nw.Series):
        thing = thing.to_native()
    if nw.dependencies.is_pandas_dataframe(thing):
        return from_pandas_frame(thing, source)
    if nw.dependencies.is_pandas_series(thing) or nw.dependencies.is_pandas_index(thing):
        return from_pandas_series(thing, source)
    native, names, kind = as_narwhals_knows(thing)
    frame: Any = nw.from_native(native, pass_through=True, allow_series=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, nw.Series):
        return _from_series(frame, source)
    if isinstance(frame, nw.DataFrame):
        return _from_eager(frame, names or tuple(frame.columns), kind, source)
    return None


def _from_columns(table: ColumnTable, source: Input) -> Unpacked:
    """NumPy columns, put side by side as they lie in memory: each is copied in one go."""
    names, columns = table.columns, table.values()
    if table.block is not None and table.block.dtype == np.float64:
        return Unpacked(table.block.T, names, Origin(ColumnTable.kind))
    for name, column in zip(names, columns, strict=True):
        if column.dtype.kind not in "fiub":
            present = next((each for each in column.tolist() if each is not None), None)
            if present is None and column.dtype.kind == "O":
                continue
            meaning = {"M": "date", "m": "date"}.get(column.dtype.kind, "text")
            refuse_column(source, name, meaning, column.dtype, present)
    single = bool(columns) and all(column.dtype == np.float32 for column in columns)
    out = np.empty(table.shape, np.float32 if single else np.float64, order="F")
    for j, column in enumerate(columns):
        out[:, j] = np.nan if column.dtype.kind == "O" else column
    finite = all(column.dtype.kind in "iub" for column in columns)
    return Unpacked(out, names, Origin(ColumnTable.kind), finite)


def as_narwhals_knows(thing: Any) -> tuple[Any, tuple[str, ...] | None, str | None]:
    """Arrow containers narwhals does not take as they are, with their names and kind."""
    if type(thing).__module__.partition(".")[0] == "pyarrow":
        pa = library("pyarrow", f"Reading {kind_of(thing)}")

        kind = None
        if isinstance(thing, pa.RecordBatch):
            thing, kind = pa.Table.from_batches([thing]), "pyarrow-batch"
        if isinstance(thing, pa.Table):
            names = tuple(thing.column_names)  # may repeat, which narwhals refuses
            return (
                thing.rename_columns([str(i) for i in range(len(names))]),
                names,
                kind,
            )
        return (
            (pa.chunked_array([thing]) if isinstance(thing, pa.Array) else thing),
            None,
            None,
        )
    if hasattr(thing, "__arrow_c_stream__") and not _is_known(thing):
        pa = library("pyarrow", f"Reading {kind_of(thing)}")

        return pa.table(thing), None, "pyarrow"
    return thing, None, None


def _is_known(thing: Any) -> bool:
    import narwhals as nw

    known = nw.dependencies
    is_frame = known.is_into_dataframe(thing) or known.is_into_lazyframe(thing)
    return is_frame or known.is_into_series(thing)


def _from_eager(frame: Any, names: tuple[str, ...], kind: str | None, source: Input) -> Unpacked:
    """A narwhals DataFrame in memory."""
    import narwhals as nw

    implementation = frame.implementation
    if implementation.is_pandas_like():  # modin, cudf
        plain = from_pandas_frame(frame.to_pandas(), source)
        origin = Origin(implementation.value, plain.origin.index)
        return Unpacked(plain.values, plain.names, origin, plain.finite)
    origin = Origin(kind or implementation.value)
    dtypes = list(frame.schema.values())
    if not dtypes:
        return Unpacked(np.empty((len(frame), 0)), names, origin, True)
    for position, column in enumerate(frame.iter_columns()):
        _refuse_unless_numeric(column, names[position], source)
    is_single = [dtype == nw.Float32 for dtype in dtypes]
    wanted = nw.Float32 if common_float(is_single) is FLOAT32 else nw.Float64
    if any(dtype != wanted for dtype in dtypes):
        frame = _cast_frame(frame, wanted)
    return Unpacked(as_numbers(frame.to_numpy(), source, names=names), names, origin)


def _from_series(series: Any, source: Input) -> Unpacked:
    """A narwhals Series."""
    import narwhals as nw

    if series.implementation.is_pandas_like():
        return from_pandas_series(series.to_pandas(), source)
    _refuse_unless_numeric(series, None, source)
    if series.dtype not in (nw.Float32, nw.Float64):
        series = _cast_series(series, nw.Float64)
    values = as_numbers(np.asarray(series.to_numpy()), source)
    return Unpacked(values, None, Origin(series.implementation.value))


def _cast_frame(frame: Any, wanted: Any) -> Any:
    return frame.select(*(_cast_series(column, wanted) for column in frame.iter_columns()))


def _cast_series(series: Any, wanted: Any) -> Any:
    """Cast as NumPy does: Arrow's own cast refuses integers beyond 2**53 instead of rounding."""
    import narwhals as nw

    if not series.implementation.is_pyarrow():
        return series.cast(wanted)
    name = "float32" if wanted == nw.Float32 else "float64"
    native = series.to_native().cast(name, safe=False)
    return nw.from_native(native, series_only=True).alias(series.name)


def _refuse_unless_numeric(series: Any, name: str | None, source: Input) -> None:
    """Numbers, booleans and columns of nothing but missing values pass; the rest is refused."""
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_numeric() or dtype == nw.Boolean:
        return
    native = series.to_native()
    shown = getattr(native, "dtype", None) or getattr(native, "type", dtype)
    if str(shown).lower() == "null":
        return
    if dtype in (nw.String, nw.Binary):
        meaning = "text"
    elif dtype in (nw.Categorical, nw.Enum):
        meaning = "category"
    else:
        meaning = "date" if dtype.is_temporal() else "other"
    present = series.drop_nulls().head(1).to_list()
    refuse_column(source, name, meaning, shown, present[0] if present else None)
