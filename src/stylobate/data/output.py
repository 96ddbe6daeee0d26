"""Results in the container the caller uses: as the input came, or as `set_output` says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from stylobate.data.column_table import ColumnTable
from stylobate.data.origin import ARRAYS, Origin
from stylobate.data.sparse import is_sparse, is_sparse_array
from stylobate.data.words import library
from stylobate.exceptions import InvalidDataError, InvalidParameterError

STYLES = ("same", "input", "default", "pandas", "polars", "pyarrow")


def wrap_output(
    array: Any,
    *,
    origin: Origin,
    columns: Sequence[str] | Callable[[], Iterable[str]] | None = None,
    style: str | None = None,
) -> Any:
    """`array` in a container: a matrix as a frame, a vector as a series.

    Parameters
    ----------
    array : ndarray of shape (n,) or (n, k), or sparse array
        The result. A sparse one goes out as SciPy's matrix, unless its array came in.
    origin : Origin
        What the input was.
    columns : sequence of str or function of nothing, default=None
        Column names, or what says them if they are needed; a series takes the first as its name.
    style : {"same", "input", "default", "pandas", "polars", "pyarrow"} or None, default=None
        "same" (also "input" and None): as the input came. "default": the array itself. Else the
        named library, whatever came in.

    Returns
    -------
    object
        `array` itself, or a frame or series. A pandas result keeps the input's index when it has
        the same number of rows.

    Examples
    --------
    >>> wrap_output(np.array([[1.0], [2.0]]), origin=Origin("polars"), columns=["a"]).columns
    ['a']
    """
    if style is not None and style not in STYLES:
        raise InvalidParameterError(
            f"The output container must be one of {', '.join(map(repr, STYLES))}, got {style!r}."
        )
    same = style in (None, "same", "input")
    kind = origin.kind if same else style
    if is_sparse(array):
        if same or kind == "default":
            return _sparse_kind(array, origin)
        raise InvalidDataError(
            f"The transformer outputs a scipy sparse matrix. Try to set the transformer output "
            f"to a dense array or disable {str(style).capitalize()} output with "
            f"set_output(transform='default')."
        )
    if kind in (*ARRAYS, "default"):
        return array
    array = np.asarray(array)
    said = columns() if callable(columns) else columns
    names = None if said is None else [str(name) for name in said]
    if names is not None and array.ndim == 2 and len(names) != array.shape[1]:
        raise InvalidDataError(
            f"{len(names)} column names were given for an output with {array.shape[1]} columns; "
            f"give one name for each column."
        )
    if kind == ColumnTable.kind:
        return (
            ColumnTable(dict(zip(_numbered(names, array), array.T, strict=True)))
            if array.ndim == 2
            else array
        )
    if kind == "pandas":
        return _to_pandas(array, names, origin)
    if kind == "polars":
        return _to_polars(array, names)
    if kind == ColumnTable.kind:
        return array if array.ndim == 1 else ColumnTable.of_block(_numbered(names, array), array.T)
    if kind in ("pyarrow", "pyarrow-batch"):
        return _to_pyarrow(array, names, as_batch=kind == "pyarrow-batch")
    if kind == "columns":  # batches of files
        return array if array.ndim == 1 else _to_columns(array, names)
    return _to_other(array, names, str(kind))


def _sparse_kind(array: Any, origin: Origin) -> Any:
    """A sparse array for those who brought one, else a matrix, as scikit-learn returns."""
    if origin.kind == "sparse-array" or not is_sparse_array(array):
        return array
    from scipy import sparse

    kind = sparse.csc_matrix if array.format == "csc" else sparse.csr_matrix
    return kind(array)


def _to_columns(array: Any, names: list[str] | None) -> ColumnTable:
    named = zip(_numbered(names, array), array.T, strict=True)
    return ColumnTable({name: np.ascontiguousarray(column) for name, column in named})


def _to_pandas(array: Any, names: list[str] | None, origin: Origin) -> Any:
    pd = library("pandas", "Output as pandas")

    index = origin.index
    if index is not None and (not isinstance(index, pd.Index) or len(index) != len(array)):
        index = None
    if array.ndim == 1:
        return pd.Series(array, index=index, name=names[0] if names else None)
    return pd.DataFrame(array, index=index, columns=names)


def _to_polars(array: Any, names: list[str] | None) -> Any:
    pl = library("polars", "Output as polars")

    if array.ndim == 1:
        return pl.Series(names[0] if names else "", array)
    return pl.DataFrame(array, schema=names, orient="row")


def _to_pyarrow(array: Any, names: list[str] | None, *, as_batch: bool) -> Any:
    pa = library("pyarrow", "Output as pyarrow")

    if array.ndim == 1:
        return pa.array(array)
    columns = [pa.array(np.ascontiguousarray(column)) for column in array.T]
    make = pa.RecordBatch.from_arrays if as_batch else pa.Table.from_arrays
    return make(columns, names=_numbered(names, array))


def _to_other(array: Any, names: list[str] | None, library_name: str) -> Any:
    """Any other library narwhals can build a frame of."""
    nw: Any = library("narwhals", f"Output as {library_name}")

    matrix = array.reshape(-1, 1) if array.ndim == 1 else array
    schema = names if names else _numbered(None, matrix)
    frame = nw.from_numpy(matrix, schema=schema, backend=library_name)
    native = frame[schema[0]] if array.ndim == 1 else frame
    return native.to_native()


def _numbered(names: list[str] | None, array: Any) -> list[str]:
    return names if names is not None else [f"x{i}" for i in range(array.shape[1])]
