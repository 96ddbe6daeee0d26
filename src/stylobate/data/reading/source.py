"""What the caller passed: files and of which format, a query, a data frame."""

from __future__ import annotations

import glob
import os
import re
from pathlib import Path
from typing import Any, Literal, NamedTuple

from stylobate.data.reading.errors import refuse, refuse_absent
from stylobate.data.reading.packed import head_of
from stylobate.data.words import kind_of
from stylobate.exceptions import UnsupportedDataError

Format = Literal["csv", "json", "parquet", "duckdb", "sqlite", "query", "frame"]
HEAD = 1 << 20  # bytes looked at to tell what a file is

_SCHEME = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.\-]+)://")
_QUERY = re.compile(r"^\s*(select|with|from)\s", re.IGNORECASE)
_WILD = re.compile(r"[*?\[]")
_FRAMES = ("pandas", "polars", "pyarrow")


class Source(NamedTuple):
    """A source that exists, its format, its name in messages, and its files."""

    name: str
    format: Format
    paths: tuple[Path, ...] = ()
    frame: Any = None


def find_source(source: Any) -> Source:
    """What a source is, by its content rather than by its name."""
    root = type(source).__module__.partition(".")[0]
    if root in _FRAMES and type(source).__name__ in ("DataFrame", "LazyFrame", "Table"):
        return Source(kind_of(source), "frame", frame=source)
    if not isinstance(source, str | os.PathLike):
        raise UnsupportedDataError(
            f"read: source is {kind_of(source)}; pass a path, a pattern such as 'data/*.csv', a "
            f"SELECT query, or a data frame of pandas, polars or pyarrow."
        )
    text = os.fspath(source)
    if isinstance(source, str) and _QUERY.match(text):
        return Source("query", "query")
    scheme = _SCHEME.match(text)
    if scheme:
        _refuse_address(text, scheme[1].lower())
    if "\x00" in text:
        refuse(repr(text), "a path holds no NUL character.")
    paths = _paths(text)
    return Source(text, _format(paths[0]), paths)


def _refuse_address(text: str, scheme: str) -> None:
    if scheme in ("http", "https"):
        refuse(text, "nothing is fetched from the network; download the file and pass its path.")
    refuse(text, f"the scheme {scheme}:// is not read; pass the path of a local file.")


def _paths(text: str) -> tuple[Path, ...]:
    path = Path(text).expanduser()
    if path.is_dir():
        inside = sorted(entry.suffix for entry in path.iterdir() if entry.is_file())
        hint = f"{text.rstrip('/')}/*{max(inside, key=inside.count)}" if inside else "a file"
        refuse(text, f"this is a folder; pass {hint!r} to read its files as one table.")
    if path.exists():
        return (path,)
    if _WILD.search(text):
        found = tuple(Path(p) for p in sorted(glob.glob(str(path), recursive=True)))
        if not found:
            refuse(text, "no file matches this pattern.")
        return found
    refuse_absent(path)


def _format(path: Path) -> Format:
    """The format of a file by its first bytes; JSON by its name or first character."""
    head = head_of(path, str(path), HEAD)
    if head.startswith(b"PAR1"):
        return "parquet"
    if head[8:12] == b"DUCK":
        return "duckdb"
    if head.startswith(b"SQLite format 3\x00"):
        return "sqlite"
    if head.startswith(b"PK\x03\x04"):
        refuse(str(path), "this is a zip archive (perhaps an Excel workbook); save it as CSV.")
    if not head.strip(b" \t\r\n\xef\xbb\xbf\x00"):
        refuse(str(path), "the file is empty.")
    _refuse_binary(path, head)
    suffixes = {suffix.lower() for suffix in path.suffixes}
    if suffixes & {".json", ".jsonl", ".ndjson"} or head.lstrip()[:2] in (b"[{", b'{"'):
        return "json"
    return "csv"


def _refuse_binary(path: Path, head: bytes) -> None:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return
    odd = sum(head.count(bytes([code])) for code in (*range(9), *range(14, 32)) if code != 27)
    zeros = head.count(b"\x00")
    if zeros and odd <= 0.01 * len(head):
        line = head[: head.index(b"\x00")].count(b"\n") + 1
        refuse(
            str(path), f"line {line} holds a NUL byte, which text never does; the file is damaged."
        )
    if odd > 0.01 * len(head):
        refuse(
            str(path),
            "the bytes are not text, Parquet, JSON, DuckDB or SQLite; if it is UTF-16 without a "
            "byte order mark, convert it to UTF-8.",
        )
