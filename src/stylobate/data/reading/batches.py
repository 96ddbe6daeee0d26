"""Rows in batches, one in memory at a time, as often as asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidParameterError, UnsupportedDataError

LIBRARIES = ("pandas", "polars", "pyarrow", "numpy")


class Batches:
    """An iterable that begins anew each time; calling it gives an iterator (for `fit_batches`)."""

    def __init__(self, start: Callable[[], Iterator[Any]], words: str) -> None:
        """Take the function that begins a pass."""
        self._start = start
        self._words = words

    def __iter__(self) -> Iterator[Any]:
        """Begin a pass."""
        return self._start()

    def __call__(self) -> Iterator[Any]:
        """Begin a pass."""
        return self._start()

    def __repr__(self) -> str:
        """Say what comes."""
        return self._words


def check_library(library: str | None) -> str:
    """A library by name, the first one installed if None."""
    if library is None:
        return next((name for name in LIBRARIES[:3] if find_spec(name)), "numpy")
    if library not in LIBRARIES:
        raise InvalidParameterError(
            f"read: library={library!r} is not one of {', '.join(LIBRARIES)}."
        )
    return library


def frame_of(result: Any, library: str) -> Any:
    """All rows of a result as a frame."""
    if library == "numpy":
        return result.fetchnumpy()
    if library == "pandas":
        return result.df()
    _need_pyarrow(library)
    return _convert(result.to_arrow_table(), library)


def frames_of(
    cursor: Any, sql: str, types: Mapping[str, str], rows: int, library: str
) -> Iterator[Any]:
    """The rows of a query, a frame at a time; Python's own values where pyarrow is missing."""
    if find_spec("pyarrow"):
        import pyarrow

        result = cursor.sql(sql)
        start = getattr(result, "to_arrow_reader", None) or result.fetch_arrow_reader
        for batch in start(rows):
            yield _convert(pyarrow.Table.from_batches([batch]), library)
        return
    if library != "pandas":
        _need_pyarrow(library)
    cursor.execute(sql)
    while part := cursor.fetchmany(rows):
        columns = {
            name: _array(values, kind)
            for (name, kind), values in zip(types.items(), zip(*part, strict=True), strict=True)
        }
        if library == "numpy":
            yield columns
        else:
            import pandas

            yield pandas.DataFrame(columns)


def _need_pyarrow(library: str) -> None:
    if library in ("polars", "pyarrow") and not find_spec("pyarrow"):
        raise UnsupportedDataError(
            f"read: library={library!r} needs pyarrow here; install it, or ask for 'pandas' or "
            "'numpy'."
        )


_DTYPES = {"DOUBLE": "f8", "FLOAT": "f4", "DATE": "M8[D]", "TIMESTAMP": "M8[us]"}


def _array(values: Sequence[Any], kind: str) -> Any:
    if kind in _DTYPES:
        return np.array(values, dtype=_DTYPES[kind])
    if "INT" in kind:
        return np.array(values, dtype="f8" if None in values else "i8")
    return np.array(values, dtype=bool if kind == "BOOLEAN" and None not in values else object)


def _convert(table: Any, library: str) -> Any:
    """A pyarrow table as a frame of another library, or as a dictionary of NumPy arrays."""
    if library == "pyarrow":
        return table
    if library == "pandas":
        return table.to_pandas()
    if library == "polars":
        import polars

        return polars.from_arrow(table)
    return {name: np.asarray(table.column(name).to_numpy()) for name in table.column_names}
