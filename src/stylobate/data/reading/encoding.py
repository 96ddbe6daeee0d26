"""Which encoding a file is written in, why, and the file as UTF-8."""

from __future__ import annotations

import codecs
import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from stylobate.data.reading.errors import refuse

LONGEST_LINE = 16 << 20  # bytes; a longer line is no table but something else
LONG_LINE = (
    f"a line is longer than {LONGEST_LINE >> 20} MiB, so this is no table with one row per line."
)
_BLOCK = 4 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CHINESE_SHARE = 0.2  # of the bytes beyond blanks; Latin letters with accents are rarer than that


class Encoding(NamedTuple):
    """An encoding by its Python name, and the reason it was taken."""

    name: str
    reason: str


def open_bytes(path: Path) -> IO[bytes]:
    """The bytes of a file, decompressed if its first two bytes say gzip."""
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return gzip.open(path, "rb") if packed else path.open("rb")  # type: ignore[return-value]


def detect_encoding(head: bytes) -> Encoding:
    """The encoding in which the first bytes of a file make sense.

    >>> detect_encoding("prix;café au lait".encode("cp1252"))
    Encoding(name='cp1252', reason='not UTF-8; single bytes of Western Europe')
    """
    for mark, name in _MARKS:
        if head.startswith(mark):
            return Encoding(name, "byte order mark")
    if decodes(head, "utf-8"):
        return Encoding("utf-8", "ASCII only" if head.isascii() else "valid UTF-8")
    replaced = head.decode("utf-8", errors="replace")
    strays = replaced.count("\ufffd")
    if sum(not letter.isascii() for letter in replaced) > 3 * strays:
        return Encoding("utf-8", "UTF-8 but for stray bytes")
    solid = sum(byte > 0x20 for byte in head)
    high = sum(byte > 0x7F for byte in head)
    if high > _CHINESE_SHARE * solid and decodes(head, "big5"):
        return Encoding("big5", "not UTF-8; every pair of bytes is a Big5 character")
    if decodes(head, "cp1252"):
        return Encoding("cp1252", "not UTF-8; single bytes of Western Europe")
    return Encoding("latin-1", "neither UTF-8, Big5 nor cp1252; every byte is a character")


def decodes(head: bytes, name: str) -> bool:
    """Whether bytes are text in an encoding; the last character may be cut."""
    try:
        codecs.getincrementaldecoder(name)().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def is_clean(path: Path, name: str) -> bool:
    """Whether DuckDB reads a file as it is: UTF-8 throughout, lines that all end alike.

    A line too long for a table is refused.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    valid = name in ("utf-8", "utf-8-sig")
    returns = feeds = pairs = 0
    last = b""
    for block in _blocks(path):
        returns += block.count(b"\r")
        feeds += block.count(b"\n")
        pairs += block.count(b"\r\n") + (last == b"\r" and block[:1] == b"\n")
        last = block[-1:]
        if valid:
            try:
                decoder.decode(block)
            except UnicodeDecodeError:
                valid = False
    alike = returns == 0 or (returns == feeds == pairs)
    return valid and alike


def _blocks(path: Path) -> Iterator[bytes]:
    """Blocks of a file; refuses once more bytes than a line may have came without its end."""
    pending = 0
    with open_bytes(path) as file:
        while block := file.read(_BLOCK):
            last = max(block.rfind(b"\n"), block.rfind(b"\r"))
            ends = [at for at in (block.find(b"\n"), block.find(b"\r")) if at >= 0]
            if pending + min(ends, default=len(block)) > LONGEST_LINE:
                refuse(str(path), LONG_LINE)
            pending = pending + len(block) if last < 0 else len(block) - last - 1
            yield block


def write_utf8(path: Path, name: str, target: Path) -> int:
    """Write a file again as UTF-8 with LF line ends; the number of bytes that were not `name`.

    Bytes that do not belong to the encoding are read as cp1252 (then Latin-1), so files glued
    together from several sources lose nothing.
    """
    strays = 0

    def as_western(error: UnicodeError) -> tuple[str, int]:
        nonlocal strays
        if not isinstance(error, UnicodeDecodeError):
            raise error
        odd = error.object[error.start : error.end]
        strays += len(odd)
        return odd.decode("cp1252" if decodes(odd, "cp1252") else "latin-1"), error.end

    codecs.register_error("stylobate.western", as_western)
    with (
        io.TextIOWrapper(open_bytes(path), encoding=name, errors="stylobate.western") as text,
        target.open("w", encoding="utf-8", newline="") as out,
    ):
        while part := text.read(_BLOCK):
            out.write(part)
    return strays
