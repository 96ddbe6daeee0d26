"""A table that has not been read yet: columns, rows on request, batches, frames."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from typing import Any

from stylobate.data.reading.batches import Batches, arrow_reader, check_library, convert
from stylobate.data.reading.connection import first_line
from stylobate.data.reading.errors import refuse
from stylobate.data.reading.plan import Plan, Request, make_plan, names_of
from stylobate.exceptions import InvalidParameterError

_SCHEMA_ROWS = 100_000  # enough to tell the kinds of columns


class Relation:
    """Rows of a source, read when asked for; made by `stylobate.read`.

    Attributes
    ----------
    columns : tuple of str
        Names, from the first lines.
    types : dict
        DuckDB's type of every column, proved on all rows.
    notes : tuple of str
        What was found and what was done about it.
    """

    def __init__(self, request: Request) -> None:
        """Keep the request; nothing is read."""
        self._request = request
        folder = tempfile.TemporaryDirectory(prefix="stylobate-")
        self._folder = folder
        weakref.finalize(self, folder.cleanup)

    @cached_property
    def _names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return names_of(self._request)

    @cached_property
    def _plan(self) -> Plan:
        return make_plan(self._request, self._folder.name)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self._plan.columns if "_plan" in self.__dict__ else self._names[0]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was found; more is known once rows have been read."""
        return self._names[1] + (self._plan.notes if "_plan" in self.__dict__ else ())

    @property
    def types(self) -> dict[str, str]:
        """DuckDB's type of every column."""
        return dict(zip(self._plan.columns, self._plan.types, strict=True))

    @cached_property
    def _length(self) -> int:
        rows = self._execute(f"SELECT count(*) FROM ({self._plan.sql})").fetchall()
        return int(rows[0][0])

    def __len__(self) -> int:
        """Count the rows."""
        return self._length

    def __bool__(self) -> bool:
        """Be true, without counting rows."""
        return True

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self), len(self._plan.columns)

    @property
    def schema(self) -> Any:
        """The kind of every column, from at most the first 100,000 rows."""
        kinds = import_module("stylobate.data.kinds")
        return kinds.infer_schema(self.head(_SCHEMA_ROWS))

    def head(self, rows: int = 5, library: str | None = None) -> Any:
        """The first rows as a frame.

        Parameters
        ----------
        rows : int >= 0, default=5
            How many.
        library : {"pandas", "polars", "pyarrow", "numpy"}, default=None
            As for `to_frame`.
        """
        _check_rows(rows, 0)
        return self._frame(f"{self._plan.sql} LIMIT {rows}", library)

    def to_frame(self, library: str | None = None) -> Any:
        """All rows as a data frame, in memory.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow", "numpy"}, default=None
            Of the frame; "numpy" gives a dictionary of arrays; None takes the first installed.
        """
        return self._frame(self._plan.sql, library)

    def batches(
        self,
        rows: int = 65_536,
        *,
        target: str | None = None,
        sample_weight: str | None = None,
        library: str | None = None,
    ) -> Batches:
        """Rows in batches, one in memory at a time.

        Parameters
        ----------
        rows : int >= 1, default=65536
            Of a batch, at most.
        target : str, default=None
            The column to predict: batches are then tuples ``(X, y)``, as `fit_batches` takes.
        sample_weight : str, default=None
            The column of weights, with `target`: tuples ``(X, y, sample_weight)``.
        library : {"pandas", "polars", "pyarrow", "numpy"}, default=None
            Of each batch, as for `to_frame`.

        Returns
        -------
        Batches
            Can be passed over several times; every pass reads the source again.
        """
        _check_rows(rows, 1)
        library = check_library(library)
        apart = [name for name in (target, sample_weight) if name is not None]
        for name in apart:
            self._check_column(name)
        if sample_weight is not None and target is None:
            raise InvalidParameterError("batches: sample_weight needs target as well.")

        def start() -> Iterator[Any]:
            for batch in arrow_reader(self._execute(self._plan.sql), rows):
                yield _split(batch, apart, library)

        return Batches(start, f"Batches of at most {rows} rows of {self._request.source.name}")

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """All rows as a stream of Arrow batches, one in memory at a time; pyarrow is not needed.

        So that polars, pyarrow, narwhals, DuckDB and `stylobate.explore` take a relation as it is.
        """
        return self._execute(self._plan.sql).__arrow_c_stream__(requested_schema)

    def _check_column(self, name: str) -> None:
        if name not in self.columns:
            refuse(
                self._request.source.name,
                f"there is no column {name!r}; there are {', '.join(self.columns[:20])}.",
            )

    def _frame(self, sql: str, library: str | None) -> Any:
        library = check_library(library)
        result = self._execute(sql)
        if library == "numpy":
            return result.fetchnumpy()
        return result.df() if library == "pandas" else convert(result.to_arrow_table(), library)

    def _execute(self, sql: str) -> Any:
        import duckdb

        try:
            cursor = self._plan.connection.cursor()
            if self._request.source.frame is not None:  # each cursor has names of its own
                cursor.register("frame", self._request.source.frame)
            if self._request.source.format == "duckdb":
                cursor.execute("USE source")
            return cursor.sql(sql)
        except duckdb.Error as error:
            refuse(self._request.source.name, f"it cannot be read: {first_line(error)}")

    def __repr__(self) -> str:
        """Name the source, its columns, and what was found; reads the first lines only."""
        source = self._request.source
        shown = ", ".join(self.columns[:8]) + (", …" if len(self.columns) > 8 else "")
        lines = [f"Relation: {source.name} ({source.format}), {len(self.columns)} columns"]
        return "\n  ".join([*lines, shown, *(f"- {note}" for note in self.notes)])


def _check_rows(rows: object, least: int) -> None:
    if not isinstance(rows, int) or isinstance(rows, bool) or rows < least:
        raise InvalidParameterError(f"read: rows={rows!r} must be a whole number >= {least}.")


def _split(batch: Any, apart: list[str], library: str) -> Any:
    import pyarrow

    table = pyarrow.Table.from_batches([batch])
    if not apart:
        return convert(table, library)
    features = convert(table.drop_columns(apart), library)
    return (features, *(table.column(name).to_numpy() for name in apart))
