"""Which encoding a file is written in, why, and the file as UTF-8."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import NamedTuple

_BLOCK = 4 << 20
_NAMED = 5  # lines named in a reason
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NEVER_WESTERN = b"\x81\x8d\x8f\x90\x9d"  # bytes that are no letter of Western Europe
_CHINESE_SHARE = 0.2  # of the bytes beyond blanks; Latin letters with accents are rarer than that


class Encoding(NamedTuple):
    """An encoding by its Python name, and the reason it was taken."""

    name: str
    reason: str


def detect_encoding(head: bytes) -> Encoding | None:
    """The encoding in which the first bytes of a file make sense; None if they are no text.

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
    strange = _strange_lines(head)
    if strange:
        return Encoding("utf-8", f"mixed: some lines are UTF-8, others read as cp1252: {strange}")
    if decodes(head, "cp1252"):
        return Encoding("cp1252", "not UTF-8; single bytes of Western Europe")
    if sum(map(head.count, _NEVER_WESTERN)) > 0.01 * len(head):
        return None
    return Encoding("latin-1", "neither UTF-8, Big5 nor cp1252; every byte is a character")


def _strange_lines(head: bytes) -> str:
    """The first lines that are not UTF-8, if others are that beyond ASCII; else nothing."""
    lines = [*enumerate(head.split(b"\n"), 1)][: None if head.endswith(b"\n") else -1]
    strange = [k for k, line in lines if not decodes(line + b"\n", "utf-8")]
    if len(strange) == len([k for k, line in lines if not line.isascii()]):
        return ""
    return "line " + ", ".join(map(str, strange[:_NAMED])) + (", …" if strange[_NAMED:] else "")


def decodes(head: bytes, name: str) -> bool:
    """Whether bytes are text in an encoding; the last character may be cut."""
    try:
        codecs.getincrementaldecoder(name)().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def write_utf8(path: Path, name: str, target: Path) -> int:
    """Write a file again as UTF-8 with LF line ends; the number of bytes that were not `name`.

    Bytes that do not belong to the encoding are read as cp1252 (then Latin-1), so files glued
    together from several sources lose nothing. Line ends within quotes stay as they are.
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
    inside, pending = False, ""
    with (
        path.open(encoding=name, errors="stylobate.western", newline="") as text,
        target.open("w", encoding="utf-8", newline="") as out,
    ):
        while part := text.read(_BLOCK):
            part, pending = pending + part, ""
            if part.endswith("\r"):  # its LF may come with the next block
                part, pending = part[:-1], "\r"
            for k, piece in enumerate(part.split('"')):
                inside ^= k > 0
                plain = piece if inside else piece.replace("\r\n", "\n").replace("\r", "\n")
                out.write('"' * (k > 0) + plain)
        out.write("\n" if pending else "")
    return strays
