"""Text tables that are plain in every cell: parsed by the core on all threads, without DuckDB."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from stylobate._core import PlainTable
from stylobate.data.kinds.spellings import ALWAYS_MISSING, MARKS
from stylobate.data.reading.dialect import DELIMITERS
from stylobate.data.reading.guess import Guess

if TYPE_CHECKING:
    import pyarrow as pa

_HEAD = 1 << 20  # bytes that must hold the header
_MARK = b"\xef\xbb\xbf"  # of UTF-8, before the first line
_MOST_SPELLINGS = 64
_LONGEST_SPELLING = 32  # bytes
_AS_THEY_ARE = tuple(text for text in ALWAYS_MISSING if text)


class Lines(NamedTuple):
    """Where the rows of a file begin and end, in bytes, and whether lines end in CR LF."""

    begin: int
    end: int
    returns: bool


class PlainRows(NamedTuple):
    """The rows of a plain table.

    Parameters
    ----------
    table : pyarrow.Table
        Columns of the types that were guessed; whole numbers as such.
    facts : dict
        What `gather` would find; columns of text in which numbers or dates are to be tried are not
        among them.
    spelled : mapping from str to int
        How often missing values are written which way.
    """

    table: Any
    facts: dict[str, list[Any]]
    spelled: Mapping[str, int]


def read_plain(
    path: Path, delimiter: str, skip: int, guesses: Mapping[str, Guess], missing: Sequence[str]
) -> PlainRows | None:
    """The rows of a UTF-8 file in the types that were guessed, or None if a cell is in doubt.

    In doubt is whatever DuckDB may not read as that type, or what another look at all rows may
    read otherwise: ragged rows, blank lines, quotes that span lines, codes such as 007, numbers
    from 2⁵³ on, fractions among whole numbers, other formats of dates, bytes that are no UTF-8.
    """
    spellings = tuple(dict.fromkeys((*_AS_THEY_ARE, *filter(None, missing))))
    lines = _lines_of(path, skip)
    if lines is None or not _is_simple(delimiter, spellings) or len(guesses) < 2:
        return None
    kinds = [_kind_of(found) for found in guesses.values()]
    blanks = [*ALWAYS_MISSING, *MARKS]
    table = PlainTable(str(path), *lines[:2], delimiter, lines.returns, kinds, spellings, blanks)
    chunks: Any = table.read(0, table.n_chunks)
    if chunks is None:
        return None
    counts = Counter[str]()
    for _, _, spelled in chunks:
        counts.update({t: k for t, k in zip(spellings, spelled, strict=True) if k})
    facts = {
        name: _facts(found, [columns[j] for _, columns, _ in chunks], chunks)
        for j, (name, found) in enumerate(guesses.items())
        if not found.candidates or found.read_as != "VARCHAR"
    }
    return PlainRows(_table(chunks, list(guesses), kinds), facts, counts)


def _is_simple(delimiter: str, spellings: Sequence[str]) -> bool:
    special = {*'"\r\n', delimiter}
    short = all(len(text.encode()) <= _LONGEST_SPELLING for text in spellings)
    plain = not any(special & {*text} for text in spellings)
    few = len(spellings) <= _MOST_SPELLINGS
    return delimiter in DELIMITERS and short and plain and few and find_spec("pyarrow") is not None


def _lines_of(path: Path, skip: int) -> Lines | None:
    """Where the rows are; None if the lines above them are not as simple as lines should be."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(_HEAD)
    begin = len(_MARK) if head.startswith(_MARK) else 0
    first = head.find(b"\n")
    if first < 0:
        return None
    returns = head[:first].endswith(b"\r")
    for _ in range(skip):
        end = head.find(b"\n", begin)
        line = head[begin:end]
        if end < 0 or line.endswith(b"\r") != returns or line.count(b'"') % 2:
            return None
        if b"\r" in line[:-1] or b"\x00" in line:
            return None
        begin = end + 1
    if begin >= size or not _is_utf8(head[:begin]):
        return None
    return Lines(begin, size, returns)


def _is_utf8(head: bytes) -> bool:
    try:
        head.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _kind_of(found: Guess) -> str:
    """The core's name of a type."""
    if found.read_as == "DOUBLE":
        return "whole" if found.whole else "real"
    if found.read_as == "TIMESTAMP":
        form = found.format or ""
        return f"moment{form[len('%Y-%m-%d')]}{'.' if form.endswith('.%f') else ''}"
    return "day" if found.read_as == "DATE" else "text"


def _facts(found: Guess, parts: Sequence[Any], chunks: Sequence[Any]) -> list[Any]:
    """As `questions` asks: the size of numbers is only to be below 2⁵³, which was seen to."""
    if found.read_as == "DOUBLE":
        return [0.0, found.whole]
    there = sum(rows for rows, _, _ in chunks) - sum(part[3] for part in parts)
    return [there] if found.read_as != "VARCHAR" else [there, sum(part[4] for part in parts)]


def _table(chunks: Sequence[Any], names: list[str], kinds: Sequence[str]) -> Any:
    import pyarrow as pa

    types = {"real": pa.float64(), "whole": pa.int64(), "day": pa.date32(), "text": pa.string()}
    chosen = [types.get(kind) or pa.timestamp("us") for kind in kinds]
    batches = []
    for rows, columns, _ in chunks:
        arrays = [_array(rows, t, part) for t, part in zip(chosen, columns, strict=True)]
        batches.append(pa.RecordBatch.from_arrays(arrays, names))
    return pa.Table.from_batches(batches)


def _array(rows: int, kind: pa.DataType, part: Any) -> pa.Array:
    """A column of a chunk in the memory of the core."""
    import pyarrow as pa

    buffers = [None if each is None else pa.py_buffer(each) for each in part[:3]]
    if kind != pa.string():
        buffers.pop()
    return pa.Array.from_buffers(kind, rows, buffers, null_count=part[3])
