"""Columns in memory: each as its distinct values, how often they occur, and a code per row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array, Indices
from stylobate.data.coding import Coded, code_column
from stylobate.data.kinds.schema import Column
from stylobate.data.kinds.spellings import MISSING, date_of, is_missing, number_of

_LONGEST = max(len(text.encode()) for text in MISSING)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The values of one column.

    Parameters
    ----------
    column : Column
        Name, kind and reason.
    values : array
        Its distinct values, in increasing order: float64, datetime64[us] or text.
    codes : array of shape (n,)
        The place of every row's value in `values`; -1 where it is missing.
    """

    column: Column
    values: NDArray[Any]
    codes: Indices

    @property
    def counts(self) -> Indices:
        """How often each value occurs."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.values))

    @property
    def missing(self) -> int:
        """Rows without a value."""
        return int((self.codes < 0).sum())

    @property
    def is_numeric(self) -> bool:
        """Whether the values are numbers."""
        return bool(self.values.dtype.kind == "f")

    @property
    def is_temporal(self) -> bool:
        """Whether the values are moments."""
        return bool(self.values.dtype.kind == "M")

    def numbers(self) -> Array:
        """The rows as numbers; NaN where missing."""
        padded = np.append(self.values.astype(np.float64), np.nan)
        return np.asarray(padded[self.codes])


def cells_of(column: Column, series: Any) -> Cells:
    """The cells of a column as it came (see `MixedColumns`), of the kind it was found to be."""
    at_once = _at_once(column, series)
    if at_once is not None:
        return at_once
    coded = code_column(series)
    if coded.values.dtype.kind in "iufb" and column.kind != "datetime":
        return Cells(column, *_sorted(coded.values.astype(np.float64), coded.codes))
    values = coded.values.tolist()
    if column.kind == "datetime":
        found = _moments(coded, values, column.notation)
    elif column.notation is not None:
        found = np.array([number_of(value, column.notation) for value in values], np.float64)
        column = _mixed(column, coded, values, found)
    elif {*map(type, values)} <= {str, type(None)}:
        listed = [None if is_missing(v, column.missing) else v for v in values]
        found = np.array(listed, dtype=object)
    elif all(isinstance(v, int | float) or is_missing(v) for v in values):
        found = np.array([np.nan if is_missing(v) else float(v) for v in values])
    else:
        found = np.array(
            [None if is_missing(v, column.missing) else str(v) for v in values], dtype=object
        )
    return Cells(column, *_sorted(found, coded.codes))


def _at_once(column: Column, series: Any) -> Cells | None:
    """Arrays of numbers, moments and texts that need no further reading, coded by the core."""
    if not isinstance(series, np.ndarray) or column.notation is not None:
        return None
    kind = series.dtype.kind
    if kind in "iufb" and column.kind != "datetime":
        values = np.ascontiguousarray(series, dtype=np.float64)
        pairs: Any = _core.code_reals([values])
    elif kind == "M":
        values = np.ascontiguousarray(series, dtype="M8[us]")
        pairs = _core.code_wholes([values.view(np.int64)])
    elif kind == "O" and column.kind != "datetime":
        return _texts(column, series)
    else:
        return None
    first, codes = pairs[0]
    return Cells(column, values[first], codes)


def _texts(column: Column, series: NDArray[Any]) -> Cells | None:
    """Strings and None; None for a column that holds anything else."""
    pairs: Any = _core.code_texts([series.tolist()], _LONGEST)
    if pairs is None:
        return None
    first, codes, brief = pairs[0]
    values = series[first]
    absent = np.zeros(len(values), dtype=bool)
    absent[[k for k in brief if is_missing(values[k], column.missing)]] = True
    if absent.any():
        number = np.append(np.where(absent, -1, np.cumsum(~absent) - 1), -1)
        values, codes = values[~absent], number[codes]
    return Cells(column, values, codes)


def _mixed(column: Column, coded: Coded, values: list[Any], found: Array) -> Column:
    """The column with a word about texts that are no numbers, among all its rows."""
    strange = [i for i in np.flatnonzero(np.isnan(found)) if not is_missing(values[i])]
    if not strange:
        return column
    count = int(coded.counts()[strange].sum())
    present = len(coded.codes) - int(coded.counts()[np.isnan(found)].sum()) + count
    text = f"{count} of {present} rows are no numbers, such as {str(values[strange[0]])!r}"
    return replace(column, mixed=text)


def _moments(coded: Coded, values: list[Any], notation: str | None) -> NDArray[Any]:
    if notation is not None:
        values = [None if is_missing(v) else date_of(v, notation) for v in values]
    elif coded.values.dtype.kind == "M":
        return coded.values.astype("M8[us]")
    listed = [None if is_missing(v) else np.datetime64(_naive(v), "us") for v in values]
    return np.array(listed, dtype="M8[us]")


def _naive(value: Any) -> Any:
    """A moment without its zone, in universal time."""
    from datetime import UTC

    zone = getattr(value, "tzinfo", None)
    return value if zone is None else value.astimezone(UTC).replace(tzinfo=None)


def _sorted(values: NDArray[Any], codes: Indices) -> tuple[NDArray[Any], Indices]:
    """Distinct present values in order, and codes to match; -1 is missing."""
    if values.dtype.kind == "O":
        absent = np.array([value is None for value in values], dtype=bool)
    else:
        absent = np.isnat(values) if values.dtype.kind == "M" else np.isnan(values)
    kept, number = np.unique(values[~absent], return_inverse=True)
    place = np.full(len(values) + 1, -1, dtype=np.intp)
    place[np.flatnonzero(~absent)] = number
    return kept, place[codes]
