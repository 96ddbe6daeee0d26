"""The table of a study: read once, in memory, every column under its name and of a known kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.column_table import ColumnTable
from stylobate.data.kinds import Schema, infer_schema
from stylobate.data.reading import Relation, read
from stylobate.data.streams import is_stream, open_rows
from stylobate.exceptions import InvalidDataError
from stylobate.study.table.large import LargeTable, read_large
from stylobate.study.table.partitions import read_partitions


@dataclass(frozen=True, eq=False)
class StudyTable:
    """Rows in memory with what is known of them.

    Attributes
    ----------
    name : str
        Of the source.
    columns : ColumnTable
    schema : Schema
        The kind of every column, with reasons.
    notes : tuple of str
        What the reader found and did.
    large : LargeTable or None
        All rows, where these are a sample of them.
    """

    name: str
    columns: ColumnTable
    schema: Schema
    notes: tuple[str, ...]
    large: LargeTable | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.columns)


def read_study_table(
    source: Any, memory: float = inf, holdout: float = 0.2, seed: int = 0
) -> StudyTable:
    """Whatever `stylobate.read` takes, as a table in memory; a sample of it if it is too large.

    Parameters
    ----------
    source : object
    memory : float
        Bytes from which on rows × columns × 8 is too much.
    holdout : float
        Share of the rows to lock away, where they are sampled.
    seed : int
        Of the sample.

    Examples
    --------
    >>> read_study_table("penguins").columns.shape
    (344, 8)
    """
    if isinstance(source, Mapping | ColumnTable):
        columns = source if isinstance(source, ColumnTable) else ColumnTable(source)
        if not len(columns):
            raise InvalidDataError("The table has no rows: there is nothing to study.")
        return StudyTable("table", columns, infer_schema(columns), ())
    if is_stream(source) and not isinstance(source, Relation):
        stream = open_rows(source, "study").stream
        if not getattr(stream, "here", True):
            columns, large = read_partitions(stream, memory, holdout, seed)
            return StudyTable(stream.name, columns, infer_schema(columns), (), large)
    relation = source if isinstance(source, Relation) else read(source)
    found = None if memory == inf else read_large(relation, int(memory), holdout, seed)
    if found is not None:
        columns, large = found
        return StudyTable(relation.name, columns, infer_schema(columns), relation.notes, large)
    columns = ColumnTable(relation.to_frame("numpy"))
    if not len(columns):
        raise InvalidDataError(f"{relation.name} has no rows: there is nothing to study.")
    return StudyTable(relation.name, columns, infer_schema(columns), relation.notes)


def fingerprint_of(table: ColumnTable) -> str:
    """A hash of names, types and all values, the same in every run."""
    from hashlib import blake2b

    digest = blake2b(digest_size=16)
    for name in table.columns:
        values = table[name]
        digest.update(f"{name}\0{values.dtype.str}\0".encode("utf-8", "surrogatepass"))
        digest.update(_bytes(values))
    return digest.hexdigest()


def fingerprint_of_column(values: NDArray[Any]) -> str:
    """A hash of the values of one column."""
    from hashlib import blake2b

    return blake2b(values.dtype.str.encode() + _bytes(values), digest_size=16).hexdigest()


def _bytes(values: NDArray[Any]) -> bytes:
    if values.dtype.kind != "O":
        return np.ascontiguousarray(values).tobytes()
    from stylobate.data.coding import code_column

    coded = code_column(values)
    listed = "\0".join(f"{type(v).__name__}:{v}" for v in coded.values.tolist())
    return listed.encode("utf-8", "surrogatepass") + coded.codes.tobytes()


def plain_cell(value: Any) -> Any:
    """A cell as JSON can hold it; None where it is missing.

    >>> plain_cell(np.float64("nan")) is None, plain_cell(np.int64(3)), plain_cell(b"x")
    (True, 3, "b'x'")
    """
    if isinstance(value, np.datetime64):
        return None if np.isnat(value) else _moment(value)
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or (isinstance(value, float) and value != value):
        return None
    return value if isinstance(value, bool | int | float | str) else str(value)


def _moment(value: np.datetime64) -> str:
    """A moment without the digits that are zero.

    >>> _moment(np.datetime64("2025-02-25T11:03:00.000000"))
    '2025-02-25T11:03'
    >>> _moment(np.datetime64("2025-02-25", "us"))
    '2025-02-25'
    """
    said = str(value)
    for tail in (".000000000", ".000000", ".000", ":00", "T00:00"):
        said = said.removesuffix(tail) if "T" in said else said
    return said
