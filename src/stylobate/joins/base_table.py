"""A table of a join: rows of any library, file or database as batches of NumPy columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np

from stylobate.data.arrow import column_batches
from stylobate.data.column_table import ColumnTable
from stylobate.data.streams import is_stream, open_rows
from stylobate.data.words import kind_of
from stylobate.engines.windows import MOST_ROWS
from stylobate.exceptions import InvalidDataError, UnsupportedDataError


class BaseTable:
    """Rows that a join reads, column by column, as often as asked.

    Parameters
    ----------
    origin : path, Relation, data frame, dict of arrays, lazy frame, DuckDB relation, dataset
        Whatever `stylobate.read` takes, and what it returns.
    name : str
        What the table is called in names of columns.

    Examples
    --------
    >>> table = BaseTable({"id": [1, 2], "age": [30.0, 41.0]}, "customers")
    >>> table.columns, table.whole(["age"])["age"].tolist()
    (('id', 'age'), [30.0, 41.0])
    """

    def __init__(self, origin: Any, name: str) -> None:
        if isinstance(origin, str | PathLike):
            from stylobate.data.reading import read

            origin = read(origin)
        if isinstance(origin, ColumnTable):
            origin = {each: origin[each] for each in origin.columns}
        self.origin, self.name = origin, name
        self.on_request = is_stream(origin)
        self.columns = column_names(origin, name)
        if isinstance(origin, Mapping):
            _refuse_ragged(origin, name)

    def batches(self, names: Sequence[str]) -> Iterator[ColumnTable]:
        """Some columns of all rows (at least one), in the order of the rows."""
        if self.on_request:
            stream = open_rows(self.origin, "join", features=list(names)).stream
            for batch in stream:
                if batch.n_rows:
                    yield _as_columns(batch.x)
            return
        for part in column_batches(_selected(self.origin, list(names)), MOST_ROWS):
            if part.n_rows:
                yield ColumnTable({each.name: each.shared() for each in part.columns})

    def hold(self) -> None:
        """Have a DuckDB relation in memory: its connection gives one result at a time."""
        if kind_of(self.origin) == "duckdb.DuckDBPyRelation":
            whole = self.whole(self.columns)
            self.origin, self.on_request = {each: whole[each] for each in self.columns}, False

    def whole(self, names: Sequence[str]) -> ColumnTable:
        """Some columns of all rows, in memory."""
        parts = list(self.batches(names))
        if not parts:
            raise InvalidDataError(f"join: {self.name} has no rows.")
        if len(parts) == 1:
            return parts[0]
        return ColumnTable({each: stacked([part[each] for part in parts]) for each in names})


def stacked(parts: list[Any]) -> Any:
    """Batches of a column, one below the other; whole numbers stay so where all of them are.

    >>> stacked([np.array([1]), np.array([2, 3])]).tolist()
    [1, 2, 3]
    """
    if any(part.dtype.kind == "O" for part in parts):
        parts = [part.astype(object) for part in parts]
    return np.concatenate(parts)


def column_names(origin: Any, name: str) -> tuple[str, ...]:
    """The names of a table's columns; refuses what has none, or one twice."""
    if isinstance(origin, Mapping):
        found = list(origin)
    elif hasattr(origin, "collect_schema") and hasattr(origin, "collect"):
        found = list(origin.collect_schema().names())
    elif hasattr(origin, "schema") and hasattr(origin, "count_rows"):  # Arrow's data sets
        found = list(origin.schema.names)
    elif hasattr(origin, "column_names"):
        found = list(origin.column_names)
    elif hasattr(origin, "columns"):
        found = list(origin.columns)
    elif isinstance(origin, np.ndarray) and origin.dtype.names:
        found = list(origin.dtype.names)
    else:
        raise UnsupportedDataError(
            f"join: {name} is {kind_of(origin)}, whose columns have no names; pass a data frame, a "
            "file, what stylobate.read returns, or a dict of arrays."
        )
    names = tuple(map(str, found))
    twice = sorted({each for each in names if names.count(each) > 1})
    if twice:
        raise InvalidDataError(f"join: {name} has several columns {twice[0]!r}; rename one.")
    return names


def _refuse_ragged(origin: Mapping[Any, Any], name: str) -> None:
    """Refuse columns of different lengths."""
    lengths = {
        str(column): len(cells) for column, cells in origin.items() if hasattr(cells, "__len__")
    }
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{column} {count}" for column, count in list(lengths.items())[:20])
        raise InvalidDataError(
            f"join: the columns of {name} have different numbers of rows ({shown}); each row needs "
            "a cell in every column."
        )


def _selected(origin: Any, names: list[str]) -> Any:
    if isinstance(origin, Mapping):
        return {name: np.asarray(origin[name]) for name in names}
    if isinstance(origin, np.ndarray):
        return {name: origin[name] for name in names}
    if hasattr(origin, "column_names"):
        return origin.select(names)
    import narwhals as nw

    frame: Any = nw.from_native(origin, pass_through=True)
    return frame.select(names).to_native() if hasattr(frame, "to_native") else origin[names]


def _as_columns(x: Any) -> ColumnTable:
    if isinstance(x, ColumnTable):
        return x
    parts = list(column_batches(x, max(len(x), 1)))
    names = parts[0].names
    taken = [{each.name: each.shared() for each in part.columns} for part in parts]
    return ColumnTable({name: stacked([part[name] for part in taken]) for name in names})
