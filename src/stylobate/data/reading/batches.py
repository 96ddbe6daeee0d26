"""Rows in batches, one in memory at a time, as often as asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidParameterError

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
    from importlib.util import find_spec

    if library is None:
        return next((name for name in LIBRARIES[:3] if find_spec(name)), "numpy")
    if library not in LIBRARIES:
        raise InvalidParameterError(
            f"read: library={library!r} is not one of {', '.join(LIBRARIES)}."
        )
    return library


def arrow_reader(relation: Any, rows: int) -> Any:
    """A stream of Arrow batches, under the name the installed DuckDB has for it."""
    start = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
    return start(rows)


def convert(batch: Any, library: str) -> Any:
    """A pyarrow table as a frame of another library, or as a dictionary of NumPy arrays."""
    if library == "pyarrow":
        return batch
    if library == "pandas":
        return batch.to_pandas()
    if library == "polars":
        import polars

        return polars.from_arrow(batch)
    return {name: np.asarray(batch.column(name).to_numpy()) for name in batch.column_names}
