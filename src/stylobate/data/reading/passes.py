"""A relation as a stream: every pass reads the columns asked for again, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from stylobate.data.interrupts import as_keyboard_interrupt
from stylobate.data.reading.connection import identifier
from stylobate.data.reading.errors import refuse
from stylobate.data.reading.parquet import ParquetRows
from stylobate.data.streams.arrow import batches_of
from stylobate.data.streams.columns import ColumnRoles
from stylobate.data.streams.stream import Batch, Stream

if TYPE_CHECKING:
    from stylobate.data.reading.relation import Relation


def stream_of(relation: Relation, roles: ColumnRoles) -> Stream:
    """The stream of a relation's rows, with their target and weights apart."""
    roles.columns(relation.columns)  # refuses names that are not there before anything is read
    paths = relation._request.source.paths
    state = relation._request.source.state
    _ = relation._plan
    if state() != relation._state:
        refuse(relation.name, "it was written to, replaced or removed since; read it again.")

    def start(roles: ColumnRoles = roles) -> Iterator[Batch]:
        with as_keyboard_interrupt():
            yield from batches_of(_rows(relation, roles.columns(relation.columns)), roles)

    def targets() -> Iterator[Batch]:
        return start(replace(roles, features=()))

    size = sum(path.stat().st_size for path in paths if path.exists()) or None
    length, known = _length(relation), state if paths else None
    return Stream(
        start, relation.name, True, length, known, size, targets if roles.target else None
    )


def _rows(relation: Relation, wanted: tuple[str, ...]) -> Any:
    """Something that gives the columns as Arrow's stream (or streams): those kept, or a query."""
    if relation._plan.rows is not None:
        return relation
    if wanted and relation._quick_reader is not None:
        paths = relation._request.source.paths
        return ParquetRows(relation.name, paths, wanted, relation._quick_reader)
    names = ", ".join(map(identifier, wanted))
    return _Query(relation, relation._execute(f"SELECT {names} FROM ({relation._plan.sql})"))


@dataclass(frozen=True)
class _Query:
    """Rows of a query, whose errors name the relation."""

    relation: Relation
    rows: Any

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.rows.__arrow_c_stream__(requested_schema)

    def _unreadable(self, error: BaseException) -> str:
        return self.relation._unreadable(error)


def _length(relation: Relation) -> int | None:
    """How many rows, where that costs nothing: Parquet files say it."""
    if relation._request.source.format in ("parquet", "duckdb"):
        return len(relation)
    return relation.known_rows
