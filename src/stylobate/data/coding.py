"""A column as numbers of its distinct values: every encoder works on the few, not on the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices
from stylobate.exceptions import UnsupportedDataError
from stylobate.splits.value_numbers import numpy_of

_WHOLE = 2.0**53  # below, doubles tell whole numbers apart
_FEW = 1024  # so wide a range of values is counted even of fewer rows


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """Distinct values and, for every row, the number of its value: ``values[codes]`` is the column.

    Missing values are values as well: None stays None, every other kind is NaN.
    """

    values: NDArray[Any]
    codes: Indices

    def sorted(self) -> Coded:
        """The same column, its values in increasing order, None and NaN last.

        >>> code_column(np.array(["b", None, "a"], dtype=object)).sorted().values.tolist()
        ['a', 'b', None]
        """
        present, order = _sorted_positions(self.values)
        number = np.empty(len(order), dtype=np.intp)
        number[order] = np.arange(len(order))
        return Coded(present, number[self.codes])

    def counts(self) -> NDArray[np.intp]:
        """How often each value occurs."""
        return np.bincount(self.codes, minlength=len(self.values))


def is_nan(value: Any) -> bool:
    """Whether a value is a missing one other than None."""
    if isinstance(value, float | np.floating):
        return bool(value != value)
    return type(value).__name__ in ("NAType", "NaTType")


def has_nan(values: NDArray[Any]) -> bool:
    """Whether NaN is the last of some sorted values."""
    return len(values) > 0 and is_nan(values[-1])


def code_column(column: Any) -> Coded:
    """Number the distinct values of a column, text and categories by the frame's own hash table.

    Parameters
    ----------
    column : 1-D array or narwhals series
        One of `MixedColumns.values`.

    Returns
    -------
    Coded
        In no particular order; see `Coded.sorted`.

    Examples
    --------
    >>> coded = code_column(np.array([3.0, 1.0, 3.0]))
    >>> coded.values.tolist(), coded.codes.tolist()
    ([1.0, 3.0], [1, 0, 1])
    """
    if not isinstance(column, np.ndarray):
        return _code_series(column)
    if column.dtype.kind == "O":
        return _code_objects(column)
    counted = number_whole(column) if column.dtype.kind in "iubf" else None
    if counted is not None:
        return Coded(*counted)
    values, codes = np.unique(column, return_inverse=True)
    return Coded(values, codes.reshape(-1))


def number_whole(column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]] | None:
    """Number the values of a column of whole numbers close together without sorting its rows.

    Parameters
    ----------
    column : 1-D array of numbers
        NaN is a value, the last one.

    Returns
    -------
    (values, codes) or None
        As ``np.unique(column, return_inverse=True)``; None for all other columns.

    Examples
    --------
    >>> number_whole(np.array([4, 2, 4]))
    (array([2, 4]), array([1, 0, 1]))
    >>> number_whole(np.array([0.5, 2.0])) is None
    True
    """
    if column.dtype.kind == "f":
        lost = np.isnan(column)
        if lost.any():
            return _with_missing(column, lost)
    if not len(column):
        return None
    low, high = column.min(), column.max()
    if not -_WHOLE < low <= high < _WHOLE or int(high) - int(low) > max(len(column), _FEW):
        return None
    places = column.astype(np.int64)
    if column.dtype.kind == "f" and not _are(column, places):
        return None
    places -= int(low)
    present = np.flatnonzero(np.bincount(places))
    number = np.zeros(int(high) - int(low) + 1, dtype=np.int64)
    number[present] = np.arange(len(present))
    return (present + int(low)).astype(column.dtype), number[places]


def _are(column: NDArray[Any], places: NDArray[np.int64]) -> bool:
    """Whether numbers are these whole ones; −0 is none of them."""
    return np.array_equal(places, column) and np.array_equal(np.signbit(column), places < 0)


def _with_missing(
    column: NDArray[Any], lost: NDArray[np.bool_]
) -> tuple[NDArray[Any], NDArray[np.int64]] | None:
    found = number_whole(column[~lost])
    if found is None:
        return None
    values, codes = found
    everywhere = np.full(len(column), len(values), dtype=np.int64)
    everywhere[~lost] = codes
    return np.append(values, column.dtype.type(np.nan)), everywhere


def _code_objects(column: NDArray[Any]) -> Coded:
    listed = column.tolist()
    try:
        number = {value: i for i, value in enumerate(dict.fromkeys(listed))}
        codes = np.fromiter(map(number.__getitem__, listed), dtype=np.intp, count=len(listed))
    except TypeError as error:
        raise UnsupportedDataError(
            "Encoders require their input argument must be uniformly strings or numbers; a column "
            f"holds something else ({error})."
        ) from error
    values = list(number)
    plain = {*map(type, values)} <= {str, type(None)}
    missing = [] if plain else [i for i, value in enumerate(values) if is_nan(value)]
    if missing:  # every NaN object is a key of its own: all become the first
        place = np.array(missing)
        kept = np.ones(len(values), dtype=bool)
        kept[place[1:]] = False
        renumbered = np.cumsum(kept) - 1
        renumbered[place] = renumbered[place[0]]
        values[missing[0]] = np.nan
        return Coded(
            _objects(v for v, keep in zip(values, kept, strict=True) if keep), renumbered[codes]
        )
    return Coded(_objects(values), codes)


def _code_series(series: Any) -> Coded:
    """A narwhals series: nothing passes through Python objects but the distinct values."""
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_numeric() or dtype == nw.Boolean:
        if series.null_count():
            series = series.cast(nw.Float64)
        return code_column(numpy_of(series))
    if dtype.is_temporal() and dtype not in (nw.Date, nw.Time):
        return code_column(np.asarray(series.to_numpy()))
    if dtype not in (nw.String, nw.Categorical, nw.Enum):
        return _code_objects(np.array(series.to_list(), dtype=object))
    if series.implementation.is_pandas_like():
        return _code_pandas(series.to_native())
    try:
        return _code_arrow(series.to_arrow())
    except ImportError:  # polars without pyarrow
        return _nan_for_none(_code_objects(np.array(series.to_list(), dtype=object)))


def _code_pandas(series: Any) -> Coded:
    if hasattr(series, "cat"):
        codes, values = series.cat.codes.to_numpy(), series.cat.categories.to_numpy()
    elif str(series.dtype) == "object":
        return _code_objects(series.to_numpy())
    else:
        codes, index = series.factorize()
        values = np.asarray(index, dtype=object)
    return _present(values, codes.astype(np.intp))


def _code_arrow(array: Any) -> Coded:
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if isinstance(array, pa.ChunkedArray):  # of no chunks
        array = pa.concat_arrays(array.chunks)
    if not pa.types.is_dictionary(array.type):
        array = pc.dictionary_encode(array)
    codes = array.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
    return _present(_objects(array.dictionary.to_pylist()), codes.astype(np.intp))


def _present(values: NDArray[Any], codes: Indices) -> Coded:
    """Only values that occur; code -1 becomes NaN, the last value."""
    counts = np.bincount(codes + 1, minlength=len(values) + 1)
    kept = counts[1:] > 0
    number = np.concatenate([[kept.sum()], np.cumsum(kept) - 1])
    values = values[kept]
    if counts[0]:
        if values.dtype.kind not in "fO":
            numeric = values.dtype.kind in "iu"
            values = values.astype(np.float64 if numeric else object)
        values = np.concatenate([values, np.array([np.nan], dtype=values.dtype)])
    return Coded(values, number[codes + 1])


def _nan_for_none(coded: Coded) -> Coded:
    values = coded.values.copy()
    values[[value is None for value in values]] = np.nan
    return Coded(values, coded.codes)


def _objects(values: Any) -> NDArray[Any]:
    """A 1-D object array, whatever the values are."""
    listed = list(values)
    array = np.empty(len(listed), dtype=object)
    array[:] = listed
    return array


def _sorted_positions(values: NDArray[Any]) -> tuple[NDArray[Any], Indices]:
    if values.dtype.kind != "O":
        order = np.argsort(values, kind="stable")  # NaN and NaT come last
        return values[order], order
    listed = values.tolist()
    last = [i for i, v in enumerate(listed) if v is None]
    last += [i for i, v in enumerate(listed) if is_nan(v)]
    absent = set(last)
    try:
        first = sorted((i for i in range(len(listed)) if i not in absent), key=listed.__getitem__)
    except TypeError as error:
        kinds = sorted({type(v).__qualname__ for v in listed if v is not None})
        raise UnsupportedDataError(
            "Encoders require their input argument must be uniformly strings or numbers. Got "
            f"{kinds}"
        ) from error
    order = np.array(first + last, dtype=np.intp)
    return values[order], order


def positions(values: NDArray[Any], categories: NDArray[Any]) -> Indices:
    """Where each value stands among the categories; -1 for those that are not there.

    Parameters
    ----------
    values, categories : 1-D arrays of distinct values
        Missing values match their like.

    Examples
    --------
    >>> positions(np.array([2, 9, 1]), np.array([1, 2])).tolist()
    [1, -1, 0]
    """
    known: dict[Any, int] = {}
    for i, category in enumerate(categories.tolist()):
        known[_NAN if is_nan(category) else category] = i
    found = (known.get(_NAN if is_nan(value) else value, -1) for value in values.tolist())
    return np.fromiter(found, dtype=np.intp, count=len(values))


_NAN = object()
