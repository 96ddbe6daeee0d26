"""Text tables that are plain in every cell: parsed by the core on all threads, without DuckDB."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from stylobate._core import PlainTable, threads
from stylobate.data.kinds.spellings import ALWAYS_MISSING, MARKS
from stylobate.data.reading.dialect import DELIMITERS
from stylobate.data.reading.errors import refuse
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


class PlainFile(NamedTuple):
    """A UTF-8 file to be read in the types that were guessed.

    Parameters
    ----------
    path : Path
        Where it is.
    lines : Lines
        Which of its bytes are rows.
    delimiter : str
        Between the cells.
    guesses : mapping from str to Guess
        The types of the columns, by name.
    spellings : tuple of str
        Cells that stand for no value, besides empty ones.
    """

    path: Path
    lines: Lines
    delimiter: str
    guesses: Mapping[str, Guess]
    spellings: tuple[str, ...]

    def parts(self, together: int | None = None) -> Iterator[list[Any] | None]:
        """Chunks of rows as the core gives them, so many together, all by default; None if a cell
        is in doubt.
        """
        count = self._table().n_chunks
        size = together or count
        for first in range(0, count, size):  # no table is held while the caller works
            found: Any = self._table().read(first, min(size, count - first))
            yield found

    def _table(self) -> PlainTable:
        kinds = [_kind_of(found) for found in self.guesses.values()]
        blanks = [*ALWAYS_MISSING, *MARKS]
        begin, end, returns = self.lines
        path, mark = str(self.path), self.delimiter
        return PlainTable(path, begin, end, mark, returns, kinds, self.spellings, blanks)

    @property
    def schema(self) -> pa.Schema:
        """Arrow's names and types of the columns."""
        import pyarrow as pa

        kinds = [_arrow_type(_kind_of(found)) for found in self.guesses.values()]
        return pa.schema(list(zip(self.guesses, kinds, strict=True)))

    def batch(self, chunk: Any) -> pa.RecordBatch:
        """The rows of a chunk, in the memory of the core."""
        import pyarrow as pa

        rows, columns, *_ = chunk
        types = self.schema.types
        arrays = [_array(rows, kind, part) for kind, part in zip(types, columns, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)


class PlainRows(NamedTuple):
    """The rows of a plain table.

    Parameters
    ----------
    rows : pyarrow.Table or PlainStream
        Columns of the types that were guessed; whole numbers as such.
    facts : dict
        What `gather` would find; columns of text in which numbers or dates are to be tried are not
        among them.
    spelled : mapping from str to int
        How often missing values are written which way.
    longest_line : int
        In bytes.
    """

    rows: Any
    facts: dict[str, list[Any]]
    spelled: Mapping[str, int]
    longest_line: int


class PlainStream:
    """All rows of a plain file that is too large to be kept, parsed again at every pass."""

    def __init__(self, file: PlainFile, num_rows: int) -> None:
        """Take a file that was found plain in every cell."""
        self.file, self.num_rows = file, num_rows

    def batches(self) -> Iterator[pa.RecordBatch]:
        """A few of them are in memory at a time."""
        for chunks in self.file.parts(_at_a_time()):
            if chunks is None:
                refuse(str(self.file.path), "it has changed since it was looked at.")
            yield from map(self.file.batch, chunks)

    def tables(self) -> Iterator[pa.Table]:
        """The batches as tables."""
        import pyarrow as pa

        return (pa.Table.from_batches([batch]) for batch in self.batches())

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """A pass over the rows."""
        import pyarrow as pa

        reader = pa.RecordBatchReader.from_batches(self.file.schema, self.batches())
        return reader.__arrow_c_stream__(requested_schema)


def plain_file_of(
    path: Path, delimiter: str, skip: int, guesses: Mapping[str, Guess], missing: Sequence[str]
) -> PlainFile | None:
    """The file if it may be plain, as far as its first lines tell."""
    spellings = tuple(dict.fromkeys((*_AS_THEY_ARE, *filter(None, missing))))
    lines = _lines_of(path, skip)
    if lines is None or not _is_simple(delimiter, spellings) or len(guesses) < 2:
        return None
    return PlainFile(path, lines, delimiter, guesses, spellings)


def read_plain(file: PlainFile, *, keep: bool) -> PlainRows | None:
    """The rows of a UTF-8 file in the types that were guessed, or None if a cell is in doubt.

    In doubt is whatever DuckDB may not read as that type, or what another look at all rows may
    read otherwise: ragged rows, blank lines, quotes that span lines, codes such as 007, numbers
    from 2⁵³ on, fractions among whole numbers, other formats of dates, bytes that are no UTF-8.

    With `keep` false the rows are proved plain and not kept.
    """
    import pyarrow as pa

    kept: list[Any] = []
    width = len(file.guesses)
    seen = longest = 0
    counts, missing, blanks = Counter[str](), [0] * width, [0] * width
    for chunks in file.parts(None if keep else _at_a_time()):
        if chunks is None:
            return None
        for rows, columns, spelled, line in chunks:
            seen, longest = seen + rows, max(longest, line)
            counts.update({t: k for t, k in zip(file.spellings, spelled, strict=True) if k})
            for j, column in enumerate(columns):
                missing[j] += column[3]
                blanks[j] += column[4]
        if keep:
            kept += map(file.batch, chunks)
    facts = {
        name: _facts(found, seen - missing[j], blanks[j])
        for j, (name, found) in enumerate(file.guesses.items())
        if not found.candidates or found.read_as != "VARCHAR"
    }
    table = pa.Table.from_batches(kept, file.schema) if keep else PlainStream(file, seen)
    return PlainRows(table, facts, counts, longest)


def _at_a_time() -> int:
    """Chunks in memory together: two for each thread, and no more than fit."""
    return min(2 * threads(), 32)


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


def _facts(found: Guess, there: int, blanks: int) -> list[Any]:
    """As `questions` asks: the size of numbers is only to be below 2⁵³, which was seen to."""
    if found.read_as == "DOUBLE":
        return [0.0, found.whole]
    return [there] if found.read_as != "VARCHAR" else [there, blanks]


def _arrow_type(kind: str) -> pa.DataType:
    import pyarrow as pa

    types = {"real": pa.float64(), "whole": pa.int64(), "day": pa.date32(), "text": pa.string()}
    return types.get(kind) or pa.timestamp("us")


def _array(rows: int, kind: pa.DataType, part: Any) -> pa.Array:
    """A column of a chunk in the memory of the core."""
    import pyarrow as pa

    buffers = [None if each is None else pa.py_buffer(each) for each in part[:3]]
    if kind != pa.string():
        buffers.pop()
    return pa.Array.from_buffers(kind, rows, buffers, null_count=part[3])
