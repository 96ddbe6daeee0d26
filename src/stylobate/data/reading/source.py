"""What the caller passed: files and of which format, an address, a query, a data frame."""

from __future__ import annotations

import glob
import os
import re
import select
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple

from stylobate.data.reading.download import MOST_BYTES, download
from stylobate.data.reading.errors import refuse, refuse_absent, without_password
from stylobate.data.reading.packed import head_of
from stylobate.data.words import kind_of
from stylobate.datasets import list_datasets
from stylobate.datasets.shipped import path_of
from stylobate.exceptions import UnsupportedDataError

Format = Literal[
    "csv", "json", "parquet", "duckdb", "sqlite", "excel", "postgresql", "query", "frame"
]
HEAD = 1 << 20  # bytes looked at to tell what a file is
NO_TEXT = (
    "this is not a text file, nor Parquet, Excel, DuckDB or SQLite; if it is UTF-16 without a byte "
    "order mark, convert it to UTF-8."
)

_IMAGES = frozenset((".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp"))
_NO_IMAGES = (
    "tables are read here. Load the images as an array of shape (n, height, width) and give it to "
    "stylobate.neural_network.ConvNetClassifier."
)
_LOOKED_AT = 100  # entries of a folder that tell what it holds
_SCHEME = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.\-]+)://")
_QUERY = re.compile(r"^\s*(select|with|from)\s", re.IGNORECASE)
_WILD = re.compile(r"[*?\[]")
_FRAMES = ("pandas", "polars", "pyarrow", "narwhals")
_FRAME_TYPES = ("DataFrame", "LazyFrame", "Table", "RecordBatch", "RecordBatchReader")
_BLOCK = 1 << 20
_PATIENCE = 10.0  # seconds for the writer of a pipe to come


class Source(NamedTuple):
    """A source that exists: its name in messages, its format, its files, frame or address."""

    name: str
    format: Format
    paths: tuple[Path, ...] = ()
    frame: Any = None
    address: str = ""

    def state(self) -> list[tuple[int, int, int] | None]:
        """What tells whether a file was written to or replaced; None for one that is gone.

        Files whose rows are copied before they are read are left out.
        """
        paths = () if self.format in ("sqlite", "excel") else self.paths
        found = (path.stat() if path.exists() else None for path in paths)
        return [each and (each.st_ino, each.st_size, each.st_mtime_ns) for each in found]


def find_source(source: Any, folder: Path) -> Source:
    """What a source is, by its content rather than by its name.

    What is no file that can be read twice (an address, a pipe) is copied into `folder`.
    """
    if _is_frame(source):
        return Source(kind_of(source), "frame", frame=source)
    if not isinstance(source, str | os.PathLike):
        raise UnsupportedDataError(
            f"read: source is {kind_of(source)}; pass a path, an address, a pattern such as "
            f"'data/*.csv', a SELECT query, or a data frame of pandas, polars or pyarrow."
        )
    text = os.fspath(source)
    if isinstance(source, str) and _QUERY.match(text):
        return Source("query", "query")
    if "\x00" in text:
        refuse(repr(text), "a path holds no NUL character, so it cannot be read.")
    scheme = _SCHEME.match(text)
    if scheme:
        return _at_address(text, scheme[1].lower(), folder)
    if text in list_datasets() and not Path(text).exists():
        return Source(text, "csv", (path_of(text),))
    paths = tuple(_readable_twice(path, folder) for path in _paths(text))
    return Source(text, _format(paths[0]), paths)


def _is_frame(source: Any) -> bool:
    root = type(source).__module__.partition(".")[0]
    named = root in _FRAMES and type(source).__name__ in _FRAME_TYPES
    is_series = hasattr(source, "dtype")  # polars offers a stream of a series as well
    return named or (hasattr(source, "__arrow_c_stream__") and not is_series)


def _at_address(text: str, scheme: str, folder: Path) -> Source:
    shown = without_password(text)
    if scheme in ("postgresql", "postgres"):
        return Source(shown, "postgresql", address=text)
    if scheme in ("http", "https"):
        path = download(text, folder)
        return Source(shown, _format(path), (path,))
    refuse(
        shown,
        f"the scheme {scheme}:// is not read; http, https and postgresql are, and local paths.",
    )


def _entries(folder: Path) -> Iterator[Path]:
    """Some files of a folder and of the folders in it."""
    for place, entry in enumerate(sorted(folder.iterdir())):
        if place == _LOOKED_AT:
            return
        if entry.is_dir():
            yield from islice(entry.iterdir(), _LOOKED_AT)
        else:
            yield entry


def _paths(text: str) -> tuple[Path, ...]:
    path = Path(text).expanduser()
    if path.is_dir():
        if any(entry.suffix.lower() in _IMAGES for entry in _entries(path)):
            refuse(text, f"this is a folder of images; {_NO_IMAGES}")
        inside = sorted(entry.suffix for entry in path.iterdir() if entry.is_file())
        if not inside:
            refuse(text, "this is a folder without files; pass the path of a file.")
        hint = f"{text.rstrip('/')}/*{max(inside, key=inside.count)}"
        refuse(text, f"this is a folder; pass {hint!r} to read its files as one table.")
    if path.exists():
        if path.suffix.lower() in _IMAGES:
            refuse(text, f"this is an image; {_NO_IMAGES}")
        return (path,)
    if _WILD.search(text):
        found = [Path(p) for p in sorted(glob.glob(str(path), recursive=True))]
        files = tuple(p for p in found if not p.is_dir())
        if not files:
            refuse(text, "no file matches this pattern.")
        return files
    refuse_absent(path, list_datasets())


def _opened(path: Path) -> tuple[BinaryIO, bytes]:
    """A pipe that somebody writes to, and what was read of it to find out.

    One that nobody writes to would be waited for without end. An empty pipe is at its end without
    a writer, and not ready with one.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    watch = select.poll()
    watch.register(descriptor, select.POLLIN)
    first = b""
    if not watch.poll(1000.0 * _PATIENCE):
        try:
            first = os.read(descriptor, _BLOCK)
            waiting = not first
        except BlockingIOError:
            waiting = False
        if waiting:
            os.close(descriptor)
            refuse(
                str(path),
                f"this is a pipe, and nobody wrote to it for {_PATIENCE:g} seconds; start the "
                "writer first, or pass a file.",
            )
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "rb"), first


def _readable_twice(path: Path, folder: Path) -> Path:
    """The file itself; a copy of what comes out of a pipe."""
    mode = path.stat().st_mode
    if stat.S_ISREG(mode):
        return path
    if not stat.S_ISFIFO(mode):
        refuse(str(path), "this is a device or a socket, not a file.")
    target = folder / "piped"
    pipe, first = _opened(path)
    written = len(first)
    with pipe, target.open("wb") as out:
        out.write(first)
        while block := pipe.read(_BLOCK):
            written += len(block)
            if written > MOST_BYTES:
                refuse(str(path), f"more than {MOST_BYTES >> 30} GiB came out of the pipe.")
            out.write(block)
    return target


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
        if b"xl/" in head or path.suffix.lower() in (".xlsx", ".xlsm"):
            return "excel"
        refuse(str(path), "this is a zip archive; unpack it and pass the file inside.")
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        refuse(str(path), "this is an Excel workbook of before 2007; save it as .xlsx or CSV.")
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
    lines = head.splitlines()
    zeros = [line for line in lines if b"\x00" in line]
    if odd == head.count(0) and 0 < len(zeros) < len(lines) and head.count(0) < 0.2 * len(head):
        return  # a text but for some bytes; their first line is named when it is read
    if odd > 0.01 * len(head):
        refuse(str(path), NO_TEXT)
