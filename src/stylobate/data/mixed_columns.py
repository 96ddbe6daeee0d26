"""Tables whose columns may be anything: each column as it came, for encoders and for kinds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from stylobate.data.column_table import ColumnTable
from stylobate.data.durations import seconds_of
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.frames import as_narwhals_knows
from stylobate.data.origin import NUMPY, Origin
from stylobate.data.shape import check_shape, text_names
from stylobate.data.sparse import is_sparse, refuse_sparse
from stylobate.data.words import Input, kind_of, short
from stylobate.exceptions import UnsupportedDataError


@dataclass(frozen=True, slots=True, eq=False)
class MixedColumns:
    """Columns of any type with their names and origin.

    Parameters
    ----------
    values : tuple
        One 1-D array or narwhals series per column.
    n_rows : int
        Their common length.
    names : tuple of str or None
        Column names, if the container had names and all of them are text.
    origin : Origin
        The container.
    spans : tuple of int
        Which columns were durations, and are numbers of seconds.
    """

    values: tuple[Any, ...]
    n_rows: int
    names: tuple[str, ...] | None = None
    origin: Origin = NUMPY
    spans: tuple[int, ...] = ()

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return len(self.values)


def read_mixed_columns(
    X: Any, *, owner: str, min_rows: int = 1, min_features: int = 1
) -> MixedColumns:
    """The columns of a table of numbers, text, categories, dates or objects; durations in seconds.

    Parameters
    ----------
    X : array-like or data frame of shape (n, p)
        Any frame narwhals knows, a NumPy array of any dtype, a list of rows.
    owner : str
        Who is asking; named in every refusal.
    min_rows, min_features : int, default=1
        The smallest shape accepted.

    Returns
    -------
    MixedColumns

    Examples
    --------
    >>> read_mixed_columns([["a", 1], ["b", 2]], owner="OneHotEncoder").values
    (array(['a', 'b'], dtype=object), array([1, 2], dtype=object))
    """
    columns = _read(X, Input(owner, "X"), min_rows, min_features)
    converted = [seconds_of(values) for values in columns.values]
    if all(each is None for each in converted):
        return columns
    pairs = zip(columns.values, converted, strict=True)
    values = tuple(v if seconds is None else seconds for v, seconds in pairs)
    spans = tuple(j for j, seconds in enumerate(converted) if seconds is not None)
    return replace(columns, values=values, spans=spans)


def _read(X: Any, source: Input, min_rows: int, min_features: int) -> MixedColumns:
    if is_sparse(X):
        refuse_sparse(source)
    if isinstance(X, np.ndarray | list | tuple):
        return _from_array(_array_of(X, source), X, source, min_rows, min_features)
    if isinstance(X, ColumnTable):
        shape = np.broadcast_to(0, X.shape)
        check_shape(shape, X, source, min_rows=min_rows, min_features=min_features)
        return MixedColumns(X.values(), len(X), X.columns)
    frame = _as_frame(X)
    if frame is None:
        return _from_array(_array_of(X, source), X, source, min_rows, min_features)
    columns = _from_frame(frame, X)
    shape = np.broadcast_to(0, (columns.n_rows, columns.n_features))
    check_shape(shape, X, source, min_rows=min_rows, min_features=min_features)
    return columns


def _array_of(X: Any, source: Input) -> Any:
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise UnsupportedDataError(
            f"{source} is no regular table ({error}); give every row the same number of values."
        ) from error
    if array.dtype.kind in "USO" and not isinstance(X, np.ndarray):
        array = np.asarray(X, dtype=object)  # NumPy wrote the numbers of a mixed list as text
    if array.ndim == 0 and array.dtype.kind == "O":
        raise UnsupportedDataError(
            f"{source} is {short(X)} ({kind_of(X)}), which is not a table. Pass a data frame, a "
            "NumPy array or a list of rows."
        )
    return array


def _from_array(
    array: Any, given: Any, source: Input, min_rows: int, min_features: int
) -> MixedColumns:
    check_shape(array, given, source, min_rows=min_rows, min_features=min_features)
    if array.dtype.kind == "c":
        raise UnsupportedDataError(
            f"{source} has dtype {array.dtype}. Complex data not supported: pass the real and "
            "imaginary parts as separate columns."
        )
    return MixedColumns(tuple(array.T), len(array))


def _as_frame(X: Any) -> Any:
    """A narwhals frame or a pandas one; None if X is no frame."""
    import narwhals as nw

    if isinstance(X, nw.DataFrame | nw.LazyFrame):
        X = X.to_native()
    if nw.dependencies.is_pandas_dataframe(X):
        return X
    native, _, _ = as_narwhals_knows(X)
    frame: Any = nw.from_native(native, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    return frame if isinstance(frame, nw.DataFrame) else None


def _from_frame(frame: Any, X: Any) -> MixedColumns:
    import narwhals as nw

    if not isinstance(frame, nw.DataFrame):  # pandas: its names may repeat or be no text
        parts = tuple(
            nw.from_native(frame.iloc[:, j], series_only=True) for j in range(frame.shape[1])
        )
        origin = Origin("pandas", frame.index)
        return MixedColumns(parts, len(frame), text_names(tuple(frame.columns)), origin)
    _, names, kind = as_narwhals_knows(X)
    origin = Origin(kind or frame.implementation.value)
    parts = tuple(frame.iter_columns())
    return MixedColumns(parts, len(frame), text_names(names or tuple(frame.columns)), origin)


def refuse_infinite(columns: MixedColumns, owner: str) -> None:
    """Refuse infinities among columns of floating-point numbers; NaN passes."""
    for j, values in enumerate(columns.values):
        array = values if isinstance(values, np.ndarray) else None
        if array is None and values.dtype.is_float():
            array = values.drop_nulls().to_numpy()
        if array is not None and array.dtype.kind == "f" and np.isinf(array).any():
            name = columns.names[j] if columns.names else f"x{j}"
            source = Input(owner, "X")
            refuse_nonfinite(array.reshape(-1, 1), source, names=(name,), only="infinite")
