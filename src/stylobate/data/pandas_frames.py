"""pandas frames and series → numbers: a view of one-block frames, one copy of all others."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.containers import Unpacked
from stylobate.data.numbers import (
    FLOAT32,
    FLOAT64,
    as_numbers,
    common_float,
    refuse_column,
)
from stylobate.data.origin import Origin
from stylobate.data.sparse import as_sparse
from stylobate.data.words import Input


def from_pandas_frame(frame: Any, source: Input) -> Unpacked:
    """Numbers of a pandas DataFrame: NumPy, nullable, Arrow-backed, sparse or object columns.

    Parameters
    ----------
    frame : pandas.DataFrame
        Column names may be of any type and may repeat.
    source : Input
        Named in refusals.

    Returns
    -------
    Unpacked
        The names are the frame's, as they are; a frame of sparse columns gives a `csr_array`.

    Examples
    --------
    >>> import pandas
    >>> frame = pandas.DataFrame({"a": [1.0, 2.0], "b": pandas.array([3, None], dtype="Int64")})
    >>> from_pandas_frame(frame, Input("Ridge", "X")).values
    array([[ 1.,  3.],
           [ 2., nan]])
    """
    dtypes = frame.dtypes.tolist()
    names, origin = tuple(frame.columns), Origin("pandas", frame.index)
    if not dtypes:
        return Unpacked(np.empty((len(frame), 0)), names, origin, True)
    if all(_is_sparse(dtype) and dtype.fill_value == 0 for dtype in set(dtypes)):
        return Unpacked(as_sparse(frame.sparse.to_coo(), source), names, origin)
    objects = [position for position, dtype in enumerate(dtypes) if _is_object(dtype)]
    for position, dtype in enumerate(dtypes):
        if dtype.kind not in "fiub" and not _is_object(dtype):
            _refuse(frame.iloc[:, position], names[position], source)
    if objects:
        values = _by_column(frame, names, source)
    else:
        target = common_float([_is_float32(dtype) for dtype in dtypes])
        values = as_numbers(_to_numpy(frame, target, dtypes), source)
    return Unpacked(values, names, origin, _cannot_be_missing(dtypes))


def from_pandas_series(series: Any, source: Input) -> Unpacked:
    """Numbers of a pandas Series or Index.

    Examples
    --------
    >>> import pandas
    >>> from_pandas_series(pandas.Series([1, 2]), Input("Ridge", "y")).values
    array([1., 2.])
    """
    dtype = series.dtype
    origin = Origin("pandas", getattr(series, "index", None))
    if dtype.kind not in "fiub" and not _is_object(dtype):
        _refuse(series, None, source)
    if _is_object(dtype):
        return Unpacked(as_numbers(series.to_numpy(dtype=object), source), None, origin)
    target = common_float([_is_float32(dtype)])
    values = as_numbers(_to_numpy(series, target, [dtype]), source)
    return Unpacked(values, None, origin, _cannot_be_missing([dtype]))


def _to_numpy(data: Any, target: np.dtype[Any], dtypes: list[Any]) -> NDArray[Any]:
    """The conversion of pandas itself: a view where one block already has the wanted dtype."""
    if all(isinstance(dtype, np.dtype) for dtype in set(dtypes)):
        return np.asarray(data.to_numpy(dtype=target))
    return np.asarray(data.to_numpy(dtype=target, na_value=np.nan))


def _by_column(frame: Any, names: tuple[Any, ...], source: Input) -> NDArray[Any]:
    """A frame with columns of Python objects, read one column at a time so each can be named."""
    out = np.empty(frame.shape, dtype=FLOAT64, order="F")
    for position, name in enumerate(names):
        column = frame.iloc[:, position]
        part = Input(source.owner, f"column {name!r} of {source.label}")
        out[:, position] = from_pandas_series(column, part).values
    return out


def _is_sparse(dtype: Any) -> bool:
    return type(dtype).__name__ == "SparseDtype"


def _is_object(dtype: Any) -> bool:
    """Columns of Python objects, which may be numbers; Arrow's decimals arrive as such too."""
    text = str(dtype)
    is_arrow = text.endswith("[pyarrow]")
    return text == "object" or (is_arrow and text.startswith(("decimal", "null")))


def _is_float32(dtype: Any) -> bool:
    plain = getattr(dtype, "numpy_dtype", getattr(dtype, "subtype", dtype))
    return bool(plain == FLOAT32)


def _cannot_be_missing(dtypes: list[Any]) -> bool:
    return all(isinstance(dtype, np.dtype) and dtype.kind in "iub" for dtype in set(dtypes))


def _refuse(series: Any, name: object | None, source: Input) -> None:
    dtype = series.dtype
    text = str(dtype)
    if text == "category" or text.startswith("dictionary"):
        meaning = "category"
    elif dtype.kind in "Mm" or text.startswith(("period", "date", "time")):
        meaning = "date"
    elif dtype.kind == "c":
        meaning = "complex"
    else:
        meaning = "text" if "str" in text else "other"
    refuse_column(source, name, meaning, dtype, next(iter(series.dropna()), None))
