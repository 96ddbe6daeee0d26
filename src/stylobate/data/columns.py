"""Columns of whatever has columns: their names, and some of them without copying the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.column_table import ColumnTable
from stylobate.data.containers import from_sequence
from stylobate.data.indexing import as_slice
from stylobate.data.origin import NUMPY, Origin, sparse_origin
from stylobate.data.shape import check_shape, text_names
from stylobate.data.sparse import check_sparse, is_sparse
from stylobate.data.words import Input, kind_of


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """A container with columns whose values nobody has looked at.

    Attributes
    ----------
    native : ndarray of shape (n, p), sparse array or eager data frame
        The container itself.
    names : tuple of str or None
        Names of the columns, if all of them are text.
    origin : Origin
        What kind of container it is.
    n_rows, n_columns : int
        Its shape.
    """

    native: Any
    names: tuple[str, ...] | None
    origin: Origin
    n_rows: int
    n_columns: int

    def take(self, positions: NDArray[np.intp], *, vector: bool = False) -> Any:
        """Some columns in the same container; consecutive ones of arrays and pandas are a view.

        Parameters
        ----------
        positions : array of int
            Which columns, in that order, each in [0, n_columns).
        vector : bool, default=False
            Whether to give the one column asked for as a vector or series.
        """
        if vector:
            return self._one(int(positions[0]))
        if len(positions) == self.n_columns and (positions == np.arange(self.n_columns)).all():
            return self.native
        kind = self.origin.kind
        if not self.origin.is_frame:
            return self.native[:, as_slice(positions)]
        if kind == "pandas":
            return self.native.iloc[:, as_slice(positions)]
        chosen = positions.tolist()
        if kind == ColumnTable.kind:
            return self.native.select([self.native.columns[j] for j in chosen])
        if kind.startswith("pyarrow"):
            return self.native.select(chosen)
        if kind == "polars":
            return self.native[:, chosen]
        import narwhals as nw

        return nw.from_native(self.native)[:, chosen].to_native()

    def _one(self, position: int) -> Any:
        kind = self.origin.kind
        if not self.origin.is_frame:
            return (
                self.native[:, [position]] if is_sparse(self.native) else self.native[:, position]
            )
        if kind == "pandas":
            return self.native.iloc[:, position]
        if kind == ColumnTable.kind:
            return self.native[self.native.columns[position]]
        if kind == "polars":
            return self.native.to_series(position)
        if kind.startswith("pyarrow"):
            return self.native.column(position)
        import narwhals as nw

        return nw.from_native(self.native)[:, position].to_native()


def read_columns(X: Any, *, owner: str, min_rows: int = 1, min_columns: int = 1) -> Columns:
    """The columns of an array, sparse array, data frame or list of rows, as they are.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, p)
        May hold anything: numbers, text, dates.
    owner : str
        Named in refusals.
    min_rows, min_columns : int, default=1
        The smallest shape accepted.

    Returns
    -------
    Columns

    Examples
    --------
    >>> import pandas
    >>> columns = read_columns(pandas.DataFrame({"a": [1, 2], "b": ["x", "y"]}), owner="Pipeline")
    >>> columns.names, columns.n_rows
    (('a', 'b'), 2)
    """
    source = Input(owner, "X")
    if not isinstance(X, np.ndarray | list | tuple) and not is_sparse(X):
        found = _from_frame(X)
        if found is not None:
            _check(found, X, source, min_rows, min_columns)
            return found
    if is_sparse(X):
        check_sparse(X, source)
        native = X if X.format in ("csr", "csc") else X.tocsr()
        origin = sparse_origin(X)
    else:
        listed = isinstance(X, list | tuple)
        native, origin = from_sequence(X, source) if listed else np.asarray(X), NUMPY
    check_shape(native, X, source, min_rows=min_rows, min_features=min_columns)
    return Columns(native, None, origin, *native.shape)


def origin_of(X: Any) -> Origin:
    """What kind of container X is, whatever is in it; what is no data frame counts as an array.

    Examples
    --------
    >>> import polars
    >>> origin_of(polars.DataFrame({"a": [1]})).kind, origin_of(["some", "texts"]).kind
    ('polars', 'numpy')
    """
    if is_sparse(X):
        return sparse_origin(X)
    if isinstance(X, np.ndarray | list | tuple | str):
        return NUMPY
    found = _from_frame(X)
    return NUMPY if found is None else found.origin


def _from_frame(X: Any) -> Columns | None:
    """A data frame of any library narwhals knows; None for anything else."""
    if isinstance(X, ColumnTable):
        return Columns(X, X.columns, Origin(ColumnTable.kind), *X.shape)
    import narwhals as nw

    if isinstance(X, nw.DataFrame | nw.LazyFrame):
        X = X.to_native()
    if nw.dependencies.is_pandas_dataframe(X):
        names = text_names(tuple(X.columns))
        return Columns(X, names, Origin("pandas", X.index), *X.shape)
    if kind_of(X) in ("pyarrow.Table", "pyarrow.RecordBatch"):
        kind = "pyarrow" if kind_of(X) == "pyarrow.Table" else "pyarrow-batch"
        names = text_names(tuple(X.schema.names))
        return Columns(X, names, Origin(kind), X.num_rows, X.num_columns)
    frame: Any = nw.from_native(X, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, nw.DataFrame):
        return None
    origin = Origin(frame.implementation.value)
    return Columns(frame.to_native(), tuple(frame.columns), origin, *frame.shape)


def _check(columns: Columns, given: Any, source: Input, min_rows: int, min_columns: int) -> None:
    shape = np.broadcast_to(np.float64(0), (columns.n_rows, columns.n_columns))  # no memory
    check_shape(shape, given, source, min_rows=min_rows, min_features=min_columns)
