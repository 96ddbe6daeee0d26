"""Text files of cells (CSV and its relatives) → SQL that reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from stylobate.data.reading.connection import first_line, identifier, literal
from stylobate.data.reading.dialect import DELIMITERS, Dialect, detect_dialect
from stylobate.data.reading.encoding import (
    LONGEST_LINE,
    Encoding,
    detect_encoding,
    is_clean,
    write_utf8,
)
from stylobate.data.reading.errors import refuse
from stylobate.data.reading.header import Header, find_header
from stylobate.data.reading.notation import read_notations, text_of
from stylobate.data.reading.source import head_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MOST_COLUMNS = 10_000
_NAMED = 5  # ragged rows named in a note


class Delimited(NamedTuple):
    """What the first lines of a file say: encoding, delimiter, header."""

    path: Path
    encoding: Encoding
    dialect: Dialect
    header: Header

    @property
    def notes(self) -> tuple[str, ...]:
        """What was found, in words."""
        mark = {"\t": "tab"}.get(self.dialect.delimiter, repr(self.dialect.delimiter))
        found: tuple[str, ...] = (
            f"encoding {self.encoding.name} ({self.encoding.reason})",
            f"delimiter {mark}",
        )
        if self.dialect.width == 1 and any(m in self.header.names[0] for m in DELIMITERS):
            found += ("one column only: is the delimiter right?",)
        return (*found, *self.header.notes)


def look_at(path: Path, encoding: str | None, delimiter: str | None) -> Delimited:
    """Read the first lines of a file, and nothing else."""
    head = head_of(path)
    if b"\n" not in head[:-1] and head.count(b"\r") > 1:
        head = head.replace(b"\r", b"\n")
    found = Encoding(encoding, "as asked") if encoding else detect_encoding(head)
    try:
        text = head.decode(found.name, errors="replace").lstrip("\ufeff")
    except LookupError:
        refuse(str(path), f"there is no encoding {encoding!r}; 'utf-8', 'cp1252' or 'big5' are.")
    dialect = detect_dialect(text, delimiter)
    if max(dialect.width, len(dialect.rows[0].cells)) > MOST_COLUMNS:
        refuse(
            str(path),
            f"{dialect.width} columns are more than the {MOST_COLUMNS} a table may have here; "
            f"keep such data as Parquet or as a NumPy array.",
        )
    return Delimited(path, found, dialect, find_header(dialect))


def agree(files: Sequence[Delimited]) -> None:
    """Refuse files of one pattern that do not have the same columns."""
    first = files[0]
    for other in files[1:]:
        if other.header.names != first.header.names:
            odd = sorted(set(other.header.names) ^ set(first.header.names))[:5]
            refuse(str(other.path), f"its columns differ from those of {first.path}: {odd}.")


def as_text(file: Delimited, folder: Path) -> tuple[Path, tuple[str, ...]]:
    """A file DuckDB reads: itself if it is UTF-8 without oddities, else a copy that is."""
    encoding = file.encoding.name
    if is_clean(file.path, encoding):
        return file.path, ()
    target = folder / f"{len(list(folder.iterdir()))}.csv"
    strays = write_utf8(file.path, encoding, target)
    if strays:
        return target, (f"{strays} bytes that are not {encoding} read as cp1252",)
    return target, ()


def _scan(path: Path, file: Delimited, names: Sequence[str], options: str) -> str:
    columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in names)
    return (
        f"read_csv({literal(str(path))}, auto_detect=false, header=false, "
        f"delim={literal(file.dialect.delimiter)}, quote='\"', escape='\"', "
        f"compression={literal(_compression(path))}, "
        f"skip={file.header.skip}, columns={{{columns}}}, "
        f"max_line_size={LONGEST_LINE}, {options})"
    )


def _compression(path: Path) -> str:
    with path.open("rb") as file:
        return "gzip" if file.read(2) == b"\x1f\x8b" else "none"


def plan(
    connection: DuckDBPyConnection,
    files: Sequence[Delimited],
    folder: Path,
    missing: Sequence[str],
    typed: bool,
) -> tuple[str, tuple[str, ...]]:
    """SQL that reads the files as one table with types, and what was found on the way."""
    scans, notes = [], []
    names: tuple[str, ...] = files[0].header.names
    for file in files:
        path, said = as_text(file, folder)
        ragged = _ragged(connection, path, file)
        wide, more = _widened(file, ragged)
        names = wide if len(wide) > len(names) else names
        scans.append(
            (
                path,
                file,
                wide,
                "null_padding=true, parallel=false" if ragged else "strict_mode=true",
            )
        )
        notes += [*said, *more]
    table = " UNION ALL BY NAME ".join(f"SELECT * FROM {_scan(*scan)}" for scan in scans)
    table = f"({table})"
    if typed:
        found = read_notations(connection, table, names, files[0].dialect.delimiter, missing)
        expressions, notes = found.expressions, [*notes, *found.notes]
    else:
        expressions = tuple(text_of(name, missing) for name in names)
    chosen = ", ".join(f"{e} AS {identifier(n)}" for e, n in zip(expressions, names, strict=True))
    return f"SELECT {chosen} FROM {table}", tuple(notes)


class Ragged(NamedTuple):
    """A row with too few or too many cells: its line in the file and its text."""

    line: int
    text: str


def _ragged(connection: DuckDBPyConnection, path: Path, file: Delimited) -> list[Ragged]:
    """The rows of a file whose number of cells is not that of its header."""
    import duckdb

    options = "store_rejects=true, rejects_limit=10000"
    try:
        connection.execute(
            f"SELECT count(*) FROM {_scan(path, file, file.header.names, options)}"
        ).fetchall()
    except duckdb.Error as error:
        refuse(str(file.path), f"it cannot be read as a table: {first_line(error)}")
    rows = connection.execute(
        "SELECT line, any_value(csv_line), any_value(error_type::VARCHAR) FROM reject_errors "
        "GROUP BY line ORDER BY line"
    ).fetchall()
    connection.execute("DROP TABLE reject_errors; DROP TABLE reject_scans")
    for line, _, kind in rows:
        if "COLUMNS" not in kind:
            refuse(
                str(file.path),
                f"line {line} cannot be taken apart ({kind.lower()}): a quote is misplaced.",
            )
    return [Ragged(int(line), text or "") for line, text, _ in rows]


def _widened(file: Delimited, ragged: Sequence[Ragged]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names with further ones for the longest row, and where the ragged rows are."""
    names = file.header.names
    if not ragged:
        return names, ()
    widest = max(
        len(detect_dialect(r.text, file.dialect.delimiter).rows[0].cells or [""]) if r.text else 0
        for r in ragged
    )
    extra = tuple(f"beyond_{k + 1}" for k in range(max(0, widest - len(names))))
    lines = ", ".join(str(r.line) for r in ragged[:_NAMED]) + (
        ", …" if len(ragged) > _NAMED else ""
    )
    note = (
        f"{len(ragged)} rows have not {len(names)} cells (lines {lines}); missing cells are empty"
    )
    if extra:
        note += f", cells beyond the header are in {', '.join(extra[:3])}"
    return (*names, *extra), (note,)
