"""Text files of cells (CSV and its relatives) → SQL that reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from stylobate.data.reading.census import Census, take_census
from stylobate.data.reading.dialect import DELIMITERS, Dialect, detect_dialect
from stylobate.data.reading.encoding import Encoding, detect_encoding, write_utf8
from stylobate.data.reading.errors import refuse
from stylobate.data.reading.guess import Guess, guess
from stylobate.data.reading.header import Header, find_header
from stylobate.data.reading.packed import head_of, plain_file
from stylobate.data.reading.plain import plain_file_of, read_plain
from stylobate.data.reading.scan import Scan
from stylobate.data.reading.settle import Settled, Settling
from stylobate.data.reading.source import HEAD, NO_TEXT

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MOST_COLUMNS = 10_000
_UTF8 = ("utf-8", "utf-8-sig")
_CODE = re.compile(r"[-+]?0\d+")  # no number, as the census finds them
STORED = 1 << 29  # bytes of text up to which the rows are kept once they have been taken apart


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
    head = head_of(path, str(path), HEAD)
    if b"\n" not in head[:-1] and head.count(b"\r") > 1:
        head = head.replace(b"\r", b"\n")
    found = Encoding(encoding, "as asked") if encoding else detect_encoding(head)
    if found is None:
        refuse(str(path), NO_TEXT)
    try:
        text = head.decode(found.name, errors="replace").lstrip("\ufeff")
    except LookupError:
        refuse(str(path), f"there is no encoding {encoding!r}; 'utf-8', 'cp1252' or 'big5' are.")
    dialect = detect_dialect(text, delimiter)
    if not dialect.rows:
        refuse(str(path), "the file is empty.")
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
        if sorted(other.header.names) != sorted(first.header.names):
            odd = sorted(set(other.header.names) ^ set(first.header.names))[:5]
            refuse(str(other.path), f"its columns differ from those of {first.path}: {odd}.")


def _as_text(file: Delimited, path: Path, folder: Path) -> tuple[Path, Census, tuple[str, ...]]:
    """A file DuckDB reads: `path` itself if it is UTF-8 without oddities, else a copy that is."""
    encoding, delimiter, name = file.encoding.name, file.dialect.delimiter, str(file.path)
    if encoding in _UTF8:
        census = take_census(path, delimiter, name)
        if census.clean:
            return path, census, ()
    target = folder / f"{len(list(folder.iterdir()))}.csv"
    strays = write_utf8(path, encoding, target)
    said = (f"{strays} bytes that are not {encoding} read as cp1252",) if strays else ()
    return target, take_census(target, delimiter, name), said


def plan(
    connection: DuckDBPyConnection,
    files: Sequence[Delimited],
    folder: Path,
    missing: Sequence[str],
    typed: bool,
) -> Settled:
    """SQL that reads the files as one table with types, and what was found on the way."""
    paths = [plain_file(file.path, str(file.path), folder) for file in files]
    settled = _plan_plain(connection, files, paths, missing) if typed else None
    if settled is not None:
        return settled
    scans: list[Scan] = []
    censuses: list[Census] = []
    notes: list[str] = []
    for file, path in zip(files, paths, strict=True):
        path, census, said = _as_text(file, path, folder)
        spellings = (*census.missing, *missing)
        scans.append(
            Scan(
                path,
                str(file.path),
                file.dialect.delimiter,
                file.header.skip,
                file.header.names,
                spellings,
                census.longest_line,
            )
        )
        censuses.append(census)
        notes += said
    size = sum(census.n_bytes for census in censuses)
    guesses = (
        _guesses(files, censuses) if typed else dict.fromkeys(scans[0].names, Guess("VARCHAR"))
    )
    settled = Settling(connection, scans, guesses, missing=missing, store=size <= STORED).run()
    return settled._replace(notes=(*notes, *settled.notes))


def _plan_plain(
    connection: DuckDBPyConnection,
    files: Sequence[Delimited],
    paths: Sequence[Path],
    missing: Sequence[str],
) -> Settled | None:
    """The plan of one file that is plain in every cell; None if it is not."""
    file, path = files[0], paths[0]
    if len(files) > 1 or file.encoding.name not in _UTF8:
        return None
    guesses, store = _guesses(files, ()), path.stat().st_size <= STORED
    delimiter, skip, names = file.dialect.delimiter, file.header.skip, file.header.names
    found = plain_file_of(path, delimiter, skip, guesses, missing)
    if found is None or not (store or all(map(_is_settled, guesses.values()))):
        return None
    plain = read_plain(found, keep=store)
    if plain is None or not (store or _has_no_blanks(plain.facts, guesses)):
        return None
    spelled = (*plain.spelled, *missing)
    scan = Scan(path, str(file.path), delimiter, skip, names, spelled, plain.longest_line)
    return Settling(connection, [scan], guesses, missing=missing, store=store, plain=plain).run()


def _is_settled(found: Guess) -> bool:
    """Whether nothing is left to be found out about a column once its cells are plain."""
    return found.read_as != "VARCHAR" or not (found.candidates or found.padded)


def _has_no_blanks(facts: Mapping[str, list[Any]], guesses: Mapping[str, Guess]) -> bool:
    return not any(facts[n][1] for n, found in guesses.items() if found.read_as == "VARCHAR")


def _guesses(files: Sequence[Delimited], censuses: Sequence[Census]) -> dict[str, Guess]:
    """A guess for every column; files of a pattern are looked at together."""
    found: dict[str, Guess] = {}
    formats: dict[str, str | None] = {}
    names = files[0].header.names
    rows = [row.cells for file in files for row in file.dialect.rows if row.line > file.header.skip]
    delimiter = files[0].dialect.delimiter
    for j, name in enumerate(names):
        cells = [row[j] for row in rows if len(row) > j]
        odd = any(c.odd_columns is None or j in c.odd_columns for c in censuses)
        each = guess(cells, odd or any(map(_CODE.fullmatch, cells)), delimiter)
        if each.format and formats.setdefault(each.read_as, each.format) != each.format:
            each = each.as_text(delimiter)  # DuckDB takes one format per type
        found[name] = each
    return found
