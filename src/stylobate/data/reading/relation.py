"""A table that has not been read yet: columns, rows on request, batches, frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from stylobate.data.kinds.schema import shortened
from stylobate.data.reading.batches import Batches, check_library, frame_of, frames_of
from stylobate.data.reading.connection import engine_errors
from stylobate.data.reading.engine_words import unreadable
from stylobate.data.reading.errors import refuse
from stylobate.data.reading.folder import room_for_copies
from stylobate.data.reading.parquet import Frames, quick_reader
from stylobate.data.reading.plain import PlainStream
from stylobate.data.reading.plan import Plan, Request, look, make_plan, names_of
from stylobate.data.reading.settle import TABLE
from stylobate.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from stylobate.data.kinds import Schema
    from stylobate.data.reading.delimited import Delimited
    from stylobate.data.reading.folder import Folder
    from stylobate.data.streams.columns import ColumnRoles
    from stylobate.data.streams.stream import Stream


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

    def __init__(self, request: Request, folder: Folder) -> None:
        """Keep the request, and the folder of copies as long as the relation lives."""
        self._request = request
        self._folder = folder

    @cached_property
    def _names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return names_of(self._request, self._files) or (self._plan.columns, ())

    @cached_property
    def _plan(self) -> Plan:
        self._state = self._request.source.state()  # passes hold the files against it
        with engine_errors(self.name), room_for_copies(self.name, self._folder.path):
            return make_plan(self._request, self._files)

    @cached_property
    def _files(self) -> list[Delimited]:
        return look(self._request)

    @cached_property
    def _quick_reader(self) -> Frames | None:
        """Who reads the rows of passes faster than DuckDB, if there is one."""
        return quick_reader(self)

    @property
    def name(self) -> str:
        """The source, as messages call it; never with a password."""
        return self._request.source.name

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
        if self.known_rows is not None:
            return self.known_rows
        with engine_errors(self.name):
            rows = self._execute(f"SELECT count(*) FROM ({self._plan.sql})").fetchall()
        return int(rows[0][0])

    @property
    def known_rows(self) -> int | None:
        """How many rows there are, if nothing has to be read to know it."""
        rows = self._plan.rows
        return self.__dict__.get("_length") if rows is None else int(rows.num_rows)

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

    @cached_property
    def schema(self) -> Schema:
        """The kind of every column, with the reason; counts are those of all rows."""
        from stylobate.data.reading.kinds import schema_of_rows

        plan = self._plan
        with engine_errors(self.name):
            return schema_of_rows(self._execute, plan.sql, plan.columns, plan.types)

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
        kept = self._plan.tables.get(TABLE)
        if kept is not None and check_library(library) == "pyarrow":
            return kept
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
            with engine_errors(self.name):
                for frame in frames_of(self._cursor(), self._plan.sql, self.types, rows, library):
                    yield _apart(frame, apart, library)

        return Batches(start, f"Batches of at most {rows} rows of {self.name}")

    def lines(self, rows: Iterable[int]) -> dict[int, int]:
        """The lines of a text file in which some rows begin, the first line being 1.

        Parameters
        ----------
        rows : iterable of int
            The first row being 0.

        Returns
        -------
        dict
            Empty for sources that are not one text file.
        """
        from stylobate.data.reading.lines import lines_of

        if self._request.source.format != "csv" or len(self._files) != 1:
            return {}
        return lines_of(self._files[0], rows, self._request.folder)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """All rows as a stream of Arrow batches, one in memory at a time; pyarrow is not needed.

        So that polars, pyarrow, narwhals, DuckDB and `stylobate.explore` take a relation as it is.
        """
        kept = self._plan.rows
        rows = self._execute(self._plan.sql) if kept is None else kept
        return rows.__arrow_c_stream__(requested_schema)

    def __stylobate_stream__(self, roles: ColumnRoles) -> Stream:
        """The rows as a stream of some columns: what estimators learn from."""
        from stylobate.data.reading.passes import stream_of

        return stream_of(self, roles)

    def streams(self) -> Iterator[Any] | None:
        """Streams of parts of the rows, one after the other; None where there is only one."""
        rows = self._plan.rows
        return rows.tables() if isinstance(rows, PlainStream) else None

    def _check_column(self, name: str) -> None:
        if name not in self.columns:
            refuse(
                self.name,
                f"there is no column {name!r}; there are {', '.join(self.columns[:20])}.",
            )

    def _frame(self, sql: str, library: str | None) -> Any:
        with engine_errors(self.name):
            return frame_of(self._execute(sql), check_library(library))

    def _cursor(self) -> Any:
        """A connection of its own, with the tables of the plan."""
        plan = self._plan
        cursor = plan.connection.cursor()
        for name, table in plan.tables.items():  # each cursor has names of its own
            cursor.register(name, table)
        if self._request.source.format == "duckdb":
            cursor.execute("USE source")
        return cursor

    def _unreadable(self, error: BaseException) -> str:
        """The refusal of rows that could not be read when a pass came to them."""
        return f"read: {self.name}: {unreadable(self.name, error)}"

    def _execute(self, sql: str) -> Any:
        """The result of some SQL."""
        with engine_errors(self.name):
            return self._cursor().sql(sql)

    def __repr__(self) -> str:
        """Name the source, its columns, and what was found; reads the first lines only."""
        source = self._request.source
        count = len(self.columns)
        shown = ", ".join(map(shortened, self.columns[:8])) + (", …" if count > 8 else "")
        columns = "1 column" if count == 1 else f"{count} columns"
        lines = [f"Relation: {source.name} ({source.format}), {columns}"]
        return "\n  ".join([*lines, shown, *(f"- {note}" for note in self.notes)])


def _check_rows(rows: object, least: int) -> None:
    if not isinstance(rows, int) or isinstance(rows, bool) or rows < least:
        raise InvalidParameterError(f"read: rows={rows!r} must be a whole number >= {least}.")


def _apart(frame: Any, names: list[str], library: str) -> Any:
    """A frame without some columns, and these columns as arrays."""
    if not names:
        return frame
    columns = [frame[name] for name in names]
    if library == "pyarrow":
        features = frame.drop_columns(names)
    elif library == "numpy":
        features = {name: values for name, values in frame.items() if name not in names}
        return (features, *columns)
    else:
        features = frame.drop(columns=names) if library == "pandas" else frame.drop(names)
    return (features, *(column.to_numpy() for column in columns))
