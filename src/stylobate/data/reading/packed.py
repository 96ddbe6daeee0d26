"""Compressed files: their first bytes, and the whole as a plain file."""

from __future__ import annotations

import gzip
import shutil
import zlib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from stylobate.data.reading.census import LONG_LINE, LONGEST_LINE
from stylobate.data.reading.errors import refuse

_BLOCK = 4 << 20
_MOST_TIMES = 250  # tables shrink to a twentieth, at most to a hundredth
_ALWAYS_ALLOWED = 1 << 28  # bytes, whatever the ratio
_LEFT_FREE = 1 << 30  # bytes of the disk
_FAILURES = (OSError, EOFError, zlib.error)
_MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}


def compression_of(path: Path) -> str | None:
    """How a file is compressed, by its first bytes."""
    with path.open("rb") as file:
        head = file.read(4)
    return next((name for magic, name in _MAGIC.items() if head.startswith(magic)), None)


def open_bytes(path: Path, name: str) -> IO[bytes]:
    """The bytes of a file, decompressed."""
    how = compression_of(path)
    if how == "gzip":
        return gzip.open(path, "rb")  # type: ignore[return-value]
    return _open_zstd(path, name) if how == "zstd" else path.open("rb")


def _open_zstd(path: Path, name: str) -> IO[bytes]:
    stream: Any
    if find_spec("zstandard"):
        stream = import_module("zstandard").open(path, "rb")
    elif find_spec("pyarrow"):
        import pyarrow

        stream = pyarrow.input_stream(str(path), compression="zstd")
    else:
        refuse(name, "it is compressed by Zstandard; install zstandard or pyarrow to read it.")
    return stream  # type: ignore[no-any-return]


def head_of(path: Path, name: str, size: int) -> bytes:
    """The first bytes of a file; if they hold no end of a line, as many as a line may have."""
    try:
        with open_bytes(path, name) as file:
            head = file.read(size)
            if len(head) == size and not set(b"\r\n") & set(head):
                head += file.read(LONGEST_LINE)
    except _FAILURES as error:
        refuse(name, f"it cannot be opened: {error}")
    if len(head) > LONGEST_LINE and not set(b"\r\n") & set(head):
        refuse(name, LONG_LINE)
    return head


def plain_file(path: Path, name: str, folder: Path) -> Path:
    """The file itself, or a decompressed copy; one that grows out of proportion is refused."""
    if compression_of(path) is None:
        return path
    target = folder / f"{len(list(folder.iterdir()))}.plain"
    most = max(_ALWAYS_ALLOWED, _MOST_TIMES * path.stat().st_size)
    most = min(most, max(_ALWAYS_ALLOWED, shutil.disk_usage(folder).free - _LEFT_FREE))
    written = since_line = 0
    try:
        with open_bytes(path, name) as file, target.open("wb") as out:
            while block := file.read(_BLOCK):
                written += len(block)
                end = max(block.rfind(b"\n"), block.rfind(b"\r"))
                since_line = since_line + len(block) if end < 0 else len(block) - end - 1
                if since_line > LONGEST_LINE + _BLOCK:
                    refuse(name, LONG_LINE)
                if written > most:
                    refuse(
                        name,
                        f"it decompresses to more than {most >> 20} MiB, out of proportion or "
                        "more than the disk holds; decompress it yourself if you trust it.",
                    )
                out.write(block)
    except _FAILURES as error:
        refuse(name, f"it cannot be decompressed: {error}")
    return target
