"""Tables side by side, in the container the caller uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stylobate.data.column_table import ColumnTable
from stylobate.data.columns import origin_of
from stylobate.data.origin import ARRAYS, Origin
from stylobate.data.output import wrap_output
from stylobate.data.sparse import is_sparse, is_sparse_array
from stylobate.data.words import kind_of, library
from stylobate.exceptions import InvalidDataError


def frame_names(part: Any) -> list[str] | None:
    """The column names of a data frame as text; None for what is no data frame.

    Examples
    --------
    >>> import pandas
    >>> frame_names(pandas.DataFrame({"a": [1.0]})), frame_names([[1.0]]) is None
    (['a'], True)
    """
    if isinstance(part, np.ndarray) or is_sparse(part) or not origin_of(part).is_frame:
        return None
    return [str(name) for name in _labels(part)]


def width_of(part: Any) -> int:
    """The number of columns of a table, or -1 for what does not have two dimensions."""
    shape = getattr(part, "shape", None)
    return int(shape[1]) if shape is not None and len(shape) == 2 else -1


def goes_out_as(origin: Origin, style: str | None) -> str:
    """The kind of container a result goes out in; see `stylobate.data.wrap_output` for `style`.

    Examples
    --------
    >>> goes_out_as(Origin("polars"), None), goes_out_as(Origin("polars"), "default")
    ('polars', 'numpy')
    """
    kind = origin.kind if style in (None, "same", "input") else str(style)
    return "numpy" if kind in (*ARRAYS, "default") else kind


def side_by_side(
    parts: Sequence[Any], names: Sequence[Sequence[str]] | None, *, kind: str, origin: Origin
) -> Any:
    """Dense tables of the same rows as one.

    Parameters
    ----------
    parts : sequence of arrays of shape (n, k_i) or data frames
        At least one.
    names : sequence of sequences of str, or None
        The column names of each part; not needed for arrays.
    kind : str
        "numpy" or the name of a data frame library, from `goes_out_as`.
    origin : Origin
        What the input was; a pandas result takes its index.

    Returns
    -------
    ndarray or data frame
        A single array is returned as it is; columns of data frames are not copied.

    Examples
    --------
    >>> side_by_side([np.ones((1, 2)), np.zeros((1, 1))], None, kind="numpy", origin=Origin())
    array([[1., 1., 0.]])
    """
    if kind == "numpy" or names is None:
        arrays = [np.asarray(part) for part in parts]
        return arrays[0] if len(arrays) == 1 else np.hstack(arrays)
    if kind == ColumnTable.kind:
        return _column_table(parts, names)
    index = origin.index if origin.kind == kind else None
    home = Origin(kind, index)
    frames = [
        _as_frame(part, list(labels), home) for part, labels in zip(parts, names, strict=True)
    ]
    if kind == "pandas":
        return _pandas_side_by_side(frames)
    if len(frames) == 1:
        return frames[0]
    if kind == ColumnTable.kind:
        return ColumnTable({name: frame[name] for frame in frames for name in frame.columns})
    if kind == "pyarrow-batch":
        pa = library("pyarrow", "Output as pyarrow")
        columns = [column for frame in frames for column in frame.columns]
        labels = [label for frame in frames for label in frame.schema.names]
        return pa.RecordBatch.from_arrays(columns, names=labels)
    nw: Any = library("narwhals", f"Output as {kind}")
    return nw.concat([nw.from_native(frame) for frame in frames], how="horizontal").to_native()


def _column_table(parts: Sequence[Any], names: Sequence[Sequence[str]]) -> ColumnTable:
    columns: dict[str, Any] = {}
    for part, labels in zip(parts, names, strict=True):
        values = part.values() if isinstance(part, ColumnTable) else tuple(np.asarray(part).T)
        columns |= dict(zip(labels, values, strict=True))
    return ColumnTable(columns)


def sparse_side_by_side(parts: Sequence[Any]) -> Any:
    """Tables of the same rows, some of them sparse, as one sparse array in CSR format.

    It is a matrix of SciPy's older kind if all sparse parts are.
    """
    from scipy import sparse

    blocks = [
        part if is_sparse(part) else sparse.csr_array(np.asarray(part, dtype=_number_type(part)))
        for part in parts
    ]
    stacked = sparse.hstack(blocks, format="csr")
    given = [part for part in parts if is_sparse(part)]
    return sparse.csr_matrix(stacked) if not any(map(is_sparse_array, given)) else stacked


def density_of(parts: Sequence[Any]) -> float:
    """The share of stored entries if all parts became one sparse array; dense ones are full."""
    stored, total = stored_cells(parts)
    return float(stored / total) if total else 0.0


def stored_cells(parts: Sequence[Any]) -> tuple[int, int]:
    """How many cells all parts store, and how many they have."""
    stored = sum(part.nnz if is_sparse(part) else _cells(part) for part in parts)
    return int(stored), sum(_cells(part) for part in parts)


def times(part: Any, weight: float | None) -> Any:
    """A table times a number; None leaves it as it is."""
    if weight is None:
        return part
    if isinstance(part, ColumnTable):
        return ColumnTable({name: part[name] * weight for name in part.columns})
    if isinstance(part, np.ndarray) or is_sparse(part) or not hasattr(part, "schema"):
        return part * weight  # pandas, too
    nw: Any = library("narwhals", "Weighting columns")
    frame = nw.from_native(part)
    return frame.with_columns(*(nw.col(name) * weight for name in frame.columns)).to_native()


def _as_frame(part: Any, labels: list[str], home: Origin) -> Any:
    """A part as a data frame of the kind `home`, with these column names."""
    found = origin_of(part)
    if found.kind != home.kind:
        part = _translated(part, found, home.kind)
        if isinstance(part, np.ndarray):
            return wrap_output(part, origin=home, columns=labels)
    if labels == list(_labels(part)):
        return part
    if home.kind == ColumnTable.kind:
        return ColumnTable(dict(zip(labels, part.values(), strict=True)))
    if home.kind == "pandas":
        part = part.copy(deep=False)
        part.columns = labels
        return part
    if home.kind.startswith("pyarrow"):
        return part.rename_columns(labels)
    if home.kind == "polars":
        renamed = part.clone()  # shares its columns
        renamed.columns = labels
        return renamed
    nw: Any = library("narwhals", f"Output as {home.kind}")
    frame = nw.from_native(part)
    return frame.rename(dict(zip(frame.columns, labels, strict=True))).to_native()


def _translated(part: Any, found: Origin, kind: str) -> Any:
    """A frame in another library with the types of its columns; what is no frame as an array."""
    way = {"pandas": "to_pandas", "polars": "to_polars", "pyarrow": "to_arrow"}.get(kind)
    if not found.is_frame or way is None:
        return np.asarray(part)
    nw: Any = library("narwhals", f"Output as {kind}")
    if isinstance(part, ColumnTable):
        columns = dict(zip(part.columns, part.values(), strict=True))
        return nw.from_dict(columns, backend=kind).to_native()
    if found.kind == "pyarrow-batch":
        pa = library("pyarrow", "Reading pyarrow")
        part = pa.Table.from_batches([part])
    return getattr(nw.from_native(part), way)()


def _pandas_side_by_side(frames: list[Any]) -> Any:
    if len(frames) == 1:
        return frames[0]
    pd = library("pandas", "Output as pandas")
    stacked = pd.concat(frames, axis=1)
    if len(stacked) != len(frames[0]):
        raise InvalidDataError(
            "Concatenating DataFrames from the transformers' output leads to an inconsistent "
            f"number of samples: {len(stacked)} rows of {len(frames[0])}. The output may have "
            "pandas Indexes that do not match, or transformers that change the number of rows."
        )
    return stacked


def _labels(frame: Any) -> list[Any]:
    is_arrow = kind_of(frame).startswith("pyarrow")
    return list(frame.schema.names if is_arrow else frame.columns)


def _cells(part: Any) -> int:
    return int(part.shape[0]) * int(part.shape[1])


def _number_type(part: Any) -> Any:
    """Sparse arrays hold numbers: objects that came with them must be some."""
    dtype = getattr(part, "dtype", None)
    return dtype if isinstance(dtype, np.dtype) and dtype.kind in "fiub" else np.float64
