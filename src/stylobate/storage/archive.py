"""The zip archive around a model: written whole or not at all, read with suspicion."""

from __future__ import annotations

import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from numpy.typing import NDArray

from stylobate.exceptions import ModelFileError
from stylobate.storage.limits import (
    LARGEST_DIRECTORY,
    LARGEST_DOCUMENT,
    MOST_MEMBERS,
    most_inflated,
)
from stylobate.storage.placing import replacing
from stylobate.storage.tensors import pieces, read_tensors

DOCUMENT, ARRAYS = "model.json", "arrays.safetensors"
_WRITTEN = (1980, 1, 1, 0, 0, 0)  # the same model gives the same bytes
_END, _END_64, _LOCATOR_64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_END_SIZE, _END_64_SIZE, _LOCATOR_SIZE = 22, 56, 20


def write_archive(path: Path, document: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a model file beside the place it goes to, then put it there in one step."""
    with replacing(path) as stream:
        fill_archive(stream, document, arrays)


def fill_archive(stream: BinaryIO, document: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write the parts of a model file to an open binary file."""
    with zipfile.ZipFile(stream, "w", allowZip64=True) as archive:
        entry = zipfile.ZipInfo(DOCUMENT, _WRITTEN)
        text = document.encode()
        # what shrinks as only bombs do is kept as it is: readers refuse to inflate it
        fair = len(text) <= most_inflated(0) or len(text) <= most_inflated(len(zlib.compress(text)))
        entry.compress_type = zipfile.ZIP_DEFLATED if fair else zipfile.ZIP_STORED
        archive.writestr(entry, text)
        entry = zipfile.ZipInfo(ARRAYS, _WRITTEN)  # stored as they are: they hardly shrink
        with archive.open(entry, "w", force_zip64=True) as member:
            for piece in pieces(arrays):
                member.write(piece)


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A stream of a model file; refused in a sentence if there is none."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise ModelFileError(f"{str(path)!r} is not a file.")
        with path.open("rb") as stream:
            yield stream
    except FileNotFoundError:
        raise ModelFileError(f"There is no file {str(path)!r}.") from None
    except OSError as error:
        raise ModelFileError(f"{str(path)!r} cannot be read: {error.strerror or error}.") from error


def read_archive(stream: BinaryIO, *, arrays: bool = True) -> tuple[bytes, dict[str, Any]]:
    """The JSON text and the arrays of a model file (none unless asked for)."""
    size = stream.seek(0, os.SEEK_END)
    _check_end(stream, size)
    with zipfile.ZipFile(stream) as archive:
        members = _checked_members(archive, size)
        document = members[DOCUMENT]
        packed = min(document.compress_size, size)
        stored = document.compress_type == zipfile.ZIP_STORED
        most = min(packed, LARGEST_DOCUMENT) if stored else most_inflated(packed)
        if document.file_size > most:
            raise ModelFileError(
                f"{DOCUMENT} claims {document.file_size} bytes, and {packed} in the file cannot "
                f"become more than {most}."
            )
        text = archive.read(document)
        if not arrays:
            return text, {}
        with archive.open(members[ARRAYS]) as member:
            return text, read_tensors(member, members[ARRAYS].file_size)  # type: ignore[arg-type]


def _check_end(stream: BinaryIO, size: int) -> None:
    """Refuse what does not end as our archives do, before the table of contents is read."""
    tail_size = min(size, _END_SIZE + _LOCATOR_SIZE + _END_64_SIZE)
    stream.seek(size - tail_size)
    tail = stream.read(tail_size)
    if len(tail) < _END_SIZE or tail[-_END_SIZE:][:4] != _END or tail[-2:] != b"\0\0":
        raise ModelFileError("It is not a model file, or it is cut short.")
    count, length = struct.unpack("<HL", tail[-_END_SIZE + 10 : -_END_SIZE + 16])
    locator = tail[-_END_SIZE - _LOCATOR_SIZE : -_END_SIZE]
    if locator[:4] == _LOCATOR_64:
        far = tail[: -_END_SIZE - _LOCATOR_SIZE]
        place = struct.unpack("<Q", locator[8:16])[0]
        if far[:4] != _END_64 or place != size - tail_size:
            raise ModelFileError("The end of the archive contradicts itself.")
        count, length = struct.unpack("<QQ", far[32:48])
    if count > MOST_MEMBERS or length > LARGEST_DIRECTORY:
        raise ModelFileError(f"The archive holds {count} members; model files hold two.")


def _checked_members(archive: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    """The members by name; refuses names, sizes and kinds that ours never have."""
    members: dict[str, zipfile.ZipInfo] = {}
    for member in archive.infolist():
        name = member.filename
        if name in members:
            raise ModelFileError(f"The archive holds {name[:100]!r} twice.")
        if "/" in name or "\\" in name or name.startswith(".") or not name.isprintable():
            raise ModelFileError(
                f"The archive holds {name[:100]!r}, no name of a model file's part."
            )
        if stat.S_ISLNK(member.external_attr >> 16) or member.flag_bits & 0x1:
            raise ModelFileError(f"{name[:100]!r} in the archive is a link or encrypted.")
        members[name] = member
    for name in (DOCUMENT, ARRAYS):
        if name not in members:
            raise ModelFileError(f"The archive lacks {name}: it is not a model file.")
    stored = members[ARRAYS]
    if stored.compress_type != zipfile.ZIP_STORED or stored.file_size > size:
        raise ModelFileError(f"{ARRAYS} claims more bytes than the file has.")
    if members[DOCUMENT].compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ModelFileError(f"{DOCUMENT} is compressed in a way model files never are.")
    return members
