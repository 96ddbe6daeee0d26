"""The columns a formula reads, by name, from any table that has named columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices, Mask
from stylobate.data.words import kind_of
from stylobate.exceptions import FormulaError, InvalidDataError


@dataclass(frozen=True, eq=False)
class Frame:
    """Named columns of one length, each an array or a series of narwhals.

    Examples
    --------
    >>> frame = Frame.of({"x": [1.0, 2.0], "city": ["Oslo", "Rome"]}, "model")
    >>> frame.names, frame.is_factor("city")
    (('x', 'city'), True)
    """

    columns: Mapping[str, Any]
    n_rows: int
    owner: str

    @classmethod
    def of(cls, data: Any, owner: str) -> Frame:
        """Take a data frame, or a mapping of names to columns, through the door.

        Rows that are read on request (files, relations, lazy frames) are collected, up to the
        setting `collect_limit`.
        """
        if isinstance(data, Frame):
            return data
        if isinstance(data, Mapping):
            return _from_mapping(data, owner)
        from stylobate.data.mixed_columns import read_mixed_columns
        from stylobate.data.streams import is_stream, open_rows

        if is_stream(data):
            from stylobate.data.streams.collection import collect

            rows = open_rows(data, owner).stream.map(_as_table)
            data = collect(rows, owner, "all rows").x
        found = read_mixed_columns(_as_table(data), owner=owner)
        if found.names is None:
            raise InvalidDataError(
                f"{owner}: a formula finds its columns by name, and the data have none; pass a "
                "data frame or a mapping of names to columns."
            )
        return cls(dict(zip(found.names, found.values, strict=True)), found.n_rows, owner)

    def of_rows(self, kept: Indices) -> Frame:
        """Some of the rows."""
        if len(kept) == self.n_rows:
            return self
        columns = {name: values[kept] for name, values in self.columns.items()}
        return Frame(columns, len(kept), self.owner)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all columns."""
        return tuple(self.columns)

    def column(self, name: str) -> Any:
        """A column; a misspelt name is refused with the nearest one."""
        if name in self.columns:
            return self.columns[name]
        raise FormulaError(f"{self.owner}: there is no column {name!r}{self._nearest(name)}")

    def _nearest(self, name: str) -> str:
        folded = {each.casefold(): each for each in self.columns}
        close = get_close_matches(name.casefold(), list(folded), 1, cutoff=0.5)
        if close:
            return f"; did you mean {folded[close[0]]!r}?"
        shown = ", ".join(map(repr, self.names[:8]))
        return f"; there are {shown}{' …' if len(self.names) > 8 else '.'}"

    def is_factor(self, name: str) -> bool:
        """Whether a column holds texts, categories or truth values."""
        values = self.column(name)
        if isinstance(values, np.ndarray):
            if values.dtype.kind != "O":
                return values.dtype.kind in "bUSOT"
            some = next((each for each in values if not _is_missing(each)), None)
            return isinstance(some, str | bool | np.bool_)
        import narwhals as nw

        if values.dtype == nw.Object:
            some = next((each for each in values.to_list() if not _is_missing(each)), None)
            return isinstance(some, str | bool)
        kinds: Any = (nw.String, nw.Categorical, nw.Enum, nw.Boolean)
        return any(values.dtype == kind for kind in kinds)

    def is_label(self, name: str) -> bool:
        """Whether a column holds texts or categories, of which no number is computed."""
        return self.is_factor(name) and not self._is_truth(self.columns[name])

    def numbers(self, name: str) -> Array:
        """A column as float64, missing values as NaN."""
        values = self.column(name)
        if self.is_label(name):
            raise FormulaError(
                f"{self.owner}: column {name!r} holds texts where a number is computed; as a "
                f"factor it is written {name} or C({name}), by itself."
            )
        array = values if isinstance(values, np.ndarray) else values.to_numpy()
        try:
            if array.dtype.kind == "O":
                array = np.array([np.nan if _is_missing(each) else each for each in array])
            if array.dtype.kind not in "fiub":
                raise TypeError
            return np.asarray(array, dtype=np.float64)
        except (TypeError, ValueError):
            raise FormulaError(
                f"{self.owner}: column {name!r} ({array.dtype}) holds no numbers; turn dates and "
                "durations into numbers first."
            ) from None

    @staticmethod
    def _is_truth(values: Any) -> bool:
        if isinstance(values, np.ndarray):
            return bool(values.dtype.kind == "b")
        import narwhals as nw

        return bool(values.dtype == nw.Boolean)

    def labels(self, name: str) -> NDArray[np.object_]:
        """A column as Python values, missing ones as None."""
        values = self.column(name)
        if not isinstance(values, np.ndarray):
            if not (values.dtype.is_numeric() or _is_plain(values)):
                return _as_labels(values.to_list())
            values = values.to_numpy() if values.dtype.is_numeric() else values.to_list()
        if isinstance(values, list) or values.dtype.kind == "U":
            found = np.empty(len(values), dtype=object)
            found[:] = values
            return found
        if values.dtype.kind not in "fiub":
            return _as_labels(values.tolist())
        distinct, place = np.unique(values, return_inverse=True)  # a few, as a rule
        return _as_labels(distinct.tolist())[place.reshape(-1)]

    def categories(self, name: str) -> list[Any] | None:
        """The order of a categorical column's own levels; None for other columns."""
        values = self.column(name)
        if isinstance(values, np.ndarray):
            return None
        import narwhals as nw

        if values.dtype == nw.Categorical or values.dtype == nw.Enum:
            from narwhals.stable import v2  # which keeps the question for all categories

            series = v2.from_native(values.to_native(), series_only=True)
            return [_plain(each) for each in series.cat.get_categories().to_list()]
        return None

    def missing(self, name: str) -> Mask:
        """Which rows of a column are missing."""
        values = self.column(name)
        if isinstance(values, np.ndarray):
            if values.dtype.kind == "f":
                return np.isnan(values)
            if values.dtype.kind != "O":
                return np.zeros(len(values), dtype=bool)
            return np.array([_is_missing(each) for each in values], dtype=bool)
        gone = values.is_null()
        if values.dtype.is_float():
            gone = gone | values.is_nan().fill_null(True)
        return np.asarray(gone.to_numpy(), dtype=bool)


def _as_table(data: Any) -> Any:
    """A batch of Arrow's as a table, which narwhals knows; anything else as it is."""
    if kind_of(data) != "pyarrow.RecordBatch":
        return data
    import pyarrow as pa

    return pa.Table.from_batches([data])


def _is_plain(values: Any) -> bool:
    """Whether a series holds texts, categories or truth values, none missing."""
    import narwhals as nw

    kinds: Any = (nw.String, nw.Categorical, nw.Enum, nw.Boolean)
    return any(values.dtype == kind for kind in kinds) and not bool(values.is_null().any())


def _as_labels(listed: list[Any]) -> NDArray[np.object_]:
    found = np.empty(len(listed), dtype=object)
    found[:] = [None if _is_missing(each) else _plain(each) for each in listed]
    return found


def _from_mapping(data: Mapping[str, Any], owner: str) -> Frame:
    columns: dict[str, Any] = {}
    for name, values in data.items():
        column = np.asarray(values)
        if column.ndim != 1:
            raise InvalidDataError(
                f"{owner}: column {name!r} must be one-dimensional, got shape {column.shape}."
            )
        columns[str(name)] = column
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise InvalidDataError(f"{owner}: the columns differ in length: {lengths}.")
    return Frame(columns, next(iter(lengths.values()), 0), owner)


def _is_missing(value: Any) -> bool:
    return value is None or (not isinstance(value, str | bytes) and bool(value != value))


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
