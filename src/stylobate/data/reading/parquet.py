"""Parquet files through polars or pyarrow where installed: half of DuckDB's time, less memory.

Which columns there are and what type each has is DuckDB's word. Another reader is asked for the
rows only where it names the same columns and gives them in the same types of Arrow, so that cells
come out the same whoever reads them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from stylobate import _core
from stylobate.data.arrow_types import type_of
from stylobate.data.reading.connection import engine_errors, identifier, literal
from stylobate.data.reading.engine_words import unreadable
from stylobate.data.reading.errors import refuse
from stylobate.data.reading.scan import as_pattern
from stylobate.data.streams.ahead import ahead
from stylobate.exceptions import InvalidDataError

if TYPE_CHECKING:
    from stylobate.data.reading.relation import Relation

Frames = Callable[[Path, Sequence[str]], Iterator[Any]]

_CELLS = 1 << 21  # of a batch of pyarrow's
_GROUP_BYTES = 64 << 20  # polars keeps whole row groups: beyond, pyarrow needs less memory
_BUFFER = 1 << 20  # bytes of a column that pyarrow reads at a time
_SAME = ("bool", "int", "uint", "float", "text", "date", "timestamp", "decimal")
_process = os.getpid()


class ParquetRows(NamedTuple):
    """Some columns of Parquet files as streams of Arrow, a batch of rows each."""

    name: str
    paths: tuple[Path, ...]
    columns: tuple[str, ...]
    frames: Frames

    def streams(self) -> Iterator[Any]:
        """The batches in the order of the files and of their rows."""
        for path in self.paths:
            with _one_sentence(self.name):
                yield from self.frames(path, self.columns)


def quick_reader(relation: Relation) -> Frames | None:
    """A reader that gives the rows of a relation as DuckDB would, if one is installed."""
    source = relation._request.source
    if source.format != "parquet" or os.getpid() != _process:  # threads of polars end at a fork
        return None
    with engine_errors(relation.name):
        kinds = _kinds(relation._execute(f"SELECT * FROM ({relation._plan.sql}) LIMIT 0"))
    if not all(kind.startswith(_SAME) for kind in kinds.values()):
        return None
    for name in _readers(relation):
        frames, schema = _READERS[name]
        if all(_agrees(schema, path, kinds) for path in source.paths):
            return frames
    return None


def _readers(relation: Relation) -> list[str]:
    """The readers there are, the best for the row groups of the files first."""
    found = [name for name in _READERS if find_spec(name)]
    if len(found) > 1 and _largest_group(relation) > _GROUP_BYTES:
        found.reverse()
    return found


def _largest_group(relation: Relation) -> int:
    """The bytes of the largest row group."""
    tables = (
        f"SELECT * FROM parquet_metadata({literal(as_pattern(path))})"
        for path in relation._request.source.paths
    )
    groups = (
        "SELECT sum(total_uncompressed_size) AS size FROM "
        f"({' UNION ALL '.join(tables)}) GROUP BY {identifier('file_name')}, row_group_id"
    )
    rows = relation._execute(f"SELECT max(size) FROM ({groups})").fetchall()
    return int(rows[0][0] or 0)


def _agrees(schema: Callable[[Path], Any], path: Path, kinds: dict[str, str]) -> bool:
    """Whether a reader sees the same columns, in the same types, in a file."""
    try:
        return _kinds(schema(path)) == kinds
    except Exception:  # whatever it cannot read is DuckDB's
        return False


def _kinds(origin: Any) -> dict[str, str]:
    """The types of the columns of an Arrow stream, in words."""
    stream = _core.ArrowStream(origin.__arrow_c_stream__())
    return {name: type_of(form) for name, form in stream.schema()}


@contextmanager
def _one_sentence(name: str) -> Iterator[None]:
    """Errors of a reader, in words; polars panics where a file is damaged."""
    try:
        with engine_errors(name):
            yield
    except InvalidDataError:
        raise
    except (OSError, ValueError) as error:
        refuse(name, unreadable(name, error))
    except BaseException as error:
        if type(error).__name__ not in ("PanicException", "ComputeError"):
            raise
        refuse(name, unreadable(name, error))


def _polars_scan(path: Path) -> Any:
    import polars as pl

    lazy = pl.scan_parquet(path, glob=False, hive_partitioning=False)
    words = [
        pl.col(name).cast(pl.String)
        for name, kind in lazy.collect_schema().items()
        if isinstance(kind, pl.Categorical | pl.Enum)
    ]
    return lazy.with_columns(words) if words else lazy


def _polars_schema(path: Path) -> Any:
    lazy = _polars_scan(path)
    _ = lazy.collect_batches  # which older ones do not have
    return lazy.head(0).collect()


def _polars_frames(path: Path, columns: Sequence[str]) -> Iterator[Any]:
    lazy = _polars_scan(path).select(list(columns))
    yield from lazy.collect_batches(maintain_order=True)  # as the row groups are: nothing is copied


def _pyarrow_schema(path: Path) -> Any:
    import pyarrow.parquet as pq

    return pq.read_schema(path).empty_table()


def _pyarrow_frames(path: Path, columns: Sequence[str]) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = max(min(_CELLS // len(columns), 1 << 16), 1 << 12)
    with pq.ParquetFile(path, pre_buffer=False, buffer_size=_BUFFER) as file:
        batches = file.iter_batches(rows, columns=list(columns))
        for batch in ahead(batches):  # DuckDB and polars have threads of their own for it
            yield pa.Table.from_batches([batch])


_READERS: dict[str, tuple[Frames, Callable[[Path], Any]]] = {
    "polars": (_polars_frames, _polars_schema),
    "pyarrow": (_pyarrow_frames, _pyarrow_schema),
}
